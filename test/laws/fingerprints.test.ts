/** The law of card fingerprints (docs/operations.md#card-fingerprints), through loading and reports. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import fc from 'fast-check';
import { isStorable } from '../../packages/service/src/contract/words.ts';
import type { Restaurant } from '../../packages/service/src/ledger/restaurant.ts';
import { type Engine, forEach, newRestaurant, openEngine, put, type Report, reportsOf } from './engine.ts';
import { checkLaws } from './laws.ts';
import type { Json } from './naive.ts';

/** In every id of a card, so that one search finds any of them. */
const MARK = 'cardid7f3a9c';
const BRAND = 'BRAND7F3A9C';
const UUID_8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A payment with a card, by its place in the list of cards, or without one; some say their fingerprint themselves. */
const payment = fc.record({
  card: fc.option(fc.nat(3)),
  given: fc.option(fc.uuid(), { freq: 1 }),
});
const payments = fc.array(payment, { minLength: 1, maxLength: 4 });
const trades = fc.record({
  cards: fc.uniqueArray(fc.string({ maxLength: 12 }).filter(isStorable), { minLength: 4, maxLength: 4 }),
  group: fc.string({ maxLength: 6 }),
  /** Of two restaurants of the group, and of one of another group. */
  own: payments,
  sibling: payments,
  foreign: payments,
});
type Trade = typeof trades extends fc.Arbitrary<infer T> ? T : never;
type Payment = Trade['own'][number];

const cardOf = ({ cards }: Trade, { card }: Payment): string | undefined =>
  card === null ? undefined : `${MARK}${cards[card]}`;

/** A payment's place is its GUID's end, so that rows can be told apart. */
function orderOf(trade: Trade, list: Payment[]): Json {
  const openedDate = '2026-03-10T17:00:00.000Z';
  const all = list.map((one, index) => ({
    guid: `91b00000-0000-4000-8000-00000000000${index}`,
    type: 'CREDIT',
    amount: 10,
    paidDate: openedDate,
    cardPaymentId: cardOf(trade, one) ?? null,
    cardFingerprint: one.given,
    cardType: BRAND,
    last4Digits: '4242',
  }));
  return { guid: randomUUID(), openedDate, checks: [{ guid: randomUUID(), payments: all }] };
}

/** What a payment has in its report, with what its source says. */
interface Seen {
  card: string | undefined;
  given: string | null;
  shown: string | null;
}
interface Prepared {
  own: Seen[];
  sibling: Seen[];
  foreign: Seen[];
  /** Of `own`, loaded without a key, and reported with fingerprints. */
  off: Seen[];
  /** Of `own`, loaded with a key, and reported without fingerprints. */
  hidden: Seen[];
  /** Files of the engine with the id of a card, after all of the round was loaded. */
  leaks: string[];
}

/** The files below a folder that have a text, for each text. */
async function filesWith(folder: string, texts: string[]): Promise<string[][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(paths.map(async (path) => ({ path, bytes: await readFile(path) })));
  return texts.map((text) => files.filter(({ bytes }) => bytes.includes(text)).map(({ path }) => path));
}

const made = (seen: Seen[]): Seen[] => seen.filter(({ card, given }) => card !== undefined && given === null);

describe('the law of card fingerprints', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  const keyOf = async (group: string): Promise<Uint8Array> => createHash('sha256').update(group).digest();
  async function load(trade: Trade, list: Payment[], group: string, isOn = true): Promise<Restaurant> {
    const restaurant = newRestaurant({
      guid: '',
      name: 'Bistro',
      timeZone: 'UTC',
      closeoutHour: 4,
      overtimeMultiplier: 1.5,
      diningOptions: {},
      revenueCenters: {},
      employees: {},
      jobs: {},
    });
    const of = { ...restaurant, group };
    await put(engine, of, 'orders', [orderOf(trade, list)], isOn ? { fingerprintKey: keyOf } : {});
    return of;
  }

  checkLaws(
    trades,
    async (round): Promise<Prepared[]> => {
      const loaded = await forEach(round, async (trade) => {
        const { group } = trade;
        return await Promise.all([
          load(trade, trade.own, group),
          load(trade, trade.sibling, group),
          load(trade, trade.foreign, `${group}+`),
          load(trade, trade.own, group, false),
        ]);
      });
      const [leaks = [], plain = []] = await filesWith(engine.folder, [MARK, BRAND]);
      // What was written is found as it is: this text is.
      assert.ok(plain.length > 0);
      const reports = reportsOf(engine, loaded.flat());
      const seenBy = async (trade: Trade, list: Payment[], report: Report | undefined, fingerprints = true) => {
        const rows = (await report?.({ kind: 'guest-payments', fingerprints })) ?? [];
        return list.map((one, index): Seen => {
          const row = rows.find(({ paymentGuid }) => paymentGuid.endsWith(String(index)));
          assert.ok(row);
          return { card: cardOf(trade, one), given: one.given, shown: row.cardFingerprint };
        });
      };
      return await Promise.all(
        round.map(async (trade, index) => {
          const [own, sibling, foreign, off] = reports.slice(4 * index);
          return {
            own: await seenBy(trade, trade.own, own),
            sibling: await seenBy(trade, trade.sibling, sibling),
            foreign: await seenBy(trade, trade.foreign, foreign),
            off: await seenBy(trade, trade.own, off),
            hidden: await seenBy(trade, trade.own, own, false),
            leaks,
          };
        }),
      );
    },
    {
      'two payments of a group have the same fingerprint if and only if they are of the same card': (
        _trade,
        { own, sibling },
      ) => {
        const all = made([...own, ...sibling]);
        for (const one of all) {
          assert.match(String(one.shown), UUID_8);
          for (const other of all) assert.equal(one.shown === other.shown, one.card === other.card);
        }
      },
      'the cards of two groups share no fingerprint': (_trade, { own, sibling, foreign }) => {
        const here = new Set(made([...own, ...sibling]).map(({ shown }) => shown));
        for (const { shown } of made(foreign)) assert.ok(!here.has(shown));
      },
      'a fingerprint that the source gives is kept, and without one and without a card it is null': (
        _trade,
        { own, sibling, foreign },
      ) => {
        for (const { card, given, shown } of [...own, ...sibling, ...foreign]) {
          if (given !== null) assert.equal(shown, given.toLowerCase());
          else if (card === undefined) assert.equal(shown, null);
        }
      },
      'all are null where they are off, whether orders were loaded or reported so': (_trade, { off, hidden }) => {
        for (const { shown } of [...off, ...hidden]) assert.equal(shown, null);
      },
      'no id of a card is in any file': (_trade, { leaks }) => assert.deepEqual(leaks, []),
    },
  );
});

/**
 * The law of loads that come at once, small, with files and large: however they are grouped, what is stored, what each
 * is answered and what moved between any two of them is what loading one after another makes.
 */
import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import { after, before, describe } from 'node:test';
import fc from 'fast-check';
import type { Merged } from '../../packages/service/src/facts/load.ts';
import type { Changes } from '../../packages/service/src/facts/report.ts';
import type { Restaurant } from '../../packages/service/src/ledger/restaurant.ts';
import { checkFact, type Lines, lineFact, mergeLines, orderFact } from '../conformance/facts.ts';
import { type Engine, forEach, newRestaurant, openEngine, type Report, reportsOf, scopeOf } from './engine.ts';
import { checkLaws } from './laws.ts';
import type { Json } from './naive.ts';

const DATES = [20260310, 20260311] as const;
const BOUNDS = { deadlineMs: 120_000 };
const PLACE = {
  guid: 'b1500000-0000-4000-8000-000000000001',
  name: 'Bistro',
  timeZone: 'America/New_York',
  closeoutHour: 4,
  overtimeMultiplier: 1.5,
  diningOptions: {},
  revenueCenters: {},
  employees: {},
  jobs: {},
};
/** How many pairs of loads of a round are compared. */
const PAIRS = 8;

interface Version {
  order: number;
  modifiedAt: number;
  date: number;
  guests: number;
  /** How many are sold of its item; none if 0. */
  items: number;
  gone: boolean;
  /** Whether it came with a digest of its facts, without which it is never the same as another. */
  digested: boolean;
}
interface Load {
  restaurant: number;
  versions: Version[];
  /** In memory, in files, or in files that are merged beside the others, as those of a large body are. */
  size: 'lines' | 'medium' | 'large';
}
/** Groups come one after another; the loads of one come at once. */
type Groups = Load[][];

const version: fc.Arbitrary<Version> = fc.record({
  order: fc.nat(2),
  modifiedAt: fc.nat(3),
  date: fc.constantFrom(...DATES),
  guests: fc.nat(2),
  items: fc.nat(1),
  gone: fc.nat(3).map((n) => n === 0),
  digested: fc.nat(3).map((n) => n > 0),
});
const load: fc.Arbitrary<Load> = fc.record({
  restaurant: fc.nat(1),
  versions: fc.array(version, { minLength: 1, maxLength: 3 }),
  // Those with files take the engine some ten times as long.
  size: fc.nat(59).map((n) => (n === 0 ? 'large' : n <= 2 ? 'medium' : 'lines')),
});
const groups: fc.Arbitrary<Groups> = fc.array(fc.array(load, { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 3,
});

/** The versions that stand, by restaurant and order. */
type State = ReadonlyMap<string, Version>;

const isSame = (one: Version | undefined, other: Version): boolean =>
  one?.digested === true && JSON.stringify(one) === JSON.stringify(other);

/** One load after another, one record after another. */
function loadNaively(loads: readonly Load[]): { counts: { accepted: number; unchanged: number }[]; states: State[] } {
  const states: State[] = [];
  const counts = loads.map(({ restaurant, versions }) => {
    const before = states.at(-1);
    const state = new Map(before);
    const accepted: string[] = [];
    for (const one of versions) {
      const key = `${restaurant}/${one.order}`;
      const stored = state.get(key);
      if ((stored && stored.modifiedAt > one.modifiedAt) || isSame(stored, one)) continue;
      state.set(key, one);
      accepted.push(key);
    }
    states.push(state);
    const changed = accepted.filter((key) => !isSame(before?.get(key), state.get(key) ?? assert.fail()));
    return { accepted: changed.length, unchanged: versions.length - changed.length };
  });
  return { counts, states };
}

interface Done extends Load {
  merged: Merged;
  /** Its place among those that came before and with it. */
  arrival: number;
}
interface Prepared {
  /** In the order of their numbers, which is that of their commits. */
  loads: Done[];
  /** Those that took no number, because they changed nothing. */
  idle: Done[];
  /** The GUIDs of the orders. */
  orders: string[];
  reports: Report[];
  /** What moved between two loads, in this case's restaurants. */
  moved: { from: number; to: number; changes: Changes }[];
  faults: number;
}

/** A UUID that is equal for equal versions. */
const digestOf = (version: Version): string =>
  hash('sha256', JSON.stringify(version), 'hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');

function linesFor(orders: string[], versions: Version[]): Lines {
  const facts = versions.map((version, seq) => {
    const { order, modifiedAt, date, guests, gone } = version;
    return {
      ...orderFact({
        seq,
        order_guid: orders[order] ?? '',
        modified_at: modifiedAt,
        business_date: date,
        ...(gone
          ? { status: 'excluded', guests: 0, gross_cents: 0, discount_cents: 0, has_discount: false }
          : { guests }),
      }),
      facts_digest: version.digested ? digestOf(version) : null,
    };
  });
  const kept = facts.filter(({ status }) => status !== 'excluded');
  // Checks are as they were unless the items changed.
  const checks = kept.map((fact) => {
    const { items = 0 } = versions[fact.seq] ?? {};
    return checkFact(fact, { check_guid: fact.order_guid, modified_at: null, total_cents: items });
  });
  const lines = checks.flatMap((check) =>
    check.total_cents > 0 ? [lineFact(check, { quantity: check.total_cents * 1_000_000 })] : [],
  );
  return { orders: facts, checks, lines };
}

describe('the law of loads that come at once', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  async function loadAll(
    all: Groups,
    places: Restaurant[],
    orders: string[],
  ): Promise<Pick<Prepared, 'loads' | 'idle'>> {
    const done: Done[] = [];
    const idle: Done[] = [];
    for (const group of all) {
      const waiting = group.map(async (one, index) => {
        const to = { facts: engine.facts, folder: engine.folder, spools: one.size };
        const id = places[one.restaurant]?.id ?? assert.fail();
        return {
          ...one,
          arrival: done.length + idle.length + index,
          merged: await mergeLines(to, id, linesFor(orders, one.versions)),
        };
      });
      const last = done.at(-1)?.merged.load ?? 0;
      const merged = (await Promise.all(waiting)).sort((one, other) => one.merged.load - other.merged.load);
      const numbered = merged.filter(({ merged }) => merged.load > 0);
      assert.ok(
        numbered.every(({ merged }) => merged.load > last),
        'a later load has a higher number',
      );
      done.push(...numbered);
      idle.push(...merged.filter(({ merged }) => merged.load === 0));
    }
    return { loads: done, idle };
  }

  async function prepare(cases: Groups[]): Promise<Prepared[]> {
    const loaded = await forEach(cases, async (all) => {
      const places = [newRestaurant(PLACE), newRestaurant(PLACE)];
      const orders = [randomUUID(), randomUUID(), randomUUID()];
      return { places, orders, ...(await loadAll(all, places, orders)) };
    });
    const restaurants = loaded.flatMap(({ places }) => places.map(scopeOf));
    const numbers = loaded.flatMap(({ loads }) => loads.map(({ merged }) => merged.load)).sort((a, b) => a - b);
    const moved: Prepared['moved'] = [];
    for (let i = 0; i < PAIRS; i++) {
      const [from = 0, to = 0] = [i, i + 1 + (i % 3)].map((part) =>
        numbers.at(Math.floor((part * numbers.length) / (PAIRS + 3))),
      );
      const query = { kind: 'metrics' as const, startDate: DATES[0], endDate: DATES[1], offset: 0, limit: 1_000_000 };
      const sides = { before: { snapshot: String(from), restaurants }, after: { snapshot: String(to), restaurants } };
      moved.push({ from, to, changes: await engine.facts.changes({ ...query, ...sides }, BOUNDS) });
    }
    const faults = (await engine.facts.verify(BOUNDS)).length;
    const reports = reportsOf(
      engine,
      loaded.flatMap(({ places }) => places),
    );
    return loaded.map(({ places, orders, loads, idle }, i) => {
      const own = new Set(places.map(({ guid }) => guid));
      const ofCase = ({ checks, orders: of }: Changes): Changes => ({
        checks: checks.filter(({ restaurantGuid }) => own.has(restaurantGuid)),
        orders: of.filter(({ restaurantGuid }) => own.has(restaurantGuid)),
        lines: [],
        timeEntries: [],
      });
      return {
        loads,
        idle,
        orders,
        faults,
        reports: reports.slice(2 * i, 2 * i + 2),
        moved: moved.map((one) => ({ ...one, changes: ofCase(one.changes) })),
      };
    });
  }

  /** Date and guests of what stands, by key; what is gone is not there. */
  const told = (state: State | undefined): Map<string, string> =>
    new Map([...(state ?? [])].flatMap(([key, { gone, date, guests }]) => (gone ? [] : [[key, `${date} ${guests}`]])));

  checkLaws(groups, prepare, {
    'each is answered what it is when the others come before or after it, the small ones of a restaurant in the order of arrival':
      (_, { loads }) => {
        const { counts } = loadNaively(loads);
        assert.deepEqual(
          loads.map(({ merged: { accepted, unchanged } }) => ({ accepted, unchanged })),
          counts,
        );
        assert.equal(new Set(loads.map(({ merged }) => merged.load)).size, loads.length);
        for (const index of [0, 1]) {
          const arrivals = loads.filter(({ restaurant, size }) => restaurant === index && size === 'lines');
          assert.ok(arrivals.every(({ arrival }, i) => i === 0 || arrival > (arrivals[i - 1]?.arrival ?? 0)));
        }
      },
    'one that took no number changed nothing when it came': (_, { loads, idle }) => {
      for (const one of idle) {
        const { accepted, unchanged } = one.merged;
        assert.deepEqual([accepted, unchanged, one.merged.days], [0, one.versions.length, []]);
        const answers = Array.from({ length: loads.length + 1 }, (_, earlier) =>
          loadNaively([...loads.slice(0, earlier), one]).counts.at(-1),
        );
        assert.ok(answers.some((answer) => answer?.accepted === 0));
      }
    },
    'what stands afterwards is the same, in reports of metrics, of menus and of checks, and daily rollups are what the facts make':
      async (_, { loads, reports, faults }) => {
        const current = loadNaively(loads).states.at(-1) ?? new Map<string, Version>();
        for (const [restaurant, report] of reports.entries()) {
          const own = [...current].filter(([key, { gone }]) => key.startsWith(`${restaurant}/`) && !gone);
          const byDate = Map.groupBy(own, ([, { date }]) => String(date));
          const expected = [...byDate].map(([date, list]) => [
            ...[date, list.length, list.reduce((sum, [, { guests }]) => sum + guests, 0)],
          ]);
          const rows = (await report()).map((row: Json) => [row.businessDate, row.ordersCount, row.guestCount]);
          assert.deepEqual(rows.sort(), expected.sort());
          assert.equal((await report({ kind: 'check' })).length, own.length);
          const sold = [...byDate].flatMap(([date, list]) => {
            const items = list.reduce((sum, [, { items }]) => sum + items, 0);
            return items > 0 ? [[date, items]] : [];
          });
          const menu = await report({ kind: 'menu', groups: ['MENU_ITEM'] });
          const quantities = menu.map((row: Json) => [row.businessDate, row.quantitySold]);
          assert.deepEqual(quantities.sort(), sold.sort());
        }
        assert.equal(faults, 0);
      },
    'what moved between any two loads is what moved between them one after another': (_, { loads, orders, moved }) => {
      const { states } = loadNaively(loads);
      const at = (load: number) => told(states[loads.filter(({ merged }) => merged.load <= load).length - 1]);
      for (const { from, to, changes } of moved) {
        const [before, after] = [at(from), at(to)];
        const keys = [...new Set([...before.keys(), ...after.keys()])].filter(
          (key) => before.get(key) !== after.get(key),
        );
        const expected = keys.map((key) => orders[Number(key.split('/')[1])]).sort();
        assert.deepEqual(changes.orders.map(({ orderGuid }) => orderGuid).sort(), expected);
        // Of checks it tells those whose date moved, came or went: their sales are all the same.
        const dateOf = (told: string | undefined) => told?.split(' ')[0];
        const movedChecks = keys.filter((key) => dateOf(before.get(key)) !== dateOf(after.get(key)));
        assert.equal(changes.checks.length, movedChecks.length);
      }
    },
  });
});

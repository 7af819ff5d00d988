/**
 * The law of loads that change nothing: a body that is loaded again, small, with files or large, writes nothing and
 * changes nothing that is seen, and each of its records counts as unchanged. One that is edited changes that one, and
 * another time zone changes all.
 */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import fc from 'fast-check';
import type { Facts } from '../../packages/service/src/facts/facts.ts';
import type { LoadKind } from '../../packages/service/src/facts/load.ts';
import { type LoadAnswer, load } from '../../packages/service/src/ingest/load.ts';
import type { Restaurant } from '../../packages/service/src/ledger/restaurant.ts';
import { mergeSpool } from '../conformance/facts.ts';
import { cases } from './arbitraries.ts';
import { paymentCases, settlementsOf } from './arbitrary-payments.ts';
import { type Engine, inTurns, newRestaurant, openEngine, type Report, reportsOf } from './engine.ts';
import { checkLaws } from './laws.ts';
import type { Json } from './naive.ts';

const KINDS: readonly LoadKind[] = ['orders', 'shifts', 'settlements'];
type Bodies = Record<LoadKind, Json[]>;

interface Again {
  restaurant: Parameters<typeof newRestaurant>[0];
  /** Some records twice or in several versions, as they come. */
  bodies: Bodies;
  spools: 'lines' | 'medium' | 'large';
  /** The record that is edited, and which of the edits of its kind. */
  edit: { kind: LoadKind; record: number; edit: number };
}

const again: fc.Arbitrary<Again> = fc
  .record({
    of: cases(5, 4),
    payments: paymentCases,
    // Those with files take the engine a hundred times as long.
    spools: fc.nat(149).map((n) => (n === 0 ? 'large' : n === 1 ? 'medium' : 'lines')),
    edit: fc.record({ kind: fc.constantFrom(...KINDS), record: fc.nat(), edit: fc.nat() }),
  })
  .map(({ of: { restaurant, orders, entries }, payments, ...rest }) => ({
    restaurant,
    ...rest,
    bodies: { orders: [...orders, ...payments.orders], shifts: entries, settlements: settlementsOf(payments) },
  }));

/** Edits of one stored property, with which a record is never what it was. */
const EDITS: Record<LoadKind, readonly ((record: Json) => Json)[]> = {
  orders: [
    (order) => ({ ...order, openedDate: '2031-01-05T17:05:00.000Z' }),
    (order) => ({ ...order, businessDate: 20310105 }),
    (order) => ({ ...order, modifiedDate: '2031-01-05T17:05:00.000Z' }),
  ],
  shifts: [
    (entry) => ({ ...entry, jobReference: { guid: 'another job' } }),
    (entry) => ({ ...entry, regularHours: 23.75 }),
    (entry) => ({ ...entry, employeeReference: { guid: 'another', firstName: 'Mary', lastName: 'Jackson' } }),
    (entry) => ({ ...entry, businessDate: 20310105 }),
    (entry) => ({ ...entry, modifiedDate: '2031-01-05T17:05:00.000Z' }),
  ],
  settlements: [
    (settlement) => ({ ...settlement, deleted: settlement.deleted !== true }),
    (settlement) => ({ ...settlement, modifiedDate: '2031-01-05T17:05:00.000Z' }),
  ],
};

interface Seen {
  /** By kind: of the first load and of the second. */
  answers: Record<LoadKind, { first: LoadAnswer; second: LoadAnswer }>;
  /** Of a load with an edited record, unless there is none, and of one in another time zone. */
  edited: LoadAnswer | undefined;
  moved: LoadAnswer;
  /** The kinds of the second loads that were announced. */
  announced: LoadKind[];
  /** What is loaded, after the first loads and after the second. */
  coverage: [unknown, unknown];
  /** What was written on disk by all of the second loads of the round. */
  files: [string, string];
  reports: [Json[][], Json[][]];
}

/** The newest version of each record, as read last of those with one date. */
const newestOf = (records: Json[]): Json[] => [...new Map(records.map((record) => [record.guid, record])).values()];

describe('the law of loading again', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  async function send(
    { spools, of, kind }: Pick<Again, 'spools'> & { of: Restaurant; kind: LoadKind },
    records: Json[],
    onMerged: () => void = () => undefined,
  ): Promise<LoadAnswer> {
    const body = (async function* () {
      yield Buffer.from(JSON.stringify(records));
    })();
    const facts: Facts = {
      ...engine.facts,
      merge: (id, spool) =>
        'folder' in spool ? engine.facts.merge(id, spool) : mergeSpool({ ...engine, spools }, id, spool),
    };
    const deps = { facts, spoolFolder: join(engine.folder, 'spool'), onMerged, clock: () => Date.UTC(2032, 0) };
    return await load(deps, of, { kind, body, format: 'array' });
  }

  /** Sizes and times of the files of the facts. */
  async function filesNow(): Promise<string> {
    const about = async (name: string) => {
      const { size, mtimeMs } = await stat(join(engine.folder, 'facts', name));
      return `${name} ${size} ${mtimeMs}`;
    };
    return (await Promise.all(['facts.duckdb', 'facts.duckdb.wal'].map(about))).join();
  }

  const shown = async (report: Report): Promise<Json[][]> => [
    await report(),
    await report({ kind: 'check' }),
    await report({ kind: 'labor', groups: ['JOB'] }),
    await report({ kind: 'menu', groups: ['MENU_ITEM'] }),
  ];

  async function prepare(round: Again[]): Promise<Seen[]> {
    const places = round.map(({ restaurant }) => newRestaurant(restaurant));
    const loaded = async (announced: (index: number, kind: LoadKind) => void) =>
      await inTurns([...round.entries()], async ([index, { bodies, spools }]) => {
        const of = places[index] as Restaurant;
        const answers: Partial<Record<LoadKind, LoadAnswer>> = {};
        for (const kind of KINDS)
          answers[kind] = await send({ spools, of, kind }, bodies[kind], () => announced(index, kind));
        return answers as Record<LoadKind, LoadAnswer>;
      });
    const told: LoadKind[][] = round.map(() => []);
    const covered = () => engine.facts.coverage(places.map(({ id }) => id));
    const reported = () => Promise.all(reportsOf(engine, places).map(shown));

    const first = await loaded(() => undefined);
    const [coverage, reports, files] = [await covered(), await reported(), await filesNow()];
    const second = await loaded((index, kind) => told[index]?.push(kind));
    const after = { coverage: await covered(), reports: await reported(), files: await filesNow() };
    const later = await inTurns([...round.entries()], async ([index, one]) => {
      const of = places[index] as Restaurant;
      return await editAndMove(one, of);
    });

    return round.map((_, index) => {
      const id = places[index]?.id ?? 0;
      const answers = Object.fromEntries(
        KINDS.map((kind) => [kind, { first: first[index]?.[kind], second: second[index]?.[kind] }]),
      ) as Seen['answers'];
      return {
        answers,
        ...(later[index] ?? assert.fail()),
        announced: told[index] ?? [],
        coverage: [coverage.get(id), after.coverage.get(id)],
        files: [files, after.files],
        reports: [reports[index] ?? [], after.reports[index] ?? []],
      };
    });
  }

  /**
   * Loads one kind once more into a restaurant of its own, without repetitions, then with one record edited, then in
   * another time zone.
   */
  async function editAndMove(
    { restaurant, bodies, spools, edit: { kind, record, edit } }: Again,
    { timeZone }: Restaurant,
  ): Promise<Pick<Seen, 'edited' | 'moved'>> {
    const of = newRestaurant(restaurant);
    const records = newestOf(bodies[kind]);
    await send({ spools, of, kind }, records);
    const edits = EDITS[kind];
    const index = record % Math.max(records.length, 1);
    const apply = edits[edit % edits.length] ?? assert.fail();
    const other = records.map((record, i) => (i === index ? apply(record) : record));
    const edited = records.length === 0 ? undefined : await send({ spools, of, kind }, other);
    const elsewhere = { ...of, timeZone: timeZone === 'Asia/Kathmandu' ? 'Asia/Tokyo' : 'Asia/Kathmandu' };
    return { edited, moved: await send({ spools, of: elsewhere, kind }, other) };
  }

  checkLaws(again, prepare, {
    'each record of a body that is loaded again counts as unchanged': ({ bodies }, { answers }) => {
      for (const kind of KINDS) {
        const { first, second } = answers[kind];
        const read = bodies[kind].length - first.rejectedCount;
        assert.deepEqual([second.accepted, second.unchanged], [0, read], kind);
        assert.equal(first.accepted + first.unchanged, read);
      }
    },
    'nothing is announced, written or seen': (_, { announced, coverage, files, reports }) => {
      assert.deepEqual(announced, []);
      assert.deepEqual(coverage[1], coverage[0]);
      assert.equal(files[1], files[0]);
      assert.deepEqual(reports[1], reports[0]);
    },
    'one edited record is accepted, and no other': ({ edit: { kind } }, { edited }) => {
      // What cannot be read before cannot be read with the edit either.
      if (edited?.rejectedCount === 0) assert.deepEqual([edited.accepted, kind], [1, kind]);
    },
    'in another time zone all are accepted': ({ bodies, edit: { kind } }, { moved }) => {
      assert.deepEqual([moved.accepted + moved.rejectedCount, moved.unchanged], [newestOf(bodies[kind]).length, 0]);
    },
  });
});

/**
 * The law of the load protocol (facts/clickhouse/protocol.ts): whatever fails, whenever, and whoever comes back from
 * the dead, a snapshot shows what a plain fold of the committed bodies gives, and what was acknowledged is committed.
 * `PROTOCOL_HISTORIES` sets how many histories are run.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../packages/service/src/demo/random.ts';
import {
  type Begun,
  LoadAborted,
  type Promoted,
  promote,
  retire,
  runLoads,
  type Seen,
  sweep,
} from '../../packages/service/src/facts/clickhouse/protocol.ts';
import type { Snapshot } from '../../packages/service/src/facts/clickhouse/snapshot.ts';
import { SEED } from './laws.ts';
import { type Body, drawBody, fold, RESTAURANTS } from './protocol-bodies.ts';
import {
  createWorld,
  GRACE_MS,
  isVisible,
  RETIRE_MS,
  type StoredRow,
  type Version,
  type Weakness,
  type World,
} from './protocol-world.ts';

const HISTORIES = Number(process.env.PROTOCOL_HISTORIES ?? 1000);
/** A weakened protocol is found out long before this. */
const MOST_WEAKENED = 2000;

/**
 * What the loads add, with what each accepted: the versions that win, those that they replace, their places and deltas.
 */
function mergeBodies(
  bodies: readonly (Body & { load: number })[],
  stored: ReadonlyMap<string, { version: Version; born: number }>,
): { added: StoredRow[]; accepted: number[] } {
  const current = new Map(stored);
  const added: StoredRow[] = [];
  const last = bodies.at(-1)?.load ?? 0;
  const move = ({ restaurant, date, amount }: Version, sign: 1 | -1): StoredRow => ({
    table: 'deltas',
    restaurant,
    date,
    count: sign,
    sum: sign * amount,
    load: last,
  });
  const accepted = bodies.map(({ versions, load }) => {
    const won = new Map<string, Version>();
    let count = 0;
    for (const version of versions) {
      const key = `${version.restaurant}/${version.guid}`;
      const before = won.get(key) ?? current.get(key)?.version;
      if (before && version.modified < before.modified) continue;
      count++;
      won.set(key, version);
    }
    for (const [key, version] of won) {
      const before = current.get(key);
      if (before) added.push({ table: 'orders', ...before, load, sign: -1 }, move(before.version, -1));
      const { restaurant, guid, date } = version;
      added.push({ table: 'orders', version, born: load, load, sign: 1 }, move(version, 1));
      added.push({ table: 'places', restaurant, guid, date, load });
      current.set(key, { version, born: load });
    }
    return count;
  });
  return { added, accepted };
}

interface History {
  world: World;
  bodies: Map<number, Body>;
  acknowledged: { load: number; accepted: number }[];
  /** Loads of which nothing may ever be seen: their callers were told so. */
  refused: Set<number>;
  /** What readers began with. */
  taken: Seen[];
}

/** A caller that loads some bodies together, and again where it is told that nothing was kept. */
async function runCaller({ world, bodies, acknowledged, refused }: History, wanted: readonly Body[]): Promise<void> {
  const actor = world.actor();
  const log = world.log(actor);
  for (let turn = 0; turn < 3; turn++) {
    let accepted: number[] = [];
    let numbers: number[] = [];
    const holder = String(world.random());
    try {
      const rows = world.rows(actor);
      const begun: Begun = await runLoads(log, rows, holder, {
        entries: wanted.map(({ restaurant }) => ({ restaurant, kind: 'orders' })),
        wanted: async ({ loads }) => loads.flatMap(({ index }) => wanted[index]?.versions ?? []),
        async merge(stored, { loads }) {
          const own = loads.flatMap(({ index, load }) => {
            const body = wanted[index];
            return body ? [{ ...body, load }] : [];
          });
          for (const { load, ...body } of own) bodies.set(load, body);
          numbers = own.map(({ load }) => load);
          const merged = mergeBodies(own, stored);
          accepted = merged.accepted;
          return merged.added.length > 0 ? merged.added : undefined;
        },
      });
      if (begun.loads.length === 0) continue;
      for (const [index, { load }] of begun.loads.entries())
        acknowledged.push({ load, accepted: accepted[index] ?? 0 });
      return;
    } catch (error) {
      if (error instanceof LoadAborted) for (const load of numbers) refused.add(load);
      // Of an unknown outcome a caller loads again, which is safe.
    }
  }
}

async function runUpkeep(world: World, weakness: Weakness): Promise<void> {
  const actor = world.actor();
  const [log, rows] = [world.log(actor), world.rows(actor)];
  const choice = world.random();
  try {
    if (choice < 0.4) await sweep(log, rows, GRACE_MS);
    else if (choice < 0.7) await promote(log, rows);
    else await retire(log, rows, weakness === 'no grace' ? 0 : RETIRE_MS);
  } catch {
    // It is tried again, some time.
  }
}

const dayKey = (restaurant: number, date: number): string => `${restaurant}/${date}`;

/** The rollups of days, as `count sum`, without days that have nothing. */
function addUp(
  rows: readonly { restaurant: number; date: number; count: number; sum: number }[],
): Record<string, string> {
  const days = new Map<string, { count: number; sum: number }>();
  for (const { restaurant, date, count, sum } of rows) {
    const day = days.get(dayKey(restaurant, date)) ?? { count: 0, sum: 0 };
    days.set(dayKey(restaurant, date), { count: day.count + count, sum: day.sum + sum });
  }
  const kept = [...days].filter(([, { count, sum }]) => count !== 0 || sum !== 0);
  return Object.fromEntries(kept.sort().map(([day, { count, sum }]) => [day, `${count} ${sum}`]));
}

/** What a snapshot shows is what the bodies of its loads give. */
function checkSnapshot({ world, bodies }: History, snapshot: Snapshot, promoted: Promoted | undefined): void {
  const rows = world.stored();
  const loads = [...world.committed()].filter((load) => isVisible(snapshot, load)).sort((one, other) => one - other);
  const expected: Version[] = [];
  for (let restaurant = 0; restaurant < RESTAURANTS; restaurant++) {
    const own = loads.flatMap((load) => bodies.get(load) ?? []).filter((body) => body.restaurant === restaurant);
    expected.push(...fold(own).current.values());
  }
  const text = ({ restaurant, guid, date, modified, amount }: Version): string =>
    [restaurant, guid, date, modified, amount].join(' ');
  const orders = rows.filter((row) => row.table === 'orders' && isVisible(snapshot, row.load)) as Extract<
    StoredRow,
    { table: 'orders' }
  >[];
  const nameOf = ({ version, born }: (typeof orders)[number]): string =>
    `${version.restaurant} ${version.guid} ${born}`;
  const gone = new Set(orders.filter(({ sign }) => sign === -1).map(nameOf));
  const listed = orders.filter((order) => order.sign === 1 && !gone.has(nameOf(order)));
  assert.deepEqual(listed.map(({ version }) => text(version)).sort(), expected.map(text).sort(), 'lists');

  const rollups = addUp(expected.map(({ amount, ...day }) => ({ ...day, count: 1, sum: amount })));
  const deltas = rows.filter((row) => row.table === 'deltas' && isVisible(snapshot, row.load)) as Extract<
    StoredRow,
    { table: 'deltas' }
  >[];
  if (!promoted || !world.hasRetired()) assert.deepEqual(addUp(deltas), rollups, 'deltas');
  if (!promoted) return;
  const { promotion, except, snapshot: until } = promoted;
  const summed = rows.filter(
    (row) => row.table === 'promoted' && row.promotion <= promotion && !except.includes(row.promotion),
  ) as Extract<StoredRow, { table: 'promoted' }>[];
  assert.deepEqual(
    addUp([...summed, ...deltas.filter(({ load }) => !isVisible(until, load))]),
    rollups,
    'promoted rollups with the deltas after them',
  );
}

/** Runs a history to its end; throws where the law does not hold. */
async function runHistory(seed: number, weakness: Weakness = 'none'): Promise<World> {
  const random = createRandom(String(seed)).next;
  const world = createWorld(random, weakness);
  const history: History = { world, bodies: new Map(), acknowledged: [], refused: new Set(), taken: [] };
  const check = (): void => {
    const seen = world.seen();
    checkSnapshot(history, seen.snapshot, seen.promoted);
    // A reader may have begun a while ago.
    for (const { snapshot, promoted, now } of history.taken)
      if (now > world.now() - RETIRE_MS) checkSnapshot(history, snapshot, promoted);
    if (history.taken.length < 3) history.taken.push(seen);
  };
  let callers = 4 + Math.floor(random() * 8);
  let upkeeps = 4 + Math.floor(random() * 8);
  for (let going = true; going || callers > 0; ) {
    const choice = random();
    if (callers > 0 && choice < 0.12) {
      callers--;
      const bodies = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        drawBody(random, Math.floor(random() * RESTAURANTS)),
      );
      void runCaller(history, bodies);
    } else if (upkeeps > 0 && choice < 0.18) {
      upkeeps--;
      void runUpkeep(world, weakness);
    } else if (choice < 0.23) check();
    else if (choice < 0.25) world.pass(random() * 2 * GRACE_MS);
    going = await world.step();
  }
  check();
  // Snapshots of before are what they were, but for the promotion, which came later.
  for (const { snapshot } of history.taken) {
    const { promoted } = world.seen();
    const covers = promoted && snapshotCovers(snapshot, promoted.snapshot);
    if (covers || !world.hasRetired()) checkSnapshot(history, snapshot, covers ? promoted : undefined);
  }
  const committed = [...world.committed()].sort((one, other) => one - other);
  for (const { load, accepted } of history.acknowledged) {
    const body = history.bodies.get(load);
    const acceptedAfter = (loads: readonly number[]): number => {
      const own = [...loads, load].flatMap((one) => history.bodies.get(one) ?? []);
      return fold(own.filter(({ restaurant }) => restaurant === body?.restaurant)).accepted;
    };
    const before = committed.filter((one) => one < load);
    if (world.committed().has(load)) assert.equal(accepted, acceptedAfter(before), `what load ${load} accepted`);
    else {
      // It changed nothing when it looked, which may have been after later ones, and took no place among them.
      assert.equal(accepted, 0, `load ${load} was acknowledged`);
      const places = [...committed.keys(), committed.length];
      assert.ok(
        places.some((end) => acceptedAfter(committed.slice(0, end)) === 0),
        `load ${load} changed something wherever it came`,
      );
    }
  }
  for (const load of history.refused) assert.ok(!world.committed().has(load), `load ${load} was refused`);
  return world;
}

const snapshotCovers = (snapshot: Snapshot, other: Snapshot): boolean =>
  other.high <= snapshot.high && snapshot.except.every((load) => load > other.high || other.except.includes(load));

describe('the law of the load protocol', () => {
  it(`holds in ${HISTORIES} histories`, async (t) => {
    const counts = { committed: 0, zombies: 0, late: 0, deaths: 0, retired: 0 };
    for (let seed = SEED; seed < SEED + HISTORIES; seed++) {
      try {
        const world = await runHistory(seed);
        counts.committed += world.committed().size;
        counts.zombies += world.counts.zombies;
        counts.late += world.counts.late;
        counts.deaths += world.counts.deaths;
        counts.retired += world.hasRetired() ? 1 : 0;
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
    t.diagnostic(JSON.stringify(counts));
    // What the law is about has happened.
    for (const [name, count] of Object.entries(counts)) assert.ok(count > HISTORIES / 100, `${count} ${name}`);
  });

  for (const weakness of ['no exceptions', 'no guard', 'dirty reads', 'no grace'] as const)
    it(`finds the protocol wrong with ${weakness}`, async () => {
      for (let seed = SEED; seed < SEED + MOST_WEAKENED; seed++) {
        try {
          await runHistory(seed, weakness);
        } catch (error) {
          assert.ok(error instanceof assert.AssertionError, String(error));
          return;
        }
      }
      assert.fail(`${MOST_WEAKENED} histories hold all the same`);
    });
});

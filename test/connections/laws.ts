/**
 * The laws of connections: whatever the point of sale does, and whenever a node is killed, once faults stop the reports
 * are those of a service to which everything was loaded by hand, and nothing changes any more.
 */
import assert from 'node:assert/strict';
import { SourceError } from '@daypart/client/source';
import fc from 'fast-check';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import { createRandom } from '../../packages/service/src/demo/random.ts';
import { EngineGone } from '../../packages/service/src/facts/errors.ts';
import type { ReportKind } from '../../packages/service/src/families/index.ts';
import { small } from '../upstream/caller.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Longer than any back-off, and until the check of a date that began in another time zone. */
const SETTLED_MS = 50 * HOUR_MS;
/** Longer than until the next read of time entries, and no whole second. */
const LATER_MS = 11 * MINUTE_MS + 137;

/** One case. */
export interface Story {
  seed: string;
  /** When it begins: at an ordinary date, and where the clocks change in New York and Dublin. */
  at: number;
  closeoutHour: number;
  timeZone: string;
  /** In a hundred calls. */
  faults: number;
  /** In a hundred calls: the node is killed there. */
  kills: number;
  hours: number;
  skewMs: number;
  /** The point of sale moves to another time zone meanwhile. */
  moves: boolean;
}

/** Cases, of a day at most. */
export const stories: fc.Arbitrary<Story> = fc.record({
  seed: fc.integer({ min: 0, max: 1_000_000 }).map(String),
  at: fc.constantFrom(
    Date.UTC(2026, 2, 10, 23),
    Date.UTC(2026, 2, 8, 3),
    Date.UTC(2026, 9, 25, 0),
    Date.UTC(2026, 10, 1, 4),
  ),
  closeoutHour: fc.constantFrom(0, 4, 12),
  timeZone: fc.constantFrom('America/New_York', 'Pacific/Honolulu', 'Pacific/Auckland', 'Europe/Dublin'),
  faults: fc.constantFrom(0, 5, 20),
  kills: fc.constantFrom(0, 0, 3, 10),
  hours: fc.integer({ min: 1, max: 30 }),
  skewMs: fc.constantFrom(0, 0, -180 * MINUTE_MS, 180 * MINUTE_MS),
  moves: fc.boolean(),
});

const ERRORS = [
  () => new SourceError('upstream_error', 'an error', { status: 503 }),
  () => new SourceError('upstream_unreachable', 'no connection'),
  () => new TypeError('not as it was'),
  () => new SourceError('upstream_changed', 'not JSON'),
];

/** Kills the node at random calls and loads, and lets others fail. */
function disturb(rig: Rig, { faults, kills }: Story, random: () => number): () => AbortSignal {
  let killed = new AbortController();
  const strike = (fail: () => Error): void => {
    if (random() * 100 < kills) killed.abort(new Error('killed'));
    killed.signal.throwIfAborted();
    if (random() * 100 < faults) throw fail();
  };
  rig.onCall = () => strike(ERRORS[Math.floor(random() * ERRORS.length)] ?? (() => new Error('none')));
  rig.onLoad = () => strike(() => new EngineGone('away'));
  return () => {
    killed = new AbortController();
    return killed.signal;
  };
}

async function reportsOf(rig: Rig, kinds: readonly ReportKind[], dates: { from: number; to: number }, guid: string) {
  const { from, to } = dates;
  const both = await rig.bothReports({ from, to }, guid);
  return await Promise.all(
    both.map(async (report) => {
      const all: Record<string, unknown> = {};
      for (const kind of kinds)
        all[kind] = (await report({ kind, startDate: from, endDate: to })).map(({ restaurantGuid: _, ...row }) => row);
      return all;
    }),
  );
}

/**
 * Plays a case to its end over the stores, embedded ones without, and checks the laws. Throws where one does not hold.
 */
export async function play(story: Story, stores?: RigOptions['stores']): Promise<void> {
  const { seed, at, closeoutHour, timeZone, hours, moves, skewMs } = story;
  const restaurants = [small(0, { timeZone, closeoutHour, ordersPerDay: 12 })];
  const rig = await openRig({ restaurants, backfillDays: 2, at, seed, skewMs, ...(stores && { stores }) });
  try {
    const random = createRandom(seed);
    const nextSignal = disturb(rig, story, () => random.next());
    let lastDone = Number.POSITIVE_INFINITY;
    const until = at + hours * HOUR_MS;
    for (let round = 0; rig.clock.now() < until; round++) {
      rig.clock.advance(Math.min(until - rig.clock.now(), random.whole(1, 40) * MINUTE_MS));
      if (moves && round === 3) rig.world.change({ settings: { timeZone: 'America/Chicago' } });
      await rig.run(nextSignal());
      const { backfillDone } = await rig.member();
      assert.ok(backfillDone === null || backfillDone <= lastDone, 'how far the past is read never goes back');
      lastDone = backfillDone ?? lastDone;
    }
    rig.onCall = () => undefined;
    rig.onLoad = () => undefined;
    // Dates that were read before a move are as they were, and the local hours in them are not read again.
    await settle(rig, moves ? ['metrics'] : ['metrics', 'check', 'labor', 'menu']);
  } finally {
    await rig.close();
  }
}

/**
 * Faults have stopped: after the longest back-off, the check of the date and two polls, nothing differs or changes.
 * Live reading also brings what changes on dates before the past that is read: they are not compared. `guids` are the
 * restaurants of the connection; one without.
 */
export async function settle(rig: Rig, kinds: readonly ReportKind[], guids?: readonly string[]): Promise<void> {
  rig.clock.advance(SETTLED_MS);
  for (let poll = 0; poll < 3; poll++) {
    await rig.run();
    rig.clock.advance(HOUR_MS);
  }
  // Not at a closeout to the millisecond: what happens at the very moment of a read is of the next one.
  rig.clock.advance(LATER_MS);
  await rig.run();
  const members = guids ?? [(await rig.member()).upstreamId];
  for (const guid of members) await compareWithLoaded(rig, kinds, guid);

  const ids = await Promise.all(members.map(async (guid) => (await rig.restaurant(guid)).id));
  const versions = async () => {
    const coverage = await rig.engine.facts.coverage(ids);
    return ids.map((id) => coverage.get(id)?.version);
  };
  const before = await versions();
  for (let poll = 0; poll < 2; poll++) {
    for (const guid of members) {
      await rig.makeDue('orders', guid);
      await rig.makeDue('timeEntries', guid);
    }
    await rig.run();
  }
  assert.deepEqual(await versions(), before, 'a point of sale that does not change changes nothing');
}

/** The reports of a week are those of a restaurant to which everything was loaded. */
async function compareWithLoaded(rig: Rig, kinds: readonly ReportKind[], guid: string): Promise<void> {
  const { backfillFrom } = await rig.member(guid);
  assert.ok(backfillFrom !== null);
  const [read, posted] = await reportsOf(rig, kinds, { from: backfillFrom, to: addDays(backfillFrom, 6) }, guid);
  assert.deepEqual(read, posted);
}

/**
 * Connections, by what they promise: in virtual time over HTTP to the stand-in, how long the past takes beside what is
 * announced, how far reading is behind while calls fail and nodes are killed, and how long one of 2,000 restaurants
 * waits; in real time, what an idle one costs (idle-connection.ts).
 */
import { DEMO_RESTAURANTS, type DemoRestaurant } from '../packages/service/src/demo/restaurants.ts';
import { passDisturbed } from '../test/connections/disturbed.ts';
import { settle } from '../test/connections/laws.ts';
import { type LiveRig, openLiveRig } from '../test/connections/live-rig.ts';
import { isReadOnce, longestDue } from '../test/connections/longest-due.ts';
import { CONNECTION } from '../test/connections/rig.ts';
import { manyRestaurants } from '../test/upstream/caller.ts';
import { type Figure, figureOf } from './figures.ts';

const MINUTE_MS = 60_000;
const PAST_DAYS = 84;
const HOURS = Number(process.env.BENCH_CONNECTION_HOURS ?? 24);
/** How long many restaurants are read after the first time. */
const LATER_MS = 30 * MINUTE_MS;
const MANY = Number(process.env.BENCH_CONNECTION_MANY ?? 2000);

const alone = (figure: string, most: number, ours: number, note?: string): Figure =>
  figureOf({ figure, beside: '-', compared: 'alone', goal: { at: 'most', value: most }, ...(note && { note }) }, [
    { ours, limit: null },
  ]);

async function withLive<T>(
  options: Parameters<typeof openLiveRig>[0],
  measure: (live: LiveRig) => Promise<T>,
): Promise<T> {
  const live = await openLiveRig(options);
  try {
    return await measure(live);
  } finally {
    await live.close();
  }
}

/** Whether the past of every restaurant is read. */
async function isPastRead({ rig, guids }: LiveRig): Promise<boolean> {
  const rows = await Promise.all(guids.map((guid) => rig.member(guid)));
  return rows.every(({ backfillDone, backfillFrom }) => backfillDone !== null && backfillDone === backfillFrom);
}

/** The seconds after `began` at which each restaurant's newest and oldest past date were read. */
async function pastReadAt({ rig, guids }: LiveRig, began: number): Promise<{ newest: number; oldest: number }> {
  const read = { newest: 0, oldest: 0 };
  for (const guid of guids) {
    const { backfillFrom, backfillTo } = await rig.member(guid);
    const dates = await rig.ledger.connectionDates(CONNECTION, guid, backfillFrom ?? 0, backfillTo ?? 0);
    const at = dates.map(({ readAt }) => ((readAt ?? Number.NaN) - began) / 1000);
    read.newest = Math.max(read.newest, Math.min(...at));
    read.oldest = Math.max(read.oldest, ...at);
  }
  return read;
}

/** How long the past takes beside what is announced, and when the first of it is there. */
export const connectionPast = (): Promise<Figure[]> =>
  withLive({ restaurants: DEMO_RESTAURANTS, backfillDays: PAST_DAYS, days: PAST_DAYS + 3 }, async (live) => {
    const announced = (await live.announced()).find(({ days }) => days === PAST_DAYS)?.seconds ?? 0;
    const began = live.rig.now();
    await live.pass(() => isPastRead(live));
    const { newest, oldest } = await pastReadAt(live, began);
    const off = Math.abs(oldest / announced - 1) * 100;
    const of = `${live.guids.length} restaurants`;
    return [
      alone(`connections: yesterday of each of ${of}, s after connecting`, 30, newest),
      alone(
        `connections: ${PAST_DAYS} dates of ${of}, % off the announced time`,
        20,
        off,
        `${Math.round(oldest)} s; ${announced} s were announced`,
      ),
    ];
  });

/** Reads so many hours while one call in twenty fails; afterwards the laws hold. Throws where one does not. */
const hours = (restaurants: readonly DemoRestaurant[], killMs: number): Promise<Figure> =>
  withLive({ restaurants, backfillDays: 1, days: 4 }, async (live) => {
    const { rig, guids } = live;
    await live.pass(() => isPastRead(live));
    const { lags, calls, faulty, kills } = await passDisturbed(live, { hours: HOURS, killMs });
    await settle(rig, ['metrics', 'check', 'labor', 'menu'], guids);
    const killed = kills > 0 ? `, the node killed ${kills} times` : '';
    return alone(
      `connections: ${HOURS} hours of ${guids.length} restaurants, 5 % of calls fail${killed}: lag p99, s`,
      300,
      lags.toSorted((a, b) => a - b)[Math.floor(lags.length * 0.99)] ?? Number.NaN,
      `${calls} calls, ${faulty} failed; then every report of every restaurant as if loaded by hand`,
    );
  });

/** The longest that a restaurant had no call (seconds) from an instant on, before the last call of all. */
function longestGap({ guids, upstream }: LiveRig, began: number): number {
  const last = new Map(guids.map((guid) => [guid, began]));
  let longest = 0;
  for (const { at, restaurant } of upstream.calls) {
    if (restaurant === undefined) continue;
    longest = Math.max(longest, at - (last.get(restaurant) ?? at));
    last.set(restaurant, at);
  }
  return longest / 1000;
}

/** How long one of many restaurants waits: while all are read for the first time, and from then on. */
export const connectionTurns = (): Promise<Figure[]> =>
  withLive({ restaurants: manyRestaurants(MANY), backfillDays: 0, days: 1 }, async (live) => {
    const { rig, upstream } = live;
    const began = rig.now();
    upstream.calls.length = 0;
    const first = await longestDue(live, () => isReadOnce(live));
    const gap = longestGap(live, began);
    const note = `${upstream.calls.length} calls in ${Math.round((rig.now() - began) / 1000)} s`;
    const until = rig.now() + LATER_MS;
    const later = await longestDue(live, async () => rig.now() >= until);
    const what = `connections: ${MANY} restaurants in one, the longest that orders were due`;
    return [
      alone(`${what} while all are read for the first time, s`, MANY / 8, first, note),
      alone(`${what} from then on, s`, MANY / 8, later),
      figureOf(
        {
          figure: `connections: ${MANY} restaurants in one, the longest that one had no call while all were read for the first time, s`,
          beside: '-',
          compared: 'alone',
        },
        [{ ours: gap, limit: null }],
      ),
    ];
  });

/** With calls that fail, and with nodes that are killed besides. */
export const connectionHours = async (): Promise<Figure[]> => [
  await hours(DEMO_RESTAURANTS, Number.POSITIVE_INFINITY),
  await hours(DEMO_RESTAURANTS, 10 * MINUTE_MS),
];

/**
 * One story of a connection: its past or its changes are read, with faults or kills or without, and then everything is
 * compared with what the point of sale has, as a person does who has dates read again.
 */
import type { UpstreamRestaurant } from '@daypart/client/source';
import { businessDateOf } from '../../contract/clock.ts';
import { addDays } from '../../contract/dates.ts';
import { MINUTE_MS } from '../../contract/time.ts';
import type { OrderDifference, Stream } from '../../ledger/connection.ts';
import { streamsOfSource } from '../folder-source.ts';
import { NOT_DUE, type RecordKind } from '../member.ts';
import type { LoadPage } from '../page-load.ts';
import { type NodeOptions, openNode, type SuiteNode } from './node.ts';
import type { SuiteFault } from './said.ts';
import { modifiedAt, type Pages, watchSource } from './watched-source.ts';

export interface StoryOptions extends Pick<NodeOptions, 'stores' | 'tested' | 'time' | 'watch' | 'session' | 'random'> {
  restaurants: readonly UpstreamRestaurant[];
  /** The past by dates, or changes from poll to poll. */
  reads: 'past' | 'changes';
  disturbance: 'none' | 'faults' | 'kills';
  /** The instants (ms) that are read at; the first is that of connecting. */
  polls: readonly number[];
  /** Dates before today that are read. */
  days: number;
}

export interface StoryEnd {
  /** Records that were compared, by kind. */
  compared: Record<RecordKind, number>;
  /** Where what was read is not what the point of sale has. */
  differences: SuiteFault[];
  /** What changed although the point of sale did not. */
  unquiet: SuiteFault[];
  /** Finished dates that were read twice. */
  again: SuiteFault[];
}

/** Versions become visible so late (ms): some of them, while there are faults. */
const LATE_MS = MINUTE_MS;
/** Changes are to be read up to so long ago. */
const LAG_MS = 10 * MINUTE_MS;
const DIFFERENCE_WORDS: Record<OrderDifference, string> = {
  missing: 'was not read',
  changed: 'is not stored as the point of sale has it',
  deleted: 'is stored, and the point of sale does not have it',
};
const NAMES: Partial<Record<Stream, string>> = { timeEntries: 'time entries' };

/** What a story does to pages, and what it learns of them. */
class StoryPages implements Pages {
  phase: 'reading' | 'settled' | 'comparing' = 'reading';
  readonly compared: StoryEnd['compared'] = { orders: 0, timeEntries: 0 };
  readonly again: SuiteFault[] = [];
  /** The dates of the past that are read to their end, by restaurant. */
  readonly finished = new Map<string, { from: number; to: number }>();
  /** From when until when (ms) changes were read, by restaurant and kind. */
  readonly spans = new Map<string, { from: number; until: number }>();
  readonly #now: () => number;
  readonly #isLate: boolean;

  constructor(now: () => number, isLate: boolean) {
    this.#now = now;
    this.#isLate = isLate;
  }

  isHidden: Pages['isHidden'] = (record) => {
    const isLate =
      this.#isLate && this.phase === 'reading' && Number.parseInt(String(record.guid).at(-1) ?? '', 16) % 2;
    return Boolean(isLate) && (modifiedAt(record) ?? 0) > this.#now() - LATE_MS;
  };

  counts: Pages['counts'] = ({ restaurant }, kind, record) => {
    if (this.phase !== 'comparing') return true;
    const { from, until } = this.spans.get(`${restaurant} ${kind}`) ?? { from: 0, until: Number.POSITIVE_INFINITY };
    const at = modifiedAt(record) ?? from;
    const isCounted = at >= from && at < until;
    if (isCounted) this.compared[kind]++;
    return isCounted;
  };

  onDates: Pages['onDates'] = ({ restaurant, stream }, kind, from, to) => {
    if (stream !== 'backfill' || kind !== 'orders' || this.phase === 'comparing') return;
    const done = this.finished.get(restaurant);
    if (done && from <= done.to && to >= done.from)
      this.again.push({ restaurant, date: to, message: 'the date was finished, and is read again' });
  };
}

/** Loads records one by one, and says which of them changed anything. */
const singly =
  (inner: LoadPage, onChanged: (restaurant: string, record: Record<string, unknown>) => void): LoadPage =>
  async (restaurant, kind, records, signal) => {
    const sum = { accepted: 0, unchanged: 0, rejected: [] as never[], rejectedCount: 0 };
    for (const record of records) {
      const { accepted, unchanged, rejectedCount } = await inner(restaurant, kind, [record], signal);
      if (accepted > 0) onChanged(restaurant.name, record);
      sum.accepted += accepted;
      sum.unchanged += unchanged;
      sum.rejectedCount += rejectedCount;
    }
    return sum;
  };

/** Plays it to its end. Throws what the stores throw. */
export async function playStory(options: StoryOptions): Promise<StoryEnd> {
  const { stores, tested, time, watch, restaurants, reads, disturbance, polls, days } = options;
  const now = time.timers.now;
  const pages = new StoryPages(now, disturbance === 'faults');
  const unquiet: SuiteFault[] = [];
  const watched = watchSource(tested.source, watch, pages);
  const node = await openNode({
    stores,
    tested,
    time,
    watch,
    watched,
    restaurants,
    backfillDays: reads === 'past' ? days : 0,
    session: options.session,
    random: options.random,
    onRow: ({ upstreamId, backfillDone, backfillTo }) => {
      if (backfillDone !== null && backfillTo !== null)
        pages.finished.set(upstreamId, { from: backfillDone, to: backfillTo });
    },
    onLoad(inner) {
      const single = singly(inner, (restaurant, { businessDate, guid }) =>
        unquiet.push({
          restaurant,
          date: Number(businessDate),
          order: String(guid),
          message: 'is another record at each read, although nothing changed',
        }),
      );
      return (...page) => (pages.phase === 'settled' ? single : inner)(...page);
    },
  });
  const kinds = streamsOfSource(tested.source);
  // Changes alone, so that no date hides what they lack.
  const read = reads === 'past' ? kinds : kinds.filter((stream) => stream !== 'backfill' && stream !== 'check');
  const makeDue = async (): Promise<void> => {
    await waitForLimit(node, time);
    for (const { upstreamId } of restaurants) for (const stream of read) await node.makeDue(stream, upstreamId);
  };

  if (reads === 'changes')
    for (const { upstreamId } of restaurants) {
      await node.postpone('backfill', upstreamId, NOT_DUE, { today: true });
      await node.postpone('check', upstreamId, NOT_DUE, {});
    }
  for (const at of polls) {
    time.advance(Math.max(0, at - now()));
    if (at !== polls[0]) await makeDue();
    await node.readDue(disturbance === 'kills');
    // Not before it is connected: changes are read from then on.
    watch.hasFaults = disturbance === 'faults';
  }
  watch.hasFaults = false;
  watch.errors.clear();
  const poll = async (): Promise<void> => {
    for (let times = 0; times < 2; times++) {
      await makeDue();
      await node.readDue(false);
      time.advance(MINUTE_MS);
    }
  };
  await poll();
  const differences = await unread(node, options, pages);
  if (disturbance === 'none' && reads === 'changes') unquiet.push(...(await changesOf(node, options, pages, poll)));
  if (differences.length === 0) differences.push(...(await compare(node, options, pages)));
  await node.close();
  const names = new Map(restaurants.map(({ upstreamId, name }) => [upstreamId, name]));
  const again = pages.again.map((fault) => Object.assign(fault, { restaurant: names.get(fault.restaurant ?? '') }));
  return { compared: pages.compared, differences, unquiet, again };
}

/** While the whole connection waits for a limit, nothing is read. */
async function waitForLimit(node: SuiteNode, { timers, advance }: StoryOptions['time']): Promise<void> {
  const { throttledUntil } = await node.connection();
  advance(Math.max(0, (throttledUntil ?? 0) - timers.now()));
}

/** What could not be read though nothing fails any more; also notes how far changes were read. */
async function unread(
  node: SuiteNode,
  { restaurants, watch, reads, polls, time }: StoryOptions,
  pages: StoryPages,
): Promise<SuiteFault[]> {
  const { state, reason } = await node.connection();
  if (state !== 'active') return [{ message: `the connection is ${state}: ${reason}` }];
  const faults: SuiteFault[] = [];
  for (const { upstreamId, name } of restaurants) {
    const fault = (message: string): void => void faults.push({ restaurant: name, message });
    for (const [stream, row] of await node.streams(upstreamId)) {
      const what = NAMES[stream] ?? stream;
      const text = watch.errors.get(`${upstreamId} ${stream}`) ?? watch.errors.get(stream);
      if (row.error !== null) fault(`${what} cannot be read: ${text ?? row.error}`);
      const [first] = row.errorDetail ?? [];
      if (row.rejected > 0) fault(`${row.rejected} records of ${what} cannot be stored: ${first?.message}`);
      if (stream !== 'orders' && stream !== 'timeEntries') continue;
      const { readUntil } = row;
      if (readUntil !== null && readUntil < time.timers.now() - LAG_MS)
        fault(`${what} are read up to ${new Date(readUntil).toISOString()} only`);
      if (reads === 'changes')
        pages.spans.set(`${upstreamId} ${stream}`, { from: (polls[0] ?? 0) + MINUTE_MS, until: readUntil ?? 0 });
    }
  }
  return faults;
}

/** What changes in the facts by polls of a point of sale that does not change. */
async function changesOf(
  node: SuiteNode,
  { restaurants, stores }: StoryOptions,
  pages: StoryPages,
  poll: () => Promise<void>,
): Promise<SuiteFault[]> {
  const ids = new Map<number, string>();
  for (const { upstreamId, name } of restaurants) ids.set((await node.restaurant(upstreamId)).id, name);
  const versions = async () => await stores.facts.coverage([...ids.keys()]);
  const before = await versions();
  pages.phase = 'settled';
  await poll();
  const after = await versions();
  return [...ids]
    .filter(([id]) => before.get(id)?.version !== after.get(id)?.version)
    .map(([, restaurant]) => ({ restaurant, message: 'two polls changed what is stored' }));
}

/** Has all dates read again, and says what differed. */
async function compare(node: SuiteNode, options: StoryOptions, pages: StoryPages): Promise<SuiteFault[]> {
  const { restaurants, stores, days, time, watch } = options;
  pages.phase = 'comparing';
  await waitForLimit(node, time);
  const faults: SuiteFault[] = [];
  for (const { upstreamId, name, timeZone, closeoutHour } of restaurants) {
    const today = businessDateOf(time.timers.now(), timeZone, closeoutHour);
    const from = addDays(today, -days);
    for (let date = from; date <= today; date = addDays(date, 1)) await node.makeDue('backfill', upstreamId, date);
    await node.readDue(false);
    const rows = await stores.ledger.connectionDates(node.id, upstreamId, from, today);
    for (const { businessDate: date, differences } of rows) {
      if (!differences) {
        const why = watch.errors.get(`${upstreamId} backfill`) ?? 'it was not read';
        faults.push({ restaurant: name, date, message: `the date cannot be read again: ${why}` });
        continue;
      }
      for (const { orderGuid: order, difference } of differences.orders)
        faults.push({ restaurant: name, date, order, message: DIFFERENCE_WORDS[difference] });
      const { timeEntryCount } = differences;
      if (timeEntryCount > 0)
        faults.push({ restaurant: name, date, message: `${timeEntryCount} time entries are not stored as they are` });
    }
  }
  return faults;
}

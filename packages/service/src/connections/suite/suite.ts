/**
 * The suite for authors of sources (docs/sources.md#the-suite): plays stories of a connection against a point of sale,
 * and says which laws hold.
 */
import { type ConnectionSource, SourceError, type UpstreamRestaurant } from '@daypart/client/source';
import { businessDateOf } from '../../contract/clock.ts';
import { addDays } from '../../contract/dates.ts';
import { DAY_MS, MINUTE_MS } from '../../contract/time.ts';
import type { ContextOptions } from '../connector.ts';
import { reach } from '../reach.ts';
import type { SessionState } from '../sign-in.ts';
import { realTimers, type Timers } from '../timers.ts';
import { createTransport } from '../transport.ts';
import { unfairSignIns, unfairUse } from './fair-use.ts';
import { connectWatched, type SuiteStores, type Tested } from './node.ts';
import { EndlessError, type Patience } from './patience.ts';
import { SaidError, type SuiteFault } from './said.ts';
import { playStory, type StoryEnd, type StoryOptions } from './story.ts';
import { type VirtualTime, virtualTime } from './virtual-time.ts';
import { patient, Watch, type WatchedCall } from './watch.ts';
import { modifiedAt, type Pages, watchSource } from './watched-source.ts';

/** Whether a law holds, what was checked, and where it does not. */
export interface LawResult {
  /** Its number in docs/sources.md. */
  law: number;
  name: string;
  holds: boolean;
  /** With counts. */
  checked: string;
  faults: SuiteFault[];
}

export interface SuiteOptions extends Tested {
  stores: SuiteStores;
  /** Up to when (ms since 1970 UTC, of the point of sale) is read. */
  at: number;
  /** Dates before today that are read. */
  days: number;
  /** One restaurant, for kinds that need one to find the others. */
  first: string | null;
  /** A story begins: which of how many. */
  onStory(index: number, count: number): void;
  patience: Patience;
}

const MOST_RESTAURANTS = 2;
const STEPS = 6;
const FAULTY_POLLS = 16;

type Plan = Pick<StoryOptions, 'reads' | 'disturbance' | 'polls'>;
type Told = StoryEnd & { plan: Plan; watch: Watch };

/** Numbers from 0 to 1, 1 excluded, that are the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Waits take no time, but calls do, and a limit of the point of sale itself is waited for. */
function openTime(at: number, patience: Patience): VirtualTime {
  const time = virtualTime(at, ({ now }) =>
    patient(createTransport({ allowPrivate: true, timers: { now, after: realTimers.after } })),
  );
  const { timers } = time;
  const after: Timers['after'] = (ms, run) =>
    timers.after(ms, () => {
      patience.move();
      run();
    });
  return Object.assign({}, time, {
    timers: Object.assign({}, timers, { after }),
    run: <T>(work: Promise<T>) => time.run(patience.race(work)),
  });
}

function secretsOf({ source, credentials }: Tested): string[] {
  return Object.entries(credentials).flatMap(([name, value]) => (source.credentials[name]?.secret ? value : []));
}

interface Connected {
  restaurants: UpstreamRestaurant[];
  session: SessionState | null;
  /** When records were modified (ms), oldest first. */
  moments: number[];
  /** How many orders were read, also those without such a moment. */
  orders: number;
}

/** Connects once, and reads the dates. Throws SourceError. */
async function connect(options: SuiteOptions, watch: Watch, time: VirtualTime): Promise<Connected> {
  const { source, stores, first, at, days } = options;
  const all: Pages = { isHidden: () => false, counts: () => true, onDates: () => undefined };
  const watched = watchSource(source, watch, all);
  const log = stores.openLog({ write: (line) => watch.search('a log line', line) });
  const kept: { session: SessionState | null } = { session: null };
  const connector = connectWatched({ tested: options, time, watch, watched, random: Math.random }, log, kept);
  const { signal } = new AbortController();
  try {
    const open = {
      source: watched.source,
      context: (of: ContextOptions) => watched.name(of, connector.context(of)),
    };
    for (const kind of [watched.source.orders, watched.source.timeEntries]) kind?.readUntil(kind.begin(at));
    const reached = await time.run(reach(open, first, signal));
    const unreadable = Object.entries(reached.streams).filter(([, access]) => access !== 'ok');
    for (const [stream, access] of unreadable)
      if (access !== 'ok' && access !== 'no_permission')
        throw new SourceError(access, `${stream} cannot be read: ${watch.errors.get(stream) ?? access}`);
    if (reached.restaurants.length === 0) throw new SaidError('restaurants returned none');
    const restaurants = reached.restaurants.filter(({ archived }) => !archived).slice(0, MOST_RESTAURANTS);
    if (restaurants.length === 0) throw new SaidError('restaurants returned none that is not archived');
    const moments: number[] = [];
    let orders = 0;
    const read = async (): Promise<void> => {
      for (const restaurant of restaurants) {
        const ctx = open.context({ restaurant, stream: 'check', signal });
        const today = businessDateOf(at, restaurant.timeZone, restaurant.closeoutHour);
        for (let date = addDays(today, -days); date <= today; date = addDays(date, 1))
          for await (const { records } of watched.source.orders.dates(ctx, date, date)) {
            orders += records.length;
            moments.push(...records.flatMap((record) => modifiedAt(record) ?? []));
          }
      }
    };
    await time.run(read());
    moments.sort((a, b) => a - b);
    return { restaurants, session: kept.session, moments, orders };
  } finally {
    connector.close();
  }
}

/** The stories that are played; `moments` are those at which something changed in this time. */
function plansOf({ at, days }: SuiteOptions, moments: readonly number[], random: () => number): Plan[] {
  const begin = at - days * DAY_MS;
  const even = Array.from({ length: STEPS + 1 }, (_, step) => begin + Math.round(((at - begin) * step) / STEPS));
  // Just after something has changed, which is then not visible yet.
  const soonAfter = (): number[] => [
    begin,
    ...Array.from({ length: FAULTY_POLLS }, () => {
      const moment = moments[Math.floor(random() * moments.length)] ?? at;
      return Math.floor(moment + random() * MINUTE_MS);
    }).sort((a, b) => a - b),
    at,
  ];
  const soon = even.map((_, step) => at + step * MINUTE_MS);
  return [
    { reads: 'changes', disturbance: 'none', polls: even },
    { reads: 'past', disturbance: 'none', polls: [at] },
    { reads: 'changes', disturbance: 'faults', polls: soonAfter() },
    { reads: 'changes', disturbance: 'faults', polls: soonAfter() },
    { reads: 'past', disturbance: 'faults', polls: soon },
    // Everything at once, so that there are several pages.
    { reads: 'changes', disturbance: 'kills', polls: [begin, at] },
    { reads: 'past', disturbance: 'kills', polls: [at] },
  ];
}

const keyOf = (fault: SuiteFault): string => JSON.stringify(fault);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Each fault once, without those that are known. */
function once(faults: readonly SuiteFault[], known: readonly SuiteFault[] = []): SuiteFault[] {
  const seen = new Set(known.map(keyOf));
  return faults.filter((fault) => !seen.has(keyOf(fault)) && seen.add(keyOf(fault)));
}

/** Calls before the end of a limit. */
const tooEarly = (calls: readonly WatchedCall[]): WatchedCall[] =>
  calls.flatMap(({ held, path, restaurant }) =>
    held
      ? calls
          .slice(held.from)
          .filter((call) => call.at < held.until)
          .filter((call) => !held.isOfPath || (call.path === path && call.restaurant === restaurant))
      : [],
  );

function fairUse({ requestsPerSecond: { usual } }: ConnectionSource, watches: readonly Watch[]): LawResult {
  const nodes = watches.flatMap((watch) => watch.calls);
  const calls = nodes.flat();
  const texts = [
    ...nodes.flatMap((node) => unfairUse(node, usual)),
    ...watches.flatMap((watch) => unfairSignIns(watch.calls.flat())),
    ...nodes.flatMap((node) => tooEarly(node).map(({ path }) => `${path} is called before the end of a limit`)),
    ...watches.flatMap((watch) =>
      [...watch.strays.keys()].map(
        (stream) => `while ${stream} is read, calls are not made by request of the context: no limit holds for them`,
      ),
    ),
    ...watches.flatMap(({ shortSessions }) =>
      [...shortSessions].map((seconds) => `signIn returns a session that ends after ${seconds} s`),
    ),
  ];
  const limits = calls.filter(({ held }) => held).length;
  const signIns = calls.filter(({ isSignIn }) => isSignIn).length;
  return lawOf(5, 'fair use', {
    faults: once(texts.map((message) => ({ message }))),
    checked: `${calls.length} calls, at most ${usual} a second, none before the end of ${limits} limits, ${signIns} ${signIns === 1 ? 'sign-in' : 'sign-ins'}`,
  });
}

const lawOf = (law: number, name: string, more: Pick<LawResult, 'faults' | 'checked'>): LawResult =>
  Object.assign({ law, name, holds: more.faults.length === 0 }, more);

/**
 * Tests a source. Throws SourceError if it cannot be connected at all, Error if there is nothing to compare, and what
 * the stores throw. Where a read has no end, the first law alone is said not to hold.
 */
export async function testSource(options: SuiteOptions): Promise<LawResult[]> {
  try {
    return await tellStories(options);
  } catch (error) {
    if (!(error instanceof EndlessError)) throw error;
    return [lawOf(1, 'convergence', { faults: [{ message: error.message }], checked: 'the suite ended there' })];
  }
}

async function tellStories(options: SuiteOptions): Promise<LawResult[]> {
  const { stores, source, at, days, patience, module } = options;
  const random = randomFrom(1);
  const known = { secrets: new Set(secretsOf(options)), signInPaths: new Set<string>(), patience, module };
  const newWatch = (time: VirtualTime): Watch => new Watch(known, time.timers.now, random);
  const time = openTime(at, patience);
  const first = newWatch(time);
  const connected = await connect(options, first, time).finally(time.transport.close);
  const { restaurants, session } = connected;
  const told: Told[] = [];
  const plans = plansOf(options, momentsOf(connected, options), random);
  for (const [index, plan] of plans.entries()) {
    options.onStory(index + 1, plans.length);
    const ofStory = openTime(plan.polls[0] ?? at, patience);
    const watch = newWatch(ofStory);
    const stop = watch.countStrays();
    // The sign-in serves on, as in a connection that is made of what was checked.
    const before = session && Object.assign({}, session, { logins: [] });
    const of = { stores, tested: options, time: ofStory, watch, restaurants, days, session: before, random };
    const end = await playStory(Object.assign(of, plan)).finally(() => {
      stop();
      ofStory.transport.close();
    });
    told.push(Object.assign(end, { plan, watch }));
  }
  const laws = lawsOf(source, [first, ...told.map(({ watch }) => watch)], told);
  const { orders, moments } = connected;
  const undated = orders - moments.length;
  if (undated > 0) laws[0]?.faults.push({ message: undatedText(undated, orders) });
  return laws.map((law) => Object.assign(law, { holds: law.faults.length === 0 }));
}

const undatedText = (undated: number, orders: number): string =>
  `${undated} of ${orders} orders have no modifiedDate that is an instant such as 2026-03-10T18:00:00.000Z`;

/** When something changed in the time that is played. Throws SaidError if nothing did. */
function momentsOf({ moments, orders }: Connected, { at, days }: SuiteOptions): number[] {
  const [begin, end] = [at - days * DAY_MS, at - MINUTE_MS];
  const changed = moments.filter((moment) => moment > begin && moment < end);
  if (changed.length > 0) return changed;
  const undated = orders - moments.length;
  throw new SaidError(
    undated > 0
      ? `${undatedText(undated, orders)}: nothing can be compared`
      : `no order has a modifiedDate from ${new Date(begin).toISOString()} to ${new Date(end).toISOString()}: nothing can be compared`,
  );
}

function lawsOf(source: ConnectionSource, watches: readonly Watch[], told: readonly Told[]): LawResult[] {
  const of = (...disturbances: string[]): Told[] => told.filter(({ plan }) => disturbances.includes(plan.disturbance));
  const differences = (of: readonly Told[]): SuiteFault[] => of.flatMap((one) => one.differences);
  const count = (kind: 'orders' | 'timeEntries'): number => sum(of('none').map(({ compared }) => compared[kind]));
  const killed = of('kills');
  return [
    lawOf(1, 'convergence', {
      faults: once([...differences(of('none', 'faults')), ...watches.flatMap(({ outside }) => outside)]),
      checked: `${count('orders')} orders and ${count('timeEntries')} time entries, with ${sum(watches.map(({ faults }) => faults))} calls that failed`,
    }),
    lawOf(2, 'silence', {
      faults: once(told.flatMap(({ unquiet }) => unquiet)),
      checked: 'two polls of a point of sale that does not change',
    }),
    lawOf(4, 'crash', {
      faults: once([...differences(killed), ...told.flatMap(({ again }) => again)], differences(of('none'))),
      checked: `${sum(killed.map(({ watch }) => watch.kills))} steps at which it was stopped`,
    }),
    fairUse(source, watches),
    lawOf(7, 'secrets', {
      faults: once(
        watches.flatMap(({ leaks }) => [...leaks].map((where) => ({ message: `a credential is in ${where}` }))),
      ),
      checked: `${sum(watches.map(({ searches }) => searches))} records, answers, log lines and errors`,
    }),
  ];
}

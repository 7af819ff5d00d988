/** A node that reads one connection while the suite watches; it may be killed, and starts again in the same stores. */
import { randomUUID } from 'node:crypto';
import type { ConnectionSource, UpstreamRestaurant } from '@daypart/client/source';
import type { Logger } from 'pino';
import type { Facts } from '../../facts/facts.ts';
import type { ConnectedRestaurant, ConnectionDate } from '../../ledger/connection.ts';
import type { Restaurant } from '../../ledger/restaurant.ts';
import { type Connector, createConnector } from '../connector.ts';
import { settingsOf } from '../found-settings.ts';
import type { RunDeps } from '../member.ts';
import type { OpenConnection } from '../open-source.ts';
import { createPageLoader, type LoadPage } from '../page-load.ts';
import type { SessionState } from '../sign-in.ts';
import { type Bench, type BenchLedger, connectionOf, openBench } from './bench.ts';
import type { VirtualTime } from './virtual-time.ts';
import type { Watch } from './watch.ts';
import type { Watched } from './watched-source.ts';

/** Embedded stores, which many stories share. */
export interface SuiteStores {
  ledger: BenchLedger;
  facts: Facts;
  spoolFolder: string;
  openLog(to: { write(line: string): void }): Logger;
}

/** What is tested. */
export interface Tested {
  source: ConnectionSource;
  /** The URL of its module, to say where it throws. */
  module?: string;
  url: string;
  credentials: Readonly<Record<string, string>>;
}

export interface NodeOptions {
  stores: SuiteStores;
  tested: Tested;
  time: VirtualTime;
  watch: Watch;
  watched: Watched;
  restaurants: readonly UpstreamRestaurant[];
  /** Dates before today that are read. */
  backfillDays: number;
  /** A sign-in before. */
  session: SessionState | null;
  /** From 0 to 1, 1 excluded. */
  random(): number;
  /** Returns what loads pages instead. */
  onLoad(inner: LoadPage): LoadPage;
  /** The row of a restaurant was saved. */
  onRow(row: ConnectedRestaurant): void;
}

export interface SuiteNode extends Bench {
  id: string;
  /** Runs until nothing is due; with `isKilled` it is killed once at each step, and starts again. */
  readDue(isKilled: boolean): Promise<void>;
  close(): Promise<void>;
}

const GROUP = 'suite';
const SAVES = ['saveStream', 'saveConnectedRestaurant', 'saveConnection'];
/** What of a row says where reading resumes. */
const RESUMED = ['upstreamId', 'stream', 'cursor', 'state', 'backfillFrom', 'backfillDone'];
/** What is read again and again is a step further so often: else a node that is killed at each would have no end. */
const MOST_POLLS = 5;
/** After so many runs something is read without an end. */
const MOST_RUNS = 100_000;

/** A connector of the watched source; `log` is searched as well. */
export function connectWatched(
  of: Pick<NodeOptions, 'tested' | 'time' | 'watch' | 'watched' | 'random'>,
  log: Logger,
  kept: { session: SessionState | null },
): Connector {
  const { tested, time, watch, watched, random } = of;
  return createConnector({
    source: watched.source,
    url: tested.url,
    credentials: tested.credentials,
    requestsPerSecond: null,
    allowPrivate: true,
    session: kept.session,
    onSession(state) {
      kept.session = state;
    },
    log: (level, text) => log[level](text),
    timers: time.timers,
    transport: watch.over(time.transport, (headers) => tested.source.rateLimit?.(headers)?.isOfPath ?? false),
    random,
  });
}

/** Where reading resumes by what was saved. */
function placeIn(saved: object, dates: readonly ConnectionDate[] = []): [place: string, most: number] {
  const isOfPast = !('stream' in saved) || saved.stream === 'backfill' || saved.stream === 'check';
  const of = Object.entries(saved).filter(([name]) => RESUMED.includes(name) && (isOfPast || name !== 'cursor'));
  return [JSON.stringify([of, dates.map(({ businessDate }) => businessDate)]), isOfPast ? 1 : MOST_POLLS];
}

/** The ledger, with a step before and after each save under the lease. */
function savingLedger({ stores: { ledger }, watch, onRow }: NodeOptions): BenchLedger {
  return new Proxy(ledger, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (!SAVES.includes(String(name))) return value.bind(target);
      return async (...args: unknown[]) => {
        watch.step();
        const isSaved = await value.apply(target, args);
        if (name === 'saveConnectedRestaurant') onRow(args[1] as ConnectedRestaurant);
        watch.saved(...placeIn(args[1] as object, name === 'saveStream' ? (args[2] as ConnectionDate[]) : []));
        return isSaved;
      };
    },
  });
}

let opened = 0;

/** Opens it with a connection of its own. Throws what the ledger throws. */
export async function openNode(options: NodeOptions): Promise<SuiteNode> {
  const { stores, tested, time, watch, watched, restaurants, backfillDays, onLoad } = options;
  const { facts, spoolFolder } = stores;
  const clock = time.timers.now;
  const log = stores.openLog({ write: (line) => watch.search('a log line', line) });
  const kept = { session: options.session };
  const connect = (): Connector => connectWatched(options, log, kept);
  const inner = onLoad(createPageLoader({ facts, spoolFolder, clock }));
  const deps: RunDeps = {
    ledger: savingLedger(options),
    facts,
    log,
    clock,
    async loadPage(...page) {
      watch.step();
      const answer = await inner(...page);
      watch.step();
      return answer;
    },
    importDay: () => Promise.reject(new Error('the source writes no files')),
    onState: () => undefined,
  };
  let connector = connect();
  const open: OpenConnection = async () => ({
    source: watched.source,
    context: (of) => watched.name(of, connector.context(of)),
    isClockWrong: false,
    release: () => undefined,
  });
  const id = `con_suite${String(++opened).padStart(17, '0')}`;
  const rowOf = (found: UpstreamRestaurant): Omit<Restaurant, 'id'> =>
    Object.assign(settingsOf(found), { guid: randomUUID(), group: GROUP });
  const bench = await openBench({
    ledger: stores.ledger,
    deps,
    open,
    connection: connectionOf({
      id,
      group: GROUP,
      kind: tested.source.kind,
      url: tested.url,
      at: clock(),
      backfillDays,
    }),
    restaurants: new Map(restaurants.map((found) => [found.upstreamId, rowOf(found)])),
  });
  return Object.assign(bench, {
    id,
    async readDue(isKilled: boolean) {
      for (let runs = 0; runs < MOST_RUNS; runs++) {
        const signal = watch.begin(isKilled);
        const isDue = await time.run(bench.run(signal));
        if (!signal.aborted && !isDue) return;
        if (!signal.aborted) continue;
        connector.close();
        connector = connect();
        watch.restart();
      }
      throw new Error('reading has no end');
    },
    async close() {
      connector.close();
      await stores.ledger.setConnectionState(id, { state: 'paused', reason: null }, clock());
    },
  });
}

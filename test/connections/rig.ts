/** A connection to the state of the stand-in, over real stores, on a clock that only a test moves. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import { runConnection } from '../../packages/service/src/connections/connection-run.ts';
import { leaseOf, type RunDeps, type StateChange } from '../../packages/service/src/connections/member.ts';
import type { OpenConnection, OpenSource } from '../../packages/service/src/connections/open-source.ts';
import { createPageLoader, type LoadPage } from '../../packages/service/src/connections/page-load.ts';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import type { DemoRestaurant } from '../../packages/service/src/demo/restaurants.ts';
import type {
  ConnectedRestaurant,
  Connection,
  ConnectionStream,
  Stream,
} from '../../packages/service/src/ledger/connection.ts';
import { STREAMS } from '../../packages/service/src/ledger/connection.ts';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';
import type { Restaurant } from '../../packages/service/src/ledger/restaurant.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { openLedger } from '../../packages/service/src/stores.ts';
import { type Loader, openEngine, put, type Report, reportsOf } from '../laws/engine.ts';
import { START, small } from '../upstream/caller.ts';
import { createClock, type UpstreamClock } from '../upstream/clock.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { createWorld, type World } from '../upstream/world.ts';
import { type KioskCall, kioskSource, type OnCall } from './kiosk.ts';

export const GROUP = 'bistro group';
/** The id of its connection. */
export const CONNECTION = 'con_kiosk00000000000000000';

export type RigEngine = Loader & { close(): Promise<void> };

export interface Rig {
  engine: RigEngine;
  ledger: Ledger;
  world: World;
  /** What a run takes. */
  deps: RunDeps;
  open: OpenConnection;
  clock: UpstreamClock;
  /** What the source was asked since this was emptied. */
  calls: KioskCall[];
  changes: StateChange[];
  /** Called before each call of the source is answered. */
  onCall: OnCall;
  /** By how much the clock of the point of sale, which a test moves, is ahead of ours; ms. */
  skewMs: number;
  /** Our clock. */
  now(): number;
  /** Called before each page is loaded; may throw. */
  onLoad: (restaurant: Restaurant) => void;
  /** Makes a stream of a restaurant due; with a date, that date is to be read again or checked. */
  makeDue(stream: Stream, guid: string, date?: number): Promise<void>;
  connection(): Promise<Connection>;
  member(guid?: string): Promise<ConnectedRestaurant>;
  restaurant(guid?: string): Promise<Restaurant>;
  /** The rows of its streams. */
  streams(guid?: string): Promise<Map<Stream, ConnectionStream>>;
  /** Claims the connection if it is due, reads what is due, and gives it back; whether it was due. */
  run(signal?: AbortSignal): Promise<boolean>;
  /**
   * Reports of a restaurant as it was read, and of one to which everything of the dates was loaded as it is now, with
   * those orders of earlier dates that were read.
   */
  bothReports(dates: { from: number; to: number }, guid?: string): Promise<[read: Report, posted: Report]>;
  /** Moves the clock, and reads whenever something is due. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

export interface RigOptions {
  restaurants?: readonly DemoRestaurant[];
  backfillDays?: number;
  /** Days of trade before the first instant. */
  days?: number;
  at?: number;
  seed?: string;
  skewMs?: number;
  /** A point of sale whose world and clock are used, instead of a world without HTTP. */
  upstream?: Pick<Upstream, 'world' | 'clock' | 'url'>;
  log?: Logger;
  /** Stores that are open, and closed with it; embedded ones without. */
  stores?: { engine: RigEngine; ledger: Ledger };
  /** The credentials, as they are stored. */
  credentials?: string;
  /** Wraps the stores that a run uses. */
  around?: <Store extends object>(store: Store) => Store;
}

type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

const MINUTE_MS = 60_000;
const WRONG_MS = 10 * MINUTE_MS;
let copies = 0;

function memberOf({ guid, firstDate }: { guid: string; firstDate: null }): ConnectedRestaurant {
  return {
    connection: CONNECTION,
    upstreamId: guid,
    restaurantGuid: guid,
    state: 'chosen',
    reason: null,
    since: 0,
    warnings: [],
    backfillFrom: firstDate,
    backfillTo: null,
    backfillDone: null,
    notBefore: null,
  };
}

/** A connection that is due, as it is added. */
export function connectionOf(
  of: Pick<Connection, 'id' | 'kind' | 'url'> & { at: number; credentials?: string; backfillDays?: number },
): Connection {
  const { id, kind, url, at, credentials = null, backfillDays = 0 } = of;
  return {
    id,
    group: GROUP,
    kind,
    name: 'Till',
    url,
    settings: { pollSeconds: 120, backfillDays, requestsPerSecond: null, checkDays: [3, 10, 35], first: null },
    credentials,
    credentialsSetAt: at,
    token: null,
    tokenUntil: null,
    signedInAt: null,
    state: 'active',
    reason: null,
    worker: null,
    leaseUntil: null,
    attempt: 0,
    nextAt: 0,
    throttledUntil: null,
    createdAt: at,
    createdBy: 'test',
    changedAt: at,
  };
}

/** Opens it; the restaurants are in the ledger, and nothing was read yet. */
export async function openRig(options: RigOptions = {}): Promise<Rig> {
  const { restaurants = [small()], backfillDays = 3, days = 10, at = START, seed, skewMs = 0, upstream } = options;
  const { log = openLog('silent') } = options;
  const around = options.around ?? (<Store extends object>(store: Store): Store => store);
  const engine = options.stores?.engine ?? (await openEngine());
  const { facts } = engine;
  const ledger = options.stores?.ledger ?? (await openLedger({ data: engine.folder }));
  const clock = upstream?.clock ?? createClock({ at });
  const world = upstream?.world ?? createWorld({ clock, restaurants, days, seed });
  const loadPage = createPageLoader({ facts, spoolFolder: join(engine.folder, 'spool'), clock: clock.now });
  const changes: StateChange[] = [];
  const calls: KioskCall[] = [];
  const deps: RunDeps = {
    ledger: around(ledger),
    facts: around(facts),
    log,
    clock: () => rig.now(),
    ...around({
      async loadPage(restaurant: Restaurant, ...page: Tail<Parameters<LoadPage>>) {
        rig.onLoad(restaurant);
        return await loadPage(restaurant, ...page);
      },
    }),
    importDay: () => Promise.reject(new Error('a kiosk writes no files')),
    onState: (change) => void changes.push(change),
  };
  const source = kioskSource(world, async (call) => {
    calls.push(call);
    await rig.onCall(call);
  });
  const context: OpenSource['context'] = ({ restaurant, restaurantGuid = '', signal }) => ({
    restaurant,
    signal,
    credentials: {},
    settings: {},
    now: clock.now,
    log: () => undefined,
    guid: (name) => `${restaurantGuid} ${name}`,
    request: () => Promise.reject(new Error('a kiosk has no address')),
  });

  async function addConnection(): Promise<void> {
    await ledger.ensureGroup(GROUP, at);
    for (const { guid, name, timeZone, closeoutHour } of restaurants) {
      await ledger.putRestaurant({
        guid,
        group: GROUP,
        name,
        timeZone,
        closeoutHour,
        locationName: null,
        locationCode: null,
        currencyCode: null,
        overtimeMultiplier: 1.5,
        refundsOn: 'refund',
        active: true,
        testMode: false,
        archived: false,
      });
    }
    const [kind, url] = upstream ? ['toast', upstream.url] : ['kiosk', 'https://kiosk.example'];
    const { credentials } = options;
    const connection = connectionOf({
      id: CONNECTION,
      kind,
      url,
      at,
      backfillDays,
      ...(credentials && { credentials }),
    });
    const join = restaurants.map(({ guid }) => memberOf({ guid, firstDate: null }));
    await ledger.addConnection(connection, { join, streams: STREAMS });
  }
  await addConnection();

  /** As if nothing else had been changed: a pause that ends makes a connection due. */
  async function claimAnyway(): Promise<Connection> {
    await ledger.setConnectionState(CONNECTION, { state: 'active', reason: null }, rig.now());
    const connection = await ledger.claimConnection('test', rig.now(), rig.now() + MINUTE_MS);
    if (!connection) throw new Error('the connection cannot be claimed');
    return connection;
  }

  const open: OpenConnection = async () => ({
    source,
    context,
    isClockWrong: Math.abs(rig.skewMs) > WRONG_MS,
    release: () => undefined,
  });

  const [first = ''] = world.houses.keys();
  const rig: Rig = {
    engine,
    ledger,
    world,
    deps,
    open,
    clock,
    calls,
    changes,
    skewMs,
    onCall: () => undefined,
    onLoad: () => undefined,
    now: () => clock.now() - rig.skewMs,
    async connection() {
      const found = await ledger.connection(CONNECTION);
      if (!found) throw new Error('the connection is not there');
      return found;
    },
    async member(guid = first) {
      const found = (await ledger.connectedRestaurants(CONNECTION)).find(({ upstreamId }) => upstreamId === guid);
      if (!found) throw new Error('the restaurant is not connected');
      return found;
    },
    async restaurant(guid = first) {
      const found = await ledger.restaurant(guid);
      if (!found) throw new Error('the restaurant is not there');
      return found;
    },
    async streams(guid = first) {
      const rows = await ledger.connectionStreams(CONNECTION);
      return new Map(rows.filter(({ upstreamId }) => upstreamId === guid).map((row) => [row.stream, row]));
    },
    async makeDue(stream, guid, date) {
      if (date !== undefined && stream === 'backfill')
        await ledger.askDates(CONNECTION, [{ upstreamId: guid, businessDate: date }], rig.now());
      const connection = await claimAnyway();
      const row = (await rig.streams(guid)).get(stream);
      if (!row) throw new Error(`${stream} was never read`);
      const never = {
        connection: CONNECTION,
        upstreamId: guid,
        readAt: 0,
        checkedAt: null,
        checkFound: null,
        differences: null,
      };
      const dates = date === undefined || stream === 'backfill' ? [] : [Object.assign(never, { businessDate: date })];
      await ledger.saveStream(leaseOf(connection), Object.assign(row, { nextAt: rig.now() }), dates);
      await ledger.releaseConnection(leaseOf(connection));
    },
    async run(signal = new AbortController().signal) {
      const connection = await ledger.claimConnection('node', rig.now(), rig.now() + MINUTE_MS);
      if (!connection) return false;
      try {
        const nextAt = await runConnection(deps, connection, rig.open, signal);
        await ledger.releaseConnection(leaseOf(connection), nextAt);
      } catch (error) {
        if (!signal.aborted) throw error;
        // As a service that starts again in its data folder.
        await ledger.reclaimConnections(rig.now());
      }
      return true;
    },
    async bothReports({ from, to }, guid = first) {
      const read = await rig.restaurant(guid);
      const house = world.houses.get(guid);
      const copy = await ledger.putRestaurant(
        Object.assign({}, read, { guid: `00000000-0000-4000-8000-${String(++copies).padStart(12, '0')}` }),
      );
      if (!house || !copy) throw new Error('the restaurant is not there');
      // Refunds of earlier orders count on these dates, too.
      for (let date = addDays(from, -days - 1); date < from; date = addDays(date, 1)) {
        const guids = await facts.ordersOf(read.id, date);
        const orders = guids.flatMap((one) => house.find('orders', one, clock.now()) ?? []);
        await put(engine, copy.restaurant, 'orders', orders as ReturnType<typeof house.ofDate>);
      }
      for (let date = from; date <= to; date = addDays(date, 1)) {
        await put(engine, copy.restaurant, 'orders', house.ofDate('orders', date, clock.now()));
        await put(engine, copy.restaurant, 'shifts', house.ofDate('entries', date, clock.now()));
      }
      await engine.facts.putReference(copy.restaurant.id, await engine.facts.reference(read.id));
      const [one, other] = reportsOf(engine, [read, copy.restaurant]);
      if (!one || !other) throw new Error('a report is missing');
      return [one, other];
    },
    async pass(ms) {
      const until = clock.now() + ms;
      while (clock.now() < until) {
        const { nextAt } = await rig.connection();
        const wait = Math.max(1000, (nextAt ?? until) - rig.now());
        clock.advance(Math.min(until - clock.now(), wait));
        await rig.run();
      }
    },
    async close() {
      await ledger.close();
      await engine.close();
    },
  };
  return rig;
}

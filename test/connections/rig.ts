/** A connection to the state of the stand-in, over real stores, on a clock that only a test moves. */
import { join } from 'node:path';
import type { UpstreamRestaurant } from '@daypart/client/source';
import type { Logger } from 'pino';
import type { RunDeps, StateChange } from '../../packages/service/src/connections/member.ts';
import type { OpenConnection, OpenSource } from '../../packages/service/src/connections/open-source.ts';
import { createPageLoader, type LoadPage } from '../../packages/service/src/connections/page-load.ts';
import { type Bench, connectionOf, openBench } from '../../packages/service/src/connections/suite/bench.ts';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import type { DemoRestaurant } from '../../packages/service/src/demo/restaurants.ts';
import type { Connection } from '../../packages/service/src/ledger/connection.ts';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';
import type { Restaurant } from '../../packages/service/src/ledger/restaurant.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { openLedger } from '../../packages/service/src/stores.ts';
import { type Loader, openEngine, put, type Report, reportsOf } from '../laws/engine.ts';
import { START, small } from '../upstream/caller.ts';
import { createClock, type UpstreamClock } from '../upstream/clock.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { createWorld, type World } from '../upstream/world.ts';
import { type KioskCall, kioskSource, type OnCall } from './kiosk-upstream.ts';

export const GROUP = 'bistro group';
/** What a connection of it to a kiosk begins with. */
export const TO_KIOSK = { group: GROUP, kind: 'kiosk', url: 'https://kiosk.example' } as const;
/** The id of its connection. */
export const CONNECTION = 'con_kiosk00000000000000000';

export type RigEngine = Loader & { close(): Promise<void> };

export interface Rig extends Bench {
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
  /** The credentials and the session, as they are stored. */
  credentials?: string;
  session?: Pick<Connection, 'token' | 'tokenUntil' | 'signedInAt'>;
  /** What the point of sale has said of restaurants when somebody connected to it. */
  described?: readonly UpstreamRestaurant[];
  /** Wraps the stores that a run uses. */
  around?: <Store extends object>(store: Store) => Store;
}

type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

const WRONG_MS = 600_000;
let copies = 0;

/** Opens it; the restaurants are in the ledger, and nothing was read yet. */
export async function openRig(options: RigOptions = {}): Promise<Rig> {
  const { restaurants = [small()], backfillDays = 3, days = 10, at = START, seed, skewMs = 0, upstream } = options;
  const { log = openLog('silent'), credentials, described = [] } = options;
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

  const open: OpenConnection = async () => ({
    source,
    context,
    isClockWrong: Math.abs(rig.skewMs) > WRONG_MS,
    release: () => undefined,
  });

  const [first = ''] = world.houses.keys();
  const bench = await openBench({
    ledger,
    deps,
    open: (connection, signal) => rig.open(connection, signal),
    described: new Map(described.map((found) => [found.upstreamId, found])),
    connection: Object.assign(
      connectionOf({
        id: CONNECTION,
        ...TO_KIOSK,
        ...(upstream && { kind: 'toast', url: upstream.url }),
        at,
        backfillDays,
        ...(credentials && { credentials }),
      }),
      options.session,
    ),
    restaurants: new Map(
      restaurants.map(({ guid, name, timeZone, closeoutHour }) => [
        guid,
        {
          guid,
          group: GROUP,
          name,
          timeZone,
          closeoutHour,
          locationName: null,
          locationCode: null,
          currencyCode: null,
          overtimeMultiplier: 1.5,
          refundsOn: 'refund' as const,
          active: true,
          testMode: false,
          archived: false,
        },
      ]),
    ),
  });
  const own: Omit<Rig, keyof Bench> = {
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
  const rig: Rig = Object.assign(bench, own);
  return rig;
}

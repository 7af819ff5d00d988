/**
 * The state of the stand-in: its restaurants, the clients that may read them, and when their configuration was
 * published.
 */
import { addDays, dateIn } from '../../packages/service/src/contract/dates.ts';
import { createRandom } from '../../packages/service/src/demo/random.ts';
import { DEMO_RESTAURANTS, type DemoRestaurant } from '../../packages/service/src/demo/restaurants.ts';
import type { UpstreamClock } from './clock.ts';
import type { OrderDocument } from './documents.ts';
import { House, type Settings } from './house.ts';
import type { DayCache } from './trade.ts';

/** The read scopes that these calls require (doc.toasttab.com/doc/devguide/apiScopes.html). */
export const SCOPES = [
  'restaurants:read',
  'orders:read',
  'labor:read',
  'labor.employees:read',
  'config:read',
  'menus:read',
] as const;
export type Scope = (typeof SCOPES)[number];

export interface UpstreamClient {
  clientId: string;
  clientSecret: string;
  /** Credentials of a management group, or of a partner, which list their restaurants by another call. */
  access: 'group' | 'partner';
  scopes: Scope[];
  /** The GUIDs that it reaches. */
  restaurants: string[];
}

/**
 * What happens to the upstream: by a test, a rule, or a person. Everything in it is done at once, at the upstream's
 * now.
 */
export interface Change {
  /** The client that the next four are about; the first one without. */
  clientId?: string;
  clientSecret?: string;
  scopes?: Scope[];
  restaurants?: string[];
  /** Ends all tokens of the client. */
  endTokens?: true;
  /** The restaurant that the next six are about; the first one without. */
  restaurant?: string;
  settings?: Partial<Settings>;
  /** The GUID of a job. */
  deleteJob?: string;
  /** A JSON merge patch (RFC 7396) of an order. */
  order?: { guid: string } & Record<string, unknown>;
  /** A JSON merge patch of a time entry. */
  entry?: { guid: string } & Record<string, unknown>;
  /** An order of the caller's own, with at least `guid`, `openedDate` and `businessDate`. */
  addOrder?: OrderDocument;
  /** The GUID of an order that is gone from now on: neither listed nor found. */
  removeOrder?: string;
  /** Publishes the configuration of the restaurants: page tokens become invalid. */
  publishConfig?: true;
  /** Publishes their menus: `lastUpdated` moves. */
  publishMenus?: true;
}

export interface WorldOptions {
  clock: UpstreamClock;
  restaurants?: readonly DemoRestaurant[] | undefined;
  clients?: UpstreamClient[] | undefined;
  /** Another seed gives other trade. */
  seed?: string | undefined;
  /** Days of trade before the first instant. They are made when they are read. */
  days?: number | undefined;
}

/** 400 days: more than a year back is more than any backfill of a first connection reads. */
const DAYS = 400;

export interface World {
  clock: UpstreamClock;
  seed: string;
  managementGroupGuid: string;
  houses: ReadonlyMap<string, House>;
  clients: UpstreamClient[];
  /** When the configuration and the menus were last published, ms since 1970 UTC. */
  configAt: number;
  menusAt: number;
  /** Goes up with each publication. */
  configVersion: number;
  /** Throws a RangeError where the change names something unknown. */
  change(what: Change): void;
  /** Is called with each client whose tokens end. */
  onEndTokens: (clientId: string) => void;
}

/** The credentials that are there unless others are given: one of a management group, one of a partner. */
function sampleClients(restaurants: readonly DemoRestaurant[]): UpstreamClient[] {
  const reach = { scopes: [...SCOPES], restaurants: restaurants.map(({ guid }) => guid) };
  return [
    { clientId: 'rehearsal-group', clientSecret: 'rehearsal-group-secret', access: 'group', ...reach },
    {
      clientId: 'rehearsal-partner',
      clientSecret: 'rehearsal-partner-secret',
      access: 'partner',
      ...structuredClone(reach),
    },
  ];
}

/** RFC 7396: null removes, objects are merged, everything else replaces. */
function merged(into: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result = { ...(typeof into === 'object' && !Array.isArray(into) ? into : {}) } as Record<string, unknown>;
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  }
  return result;
}

/** Creates the state. */
export function createWorld(options: WorldOptions): World {
  const { clock, restaurants = DEMO_RESTAURANTS, seed = 'upstream', days = DAYS } = options;
  const cache: DayCache = new Map();
  const start = clock.now();
  const houses = new Map(
    restaurants.map((restaurant) => {
      const firstBusinessDate = addDays(dateIn(restaurant.timeZone, start), -days);
      return [restaurant.guid, new House({ restaurant, seed, firstBusinessDate, cache })];
    }),
  );
  const world: World = {
    clock,
    seed,
    managementGroupGuid: createRandom(`management group ${seed}`).guid(),
    houses,
    clients: options.clients ?? sampleClients(restaurants),
    configAt: start,
    menusAt: start,
    configVersion: 1,
    onEndTokens: () => undefined,
    change: (what) => apply(world, what),
  };
  return world;
}

function apply(world: World, what: Change): void {
  const now = world.clock.now();
  const client =
    what.clientId === undefined ? world.clients[0] : world.clients.find((one) => one.clientId === what.clientId);
  if (!client) throw new RangeError(`there is no client ${what.clientId}`);
  if (what.clientSecret !== undefined) client.clientSecret = what.clientSecret;
  if (what.scopes) client.scopes = what.scopes;
  if (what.restaurants) client.restaurants = what.restaurants;
  if (what.endTokens) world.onEndTokens(client.clientId);
  if (what.publishConfig) [world.configAt, world.configVersion] = [now, world.configVersion + 1];
  if (what.publishMenus) world.menusAt = now;

  const [first] = world.houses.keys();
  const house = world.houses.get(what.restaurant ?? first ?? '');
  if (!house) throw new RangeError(`there is no restaurant ${what.restaurant}`);
  if (what.settings) house.set(what.settings, now);
  if (what.deleteJob !== undefined) house.deletedJobs.add(what.deleteJob);
  if (what.removeOrder !== undefined) house.remove(what.removeOrder);
  if (what.addOrder) house.add('orders', what.addOrder, now);
  const { order, entry } = what;
  if (order && !house.change('orders', order.guid, (one) => merged(one, order) as object, now))
    throw new RangeError(`there is no order ${order.guid}`);
  if (entry && !house.change('entries', entry.guid, (one) => merged(one, entry) as object, now))
    throw new RangeError(`there is no time entry ${entry.guid}`);
}

/**
 * The point of sale of the kiosk (kiosk.ts) over the state of the stand-in (test/upstream): in the same process, or
 * over HTTP.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ConnectionSource,
  type JsonObject,
  type SourceContext,
  SourceError,
  type UpstreamRestaurant,
} from '@daypart/client/source';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import { establish } from '../../packages/service/src/demo/reference.ts';
import type { Stream } from '../../packages/service/src/ledger/connection.ts';
import type { House } from '../upstream/house.ts';
import type { World } from '../upstream/world.ts';
import kiosk from './kiosk.ts';

/** One call of the kiosk. */
export interface KioskCall {
  restaurant: string;
  stream: Stream;
  kind?: 'orders' | 'entries';
  /** The business date that is asked for, or the instant from which changes are. */
  from: number;
}

/** Called before each call is answered; may throw, or change the world. */
export type OnCall = (call: KioskCall) => void | Promise<void>;

interface Asked {
  path: string;
  query: Record<string, string | number>;
}

const PAGE = 10;
const PATH = /^\/shops(?:\/([^/]+)(?:\/(orders|entries|names|menus)(?:\/(.+))?)?)?$/;
const SECONDS = 86_400;

function callOf({ path, query }: Asked): KioskCall {
  const [, restaurant = '', what, guid] = PATH.exec(path) ?? [];
  if (what === 'names' || what === 'menus') return { restaurant, stream: what, from: 0 };
  if (what !== 'orders' && what !== 'entries') return { restaurant, stream: 'settings', from: 0 };
  const kind = what;
  if (guid !== undefined) return { restaurant, stream: 'check', from: 0 };
  if (query.first !== undefined) return { restaurant, stream: 'backfill', kind, from: Number(query.first) };
  return { restaurant, stream: kind === 'orders' ? 'orders' : 'timeEntries', kind, from: Number(query.from) };
}

const found = ({ guid, settings, firstBusinessDate }: House): UpstreamRestaurant =>
  Object.assign({ upstreamId: guid, guid, firstBusinessDate }, settings);

interface Listed {
  guid: string;
  modifiedDate: string;
}

/** A page of a list that is in the order of modification, so that nothing moves between pages unseen. */
function pageOf(all: readonly Listed[], after: string) {
  const keyOf = ({ modifiedDate, guid }: Listed): string => `${modifiedDate} ${guid}`;
  const left = all.filter((one) => keyOf(one) > after).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const records = left.slice(0, PAGE);
  const last = records.at(-1);
  return { records, next: last && left.length > PAGE ? keyOf(last) : null };
}

/** The records that a list has. */
function listed(world: World, house: House, kind: 'orders' | 'entries', query: Asked['query']): Listed[] {
  const now = world.clock.now();
  if (query.first === undefined)
    return house.modified(kind, { from: Number(query.from), until: Number(query.until) }, now) as Listed[];
  const all: Listed[] = [];
  for (let date = Number(query.first); date <= Number(query.last); date = addDays(date, 1))
    all.push(...(house.ofDate(kind, date, now) as Listed[]));
  return all;
}

/** What the point of sale answers; undefined for what it does not have. */
function answerOf(world: World, { path, query }: Asked): unknown {
  const [match, id, what, guid] = PATH.exec(path) ?? [];
  if (match === undefined) return undefined;
  if (id === undefined) return [...world.houses.values()].map(found);
  const house = world.houses.get(id);
  if (!house || !world.clients[0]?.restaurants.includes(id)) return undefined;
  if (what === undefined) return found(house);
  if (what === 'menus')
    return { lastUpdated: world.menusAt, menus: [{ guid: `${id} menu`, name: 'All day', menuGroups: [] }] };
  if (what === 'names') {
    const { jobs, staff } = establish(house.restaurant);
    return {
      jobs: jobs.map(({ guid: of, job: { title, code, wageFrequency } }) => ({ guid: of, title, code, wageFrequency })),
      employees: staff.map(({ guid: of, firstName, lastName }) => ({ guid: of, firstName, lastName })),
    };
  }
  const kind = what === 'orders' ? 'orders' : 'entries';
  if (guid !== undefined) return house.find(kind, guid, world.clock.now());
  return pageOf(listed(world, house, kind, query), String(query.after));
}

/** The source, whose calls are answered in the same process; `onCall` sees every call. */
export function kioskSource(world: World, onCall: OnCall): ConnectionSource {
  const request: SourceContext['request'] = async (_method, path, { query = {}, allow = [] } = {}) => {
    await onCall(callOf({ path, query }));
    const json = answerOf(world, { path, query });
    if (json === undefined && !allow.includes(404)) throw new RangeError(`an unknown address: ${path}`);
    return { status: json === undefined ? 404 : 200, headers: new Headers(), json };
  };
  const over = (ctx: SourceContext): SourceContext => Object.assign({}, ctx, { request });
  const { orders, timeEntries = orders, names, menus } = kiosk;
  const streamOver = (stream: typeof orders): typeof orders =>
    Object.assign({}, stream, {
      changed: (ctx, cursor) => stream.changed(over(ctx), cursor),
      dates: (ctx, from, to) => stream.dates(over(ctx), from, to),
      one: async (ctx, guid) => (await stream.one?.(over(ctx), guid)) ?? null,
    } satisfies Partial<typeof orders>);
  return Object.assign({}, kiosk, {
    signIn: async () => ({ headers: {}, until: Number.MAX_SAFE_INTEGER }),
    async restaurants(ctx, first) {
      if (ctx.credentials.key === 'wrong') throw new SourceError('credentials_refused', 'a wrong key');
      return await kiosk.restaurants(over(ctx), first);
    },
    settings: (ctx) => kiosk.settings(over(ctx)),
    orders: streamOver(orders),
    timeEntries: streamOver(timeEntries),
    ...(names && { names: Object.assign({}, names, { read: (ctx: SourceContext) => names.read(over(ctx)) }) }),
    ...(menus && {
      menus: Object.assign({}, menus, {
        read: (ctx: SourceContext, cursor: JsonObject) => menus.read(over(ctx), cursor),
      }),
    }),
  } satisfies Partial<ConnectionSource>);
}

export interface KioskServer {
  /** `http://127.0.0.1:PORT`. */
  url: string;
  /** The paths that were asked for, each with its method. */
  paths: string[];
  close(): Promise<void>;
}

/** Starts the point of sale on loopback; a free port without one. */
export async function startKiosk(
  world: World,
  { key, port = 0 }: { key: string; port?: number },
): Promise<KioskServer> {
  const paths: string[] = [];
  let sessions = 0;
  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://kiosk');
    paths.push(`${request.method} ${path}`);
    const say = (status: number, json: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    if (path === '/session') {
      let body = '';
      for await (const chunk of request) body += chunk;
      if (JSON.parse(body).key !== key) return say(401, { message: 'a wrong key' });
      return say(200, { token: `session-${++sessions}-of-${key}`, seconds: SECONDS });
    }
    if (!request.headers.authorization?.endsWith(`-of-${key}`)) return say(401, { message: 'no session' });
    const json = answerOf(world, { path, query: Object.fromEntries(searchParams) });
    say(json === undefined ? 404 : 200, json ?? { message: 'unknown' });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

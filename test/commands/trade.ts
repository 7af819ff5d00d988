/**
 * Restaurants that trade without pause: loads, corrections and reports over HTTP, and a record of what was answered.
 */
import { plainOrder } from '../journeys/service.ts';
import type { Json, NaiveRestaurant } from '../laws/naive.ts';
import { tokenOf } from './process.ts';

export const RESTAURANTS: NaiveRestaurant[] = ['UTC', 'America/New_York', 'Asia/Tokyo'].map((timeZone, i) => ({
  guid: `b1500000-0000-4000-8000-00000000000${i + 1}`,
  name: `Bistro ${i + 1}`,
  timeZone,
  closeoutHour: 4,
  overtimeMultiplier: 1.5,
  diningOptions: {},
  revenueCenters: {},
  employees: {},
  jobs: {},
}));

/** The two business dates on which all of it happens, so that a restaurant's loads meet in few daily rollups. */
export const SPAN = { start: '20260310', end: '20260311' };

export interface Service {
  base: string;
  headers: Record<string, string>;
}

/** The service of a child process, with a token of its bootstrap client `me:secret:group`. */
export async function signIn(base: string): Promise<Service> {
  const { access_token: token } = (await (await tokenOf(base, 'me', 'secret')).json()) as { access_token: string };
  return { base, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', prefer: 'wait=20' } };
}

async function call({ base, headers }: Service, method: string, path: string, json?: unknown): Promise<string> {
  const body = json === undefined ? null : JSON.stringify(json);
  const response = await fetch(`${base}${path}`, { method, headers, body });
  const text = await response.text();
  if (response.status > 201) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text;
}

export const read = (service: Service, path: string): Promise<string> => call(service, 'GET', path);

/** Asks for a report of the span. */
export async function ask(service: Service, path: 'metrics' | 'check', more: object = {}): Promise<string> {
  const body =
    path === 'metrics'
      ? { startBusinessDate: SPAN.start, endBusinessDate: SPAN.end, ...more }
      : { startBusinessDate: SPAN.start, ...more };
  return JSON.parse(await call(service, 'POST', path === 'metrics' ? '/metrics/week' : '/check/day', body));
}

/** Asks for a report and retrieves it. */
export async function report(service: Service, path: 'metrics' | 'check', more: object = {}): Promise<Json[]> {
  return JSON.parse(await read(service, `/${path}/${await ask(service, path, more)}`));
}

export async function putRestaurants(service: Service): Promise<void> {
  for (const { guid, name, timeZone, closeoutHour } of RESTAURANTS)
    await call(service, 'PUT', `/restaurants/${guid}`, { name, timeZone, closeoutHour });
}

/** Body `n` of a restaurant, from 1: new orders, and every other time corrections of the one before. */
function bodyOf(n: number, before: Json[]): Json[] {
  const at = new Date(Date.UTC(2026, 2, 12) + n * 1000).toISOString();
  const fresh = Array.from({ length: 1 + (n % 7) }, (_, i) => {
    const price = 5 + ((n * 7 + i * 13) % 400) / 10;
    return plainOrder(
      {
        displayNumber: String(n),
        modifiedDate: at,
        businessDate: n % 3 === 0 ? 20260311 : 20260310,
        numberOfGuests: 1 + (i % 5),
        source: ['In Store', 'Online', 'API'][(n + i) % 3],
      },
      {
        displayNumber: String(i),
        totalAmount: price,
        selections: [
          { guid: `5e1ec700-0000-4000-8000-${String(n * 100 + i).padStart(12, '0')}`, preDiscountPrice: price, price },
        ],
      },
    );
  });
  if (n % 2 === 1) return fresh;
  // Another number of the body, fewer guests, and for one of them another date: the day before loses it.
  const corrected = before.map((order, i) => ({
    ...order,
    displayNumber: String(n),
    modifiedDate: at,
    numberOfGuests: 1,
    ...(i === 0 ? { businessDate: order.businessDate === 20260310 ? 20260311 : 20260310 } : {}),
  }));
  return [...fresh, ...corrected];
}

/** Time entries `n` of a restaurant, sent before its orders `n`: a new one, and a correction of the one before. */
function entriesOf(n: number): Json[] {
  const entry = (of: number, hours: number) => ({
    guid: `7e000000-0000-4000-8000-${String(of).padStart(12, '0')}`,
    businessDate: of % 3 === 0 ? 20260311 : 20260310,
    inDate: '2026-03-10T12:00:00.000+0000',
    outDate: '2026-03-10T20:00:00.000+0000',
    modifiedDate: new Date(Date.UTC(2026, 2, 12) + n * 1000).toISOString(),
    regularHours: hours,
    hourlyWage: 12 + (of % 9) / 4,
  });
  return n === 1 ? [entry(n, 8)] : [entry(n, 8), entry(n - 1, 7.25)];
}

export interface Sent {
  orders: Json[];
  entries: Json[];
}

export interface Trade {
  /** By restaurant: every pair of bodies that was sent, in order, one after the other, the time entries first. */
  sent: Sent[][];
  /** By restaurant: how many of them were acknowledged so far, both bodies. */
  acknowledged(): number[];
  /** What was retrieved so far, by path. */
  retrieved: Map<string, string>;
  stop(): Promise<void>;
}

/**
 * Loads and asks until it is stopped; a load or a retrieval that is refused fails `acknowledged` and `stop`. A second
 * trade over the same orders begins `after` the bodies of the first.
 */
export function startTrade(service: Service, after = 0): Trade {
  const sent: Sent[][] = RESTAURANTS.map(() => []);
  const counts = RESTAURANTS.map(() => 0);
  const retrieved = new Map<string, string>();
  let stopping = false;

  async function load(restaurant: NaiveRestaurant, i: number): Promise<void> {
    for (let before: Json[] = []; !stopping; ) {
      const n = after + (counts[i] ?? 0) + 1;
      const bodies = { entries: entriesOf(n), orders: bodyOf(n, before) };
      sent[i]?.push(bodies);
      for (const [path, body] of [
        ['time-entries', bodies.entries],
        ['orders', bodies.orders],
      ] as const) {
        const answer = JSON.parse(await call(service, 'POST', `/restaurants/${restaurant.guid}/${path}`, body));
        if (answer.accepted !== body.length) throw new Error(JSON.stringify(answer));
      }
      counts[i] = (counts[i] ?? 0) + 1;
      before = bodies.orders.slice(0, 4);
    }
  }
  async function retrieve(): Promise<void> {
    for (let n = 0; !stopping; n++) {
      const kind = n % 3 === 2 ? 'check' : 'metrics';
      const path = `/${kind}/${await ask(service, kind, kind === 'metrics' && n % 2 ? { groupBy: ['ORDER_SOURCE'] } : {})}`;
      retrieved.set(path, await read(service, path));
    }
  }
  let refused: Error | undefined;
  const work = [...RESTAURANTS.map(load), retrieve()].map((one) =>
    one.catch((error: Error) => {
      refused = error;
    }),
  );
  return {
    sent,
    retrieved,
    acknowledged: () => {
      if (refused) throw refused;
      return [...counts];
    },
    async stop() {
      stopping = true;
      await Promise.all(work);
      if (refused) throw refused;
    },
  };
}

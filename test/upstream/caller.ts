/** Calls the stand-in as a client of the live system does. */
import { DEMO_RESTAURANTS, type DemoRestaurant } from '../../packages/service/src/demo/restaurants.ts';
import { startUpstream, type Upstream, type UpstreamOptions } from './upstream.ts';

/** The instant that tests begin at, while restaurants of all zones trade: a Tuesday, 19:00 in New York. */
export const START = Date.UTC(2026, 2, 10, 23);

/** A sample restaurant with fewer orders, which are made faster. */
export function small(index = 0, changes: Partial<DemoRestaurant> = {}): DemoRestaurant {
  const restaurant = DEMO_RESTAURANTS[index];
  if (!restaurant) throw new RangeError(`there is no sample restaurant ${index}`);
  return { ...restaurant, ordersPerDay: 24, ...changes };
}

/** So many restaurants of their own, with little trade. */
export const manyRestaurants = (count: number): DemoRestaurant[] =>
  Array.from({ length: count }, (_, index) => {
    const guid = `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`;
    return small(index % DEMO_RESTAURANTS.length, { guid, name: `Branch ${index + 1}`, ordersPerDay: 4 });
  });

/** Starts it with one small restaurant and a stopped clock. */
export const startSmall = (options: UpstreamOptions = {}): Promise<Upstream> =>
  startUpstream({ at: START, restaurants: [small()], ...options });

export interface Called {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what came over the wire, of whatever shape
  body: any;
}

/** Calls a path; without `token` nobody is signed in. */
export async function call(
  upstream: Upstream,
  path: string,
  { token = '', restaurant = '', ...init }: { token?: string; restaurant?: string } & RequestInit = {},
): Promise<Called> {
  const headers = {
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(restaurant && { 'Toast-Restaurant-External-ID': restaurant }),
  };
  const response = await fetch(upstream.url + path, { redirect: 'manual', ...init, headers });
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The test reads the text.
  }
  return { status: response.status, headers: response.headers, text, body };
}

/** The answer to a sign-in. */
export function login(upstream: Upstream, changes: object = {}): Promise<Called> {
  const [client] = upstream.world.clients;
  const { clientId, clientSecret } = client ?? {};
  const body = JSON.stringify({ clientId, clientSecret, userAccessType: 'TOAST_MACHINE_CLIENT', ...changes });
  return call(upstream, '/authentication/v1/authentication/login', { method: 'POST', body });
}

/** Signs in; returns how to GET a path of the first restaurant, or of another one. */
export async function signIn(upstream: Upstream, changes: object = {}) {
  const { body } = await login(upstream, changes);
  const token: string = body.token.accessToken;
  const [first = ''] = upstream.world.houses.keys();
  return (path: string, restaurant = first): Promise<Called> => call(upstream, path, { token, restaurant });
}

/** An instant (ms) as the live system writes it, encoded for a parameter. */
export const encoded = (instant: number): string =>
  encodeURIComponent(new Date(instant).toISOString().replace('Z', '+0000'));

/** The path of a bulk call for the orders that were modified from (inclusive) until (exclusive), in ms. */
export const bulk = (from: number, until: number, more = ''): string =>
  `/orders/v2/ordersBulk?startDate=${encoded(from)}&endDate=${encoded(until)}${more}`;

/** The first house of the stand-in. */
export function houseOf(upstream: Upstream, index = 0) {
  const house = [...upstream.world.houses.values()][index];
  if (!house) throw new RangeError(`there is no restaurant ${index}`);
  return house;
}

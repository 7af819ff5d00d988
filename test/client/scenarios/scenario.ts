/** Helpers of scenarios. They run in Node 20, Node 24 and browsers, so they use only what all of these have. */
import type * as Sdk from '../../../packages/client/src/index.ts';
import type { Call, Rule } from '../proxy.ts';

export interface Credentials {
  clientId: string;
  clientSecret: string;
}

/** What the service holds, as it answers a plain request of the reference dialect. */
export interface Setup {
  reference: Credentials;
  live: Credentials;
  restaurant: string;
  /** Rows of 2026-03-10, by what was asked for. */
  metrics: unknown[];
  byDiningOption: unknown[];
  checks: unknown[];
  /** Rows of 2026-03-01 to 2026-03-18. */
  span: unknown[];
}

export interface World {
  sdk: typeof Sdk;
  setup: Setup;
  origin: string;
  /** Checks in a stream that must not be held in memory. */
  many: number;
  /** The proxy breaks these calls from now on; the log is cleared. */
  rules(...rules: Rule[]): Promise<void>;
  /** The calls since then, the token's among them. */
  calls(method?: string, path?: RegExp): Promise<Call[]>;
  /** A client of the service by way of the proxy. */
  client(options?: object): Sdk.Daypart;
}

export type Scenario = (world: World) => Promise<void>;
export type Scenarios = Record<string, Scenario>;

export const DAY = { range: 'day', start: 20260310 } as const;
export const CREATE = { method: 'POST', path: '/(metrics|check)(/\\w+)?$' };
export const RETRIEVE = { path: '/(metrics|check)/[0-9a-f-]{36}$' };
export const TOKEN = { method: 'POST', path: '/oauth/token$' };
/** Asks for a retry without waiting, so that scenarios are short. */
export const AT_ONCE = { 'retry-after': '0' };

export const problem = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: JSON.stringify({ title: code, status, code, message: `It is ${code}.`, requestId: `request-${code}`, ...more }),
});
export const inProgress = (headers: Record<string, string>, reportStatus = 'IN_PROGRESS') => ({
  status: 202,
  headers,
  body: JSON.stringify({ message: 'Come back.', reportStatus, reportRequestGuid: 'x' }),
});

export function equal(actual: unknown, expected: unknown, what = 'value'): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${what}: ${String(is).slice(0, 600)} instead of ${String(should).slice(0, 600)}`);
}

export function ok(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** What the promise is rejected with. */
export async function refusal<E = Sdk.DaypartError>(promise: Promise<unknown>): Promise<E> {
  try {
    await promise;
  } catch (error) {
    return error as E;
  }
  throw new Error('it was not refused');
}

export async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Milliseconds that the work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = Date.now();
  await work();
  return Date.now() - began;
}

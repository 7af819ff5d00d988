/** What a call asks, and how its parameters are read. */
import { parseInstant } from '../../packages/service/src/contract/clock.ts';
import { readBusinessDate } from '../../packages/service/src/contract/dates.ts';
import type { House } from './house.ts';
import { Refusal } from './refusal.ts';
import type { Span } from './trade.ts';
import type { UpstreamClient, World } from './world.ts';

/** A call that is signed in and may be answered. */
export interface Question {
  world: World;
  client: UpstreamClient;
  /** The restaurant of the header; of calls without a header, any. */
  house: House;
  /** The parts of the path that are parameters. */
  path: Record<string, string>;
  query: URLSearchParams;
  /** The address of the call without parameters. */
  address: string;
  /** Ms since 1970 UTC. */
  now: number;
}

export interface Answer {
  body: unknown;
  headers?: Record<string, string>;
}

/**
 * An instant in ISO 8601 with an offset and a fraction, as the reference demands. A `+` that was not encoded arrives as
 * a blank: 400.
 */
function instantOf(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  const instant = /\.\d+/.test(text) ? parseInstant(text) : undefined;
  if (instant === undefined)
    throw new Refusal(400, `Invalid ${name}: use ISO-8601 with a fraction of a second, URL-encoded`);
  return instant;
}

/** A month later, by the calendar in UTC. */
function monthAfter(instant: number): number {
  const date = new Date(instant);
  const month = date.getUTCMonth() + 1;
  const days = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return date.setUTCFullYear(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), days));
}

/** The span of two parameters, which is not longer than a month. Throws a Refusal. */
export function spanOf(query: URLSearchParams, [first, last]: readonly [string, string]): Span {
  const [from, until] = [instantOf(query, first), instantOf(query, last)];
  if (from >= until) throw new Refusal(400, `Input ${first} must be before ${last}`);
  if (until > monthAfter(from)) throw new Refusal(400, 'The time period cannot be longer than one month');
  return { from, until };
}

/** `businessDate`, yyyyMMdd. Throws a Refusal. */
export function businessDateIn(query: URLSearchParams): number {
  const text = query.get('businessDate') ?? '';
  const date = /^\d{8}$/.test(text) ? readBusinessDate(text) : undefined;
  if (date === undefined) throw new Refusal(400, 'Invalid businessDate: use yyyyMMdd');
  return date;
}

/** A whole number from `least` to `most`. Throws a Refusal. */
export function wholeIn(
  query: URLSearchParams,
  name: string,
  [least, usual, most]: readonly [number, number, number],
): number {
  const text = query.get(name);
  if (text === null) return usual;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw new Refusal(400, `${name} must be from ${least} to ${most}`);
  return value;
}

/**
 * A page that follows offset `from` of a list, and the token of the next one. A token of another version is 409, as
 * after a publication.
 */
export function pageOf<T>(
  list: T[],
  token: string | null,
  size: number,
  version: number,
): { page: T[]; next: string | undefined } {
  const [known, from] = token === null ? [version, 0] : readToken(token);
  if (known !== version)
    throw new Refusal(409, 'The data was published since the first page: start again without pageToken');
  const end = from + size;
  const next = end < list.length ? Buffer.from(JSON.stringify([version, end])).toString('base64url') : undefined;
  return { page: list.slice(from, end), next };
}

function readToken(token: string): [version: number, from: number] {
  try {
    const [version, from] = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (Number.isInteger(version) && Number.isInteger(from)) return [version, from];
  } catch {
    // Refused below.
  }
  throw new Refusal(400, 'Invalid pageToken');
}

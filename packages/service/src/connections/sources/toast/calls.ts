/** Calls of the API of Toast, and how its answers are read (doc.toasttab.com). */

import {
  type JsonObject,
  type Question,
  type RateLimit,
  type SourceContext,
  SourceError,
} from '@daypart/client/source';
import { isObject } from '../../../contract/json.ts';

export type Query = NonNullable<Question['query']>;

const HEADER = 'Toast-Restaurant-External-ID';

/** Why an answer cannot be read. */
export const changed = (what: string): SourceError =>
  new SourceError('upstream_changed', `The point of sale answered without ${what}.`);

/** An instant (ms since 1970 UTC) as parameters have it, with a fraction. */
export const instantText = (instant: number): string => new Date(instant).toISOString().replace('Z', '+0000');

/** GETs a path about a restaurant, that of the context or another one. Throws SourceError. */
export async function get(
  ctx: SourceContext,
  path: string,
  question: Question = {},
): Promise<{ status: number; headers: Headers; json: unknown }> {
  const restaurant = question.restaurant ?? ctx.restaurant?.upstreamId;
  if (restaurant === undefined) throw new TypeError('the call is about a restaurant');
  return ctx.request('GET', path, { ...question, restaurant, headers: { [HEADER]: restaurant } });
}

/** The objects of an array. Throws SourceError for anything else. */
export function objectsIn(json: unknown): JsonObject[] {
  if (!Array.isArray(json) || !json.every(isObject)) throw changed('a list');
  return json;
}

/** A text; undefined for anything else. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** The limit that the headers of an answer name. `Reset` is in seconds since 1970. */
export function rateLimit(headers: Headers): RateLimit | undefined {
  const by = headers.get('x-toast-ratelimit-by');
  if (by === null) return undefined;
  const number = (name: string): number | undefined => {
    const text = headers.get(`x-toast-ratelimit-${name}`);
    return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
  };
  const reset = number('reset');
  return {
    isOfPath: by === 'ENDPOINT',
    remaining: number('remaining'),
    resetAt: reset === undefined ? undefined : reset * 1000,
  };
}

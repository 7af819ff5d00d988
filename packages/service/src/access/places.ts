/** Bounds what each client has under way at once. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../problems.ts';
import { callerOf } from './caller.ts';

/** Counts what each key has under way. */
export interface Places {
  /** Takes a place of the key; answers the call that gives it back (once, however often it is called), undefined when all are taken. */
  take(key: string): (() => void) | undefined;
  /** Keys that have any. */
  size(): number;
}

/** `most` places for each key. */
export function createPlaces(most: number): Places {
  const taken = new Map<string, number>();
  return {
    take(key) {
      const before = taken.get(key) ?? 0;
      if (before >= most) return undefined;
      taken.set(key, before + 1);
      let given = false;
      return () => {
        if (given) return;
        given = true;
        const now = (taken.get(key) ?? 1) - 1;
        if (now === 0) taken.delete(key);
        else taken.set(key, now);
      };
    },
    size: () => taken.size,
  };
}

/** What is under way ends at a time that nobody knows: a client that asks again this often sees a free place soon. */
const RETRY_S = 2;

/**
 * Takes a place of the client that calls; answers the call that gives it back. Throws Problem too_many_at_once with what
 * it has too many of.
 */
export function takePlace(places: Places, request: FastifyRequest, what: string): () => void {
  const { group, clientId } = callerOf(request);
  const give = places.take(JSON.stringify([group, clientId]));
  if (give) return give;
  throw new Problem('too_many_at_once', `This client has too many ${what} under way. Wait until one has ended.`, {
    headers: { 'retry-after': String(RETRY_S) },
  });
}

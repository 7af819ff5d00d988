/** Bounds how many operations of each client run at once. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../contract/problems.ts';
import { callerOf } from './caller.ts';

/** Counts the running operations of each key. */
export interface Places {
  /**
   * Takes a place of the key. Returns the function that frees it (calling it again does nothing), undefined if all are
   * taken.
   */
  take(key: string): (() => void) | undefined;
  /** How many keys hold places. */
  size(): number;
}

/** Creates `most` places for each key. */
export function createPlaces(most: number): Places {
  const taken = new Map<string, number>();
  return {
    take(key) {
      const before = taken.get(key) ?? 0;
      if (before >= most) return undefined;
      taken.set(key, before + 1);
      let isFreed = false;
      return () => {
        if (isFreed) return;
        isFreed = true;
        const now = (taken.get(key) ?? 1) - 1;
        if (now === 0) taken.delete(key);
        else taken.set(key, now);
      };
    },
    size: () => taken.size,
  };
}

/**
 * Retry-After in seconds. When an operation ends is unknown; a client that retries this often finds a free place soon.
 */
const RETRY_S = 2;

/**
 * Takes a place of the calling client, or of its management group. Returns the function that frees it. Throws Problem
 * too_many_at_once, which says what there is too much of.
 */
export function takePlace(
  places: Places,
  request: FastifyRequest,
  what: string,
  of: 'client' | 'management group' = 'client',
): () => void {
  const { group, clientId } = callerOf(request);
  const give = places.take(JSON.stringify(of === 'client' ? [group, clientId] : [group]));
  if (give) return give;
  throw new Problem('too_many_at_once', `This ${of} has too many ${what} under way. Wait until one has ended.`, {
    headers: { 'retry-after': String(RETRY_S) },
  });
}

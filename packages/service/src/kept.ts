/** Values that are kept in memory, of which those are forgotten that were not used for the longest time. */
import { LRUCache } from 'lru-cache';

/**
 * Keeps at most `most` values, each for `ttlMs` milliseconds if that is given. It takes room as they come: with a `max`
 * the library takes it for all of them at once, 2 ms for 10,000.
 */
export const keepMost = <Value extends {}>(most: number, ttlMs = 0): LRUCache<string, Value> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl: ttlMs });

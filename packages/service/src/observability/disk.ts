/** The disk space of a data folder, for the metrics. */
import { statfs } from 'node:fs/promises';
import type { StorePlaces } from '../storage/store-place.ts';

/** Results are many small files, so they are counted at most this often. */
const WALK_MS = 5 * 60_000;

/** In bytes. */
interface DiskUse {
  /** Undefined for a store on a server. */
  ledger: number | undefined;
  facts: number | undefined;
  /** From the last count, a few minutes old; undefined before the first has ended. */
  results: number | undefined;
  /** Free space of the file system. */
  free: number;
}

/** Returns a function that measures on demand. Never throws for files that appear and disappear meanwhile. */
export function watchDisk(data: string, places: StorePlaces): () => Promise<DiskUse> {
  let results: number | undefined;
  let walkedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = performance.now();
    if (now - walkedAt >= WALK_MS) {
      walkedAt = now;
      void places.results.size(data).then((sum) => {
        results = sum;
      });
    }
    const [ledger, facts, system] = await Promise.all([
      places.ledger.size(data),
      places.facts.size(data),
      statfs(data),
    ]);
    return { ledger, facts, results, free: system.bavail * system.bsize };
  };
}

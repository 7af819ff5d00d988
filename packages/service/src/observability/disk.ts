/** How much a data folder takes, for the metrics. */
import { statfs } from 'node:fs/promises';
import type { StorePlaces } from '../store-place.ts';

/** Results are many small files: looking at each is done no more often. */
const WALK_MS = 5 * 60_000;

/** Bytes. */
export interface DiskUse {
  ledger: number;
  facts: number;
  /** As the last walk found them, which is a few minutes old; undefined before the first has ended. */
  results: number | undefined;
  /** Of the file system. */
  free: number;
}

/** Looks when asked. Never throws for files that come and go. */
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

/** How much a data folder takes, for the metrics. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

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

const size = (path: string): Promise<number> =>
  stat(path).then(
    (found) => found.size,
    () => 0,
  );

/** One file at a time, so that three of the four threads of the pool stay with those who wait for an answer. */
async function walk(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    sum += entry.isDirectory() ? await walk(path) : await size(path);
  }
  return sum;
}

/** Looks when asked. Never throws for files that come and go. */
export function watchDisk(data: string): () => Promise<DiskUse> {
  let results: number | undefined;
  let walkedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = performance.now();
    if (now - walkedAt >= WALK_MS) {
      walkedAt = now;
      void walk(join(data, 'results')).then((sum) => {
        results = sum;
      });
    }
    const [main, journal, facts, system] = await Promise.all([
      size(join(data, 'ledger.sqlite')),
      size(join(data, 'ledger.sqlite-wal')),
      walk(join(data, 'facts')),
      statfs(data),
    ]);
    return { ledger: main + journal, facts, results, free: system.bavail * system.bsize };
  };
}

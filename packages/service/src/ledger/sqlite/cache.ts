/** Rows of the SQLite ledger cached in memory. */
import type { DatabaseSync } from 'node:sqlite';
import type { Client } from '../client.ts';
import type { Group } from '../group.ts';
import type { ReportRequest } from '../report.ts';

export type RowCache = ReturnType<typeof createRowCache>;

const MOST_HELD = 10_000;

/**
 * Caches the rows that every call of the API reads: two reads of SQLite were 29 % of the cost of a small retrieval.
 * A write of this process empties the cache. So does a write of another process: SQLite's `data_version` shows it (2 µs) and
 * is read once in each turn of the event loop, so a revoked client is refused from the next turn on.
 */
export function createRowCache(db: DatabaseSync) {
  const clients = new Map<string, Client>();
  const reports = new Map<string, ReportRequest>();
  const groups = new Map<string, Group>();
  const version = db.prepare('pragma data_version');
  let seen: unknown;
  let asked = false;
  const empty = (): void => {
    clients.clear();
    reports.clear();
    groups.clear();
  };
  return {
    clients,
    reports,
    groups,
    empty,
    /** The cached row, or else the result of `read`, which is cached unless undefined. */
    getOrLoad<T>(of: Map<string, T>, key: string, read: () => T | undefined): T | undefined {
      if (!asked) {
        asked = true;
        setImmediate(() => {
          asked = false;
        });
        const now = version.get()?.data_version;
        if (now !== seen) empty();
        seen = now;
      }
      const known = of.get(key);
      if (known !== undefined) return known;
      const found = read();
      if (of.size >= MOST_HELD) of.clear();
      if (found !== undefined) of.set(key, found);
      return found;
    },
  };
}

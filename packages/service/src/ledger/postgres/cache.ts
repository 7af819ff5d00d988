/** Rows of the PostgreSQL ledger cached in memory. */
import type { Client } from '../client.ts';
import type { Group } from '../group.ts';
import type { ReportRequest } from '../report.ts';

export type RowCache = ReturnType<typeof createRowCache>;

const MOST_HELD = 10_000;
/** Changes of other services are seen after at most this time, even if their notification is lost: docs/scaling.md. */
export const LIFE_MS = 1000;

interface Held<T> {
  row: Promise<T | undefined>;
  /** When the entry expires, by `performance.now()`. */
  until: number;
}

/**
 * Caches the rows that every call of the API reads. A change made here drops the row once it is committed, a change of
 * another service drops it through its notification, and without either it expires after a second.
 */
export function createRowCache() {
  return {
    clients: createRows<Client>(),
    reports: createRows<ReportRequest>(),
    groups: createRows<Group>(),
    empty(): void {
      this.clients.empty();
      this.reports.empty();
      this.groups.empty();
    },
  };
}

function createRows<T>() {
  const rows = new Map<string, Held<T>>();
  return {
    /** The cached row, or else the result of `read`; concurrent callers share one read. */
    async getOrLoad(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
      const now = performance.now();
      const known = rows.get(key);
      if (known && known.until > now) return await known.row;
      if (rows.size >= MOST_HELD) rows.clear();
      const held = { row: read(), until: now + LIFE_MS };
      rows.set(key, held);
      const drop = (): void => {
        if (rows.get(key) === held) rows.delete(key);
      };
      // A missing row and an error are not cached.
      held.row.then((row) => row === undefined && drop(), drop);
      return await held.row;
    },
    drop(key: string): void {
      rows.delete(key);
    },
    empty(): void {
      rows.clear();
    },
  };
}

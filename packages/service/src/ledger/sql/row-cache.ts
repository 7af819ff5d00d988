/** Rows of a ledger cached in memory: those that every call of the API reads. */
import type { Client } from '../client.ts';
import type { Group } from '../group.ts';
import type { ReportRequest } from '../report.ts';

const MOST_CACHED = 10_000;

interface CachedRows<T> {
  /**
   * The cached row, or else the result of `read`; concurrent callers share one read. A missing row and an error are not
   * cached.
   */
  getOrLoad(key: string, read: () => Promise<T | undefined>): Promise<T | undefined>;
  drop(key: string): void;
  empty(): void;
  /** Waits for a change of one row and drops it, also after an error: the change may have been made. */
  changing<Answer>(key: string, change: Promise<Answer>): Promise<Answer>;
  /** Waits for a change and drops the rows that `changed` names; all of them after an error. */
  changingSome<Answer>(
    change: Promise<Answer>,
    changed: (answer: Answer) => readonly string[] | 'all',
  ): Promise<Answer>;
}

export interface RowCache {
  clients: CachedRows<Client>;
  reports: CachedRows<ReportRequest>;
  groups: CachedRows<Group>;
  empty(): void;
}

interface RowCacheOptions {
  /** After how many milliseconds a row is read again, in case nothing has dropped it. */
  lifeMs: number;
  /** Called before a row is taken from the cache. */
  beforeGet?(): void;
}

/** An empty cache. */
export function createRowCache(options: RowCacheOptions): RowCache {
  const clients = createRows<Client>(options);
  const reports = createRows<ReportRequest>(options);
  const groups = createRows<Group>(options);
  return {
    clients,
    reports,
    groups,
    empty() {
      clients.empty();
      reports.empty();
      groups.empty();
    },
  };
}

function createRows<T>({ lifeMs, beforeGet }: RowCacheOptions): CachedRows<T> {
  /**
   * Entries are made before their rows are read: a change meanwhile removes the entry, so an older row cannot be cached
   * after it.
   */
  const entries = new Map<string, { row: Promise<T | undefined>; readAt: number }>();
  const rows: CachedRows<T> = {
    async getOrLoad(key, read) {
      beforeGet?.();
      const now = performance.now();
      const known = entries.get(key);
      if (known && now - known.readAt < lifeMs) return await known.row;
      if (entries.size >= MOST_CACHED) entries.clear();
      const entry = { row: read(), readAt: now };
      entries.set(key, entry);
      const remove = (): void => {
        if (entries.get(key) === entry) entries.delete(key);
      };
      entry.row.then((row) => row === undefined && remove(), remove);
      return await entry.row;
    },
    drop: (key) => void entries.delete(key),
    empty: () => entries.clear(),
    async changing(key, change) {
      try {
        return await change;
      } finally {
        rows.drop(key);
      }
    },
    async changingSome(change, changed) {
      let keys: readonly string[] | 'all' = 'all';
      try {
        const answer = await change;
        keys = changed(answer);
        return answer;
      } finally {
        if (keys === 'all') rows.empty();
        else for (const key of keys) rows.drop(key);
      }
    },
  };
  return rows;
}

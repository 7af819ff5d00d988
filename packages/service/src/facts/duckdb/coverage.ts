/**
 * What is loaded of each restaurant, kept in memory: it is asked for by every page that looks at a group, over and over, and
 * a thousand restaurants with a year each are read in some 20 ms. Nobody else writes to the facts, so what merges say keeps
 * it true; what they do not say is read again when it is asked for.
 */
import type { Merged } from '../load.ts';
import type { Coverage } from '../loaded.ts';
import type { StatementRow } from './row-types.ts';

export interface CoverageReads {
  /** Of all restaurants, or of those named. */
  loaded(ids?: readonly number[]): Promise<StatementRow<'loaded'>[]>;
  names(ids?: readonly number[]): Promise<StatementRow<'namesVersion'>[]>;
  /** Differs from one start of the engine to the next. */
  start(): number;
}

interface Known {
  first: number | null;
  last: number | null;
  loadedAt: number | null;
  load: number;
  names: string;
}

const NOTHING: Known = { first: null, last: null, loadedAt: null, load: 0, names: '' };

export interface CoverageStore {
  of(ids: readonly number[]): Promise<Map<number, Coverage>>;
  /** What a merge did. */
  merged(restaurant: number, merged: Merged, now: number): void;
  /** Its reference data was written. */
  named(restaurant: number): void;
  /** Anything may have changed. */
  forget(): void;
}

/** What is loaded of the named restaurants, or of all. */
async function readKnown(reads: CoverageReads, ids?: readonly number[]): Promise<Map<number, Known>> {
  const [loaded, names] = await Promise.all([reads.loaded(ids), reads.names(ids)]);
  const found = new Map<number, Known>(ids?.map((id) => [id, NOTHING]));
  for (const row of loaded) {
    found.set(row.restaurant_id, {
      first: row.first_date,
      last: row.last_date,
      loadedAt: row.loaded_at,
      load: row.load_id,
      names: '',
    });
  }
  for (const row of names) {
    const id = row.restaurant_id;
    found.set(id, { ...(found.get(id) ?? NOTHING), names: row.names_version });
  }
  return found;
}

/** What a merge makes of what was known. `isStale` where the first or the last day may have nothing any more: then it is read again. */
function afterMerge(before: Known, { load, days }: Merged, now: number): { next: Known; isStale: boolean } {
  const next = { ...before, load: Math.max(before.load, load), loadedAt: Math.max(before.loadedAt ?? 0, now) };
  let isStale = false;
  for (const { businessDate, hasRecords } of days) {
    if (hasRecords) {
      next.first = Math.min(next.first ?? businessDate, businessDate);
      next.last = Math.max(next.last ?? businessDate, businessDate);
    } else if (next.first === null || next.last === null || businessDate <= next.first || businessDate >= next.last) {
      isStale = true;
    }
  }
  return { next, isStale };
}

/** Reads everything when it is first asked for. */
export function createCoverage(reads: CoverageReads): CoverageStore {
  let known: Map<number, Known> | undefined;
  /** The engine's start that `known` belongs to: one that ended may have merged without saying so. */
  let start: number | undefined;
  /** To be read again. */
  let stale = new Set<number>();
  /** How often everything was forgotten. */
  let forgotten = 0;
  let reading: Promise<void> | undefined;
  /** What merges said while it was read: applied once more to what was read, which may be older. */
  let meanwhile: (() => void)[] = [];

  async function readMissing(): Promise<void> {
    const [at, before] = [reads.start(), forgotten];
    const again = known && stale;
    stale = new Set();
    meanwhile = [];
    try {
      const found = await readKnown(reads, again && [...again]);
      if (before !== forgotten || at !== reads.start()) return;
      known = new Map([...(known ?? []), ...found]);
      start = at;
      for (const apply of meanwhile) apply();
    } catch (error) {
      for (const id of again ?? []) stale.add(id);
      throw error;
    } finally {
      reading = undefined;
    }
  }

  /** What is known once all that was said before the call is in it: at most what is being read, and then the rest. */
  async function refresh(): Promise<Map<number, Known>> {
    for (let round = 0; ; round++) {
      if (start !== reads.start()) known = undefined;
      if (known && (stale.size === 0 || round === 2)) return known;
      reading ??= readMissing();
      await reading;
    }
  }

  function apply(restaurant: number, merged: Merged, now: number): void {
    if (!known) return;
    const { next, isStale } = afterMerge(known.get(restaurant) ?? NOTHING, merged, now);
    known.set(restaurant, next);
    if (isStale) stale.add(restaurant);
  }

  return {
    async of(ids) {
      const all = await refresh();
      return new Map(
        ids.map((id) => {
          const { first, last, loadedAt, load, names } = all.get(id) ?? NOTHING;
          return [id, { firstDate: first, lastDate: last, loadedAt, version: `${load}.${names}` }];
        }),
      );
    },
    merged(restaurant, merged, now) {
      if (merged.days.length === 0) return;
      apply(restaurant, merged, now);
      if (reading) meanwhile.push(() => apply(restaurant, merged, now));
    },
    named(restaurant) {
      stale.add(restaurant);
    },
    forget() {
      forgotten++;
      known = undefined;
    },
  };
}

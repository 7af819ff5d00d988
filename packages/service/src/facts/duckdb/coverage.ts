/**
 * What is loaded for each restaurant, cached in memory, because every page about a group asks for it repeatedly, and
 * reading a thousand restaurants with a year each takes some 20 ms. Only this process writes to the facts, so merges
 * keep the cache up to date; what a merge does not report is read again on demand.
 */
import type { Merged } from '../load.ts';
import type { Coverage } from '../loaded.ts';
import type { StatementRow } from './row-types.ts';

interface CoverageReads {
  /** Of all restaurants, or of those named. */
  loaded(ids?: readonly number[]): Promise<StatementRow<'loaded'>[]>;
  lists(ids?: readonly number[]): Promise<StatementRow<'listsVersion'>[]>;
  /** Differs from one start of the engine to the next. */
  start(): number;
}

interface KnownCoverage {
  first: number | null;
  last: number | null;
  loadedAt: number | null;
  load: number;
  lists: string;
}

const NOTHING: KnownCoverage = { first: null, last: null, loadedAt: null, load: 0, lists: '' };

export interface LoadedCoverage {
  of(ids: readonly number[]): Promise<Map<number, Coverage>>;
  /** Call with the result of a merge. */
  merged(restaurant: number, merged: Merged, now: number): void;
  /** Call when its reference data, menus or settlements were written. */
  listed(restaurant: number): void;
  /** Call when anything may have changed. */
  forget(): void;
}

/** Reads what is loaded for the named restaurants, or for all. */
async function readKnown(reads: CoverageReads, ids?: readonly number[]): Promise<Map<number, KnownCoverage>> {
  const [loaded, lists] = await Promise.all([reads.loaded(ids), reads.lists(ids)]);
  const found = new Map<number, KnownCoverage>(ids?.map((id) => [id, NOTHING]));
  for (const row of loaded) {
    found.set(row.restaurant_id, {
      first: row.first_date,
      last: row.last_date,
      loadedAt: row.loaded_at,
      load: row.load_id,
      lists: '',
    });
  }
  for (const row of lists) {
    const id = row.restaurant_id;
    found.set(id, { ...(found.get(id) ?? NOTHING), lists: row.lists_version });
  }
  return found;
}

/**
 * Applies a merge. `isStale`: the first or the last day may have become empty, so the restaurant must be read again.
 */
function afterMerge(
  before: KnownCoverage,
  { load, days }: Merged,
  now: number,
): { next: KnownCoverage; isStale: boolean } {
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
export function createCoverage(reads: CoverageReads): LoadedCoverage {
  let known: Map<number, KnownCoverage> | undefined;
  /** The engine's start to which `known` belongs: an engine that ended may have merged without reporting it. */
  let start: number | undefined;
  /** Restaurants to read again. */
  let stale = new Set<number>();
  /** How often everything was forgotten. */
  let forgotten = 0;
  let reading: Promise<void> | undefined;
  /** Merges reported while reading: they are applied again to the rows read, which may be older. */
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

  /**
   * What is known once everything reported before the call is included: waits for the current read, which may have
   * begun before some of it, then reads the rest, or waits until another caller has.
   */
  async function refresh(): Promise<Map<number, KnownCoverage>> {
    for (let round = 0; ; round++) {
      if (start !== reads.start()) known = undefined;
      if (known && ((stale.size === 0 && !reading) || round === 2)) return known;
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
          const { first, last, loadedAt, load, lists } = all.get(id) ?? NOTHING;
          return [id, { firstDate: first, lastDate: last, loadedAt, version: `${load}.${lists}` }];
        }),
      );
    },
    merged(restaurant, merged, now) {
      if (merged.days.length === 0) return;
      apply(restaurant, merged, now);
      if (reading) meanwhile.push(() => apply(restaurant, merged, now));
    },
    listed(restaurant) {
      stale.add(restaurant);
    },
    forget() {
      forgotten++;
      known = undefined;
    },
  };
}

/** Finds the current versions of records: the newest modified_at wins, and an equal one replaces. */
import type { MergeCounts } from '../load.ts';

/** A version of a record in a load; the key identifies the record. */
export interface Version<Fact> {
  key: string;
  modifiedAt: number;
  /** It replaces versions up to this date; by default, those up to its own. */
  replaces?: number | undefined;
  fact: Fact;
}

/** A version that is current after its load. */
export interface Won<Fact> {
  /** 0-based index of the load. */
  load: number;
  fact: Fact;
}

/**
 * Resolves loads one after another, the records of each in order. `won` has, for each changed record, the version
 * that was current after each load that changed it, oldest first: all but the last were replaced by the next.
 */
export function resolveVersions<Fact>(
  loads: readonly (readonly Version<Fact>[])[],
  storedAt: (key: string) => number | undefined,
): { counts: MergeCounts[]; won: Map<string, Won<Fact>[]> } {
  const newest = new Map<string, number>();
  const won = new Map<string, Won<Fact>[]>();
  const counts = loads.map((versions, load) => {
    let accepted = 0;
    for (const { key, modifiedAt, replaces = modifiedAt, fact } of versions) {
      const before = newest.get(key) ?? storedAt(key);
      if (before !== undefined && replaces < before) continue;
      accepted++;
      newest.set(key, modifiedAt);
      const winners = won.get(key) ?? [];
      // A version that the same load replaces was never visible.
      if (winners.at(-1)?.load === load) winners.pop();
      winners.push({ load, fact });
      won.set(key, winners);
    }
    return { accepted, unchanged: versions.length - accepted };
  });
  return { counts, won };
}

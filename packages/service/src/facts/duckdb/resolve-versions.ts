/**
 * Finds the current versions of records: the newest modified_at wins, and an equal one replaces unless its facts are
 * the same.
 */
import type { MergeCounts } from '../load.ts';

/** What decides whether another version of a record replaces it. */
export interface Standing {
  /** Milliseconds since 1970 UTC. */
  modifiedAt: number;
  /** Nanoseconds beyond it; 0 by default. */
  nanos?: number;
  /** The digest of its facts; without one it is never the same. */
  digest: string | undefined;
}

/** A version of a record in a load; the key identifies the record. */
export interface Version<Fact> extends Standing {
  key: string;
  /** It replaces versions up to this date; by default, those up to its own. */
  replaces?: number | undefined;
  fact: Fact;
}

/** A version that is current after its load. */
export interface Accepted<Fact> {
  /** 0-based index of the load. */
  load: number;
  fact: Fact;
}

const isOlder = (one: Pick<Standing, 'modifiedAt' | 'nanos'>, other: Standing): boolean =>
  one.modifiedAt < other.modifiedAt || (one.modifiedAt === other.modifiedAt && (one.nanos ?? 0) < (other.nanos ?? 0));

const isSame = (one: Standing | undefined, other: Standing | undefined): boolean =>
  one?.digest !== undefined && one.digest === other?.digest;

/**
 * Resolves loads one after another, the records of each in order. `accepted` has, for each changed record, the version
 * that was current after each load that changed it, oldest first: all but the last were replaced by the next.
 */
export function resolveVersions<Fact>(
  loads: readonly (readonly Version<Fact>[])[],
  stored: (key: string) => Standing | undefined,
): { counts: MergeCounts[]; accepted: Map<string, Accepted<Fact>[]> } {
  const newest = new Map<string, Standing | undefined>();
  const accepted = new Map<string, Accepted<Fact>[]>();
  const newestOf = (key: string): Standing | undefined => (newest.has(key) ? newest.get(key) : stored(key));
  const counts = loads.map((versions, load) => {
    const changed = new Map<string, { before: Standing | undefined; count: number; last: Version<Fact> }>();
    for (const version of versions) {
      const { key, replaces } = version;
      const current = newestOf(key);
      const until = replaces === undefined ? version : { modifiedAt: replaces };
      if (current && (isOlder(until, current) || isSame(version, current))) continue;
      const { before, count } = changed.get(key) ?? { before: current, count: 0 };
      changed.set(key, { before, count: count + 1, last: version });
      newest.set(key, version);
    }
    let total = 0;
    for (const [key, { before, count, last }] of changed) {
      // Versions between were never visible: if the last is the one that was stored, nothing changed.
      if (isSame(before, last)) continue;
      total += count;
      const known = accepted.get(key) ?? [];
      known.push({ load, fact: last.fact });
      accepted.set(key, known);
    }
    return { accepted: total, unchanged: versions.length - total };
  });
  return { counts, accepted };
}

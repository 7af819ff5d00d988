/** Bodies of loads for histories of the load protocol, and the plain fold that says what they make. */
import type { Version } from './protocol-world.ts';

export interface Body {
  restaurant: number;
  versions: Version[];
}

/**
 * The current versions of a restaurant after some bodies, one after the other; and how many versions of the last were
 * accepted.
 */
export function fold(bodies: readonly Body[]): { current: Map<string, Version>; accepted: number } {
  const current = new Map<string, Version>();
  let accepted = 0;
  for (const { versions } of bodies) {
    accepted = 0;
    for (const version of versions) {
      const before = current.get(version.guid);
      if (before && version.modified < before.modified) continue;
      accepted++;
      current.set(version.guid, version);
    }
  }
  return { current, accepted };
}

/** Of a history. */
export const RESTAURANTS = 3;
export const GUIDS = ['a', 'b', 'c', 'd'];

/** Some versions of a few orders of a restaurant: moves of date, older and equal copies, the same order twice. */
export function drawBody(random: () => number, restaurant: number): Body {
  const some = (most: number): number => Math.floor(random() * most);
  const versions = Array.from({ length: 1 + some(3) }, () => ({
    restaurant,
    guid: GUIDS[some(GUIDS.length)] ?? 'a',
    date: 20260301 + some(3),
    modified: some(6),
    amount: 1 + some(1000),
  }));
  return { restaurant, versions };
}

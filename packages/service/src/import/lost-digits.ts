/**
 * Ids that a program has rounded. A spreadsheet keeps 15 digits of a number and writes zeros for the rest; other
 * programs keep the 53 bits of a floating-point number. A single id may look so by itself: only all long ids of a file
 * together are proof.
 */

interface Rounding {
  what: string;
  /** Whether an id of more than 15 digits is what this rounding leaves. */
  shows(id: string): boolean;
  /** The share of ids of this length that look so by themselves. */
  chance(id: string): number;
}

const ROUNDINGS: readonly Rounding[] = [
  {
    what: 'end in zeros after 15 digits, as after a spreadsheet has saved the file',
    shows: (id) => /^\d{15}0+$/.test(id),
    chance: (id) => 10 ** (15 - id.length),
  },
  {
    what: 'are floating-point numbers, as after a program has read them as numbers',
    shows: (id) => String(Number(id)) === id || BigInt(Number(id)) === BigInt(id),
    // Twice the share of integers that have such a number: it is written exactly, or with the fewest digits that
    // identify it.
    chance: (id) => Math.min(1, 2 ** 54 / Number(id)),
  },
];

const LONG = /^\d{16,}$/;
/**
 * One export in ten million looks rounded by itself: two ids of 19 digits that both end in 0000 are refused, one is
 * not.
 */
const RARE = 1e-7;

/**
 * What the ids of a file look like: for each rounding all that were seen, or undefined once one was seen that it does
 * not leave.
 */
export type SeenIds = (Set<string> | undefined)[];

export const noIds = (): SeenIds => ROUNDINGS.map(() => new Set());

/** Notes an id; of those with at most 15 digits, or letters, nothing is lost. */
export function seeId(seen: SeenIds, id: string): void {
  if (!LONG.test(id)) return;
  for (const [at, { shows }] of ROUNDINGS.entries()) {
    if (seen[at] === undefined) continue;
    if (shows(id)) seen[at].add(id);
    else seen[at] = undefined;
  }
}

/**
 * The files of a day whose ids are rounded, with the reason. Files of which every long id looks so count together: a
 * day of one order has one id in each.
 */
export function roundedFiles<File extends string>(files: ReadonlyMap<File, SeenIds>): Map<File, string> {
  const found = new Map<File, string>();
  for (const [at, { what, chance }] of ROUNDINGS.entries()) {
    const suspects = [...files].filter(([, seen]) => (seen[at]?.size ?? 0) > 0);
    const ids = new Set(suspects.flatMap(([, seen]) => [...(seen[at] ?? [])]));
    if ([...ids].reduce((product, id) => product * chance(id), 1) > RARE) continue;
    for (const [file, seen] of suspects) {
      const [first] = seen[at] ?? [];
      if (!found.has(file))
        found.set(file, `has lost digits of its ids: all of more than 15 digits, such as ${first}, ${what}`);
    }
  }
  return found;
}

/** The report families, as the console names and asks for them. */
import families from './families.json' with { type: 'json' };

export interface FamilyForm {
  kind: string;
  name: string;
  /** Below the base; retrievals are at `{path}/{guid}`. */
  path: string;
  ranges: readonly string[];
  /** Names of the dates in the body. */
  dates: { start: string; end: string };
  /** Empty where it cannot be split. */
  groups: readonly string[];
  mostGroups: number;
  /** Empty where there is no choice. */
  aggregates: readonly string[];
}

/** From the service's own list of families: `npm run docs` writes the file. */
export const FAMILIES: readonly FamilyForm[] = families;

const ANY_RANGES = ['day', 'week', 'month', 'year', 'custom'];
const ANY_DATES = { start: 'startBusinessDate', end: 'endBusinessDate' };

/** The family of a kind of report; one that this version does not know has no groups. */
export const familyOf = (kind: string): FamilyForm =>
  FAMILIES.find((family) => family.kind === kind) ?? {
    ...{ kind, name: kind, path: `/${kind}`, ranges: ANY_RANGES, dates: ANY_DATES },
    ...{ groups: [], mostGroups: 0, aggregates: [] },
  };

/** A constant of the wire in words: "Dining option" for DINING_OPTION. */
export function wordsOf(constant: string): string {
  const words = constant.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

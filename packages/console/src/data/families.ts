/** The report families: their names in the console and their requests. */
import families from './families.json' with { type: 'json' };

export interface FamilyForm {
  kind: string;
  name: string;
  /** Path below the base URL; retrievals are at `{path}/{guid}`. */
  path: string;
  ranges: readonly string[];
  /** Names of the dates in the request body. */
  dates: { start: string; end: string };
  /** Empty if the report cannot be split. */
  groups: readonly string[];
  mostGroups: number;
  /** Empty if there is no choice. */
  aggregates: readonly string[];
}

/** Generated from the service's list of families by `npm run docs`. */
export const FAMILIES: readonly FamilyForm[] = families;

const ANY_RANGES = ['day', 'week', 'month', 'year', 'custom'];
const ANY_DATES = { start: 'startBusinessDate', end: 'endBusinessDate' };

/** The family of a kind of report. A kind that this version does not know has no groups. */
export const familyOf = (kind: string): FamilyForm =>
  FAMILIES.find((family) => family.kind === kind) ?? {
    ...{ kind, name: kind, path: `/${kind}`, ranges: ANY_RANGES, dates: ANY_DATES },
    ...{ groups: [], mostGroups: 0, aggregates: [] },
  };

/** A constant of the API in words: "Dining option" for DINING_OPTION. */
export function wordsOf(constant: string): string {
  const words = constant.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

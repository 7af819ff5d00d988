/** A period of restaurants with one currency, beside its comparison. */
import type { Totals } from '@daypart/client';
import { groupBy, type Row, sumOf } from './figures.ts';
import { type Period, sayPeriod } from './period.ts';

export interface Beside {
  /** All restaurants of the currency in the period. */
  now: Totals;
  /** The part of `now` that has a comparison, and the comparison; undefined if there is none. */
  alike: { now: Totals; before: Totals } | undefined;
  /** The number of restaurants with data in the period, and of those with data in the comparison too. */
  restaurants: number;
  compared: number;
}

/** The sums that are compared: for a day in progress, those of the hours that are over in both. */
export interface Sides {
  now: readonly Row[];
  before: readonly Row[];
}

/**
 * The sums of rows of one currency beside those of the comparison. A restaurant without data in the comparison counts in the sums of
 * the period, but on neither side of the change.
 */
export function beside(rows: readonly Row[], sides: Sides | undefined, currency: string | null): Beside {
  const restaurantOf = ({ restaurantGuid }: Row): string => restaurantGuid;
  const restaurants = new Set(rows.map(restaurantOf)).size;
  const now = sumOf(rows, currency);
  if (!sides) return { now, alike: undefined, restaurants, compared: 0 };
  const [current, earlier] = [groupBy(sides.now, restaurantOf), groupBy(sides.before, restaurantOf)];
  const both = [...current.keys()].filter((guid) => earlier.has(guid));
  const sum = (groups: Map<string, Row[]>) =>
    sumOf(
      both.flatMap((guid) => groups.get(guid) ?? []),
      currency,
    );
  const alike = both.length === 0 ? undefined : { now: sum(current), before: sum(earlier) };
  return { now, alike, restaurants, compared: both.length };
}

/** How many restaurants the changes compare, if not all. */
export function comparedNote(
  { restaurants, compared }: Pick<Beside, 'restaurants' | 'compared'>,
  comparison: Period | undefined,
): string | undefined {
  if (!comparison || compared === 0 || compared === restaurants) return undefined;
  return `${compared} of ${restaurants} restaurants compared: the others have no data for ${sayPeriod(comparison)}.`;
}

/** The rows of restaurants of one currency. */
export const ofCurrency = <T extends { currencyCode: string | null }>(
  rows: readonly T[],
  currency: string | null,
): T[] => rows.filter(({ currencyCode }) => currencyCode === currency);

/** `beside` for one of several currencies. */
export const besideOf = (rows: readonly Row[], sides: Sides | undefined, currency: string | null): Beside =>
  beside(
    ofCurrency(rows, currency),
    sides && { now: ofCurrency(sides.now, currency), before: ofCurrency(sides.before, currency) },
    currency,
  );

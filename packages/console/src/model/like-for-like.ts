/** A period of restaurants with one currency, beside its comparison. */
import { hasHours, spanDays, type Totals } from '@daypart/client';
import { labourNote, type Row, sumOf } from './figures.ts';
import { contains, type Period, sayPeriod } from './period.ts';

interface Pair {
  now: Totals;
  before: Totals;
}

export interface Beside {
  /** All restaurants of the currency in the period. */
  now: Totals;
  /** The part of `now` that has a comparison, and the comparison; undefined if there is none. */
  alike: Pair | undefined;
  /** As `alike`, of the restaurants that have labour in both. */
  labour: Pair | undefined;
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
  if (!sides) return { now, alike: undefined, labour: undefined, restaurants, compared: 0 };
  const [current, earlier] = [Map.groupBy(sides.now, restaurantOf), Map.groupBy(sides.before, restaurantOf)];
  const both = [...current.keys()].filter((guid) => earlier.has(guid));
  const pairOf = (guids: string[]): Pair | undefined => {
    const [one, other] = [current, earlier].map((groups) => guids.flatMap((guid) => groups.get(guid) ?? []));
    return guids.length > 0 && one && other ? { now: sumOf(one, currency), before: sumOf(other, currency) } : undefined;
  };
  const worked = both.filter((guid) => [current, earlier].every((groups) => groups.get(guid)?.some(hasHours)));
  return { now, alike: pairOf(both), labour: pairOf(worked), restaurants, compared: both.length };
}

/** How many restaurants the changes compare, if not all. */
export function comparedNote(
  { restaurants, compared }: Pick<Beside, 'restaurants' | 'compared'>,
  comparison: Period | undefined,
): string | undefined {
  if (!comparison || compared === 0 || compared === restaurants) return undefined;
  return `${compared} of ${restaurants} restaurants compared: the others have no data for ${sayPeriod(comparison)}.`;
}

/** Rows by restaurant. */
type Placed = readonly { restaurantGuid?: string }[];

/** Below changes of sums that are not by restaurant: how many of the restaurants are in only one of the two, which explains such changes. */
export function loneNote(now: Placed, before: Placed): string | undefined {
  const count = (rows: Placed): number => new Set(rows.map(({ restaurantGuid }) => restaurantGuid)).size;
  const [one, other] = [count(now), count(before)];
  const lone = 2 * count([...now, ...before]) - one - other;
  if (one === 0 || other === 0 || lone === 0) return undefined;
  return `Changes here are of all restaurants: ${lone} ${lone === 1 ? 'has' : 'have'} data in only one of the two periods.`;
}

/** A row of a business date. */
export interface Dated {
  businessDate?: string | undefined;
}

/** How many dates of a period and of its comparison have data; undefined if as many, or if there is nothing to compare. */
function unequalDates(rows: readonly Dated[] = [], period: Period, comparison: Period | undefined) {
  const count = (some: Period): number =>
    new Set(rows.flatMap(({ businessDate = '' }) => (contains(some, businessDate) ? businessDate : []))).size;
  const [now, before] = [count(period), comparison ? count(comparison) : 0];
  const said = `${now} ${now === 1 ? 'date' : 'dates'} vs ${before}`;
  return comparison && now > 0 && before > 0 && now !== before ? { comparison, before, said } : undefined;
}

/** Beside a change of unequally many dates with data: "28 dates vs 2". */
export const saySides = (...dates: Parameters<typeof unequalDates>): string | undefined => unequalDates(...dates)?.said;

/** Above changes of unequally many dates with data: a comparison that is loaded only in part looks like growth. */
export function datesNote(...dates: Parameters<typeof unequalDates>): string | undefined {
  const unequal = unequalDates(...dates);
  if (!unequal) return undefined;
  const { comparison, before, said } = unequal;
  return `${before} of ${spanDays(comparison)} dates of ${sayPeriod(comparison)} have data: changes are of ${said}.`;
}

/** The rows of restaurants of one currency. */
export const ofCurrency = <T extends { currencyCode: string | null }>(
  rows: readonly T[],
  currency: string | null,
): T[] => rows.filter(({ currencyCode }) => currencyCode === currency);

/** Whether labour is loaded only in part in one currency, of the period or else of its comparison. */
export const labourNoteOf = <T extends Parameters<typeof labourNote>[0][number] & { currencyCode: string | null }>(
  now: readonly T[],
  before: readonly T[] | undefined,
  comparison: Period | undefined,
  currency: string | null,
): string | undefined =>
  labourNote(ofCurrency(now, currency)) ??
  (comparison && labourNote(ofCurrency(before ?? [], currency), ` for ${sayPeriod(comparison)}`));

/** `beside` for one of several currencies. */
export const besideOf = (rows: readonly Row[], sides: Sides | undefined, currency: string | null): Beside =>
  beside(
    ofCurrency(rows, currency),
    sides && { now: ofCurrency(sides.now, currency), before: ofCurrency(sides.before, currency) },
    currency,
  );

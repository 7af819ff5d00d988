/**
 * A period beside its comparison, in one currency: which rows count on both sides of a change, and notes about the
 * others.
 */
import { hasHours, spanDays, type WorkedRow } from '@daypart/client';
import { type Change, changeIn, type FigureOf } from './change.ts';
import { type FigureRow, labourNote } from './figures.ts';
import { contains, type Period, sayPeriod } from './period.ts';

/** The rows that are compared: for a day in progress, those of the hours that are over in both. */
export interface Sides<R = FigureRow> {
  now: readonly R[];
  before: readonly R[];
}

/**
 * The rows that are compared; undefined without a comparison, and while the hours of a day in progress are being read.
 */
export const sidesOf = <R>(
  { sides, loading }: { sides: Sides<R> | undefined; loading: boolean },
  now: readonly R[],
  before: readonly R[] | undefined,
): Sides<R> | undefined => sides ?? (loading || !before ? undefined : { now, before });

/** A row of a business date. */
interface Dated {
  businessDate?: string | undefined;
}

/** What `likeForLike` compares. Rows are of all currencies. */
interface Question<R, D, Sum> {
  currency: string | null;
  period: Period;
  comparison: Period | undefined;
  /** The rows of the period, and of the comparison. */
  now: readonly R[];
  before: readonly R[] | undefined;
  sides: Sides<R> | undefined;
  /** Rows by date of both, which show how many dates have data. */
  dates: readonly D[];
  /** Adds up rows of the currency. */
  add: (rows: readonly R[], currency: string | null) => Sum;
}

type InCurrency = { currencyCode: string | null };

export interface LikeForLike<Sum> {
  /** Of all restaurants of the currency in the period. */
  sum: Sum;
  /** The number of restaurants with data in the period. */
  restaurants: number;
  /** The sums that a change compares, of the restaurants with data in both; undefined if there are none. */
  pairOf(figure?: FigureOf<Sum>): { now: Sum; before: Sum } | undefined;
  /** The change of a figure; undefined if it cannot be compared. */
  changeOf(figure: FigureOf<Sum>): Change | undefined;
  /** Beside a change of unequally many dates with data: "28 dates vs 2". */
  datesText: string | undefined;
  /** How many restaurants are compared, how many dates have data, and for how much labour is loaded, if not for all. */
  notes: { compared: string | undefined; dates: string | undefined; labour: string | undefined };
}

/**
 * Compares the rows of one currency. A restaurant without data in the comparison counts in the sum of the period, but
 * on neither side of a change.
 */
export function likeForLike<
  R extends WorkedRow & InCurrency & { netSalesAmount: number | null },
  D extends Dated & InCurrency,
  Sum,
>({ currency, period, comparison, now, before, sides, dates, add }: Question<R, D, Sum>): LikeForLike<Sum> {
  const own = ofCurrency(now, currency);
  const [current, earlier] = [byRestaurant(sides?.now ?? [], currency), byRestaurant(sides?.before ?? [], currency)];
  const both = [...current.keys()].filter((guid) => earlier.has(guid));
  const worked = both.filter((guid) => [current, earlier].every((groups) => groups.get(guid)?.some(hasHours)));
  const sumOf = (groups: ReadonlyMap<unknown, R[]>, guids: unknown[]): Sum =>
    add(
      guids.flatMap((guid) => groups.get(guid) ?? []),
      currency,
    );
  const pair = (guids: unknown[]) =>
    guids.length > 0 ? { now: sumOf(current, guids), before: sumOf(earlier, guids) } : undefined;
  const pairs = { all: pair(both), labour: pair(worked) };
  const pairOf = (figure?: FigureOf<Sum>) => (figure?.isLabour ? pairs.labour : pairs.all);
  const restaurants = byRestaurant(now, currency).size;
  const ofDates = [ofCurrency(dates, currency), period, comparison] as const;
  return {
    sum: add(own, currency),
    restaurants,
    pairOf,
    changeOf: (figure) => changeIn(figure, pairOf(figure)),
    datesText: datesText(...ofDates),
    notes: {
      compared: comparison && comparedNote(restaurants, both.length, comparison),
      dates: datesNote(...ofDates),
      labour:
        labourNote(own) ??
        (comparison && labourNote(ofCurrency(before ?? [], currency), ` for ${sayPeriod(comparison)}`)),
    },
  };
}

const byRestaurant = <R extends WorkedRow & InCurrency>(rows: readonly R[], currency: string | null) =>
  Map.groupBy(ofCurrency(rows, currency), ({ restaurantGuid }) => restaurantGuid);

/** How many restaurants the changes compare, if not all. */
function comparedNote(restaurants: number, compared: number, comparison: Period): string | undefined {
  if (compared === 0 || compared === restaurants) return undefined;
  return `${compared} of ${restaurants} restaurants compared: the others have no data for ${sayPeriod(comparison)}.`;
}

/** Rows of restaurants on both sides of changes that are not by restaurant. */
type Placed = Sides<{ restaurantGuid?: string | undefined } & InCurrency>;

/** How many of `some` are not among `others`. */
const countOnly = (some: Set<unknown>, others: Set<unknown>): number =>
  [...some].filter((one) => !others.has(one)).length;

const placesOf = ({ now, before }: Placed, currency: string | null) => {
  const [current, earlier] = [now, before].map(
    (rows) => new Set(ofCurrency(rows, currency).map(({ restaurantGuid }) => restaurantGuid)),
  ) as [Set<unknown>, Set<unknown>];
  return { current, earlier, missing: current.size > 0 ? countOnly(earlier, current) : 0 };
};

/**
 * Whether changes of sums that are not by restaurant mean something: not if restaurants of the comparison have no data
 * in the period, whose sales would be missing.
 */
export const isComparable = (sides: Placed, currency: string | null): boolean =>
  placesOf(sides, currency).missing === 0;

/**
 * Below sums that are not by restaurant: why they are not compared, or how many of the restaurants are in only one of
 * the two.
 */
export function unmatchedNote(sides: Placed, currency: string | null): string | undefined {
  const { current, earlier, missing } = placesOf(sides, currency);
  const all = earlier.size + countOnly(current, earlier);
  if (missing > 0)
    return `Not compared: ${missing} of ${all} restaurants ${missing === 1 ? 'has' : 'have'} no data yet.`;
  const added = earlier.size > 0 ? countOnly(current, earlier) : 0;
  if (added === 0) return undefined;
  return `Changes here are of all restaurants: ${added} ${added === 1 ? 'has' : 'have'} data in only one of the two periods.`;
}

/**
 * How many dates of a period and of its comparison have data; undefined if as many, or if there is nothing to compare.
 */
function unequalDates(rows: readonly Dated[] = [], period: Period, comparison: Period | undefined) {
  const count = (some: Period): number =>
    new Set(rows.flatMap(({ businessDate = '' }) => (contains(some, businessDate) ? businessDate : []))).size;
  const [now, before] = [count(period), comparison ? count(comparison) : 0];
  const text = `${now} ${now === 1 ? 'date' : 'dates'} vs ${before}`;
  return comparison && now > 0 && before > 0 && now !== before ? { comparison, before, text } : undefined;
}

/** Beside a change of unequally many dates with data: "28 dates vs 2". */
export const datesText = (...dates: Parameters<typeof unequalDates>): string | undefined =>
  unequalDates(...dates)?.text;

/** Above changes of unequally many dates with data: a comparison that is loaded only in part looks like growth. */
export function datesNote(...dates: Parameters<typeof unequalDates>): string | undefined {
  const unequal = unequalDates(...dates);
  if (!unequal) return undefined;
  const { comparison, before, text } = unequal;
  return `${before} of ${spanDays(comparison)} dates of ${sayPeriod(comparison)} have data: changes are of ${text}.`;
}

/** The rows of restaurants of one currency. */
export const ofCurrency = <T extends InCurrency>(rows: readonly T[], currency: string | null): T[] =>
  rows.filter(({ currencyCode }) => currencyCode === currency);

/**
 * Findings of a date: figures of restaurants that differ much from those of their last eight same weekdays. The rule is
 * shown to users word for word, see `RULE`. It predicts nothing: it uses means and standard deviations of past dates.
 */

import { addDays, type Totals } from '@daypart/client';
import { formatDate } from './dates.ts';
import { currencyTotals, discountShare, type FigureRow, labourShare, netCents, voidShare } from './figures.ts';
import { spell } from './locale.ts';
import { formatMoney, formatShare } from './money.ts';

export const WEEKS = 8;
/** With fewer weeks of history the usual value is not known well enough. */
const LEAST_WEEKS = 5;
const LEAST_DEVIATION = 1.5;
/** Without it, restaurants with nearly equal sales each week would be reported for a few dollars. */
const LEAST_SPREAD = 0.04;
/** The number of findings that are shown. */
export const MOST = 4;

export const RULE = spell(
  'Net sales, labor, discounts and voids of each restaurant are compared with its last eight same weekdays. A figure stands out at ' +
    '1.5 standard deviations or more from their mean, with at least five weeks of history; the spread counts as at least 4 % of the mean. ' +
    'The list is ordered by money (of several currencies, in proportion to the usual sales of a restaurant in each) and shows at most four.',
);

export type Measure = 'net' | 'labour' | 'discounts' | 'voids';

export interface Deviation {
  restaurantGuid: string;
  currencyCode: string | null;
  /** The business date that is compared with its weekdays. */
  date: string;
  measure: Measure;
  /** Cents for net sales, a share (0 to 1) for the others. */
  now: number;
  usual: number;
  /** The size of the deviation in cents: the difference of sales, or of the cost at these sales. */
  cents: number;
  better: boolean;
}

const MEASURES: Record<Measure, { of: (sum: Totals) => number | undefined; base: (sum: Totals) => number }> = {
  net: { of: (sum) => sum.netSalesCents, base: () => 1 },
  labour: { of: labourShare, base: (sum) => sum.netSalesCents },
  discounts: { of: discountShare, base: (sum) => sum.grossSalesCents },
  voids: { of: voidShare, base: (sum) => sum.grossSalesCents },
};

const NOUNS: Record<Measure, string> = { net: 'sales', labour: spell('labor'), discounts: 'discounts', voids: 'voids' };

/** What the amount of a deviation is: "less sales", "more labour". */
export const nounOf = ({ measure, now, usual }: Deviation): string =>
  `${now > usual ? 'more' : 'less'} ${NOUNS[measure]}`;

/** A value of its measure: "$1,204", "24.8 %". */
export const sayMeasure = ({ measure, currencyCode }: Deviation, value: number): string =>
  measure === 'net' ? formatMoney(value, currencyCode, 'whole') : formatShare(value);

/** With what the figure is compared: "usually 24.8 % on Wednesdays". */
export const sayUsual = (deviation: Deviation): string =>
  `usually ${sayMeasure(deviation, deviation.usual)} on ${formatDate(deviation.date, 'weekday')}s`;

/** Mean and standard deviation of a sample; the spread is at least 4 % of the mean. */
export function usualOf(values: number[]): { mean: number; spread: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0;
  return { mean, spread: Math.max(deviation, Math.abs(mean) * LEAST_SPREAD) };
}

/** The last eight same weekdays before the date, newest first. */
export const weekdaysBefore = (date: string): string[] =>
  Array.from({ length: WEEKS }, (_, at) => addDays(date, -7 * (at + 1)));

function deviationOf(sum: Totals, before: readonly Totals[], measure: Measure) {
  const { of, base } = MEASURES[measure];
  const now = of(sum);
  const history = before.flatMap((one) => of(one) ?? []);
  if (now === undefined || history.length < LEAST_WEEKS) return undefined;
  const { mean, spread } = usualOf(history);
  if (spread === 0 || Math.abs(now - mean) / spread < LEAST_DEVIATION) return undefined;
  const better = now > mean === (measure === 'net');
  return { measure, now, usual: mean, cents: Math.round((now - mean) * base(sum)), better };
}

/** A row of a restaurant and a business date. */
interface Placed {
  restaurantGuid?: string | undefined;
  businessDate?: string | undefined;
}

/** Rows by restaurant, then by business date. */
export const byRestaurantAndDate = <R extends Placed>(rows: readonly R[]): Map<string, Map<string, R[]>> =>
  new Map(
    [...Map.groupBy(rows, ({ restaurantGuid = '' }) => restaurantGuid)].map(([guid, own]) => [
      guid,
      Map.groupBy(own, ({ businessDate = '' }) => businessDate),
    ]),
  );

/** Whether a restaurant has data on any of the four same weekdays before; a closed weekday is not missing. */
export const tradedOn = (dates: ReadonlyMap<string, unknown> | undefined, date: string): boolean =>
  weekdaysBefore(date)
    .slice(0, 4)
    .some((before) => dates?.has(before));

/**
 * A function that returns whether the sum of a date is of fewer restaurants than usual: it is after the last that all
 * have, or one that traded on the same weekday lately has no row of it.
 */
export function isPartIn(rows: readonly Placed[], latest: string): (date: string) => boolean {
  const restaurants = [...byRestaurantAndDate(rows).values()];
  return (date) => date > latest || restaurants.some((dates) => !dates.has(date) && tradedOn(dates, date));
}

/** Whether a restaurant has data on the date, and enough history to know what is usual on it. */
export const isKnown = (dates: ReadonlyMap<string, FigureRow[]>, date: string): boolean =>
  dates.has(date) && weekdaysBefore(date).filter((before) => dates.has(before)).length >= LEAST_WEEKS;

/**
 * The mean net sales of a restaurant on a date in each currency, in cents: of what size an amount of the currency is.
 */
function sizesOf(
  rows: ReadonlyMap<string, ReadonlyMap<string, FigureRow[]>>,
  currencies: ReadonlyMap<string, string | null>,
): Map<string | null, number> {
  const all = Map.groupBy(rows, ([guid]) => currencies.get(guid) ?? null);
  return new Map(
    [...all].map(([code, own]) => {
      const days = own.flatMap(([, dates]) => [...dates.values()]);
      return [code, Math.max(1, netCents(days.flat()) / days.length)];
    }),
  );
}

/**
 * The deviations of a date, the largest in money first; across currencies, in proportion to the sales of a restaurant.
 * `rows` are those of each restaurant by business date, without groups, for the eight weeks before the date.
 */
export function standsOut(
  rows: Map<string, Map<string, FigureRow[]>>,
  date: string,
  currencies: ReadonlyMap<string, string | null>,
): Deviation[] {
  const found: Deviation[] = [];
  const weekdays = weekdaysBefore(date);
  for (const [restaurantGuid, byDate] of rows) {
    const currencyCode = currencies.get(restaurantGuid) ?? null;
    const sumOn = (day: string): Totals[] => {
      const own = byDate.get(day);
      return own ? [currencyTotals(own, currencyCode)] : [];
    };
    const [sum] = sumOn(date);
    if (!sum || !isKnown(byDate, date)) continue;
    const before = weekdays.flatMap(sumOn);
    for (const measure of Object.keys(MEASURES) as Measure[]) {
      const deviation = deviationOf(sum, before, measure);
      if (deviation) found.push({ restaurantGuid, currencyCode, date, ...deviation });
    }
  }
  const sizes = sizesOf(rows, currencies);
  const size = ({ cents, currencyCode }: Deviation): number => Math.abs(cents) / (sizes.get(currencyCode) ?? 1);
  return found.sort((a, b) => size(b) - size(a));
}

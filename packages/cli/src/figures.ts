/** The figures of a line, for tables, for records of JSON and CSV, and for sorting. */
import { formatCents, type MetricsFigures, relativeChange } from '@daypart/client';
import { shownCents, shownCount, shownHundredths } from './cells.ts';
import type { Line, LineTotals } from './lines.ts';
import { isMoney } from './units.ts';

export interface Figure {
  /** Its heading in tables. */
  heading: string;
  /** Its field on the wire. */
  field: keyof MetricsFigures;
  /** Its name for `--sort`. */
  word: string;
  importance: number;
  /** Counts are integers; money and hours are hundredths, which the wire has as numbers or decimal text. */
  unit: 'count' | 'money' | 'text';
  of(sum: LineTotals): number | null;
}

/** In the order of the columns of a table; those of importance 0 are only in records. */
export const FIGURES: readonly Figure[] = [
  {
    heading: 'Orders',
    field: 'ordersCount',
    word: 'orders',
    importance: 80,
    unit: 'count',
    of: (sum) => sum.ordersCount,
  },
  {
    heading: 'Guests',
    field: 'guestCount',
    word: 'guests',
    importance: 60,
    unit: 'count',
    of: (sum) => sum.guestCount,
  },
  {
    heading: 'Net sales',
    field: 'netSalesAmount',
    word: 'net-sales',
    importance: 100,
    unit: 'money',
    of: (sum) => sum.netSalesCents,
  },
  {
    heading: 'Gross',
    field: 'grossSalesAmount',
    word: 'gross',
    importance: 55,
    unit: 'money',
    of: (sum) => sum.grossSalesCents,
  },
  {
    heading: 'Discounts',
    field: 'discountAmount',
    word: 'discounts',
    importance: 40,
    unit: 'money',
    of: (sum) => sum.discountCents,
  },
  {
    heading: 'Refunds',
    field: 'refundAmount',
    word: 'refunds',
    importance: 35,
    unit: 'money',
    of: (sum) => sum.refundCents,
  },
  {
    heading: 'Avg order',
    field: 'avgOrderValue',
    word: 'avg-order',
    importance: 50,
    unit: 'money',
    of: (sum) => sum.avgOrderValueCents,
  },
  {
    heading: 'Hours',
    field: 'hourlyJobTotalHours',
    word: 'hours',
    importance: 45,
    unit: 'text',
    of: (sum) => sum.hourlyJobTotalHundredths,
  },
  {
    heading: 'Pay',
    field: 'hourlyJobTotalPay',
    word: 'pay',
    importance: 30,
    unit: 'text',
    of: (sum) => sum.hourlyJobTotalPayCents,
  },
  {
    heading: 'Sales/hour',
    field: 'hourlyJobSalesPerLaborHour',
    word: 'sales-per-hour',
    importance: 32,
    unit: 'text',
    of: (sum) => sum.hourlyJobSalesPerLaborHourCents,
  },
  {
    heading: 'Void orders',
    field: 'voidOrdersCount',
    word: 'void-orders',
    importance: 0,
    unit: 'count',
    of: (sum) => sum.voidOrdersCount,
  },
  {
    heading: 'Voids',
    field: 'voidOrdersAmount',
    word: 'voids',
    importance: 0,
    unit: 'money',
    of: (sum) => sum.voidOrdersCents,
  },
  {
    heading: 'Discounted',
    field: 'discountOrderCount',
    word: 'discounted-orders',
    importance: 0,
    unit: 'count',
    of: (sum) => sum.discountOrderCount,
  },
  {
    heading: 'Open',
    field: 'openOrderCount',
    word: 'open-orders',
    importance: 0,
    unit: 'count',
    of: (sum) => sum.openOrderCount,
  },
  {
    heading: 'Closed',
    field: 'closedOrderCount',
    word: 'closed-orders',
    importance: 0,
    unit: 'count',
    of: (sum) => sum.closedOrderCount,
  },
];

/** A value of the figure in a table; `currency` is that of amounts. */
export const shownFigure = ({ unit, field }: Figure, value: number | null, currency: string | null): string =>
  unit === 'count' ? shownCount(value) : isMoney(field) ? shownCents(value, currency) : shownHundredths(value);

/**
 * In the types of the wire: numbers for counts and money, decimal text for hours and pay; in CSV money has two
 * decimals.
 */
export function wireValue({ unit }: Figure, value: number | null, isCsv: boolean): number | string | null {
  if (value === null || unit === 'count') return value;
  return isCsv || unit === 'text' ? formatCents(value) : value / 100;
}

export interface Change {
  now: number | null;
  before: number | null;
  difference: number | null;
  /** Percent of the earlier value, with one decimal; null if that is 0. */
  percent: number | null;
}

/** The difference from the compared span; null if either value is missing. */
export function changeOf(figure: Figure, { sum, before: then }: Line): Change {
  const now = figure.of(sum);
  const before = then ? figure.of(then) : null;
  const difference = now === null || before === null ? null : now - before;
  const change = relativeChange(now, before);
  return { now, before, difference, percent: change === null ? null : Math.round(change * 1000) / 10 + 0 };
}

/**
 * Sums of records as integers, currencies apart, and the ratios that are computed from them (docs/metrics.md#totals).
 */
import { cents } from './money.ts';
import type { LaborFigures } from './resources/labor.ts';
import type { MetricsFigures } from './resources/metrics.ts';
import type { Restaurant } from './types.ts';

/** Currency codes by restaurant GUID, null for a restaurant without one; or the one currency of all rows. */
export type Currencies = ReadonlyMap<string, string | null> | string | null;

/** The sums of the rows of one currency, as integers. */
export interface Totals {
  /** ISO 4217; null for restaurants that have none. */
  currencyCode: string | null;
  guestCount: number;
  voidOrdersCount: number;
  discountOrderCount: number;
  ordersCount: number;
  openOrderCount: number;
  closedOrderCount: number;
  netSalesCents: number;
  grossSalesCents: number;
  discountCents: number;
  voidOrdersCents: number;
  refundCents: number;
  /** Net sales ÷ orders; 0 without orders. */
  avgOrderValueCents: number;
  /** Hours × 100. */
  hourlyJobTotalHundredths: number;
  hourlyJobTotalPayCents: number;
  /** The part of the net sales of restaurants and dates that have hours. */
  workedNetSalesCents: number;
  /** That part ÷ hours; null without hours. */
  hourlyJobSalesPerLaborHourCents: number | null;
}

/** The sums of the rows of labor of one currency, as integers. */
export interface LaborTotals {
  /** ISO 4217; null for restaurants that have none. */
  currencyCode: string | null;
  /** Hours × 1000. */
  regularThousandths: number;
  overtimeThousandths: number;
  totalThousandths: number;
  regularCostCents: number;
  overtimeCostCents: number;
  totalCostCents: number;
  /** 0 in reports by job or employee, which have no sales. */
  netSalesCents: number;
  /** The part of the net sales of restaurants and dates that have hours. */
  workedNetSalesCents: number;
  /** That part ÷ hours; null without hours, and without sales in any row. */
  netSalesPerEmployeeHourCents: number | null;
  /** Percent × 100: total cost ÷ that part; null without such sales. */
  totalCostPerNetSalesHundredths: number | null;
}

/** What identifies the restaurant and date of a row, and its hours. */
export interface WorkedRow {
  restaurantGuid?: string | undefined;
  /** Undefined in totals over several dates. */
  businessDate?: string | undefined;
  /** Of metrics. */
  hourlyJobTotalHours?: string | null | undefined;
  /** Of labor. */
  totalHours?: number | undefined;
}

/** Whether the restaurant and date of a row have hours. */
export type IsWorked = (row: WorkedRow) => boolean;

/** A row of a report, or of its totals. Ratios are not required, since they are computed from sums. */
export type AddableMetrics = Omit<MetricsFigures, 'avgOrderValue' | 'hourlyJobSalesPerLaborHour' | 'businessDate'> & {
  /** Undefined in totals over several dates. */
  businessDate?: string | undefined;
  businessHour?: string | null | undefined;
  daypart?: string | undefined;
};

/** A row of labor, or of its totals, as `AddableMetrics`. */
export type AddableLabor = Pick<
  LaborFigures,
  'regularHours' | 'overtimeHours' | 'totalHours' | 'regularCost' | 'overtimeCost' | 'totalCost'
> & {
  /** Undefined in totals by job or employee. */
  restaurantGuid?: string | undefined;
  businessDate?: string | undefined;
  /** Null in reports by job or employee. */
  netSalesAmount: number | null;
};

/** A quotient of integers × `times`, rounded half away from zero; null if the divisor is 0. */
export function quotient(dividend: number, divisor: number, times = 1): number | null {
  if (divisor === 0) return null;
  const [above, below] = [BigInt(dividend) * BigInt(divisor < 0 ? -times : times), BigInt(Math.abs(divisor))];
  return Number((above * 2n + (above < 0n ? -below : below)) / (below * 2n));
}

/** The currency of each restaurant, for `totals`. A restaurant whose currency the service does not report is absent. */
export function currenciesOf(restaurants: Iterable<Restaurant>): Map<string, string | null> {
  const codes = new Map<string, string | null>();
  for (const { restaurantGuid, currencyCode } of restaurants) {
    if (currencyCode !== undefined) codes.set(restaurantGuid, currencyCode);
  }
  return codes;
}

/** Identifies the restaurant and date of a row. */
export const restaurantDateOf = ({ restaurantGuid, businessDate }: WorkedRow): string =>
  `${restaurantGuid} ${businessDate}`;

/** Whether the row has hours of hourly jobs. */
export const hasHours = ({ hourlyJobTotalHours, totalHours }: WorkedRow): boolean =>
  Number(hourlyJobTotalHours ?? totalHours ?? 0) !== 0;

/**
 * A function that returns whether the restaurant and date of a row have hours in any of `rows`, which are all rows of a
 * report: only their sales are divided by hours, or divide the cost of labour. Others have no time entries loaded.
 */
export function workedDates(rows: Iterable<WorkedRow>): IsWorked {
  const worked = new Set<string>();
  for (const row of rows) if (hasHours(row)) worked.add(restaurantDateOf(row));
  return (row) => worked.has(restaurantDateOf(row));
}

/** The rows of each currency, by code, null last; of the one currency of all rows exactly one entry. */
function byCurrency<Row extends WorkedRow>(rows: Iterable<Row>, currencies: Currencies): [string | null, Row[]][] {
  if (typeof currencies === 'string' || currencies === null) return [[currencies, [...rows]]];
  const groups = groupBy(rows, ({ restaurantGuid }) => {
    const code = currencies.get(restaurantGuid ?? '');
    if (code === undefined)
      throw new TypeError(`the currency of restaurant ${restaurantGuid} is not given (null for none)`);
    return code;
  });
  const shown = (code: string | null): string => code ?? '\uffff';
  return [...groups].sort(([a], [b]) => (shown(a) < shown(b) ? -1 : 1));
}

/** Adds up a figure of rows. Throws TypeError for a sum of 2^53 or more, which no number has exactly. */
function add<Row>(name: string, rows: readonly Row[], of: (row: Row) => number): number {
  let sum = 0;
  for (const row of rows) {
    sum += of(row);
    if (!Number.isSafeInteger(sum)) throw new TypeError(`the sum of ${name} is too large to be exact`);
  }
  return sum;
}

const COUNTS = [
  'guestCount',
  'voidOrdersCount',
  'discountOrderCount',
  'ordersCount',
  'openOrderCount',
  'closedOrderCount',
] as const;
const AMOUNTS = ['netSales', 'grossSales', 'discount', 'voidOrders', 'refund'] as const;

const timeOf = (row: AddableMetrics): string =>
  `${restaurantDateOf(row)} ${row.businessHour ?? ''} ${row.daypart ?? ''}`;

function metricsTotal(currencyCode: string | null, rows: AddableMetrics[], isWorked: IsWorked): Totals {
  const sum = { currencyCode } as Totals;
  for (const name of COUNTS) sum[name] = add(name, rows, (row) => row[name]);
  for (const name of AMOUNTS) sum[`${name}Cents`] = add(`${name}Cents`, rows, (row) => cents(row[`${name}Amount`]));
  const times = [...new Map(rows.map((row) => [timeOf(row), row])).values()];
  const hours = add('hours', times, (row) => cents(row.hourlyJobTotalHours));
  const workedNet = add('net sales', rows.filter(isWorked), (row) => cents(row.netSalesAmount));
  return {
    ...sum,
    avgOrderValueCents: quotient(sum.netSalesCents, sum.ordersCount) ?? 0,
    hourlyJobTotalHundredths: hours,
    hourlyJobTotalPayCents: add('pay', times, (row) => cents(row.hourlyJobTotalPay)),
    workedNetSalesCents: workedNet,
    hourlyJobSalesPerLaborHourCents: quotient(workedNet, hours, 100),
  };
}

/**
 * Adds up rows of metrics: one entry for each currency among them, by code, null last; exactly one if `currencies` is
 * the currency of all rows. Labour belongs to a restaurant and a time and repeats in the row of every group: it counts
 * once per restaurant, date and hour or daypart. Ratios are computed from the sums; sales per labour hour are of the
 * restaurants and dates that have hours, among `rows` or, where these are only some of a report, by `isWorked` of
 * `workedDates`. Throws TypeError for a row whose restaurant is not in `currencies`, since amounts of different
 * currencies are never added, and for a sum of 2^53 cents or more, which no number has exactly.
 */
export function totals(rows: Iterable<AddableMetrics>, currency: string | null, isWorked?: IsWorked): [Totals];
export function totals(rows: Iterable<AddableMetrics>, currencies: Currencies, isWorked?: IsWorked): Totals[];
export function totals(rows: Iterable<AddableMetrics>, currencies: Currencies, isWorked?: IsWorked): Totals[] {
  return byCurrency(rows, currencies).map(([code, own]) => metricsTotal(code, own, isWorked ?? workedDates(own)));
}

function laborTotal(currencyCode: string | null, rows: AddableLabor[]): LaborTotals {
  const hasSales = rows.some(({ netSalesAmount }) => netSalesAmount !== null);
  const net = ({ netSalesAmount }: AddableLabor): number => cents(netSalesAmount ?? 0);
  const workedNet = add('net sales', rows.filter(workedDates(rows)), net);
  const sum = {
    currencyCode,
    netSalesCents: add('net sales', rows, net),
    workedNetSalesCents: workedNet,
  } as LaborTotals;
  for (const name of ['regular', 'overtime', 'total'] as const) {
    sum[`${name}Thousandths`] = add('hours', rows, (row) => Math.round(row[`${name}Hours`] * 1000));
    sum[`${name}CostCents`] = add('cost', rows, (row) => cents(row[`${name}Cost`]));
  }
  return {
    ...sum,
    netSalesPerEmployeeHourCents: hasSales ? quotient(workedNet, sum.totalThousandths, 1000) : null,
    totalCostPerNetSalesHundredths: quotient(sum.totalCostCents, workedNet, 10_000),
  };
}

/**
 * Adds up rows of labor, by currency as `totals` does. Ratios are computed from the sums, with the sales of the
 * restaurants and dates that have hours.
 */
export function laborTotals(rows: Iterable<AddableLabor>, currency: string | null): [LaborTotals];
export function laborTotals(rows: Iterable<AddableLabor>, currencies: Currencies): LaborTotals[];
export function laborTotals(rows: Iterable<AddableLabor>, currencies: Currencies): LaborTotals[] {
  return byCurrency(rows, currencies).map(([code, own]) => laborTotal(code, own));
}

/** Items by a key, in the order of their first items: `Map.groupBy`, which Node has only from version 21 on. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

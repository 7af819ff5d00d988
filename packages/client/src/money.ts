/** Money as whole cents: amounts of the wire are read exactly and added up as integers. */
import type { MetricsFigures } from './resources/metrics.ts';
import type { Restaurant } from './types.ts';

const TEXT = /^(-?\d+)(?:\.(\d\d?))?$/;

/**
 * An amount in currency units as cents, exactly: `12.5`, `"12.50"`, `"-1234.5"`. Throws TypeError for anything but an amount
 * with at most two decimals, such as 0.1 + 0.2, and for 2^53 cents or more. Pass amounts from 2^46 units on as text.
 */
export function cents(amount: number | string): number {
  const near = Math.round((amount as number) * 100);
  // Up to here the product is off by less than a fifth of a cent, so the quotient shows whether `near` is the amount.
  if (Math.abs(near) < 2 ** 50 && near / 100 === amount) return near + 0;
  // Below 2^46, doubles are less than a cent apart, so each amount has its own double, whose shortest text it is.
  if (typeof amount === 'string' || Math.abs(amount) < 2 ** 46) {
    const [, whole = '', fraction = ''] = TEXT.exec(String(amount)) ?? [];
    const size = Number(whole + fraction.padEnd(2, '0'));
    if (whole && Number.isSafeInteger(size)) return size + 0;
  }
  throw new TypeError(`${JSON.stringify(amount)} is no amount with at most two decimals (add cents, not amounts)`);
}

/** Cents as an amount with two decimals: `"-1234.50"`. Throws TypeError for anything but an integer within ±2^53. */
export function formatCents(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new TypeError(`${cents} is no whole number of cents`);
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

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
  /** Net sales ÷ hours; null without hours. */
  hourlyJobSalesPerLaborHourCents: number | null;
}

/** A row of a report, or of its totals. Ratios are not required, since they are computed from sums. */
export type AddableMetrics = Omit<MetricsFigures, 'avgOrderValue' | 'hourlyJobSalesPerLaborHour' | 'businessDate'> & {
  /** Undefined in totals over several dates. */
  businessDate?: string | undefined;
  businessHour?: string | null | undefined;
  daypart?: string | undefined;
};

const COUNTS = [
  'guestCount',
  'voidOrdersCount',
  'discountOrderCount',
  'ordersCount',
  'openOrderCount',
  'closedOrderCount',
] as const;
const AMOUNTS = ['netSales', 'grossSales', 'discount', 'voidOrders', 'refund'] as const;

/** A quotient of integers, rounded half away from zero; the divisor must be positive. */
function rounded(dividend: bigint, divisor: number): number {
  const half = BigInt(dividend < 0n ? -divisor : divisor);
  return Number((dividend * 2n + half) / BigInt(divisor * 2));
}

/** The currency of each restaurant, for `totals`. A restaurant whose currency the service does not report is absent. */
export function currenciesOf(restaurants: Iterable<Restaurant>): Map<string, string | null> {
  const codes = new Map<string, string | null>();
  for (const { restaurantGuid, currencyCode } of restaurants) {
    if (currencyCode !== undefined) codes.set(restaurantGuid, currencyCode);
  }
  return codes;
}

/**
 * Adds up rows of metrics: one entry for each currency among them, by code, null last; exactly one if `currencies` is
 * the currency of all rows. Labour belongs to a restaurant and a time and repeats in the row of every group: it counts once per
 * restaurant, date and hour or daypart. Ratios are computed from the sums. Throws TypeError for a row whose restaurant is not in
 * `currencies`, since amounts of different currencies are never added, and for a sum of 2^53 cents or more, which no number has exactly.
 */
export function totals(rows: Iterable<AddableMetrics>, currencies: Currencies): Totals[] {
  const sums = new Map<string | null, ReturnType<typeof openSum>>();
  const all = typeof currencies === 'string' || currencies === null;
  if (all) sums.set(currencies, openSum(currencies));
  for (const row of rows) {
    const code = all ? currencies : currencies.get(row.restaurantGuid);
    if (code === undefined)
      throw new TypeError(`the currency of restaurant ${row.restaurantGuid} is not given (null for none)`);
    const sum = sums.get(code) ?? openSum(code);
    sums.set(code, sum);
    sum.add(row);
  }
  const shown = (code: string | null): string => code ?? '\uffff';
  return [...sums.entries()].sort(([a], [b]) => (shown(a) < shown(b) ? -1 : 1)).map(([, sum]) => sum.totals());
}

function openSum(currencyCode: string | null) {
  const sum = { currencyCode } as Totals;
  for (const name of COUNTS) sum[name] = 0;
  for (const name of AMOUNTS) sum[`${name}Cents`] = 0;
  let hundredths = 0;
  let pay = 0;
  const worked = new Set<string>();
  return {
    add(row: AddableMetrics): void {
      for (const name of COUNTS) sum[name] += row[name];
      for (const name of AMOUNTS) sum[`${name}Cents`] += cents(row[`${name}Amount`]);
      const when = `${row.restaurantGuid} ${row.businessDate} ${row.businessHour ?? ''} ${row.daypart ?? ''}`;
      if (worked.has(when)) return;
      worked.add(when);
      hundredths += cents(row.hourlyJobTotalHours);
      pay += cents(row.hourlyJobTotalPay);
    },
    totals(): Totals {
      const net = BigInt(sum.netSalesCents);
      const whole = { ...sum, hourlyJobTotalHundredths: hundredths, hourlyJobTotalPayCents: pay };
      // Each addition of two exact numbers that is not exact leaves 2^53 or more, and no later one is checked before this.
      for (const [name, value] of Object.entries(whole))
        if (typeof value === 'number' && !Number.isSafeInteger(value))
          throw new TypeError(`the sum of ${name} is too large to be exact`);
      return {
        ...sum,
        avgOrderValueCents: sum.ordersCount > 0 ? rounded(net, sum.ordersCount) : 0,
        hourlyJobTotalHundredths: hundredths,
        hourlyJobTotalPayCents: pay,
        hourlyJobSalesPerLaborHourCents: hundredths > 0 ? rounded(net * 100n, hundredths) : null,
      };
    },
  };
}

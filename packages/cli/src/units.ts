/** What fields of records measure, in every form of every kind of report: how many decimals, and whether it is money. */
import { centsOf, shownCents, shownCount, shownDecimal, shownHundredths, shownQuantity } from './cells.ts';

interface Unit {
  fields: RegExp;
  decimals: number;
  /** An amount of a currency: those of different currencies are not compared. */
  isMoney: boolean;
}

/** Numbers with decimals, of which a service writes the same many in every cell; the others are counts. */
const UNITS: readonly Unit[] = [
  {
    fields: /Amount$|Cost$|PerEmployeeHour$|^(avgOrderValue|averagePrice|paymentSubtotal|paymentTotal)$/,
    ...{ decimals: 2, isMoney: true },
  },
  { fields: /^hourlyJob(TotalPay|SalesPerLaborHour)$/, decimals: 2, isMoney: true },
  // Percent, and hours of sales metrics.
  { fields: /Per(NetSales|GrossSales)$|^hourlyJobTotalHours$/, decimals: 2, isMoney: false },
  { fields: /^(regular|overtime|total)Hours$/, decimals: 3, isMoney: false },
  { fields: /^(quantitySold|wasteCount)$/, decimals: 6, isMoney: false },
];
const unitOf = (field: string): Unit | undefined => UNITS.find(({ fields }) => fields.test(field));

/** The decimals of a number in every cell of the field; undefined for counts. */
export const decimalsOf = (field: string): number | undefined => unitOf(field)?.decimals;

/** Whether the field has amounts of the restaurant's currency. */
export const isMoney = (field: string): boolean => unitOf(field)?.isMoney ?? false;

/** Decimals of quantities, of which tables leave out the zeros at the end: most are whole. */
const MILLIONTHS = 6;

/**
 * A value of the field in a table, as every table shows it: `1,234.50`, `1,235` yen, `7.250` hours, 3 sold. `currency` is that of
 * amounts. Text that is no number remains.
 */
export function shownValue(field: string, value: string | number, currency: string | null): string {
  const decimals = decimalsOf(field);
  if (decimals === undefined) return Number.isInteger(value) ? shownCount(Number(value)) : String(value);
  const cents = centsOf(value);
  if (cents === null) return String(value);
  if (isMoney(field)) return shownCents(cents, currency);
  if (decimals === 2) return shownHundredths(cents);
  const units = Math.round(Number(value) * 10 ** decimals);
  return decimals === MILLIONTHS ? shownQuantity(units) : shownDecimal(units, decimals);
}

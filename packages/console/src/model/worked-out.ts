/** Formulas of docs/metrics.md with numbers in place of their fields. */
import { formatCount, formatHundredths, formatMoney } from './money.ts';

/** The sums that a figure is computed from, in the names of `Totals` and `LaborTotals`. */
export type Sums = Readonly<Record<string, unknown>>;

/** In place of a field that is not among the sums. */
const UNKNOWN = '\0';

/** Labor reports have these under other names. */
const OTHERS: Record<string, string> = { hourlyJobTotalPay: 'totalCost', hourlyJobTotalHours: 'totalHours' };

/** The formula with the numbers of `sums` in place of its fields; undefined if a field is not among them. */
export function workedOut(formula: string, sums: Sums, currency: string | null): string | undefined {
  const numberOf = (field: string): string | undefined => {
    const [cents, hundredths, thousandths, count] = [
      `${field.replace('Amount', '')}Cents`,
      field.replace('Hours', 'Hundredths'),
      field.replace('Hours', 'Thousandths'),
      field,
    ].map((name) => sums[name]);
    if (typeof cents === 'number') return formatMoney(cents, currency);
    if (typeof count === 'number') return formatCount(count);
    if (typeof hundredths === 'number') return formatHundredths(hundredths);
    if (typeof thousandths === 'number') return formatHundredths(thousandths / 10);
    const other = OTHERS[field];
    return other && numberOf(other);
  };
  const text = formula
    .replace('netSalesAmount of worked', 'workedNetSalesAmount of worked')
    .replace(/[a-z]+[A-Z]\w+/g, (field) => numberOf(field) ?? UNKNOWN);
  return text.includes(UNKNOWN) ? undefined : text;
}

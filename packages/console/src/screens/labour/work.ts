/** Labour in words and ratios, for the figures and the table. */
import { type LaborTotals, laborTotals } from '@daypart/client';
import type { LaborTotal } from '../../data/labor.ts';
import { ratio } from '../../model/figures.ts';
import { formatHundredths, formatMoney } from '../../model/money.ts';

/** The sum of totals in one currency. */
export function laborSumOf(rows: readonly LaborTotal[], currency: string | null): LaborTotals {
  const [sum] = laborTotals(rows, currency);
  return sum;
}

export const costShare = ({ totalCostCents, workedNetSalesCents }: LaborTotals): number | undefined =>
  ratio(totalCostCents, workedNetSalesCents);
export const salesPerHour = ({ netSalesPerEmployeeHourCents: amount }: LaborTotals, currency: string | null): string =>
  amount === null ? '–' : formatMoney(amount, currency);

/** Why there is no share: labour of a closed day is loaded, and has no sales. */
export const withoutShare = ({ totalThousandths }: LaborTotals): string =>
  totalThousandths > 0 ? 'no sales' : 'not loaded';

export const overtimeShare = ({ overtimeThousandths, totalThousandths }: LaborTotals): number | undefined =>
  ratio(overtimeThousandths, totalThousandths);

/** Without hours no labour is loaded, so its cost is not known. */
export const laborCostOf = ({ totalThousandths, totalCostCents }: LaborTotals, currency: string | null): string =>
  totalThousandths > 0 ? formatMoney(totalCostCents, currency) : '–';
export const hoursWorked = ({ totalThousandths }: LaborTotals, some: number): string =>
  totalThousandths > 0 ? formatHundredths(some / 10) : '–';

/** Thousandths of an hour, of some of them: "7.50". */
export const sayHours = (thousandths: number): string => formatHundredths(Math.round(thousandths / 10));

/** Labor at a terminal. */
import type { LaborFigures, LaborRecord } from '@daypart/client';
import { centsOf, shownAmount, shownCents, shownDecimal, shownHundredths } from '../cells.ts';
import type { Page } from '../report-table.ts';
import { amountField, type DateField, showByDate, sumOf } from './date-sheet.ts';
import type { Table } from './table.ts';

/** A row of any grouping. */
export type LaborRow = LaborFigures & {
  [Field in Exclude<keyof LaborRecord, keyof LaborFigures>]: LaborRecord[Field];
};

/** Keyed by the fields of the row, so that a missing one does not compile. */
const FIELDS: Record<keyof LaborRow, true> = {
  ...{ businessDate: true, restaurantGuid: true, restaurantName: true },
  ...{ restaurantLocationName: true, restaurantLocationCode: true },
  ...{ regularHours: true, overtimeHours: true, totalHours: true },
  ...{ regularCost: true, overtimeCost: true, totalCost: true },
  ...{ netSalesAmount: true, grossSalesAmount: true },
  ...{ netSalesPerEmployeeHour: true, grossSalesPerEmployeeHour: true },
  ...{ totalCostPerNetSales: true, totalCostPerGrossSales: true },
  ...{ jobGuid: true, jobTitle: true, jobCode: true },
  ...{ employeeGuid: true, employeeFirstName: true, employeeLastName: true, employeeChosenName: true },
};

/** The names of the columns for people. */
const SORT_FIELDS: Record<string, keyof LaborRow> = {
  ...{ restaurant: 'restaurantName', date: 'businessDate', job: 'jobTitle', employee: 'employeeLastName' },
  ...{ 'regular-hours': 'regularHours', 'overtime-hours': 'overtimeHours', hours: 'totalHours' },
  ...{ 'regular-cost': 'regularCost', 'overtime-cost': 'overtimeCost', cost: 'totalCost' },
  ...{ 'net-sales': 'netSalesAmount', 'sales-per-hour': 'netSalesPerEmployeeHour', percent: 'totalCostPerNetSales' },
};

type Field = DateField<LaborRow>;

/** Thousandths of hours, which three decimals hold. */
const thousandths = (hours: number | null): number => Math.round((hours ?? 0) * 1000);
const cents = (field: 'totalCost' | 'netSalesAmount') => (row: LaborRow) => centsOf(row[field]) ?? 0;
/** A ratio of sums in hundredths; null without a divisor. */
const ratio = (dividend: number, divisor: number): number | null =>
  divisor === 0 ? null : Math.round(dividend / divisor);

const hours = (heading: string, importance: number, field: 'regularHours' | 'overtimeHours' | 'totalHours'): Field => ({
  ...{ heading, importance, number: true },
  cell: (row) => shownDecimal(thousandths(row[field]), 3),
  total: (rows) =>
    shownDecimal(
      sumOf(rows, (row) => thousandths(row[field])),
      3,
    ),
});
const percent: Field = {
  ...{ heading: '% of net', importance: 70, number: true },
  cell: (row) => shownHundredths(centsOf(row.totalCostPerNetSales)),
};

const FIGURES: readonly Field[] = [
  hours('Regular h', 50, 'regularHours'),
  hours('Overtime h', 60, 'overtimeHours'),
  hours('Hours', 90, 'totalHours'),
  amountField('Regular cost', 40, 'regularCost'),
  amountField('Overtime cost', 45, 'overtimeCost'),
  amountField('Cost', 100, 'totalCost'),
];
/** Sales are in rows that are not grouped. A ratio of the total is computed from the sums. */
const SALES: readonly Field[] = [
  amountField('Net sales', 80, 'netSalesAmount'),
  {
    ...{ heading: 'Sales/hour', importance: 65, number: true },
    cell: (row, currency) => shownAmount(row.netSalesPerEmployeeHour, currency),
    total: (rows, currency) =>
      shownCents(
        ratio(
          sumOf(rows, cents('netSalesAmount')) * 1000,
          sumOf(rows, (row) => thousandths(row.totalHours)),
        ),
        currency,
      ),
  },
  {
    ...percent,
    total: (rows) =>
      shownHundredths(ratio(sumOf(rows, cents('totalCost')) * 10_000, sumOf(rows, cents('netSalesAmount')))),
  },
];

const personOf = ({ employeeFirstName, employeeLastName, employeeChosenName, employeeGuid }: LaborRow): string =>
  [employeeChosenName ?? employeeFirstName, employeeLastName].filter(Boolean).join(' ') || (employeeGuid ?? '–');

function fieldsOf(rows: readonly LaborRow[]): readonly Field[] {
  const jobs = rows.some(({ jobCode }) => jobCode !== null);
  const sales = hasSales(rows);
  const person: Field = { heading: 'Employee', importance: 92, cell: personOf };
  return [
    ...(jobs ? [{ heading: 'Job', importance: 92, cell: (row: LaborRow) => row.jobTitle ?? row.jobGuid ?? '–' }] : []),
    ...(sales || jobs ? [] : [person]),
    ...FIGURES,
    ...(sales ? SALES : [percent]),
  ];
}

const hasSales = (rows: readonly LaborRow[]): boolean => rows.some(({ netSalesAmount }) => netSalesAmount !== null);

const show = (page: Page, rows: AsyncIterable<LaborRow>): Promise<void> =>
  showByDate(page, rows, {
    dateOf: ({ businessDate }) => businessDate,
    fieldsOf,
    notesOf: (all) => (hasSales(all) ? [] : ['Percent is of the restaurant’s whole sales of the date.']),
  });

export const LABOR: Table = {
  word: 'labor',
  kind: 'labor',
  title: 'Labor',
  nothing: 'no orders and no hours worked',
  splits: ['job', 'employee'],
  mostGroups: 1,
  ranges: ['day', 'week', 'month', 'year'],
  partRange: 'month',
  fields: Object.keys(FIELDS),
  alwaysNamed: true,
  sortFields: SORT_FIELDS,
  reports: (client) => client.labor,
  show,
};

/** Labor at a terminal. */
import { type LaborFigures, type LaborRecord, type LaborTotals, laborTotals } from '@daypart/client';
import { centsOf, shownAmount, shownCents, shownDecimal, shownHundredths } from '../cells.ts';
import type { Page } from '../report-table.ts';
import { addable, roundedTo } from '../units.ts';
import { type DateField, showByDate } from './date-view.ts';
import { declaredBy, type Table } from './table.ts';

/** A row of any grouping. */
type LaborRow = LaborFigures & {
  [Field in Exclude<keyof LaborRecord, keyof LaborFigures>]: LaborRecord[Field];
};

/** The names of the columns for people. */
const SORT_FIELDS: Record<string, keyof LaborRow> = {
  restaurant: 'restaurantName',
  date: 'businessDate',
  job: 'jobTitle',
  employee: 'employeeLastName',
  'regular-hours': 'regularHours',
  'overtime-hours': 'overtimeHours',
  hours: 'totalHours',
  'regular-cost': 'regularCost',
  'overtime-cost': 'overtimeCost',
  cost: 'totalCost',
  'net-sales': 'netSalesAmount',
  'sales-per-hour': 'netSalesPerEmployeeHour',
  percent: 'totalCostPerNetSales',
};

type Field = DateField<LaborRow>;

const sums = new WeakMap<readonly LaborRow[], LaborTotals>();
/** The sums of rows of one currency, which all columns share. */
function laborSums(rows: readonly LaborRow[], currency: string | null): LaborTotals {
  const known = sums.get(rows);
  if (known) return known;
  const [sum] = laborTotals(rows.map(addable), currency);
  sums.set(rows, sum);
  return sum;
}

interface FigureOf {
  heading: string;
  importance: number;
  cell: Field['cell'];
  total?: (sum: LaborTotals) => string;
}
const figure = ({ heading, importance, cell, total }: FigureOf): Field => ({
  heading,
  importance,
  number: true,
  cell,
  ...(total ? { total: (rows, currency) => total(laborSums(rows, currency)) } : {}),
});

type Part = 'regular' | 'overtime' | 'total';
const hours = (heading: string, importance: number, part: Part): Field =>
  figure({
    heading,
    importance,
    cell: (row) => shownDecimal(roundedTo(3, row[`${part}Hours`]) ?? 0, 3),
    total: (sum) => shownDecimal(sum[`${part}Thousandths`], 3),
  });
const cost = (heading: string, importance: number, part: Part): Field =>
  figure({
    heading,
    importance,
    cell: (row, currency) => shownAmount(row[`${part}Cost`], currency),
    total: (sum) => shownCents(sum[`${part}CostCents`], sum.currencyCode),
  });
const percent = {
  heading: '% of net',
  importance: 70,
  cell: (row: LaborRow) => shownHundredths(centsOf(row.totalCostPerNetSales)),
};

const FIGURES: readonly Field[] = [
  hours('Regular h', 50, 'regular'),
  hours('Overtime h', 60, 'overtime'),
  hours('Hours', 90, 'total'),
  cost('Regular cost', 40, 'regular'),
  cost('Overtime cost', 45, 'overtime'),
  cost('Cost', 100, 'total'),
];
/** Sales are in rows that are not grouped. */
const SALES: readonly Field[] = [
  figure({
    heading: 'Net sales',
    importance: 80,
    cell: (row, currency) => shownAmount(row.netSalesAmount, currency),
    total: (sum) => shownCents(sum.netSalesCents, sum.currencyCode),
  }),
  figure({
    heading: 'Sales/hour',
    importance: 65,
    cell: (row, currency) => shownAmount(row.netSalesPerEmployeeHour, currency),
    total: (sum) => shownCents(sum.netSalesPerEmployeeHourCents, sum.currencyCode),
  }),
  figure({ ...percent, total: (sum) => shownHundredths(sum.totalCostPerNetSalesHundredths) }),
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
    ...(sales ? SALES : [figure(percent)]),
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
  ...declaredBy('labor'),
  title: 'Labor',
  nothing: 'no orders and no hours worked',
  splits: ['job', 'employee'],
  partRange: 'month',
  sortFields: SORT_FIELDS,
  reports: (client) => client.labor,
  show,
};

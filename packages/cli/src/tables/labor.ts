/** Labor at a terminal. */
import type { LaborFigures, LaborRecord } from '@daypart/client';
import { centsOf, shownAmount, shownDecimal, shownHundredths } from '../cells.ts';
import { CURRENCY, type CurrencyOf, ONE_CURRENCY, shownCurrency } from '../currencies.ts';
import { groupBy } from '../group-by.ts';
import { namesOf, type Page, type Sheet, showNothing, showSheet } from '../report-table.ts';
import { shownDay } from '../span.ts';
import type { Column } from '../table.ts';
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

/** What people call the columns. */
const SORT_FIELDS: Record<string, keyof LaborRow> = {
  ...{ restaurant: 'restaurantName', date: 'businessDate', job: 'jobTitle', employee: 'employeeLastName' },
  ...{ 'regular-hours': 'regularHours', 'overtime-hours': 'overtimeHours', hours: 'totalHours' },
  ...{ 'regular-cost': 'regularCost', 'overtime-cost': 'overtimeCost', cost: 'totalCost' },
  ...{ 'net-sales': 'netSalesAmount', 'sales-per-hour': 'netSalesPerEmployeeHour', percent: 'totalCostPerNetSales' },
};

interface Field extends Column {
  cell(row: LaborRow): string;
  /** Of all rows of a currency; left out where nothing adds up. */
  total?(rows: readonly LaborRow[]): string;
}

/** Thousandths of hours, which three decimals hold. */
const thousandths = (hours: number | null): number => Math.round((hours ?? 0) * 1000);
const sumOf = (rows: readonly LaborRow[], of: (row: LaborRow) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);
const cents = (field: 'regularCost' | 'overtimeCost' | 'totalCost' | 'netSalesAmount') => (row: LaborRow) =>
  centsOf(row[field]) ?? 0;
/** A ratio of sums in hundredths; none without a divisor. */
const ratio = (dividend: number, divisor: number): string =>
  shownHundredths(divisor === 0 ? null : Math.round(dividend / divisor));

const hours = (heading: string, importance: number, field: 'regularHours' | 'overtimeHours' | 'totalHours'): Field => ({
  ...{ heading, importance, number: true },
  cell: (row) => shownDecimal(thousandths(row[field]), 3),
  total: (rows) =>
    shownDecimal(
      sumOf(rows, (row) => thousandths(row[field])),
      3,
    ),
});
const cost = (heading: string, importance: number, field: 'regularCost' | 'overtimeCost' | 'totalCost'): Field => ({
  ...{ heading, importance, number: true },
  cell: (row) => shownAmount(row[field]),
  total: (rows) => shownHundredths(sumOf(rows, cents(field))),
});
const percent: Field = {
  ...{ heading: '% of net', importance: 70, number: true },
  cell: (row) => shownAmount(row.totalCostPerNetSales),
};

const FIGURES: readonly Field[] = [
  hours('Regular h', 50, 'regularHours'),
  hours('Overtime h', 60, 'overtimeHours'),
  hours('Hours', 90, 'totalHours'),
  cost('Regular cost', 40, 'regularCost'),
  cost('Overtime cost', 45, 'overtimeCost'),
  cost('Cost', 100, 'totalCost'),
];
/** Sales are in rows that are not grouped. A ratio of the total is made of the sums. */
const SALES: readonly Field[] = [
  {
    ...{ heading: 'Net sales', importance: 80, number: true },
    cell: (row) => shownAmount(row.netSalesAmount),
    total: (rows) => shownHundredths(sumOf(rows, cents('netSalesAmount'))),
  },
  {
    ...{ heading: 'Sales/hour', importance: 65, number: true },
    cell: (row) => shownAmount(row.netSalesPerEmployeeHour),
    total: (rows) =>
      ratio(
        sumOf(rows, cents('netSalesAmount')) * 1000,
        sumOf(rows, (row) => thousandths(row.totalHours)),
      ),
  },
  {
    ...percent,
    total: (rows) => ratio(sumOf(rows, cents('totalCost')) * 10_000, sumOf(rows, cents('netSalesAmount'))),
  },
];

const personOf = ({ employeeFirstName, employeeLastName, employeeChosenName, employeeGuid }: LaborRow): string =>
  [employeeChosenName ?? employeeFirstName, employeeLastName].filter(Boolean).join(' ') || (employeeGuid ?? '–');

/** The columns without those that are the same in all rows: these stand in the title. */
function sheetOf(rows: readonly LaborRow[], currencyOf: CurrencyOf): Sheet {
  const restaurants = new Set(rows.map(({ restaurantGuid }) => restaurantGuid));
  const codes = groupBy(rows, ({ restaurantGuid }) => currencyOf(restaurantGuid));
  const jobs = rows.some(({ jobCode }) => jobCode !== null);
  const sales = rows.some(({ netSalesAmount }) => netSalesAmount !== null);
  const people = !sales && !jobs;
  const fields: Field[] = [
    ...(restaurants.size > 1
      ? [{ heading: 'Restaurant', importance: 95, cell: (row: LaborRow) => row.restaurantName ?? row.restaurantGuid }]
      : []),
    ...(codes.size > 1
      ? [
          {
            ...CURRENCY,
            cell: (row: LaborRow) => shownCurrency(currencyOf(row.restaurantGuid)),
            total: ([row]: readonly LaborRow[]) => shownCurrency(row ? currencyOf(row.restaurantGuid) : null),
          },
        ]
      : []),
    ...(new Set(rows.map(({ businessDate }) => businessDate)).size > 1
      ? [{ heading: 'Date', importance: 94, cell: (row: LaborRow) => shownDay(row.businessDate) }]
      : []),
    ...(jobs ? [{ heading: 'Job', importance: 92, cell: (row: LaborRow) => row.jobTitle ?? row.jobGuid ?? '–' }] : []),
    ...(people ? [{ heading: 'Employee', importance: 92, cell: personOf }] : []),
    ...FIGURES,
    ...(sales ? SALES : [percent]),
  ];
  const shown = (code: string | null): string => code ?? '\uffff';
  const sorted = [...codes].sort(([a], [b]) => (shown(a) < shown(b) ? -1 : 1));
  return {
    columns: fields.map(({ cell: _, total: __, ...column }) => column),
    rows: rows.map((row) => fields.map(({ cell }) => cell(row))),
    totals: sorted.map(([, of]) => fields.map(({ total }) => total?.(of) ?? '')),
    notes: sales ? [] : ['Percent is of the restaurant’s whole sales of the date.'],
  };
}

async function show(page: Page, rows: AsyncIterable<LaborRow>): Promise<void> {
  const all: LaborRow[] = [];
  for await (const row of rows) all.push(row);
  if (all.length === 0) return await showNothing(page);
  const names = namesOf(all);
  const currencies = names.length > 1 ? await page.currencies() : ONE_CURRENCY;
  const dates = all.map((row) => row.businessDate).sort();
  await showSheet(page, sheetOf(all, currencies.of), { dates, names });
}

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
  sortFields: SORT_FIELDS,
  reports: (client) => client.labor,
  show,
};

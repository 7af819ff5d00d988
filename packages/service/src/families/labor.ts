/**
 * Labor: hours and cost of hourly jobs, and the sales of the same time, by restaurant and date, optionally by job or
 * employee. Names, types and order of the record are exact: docs/contract.md#records.
 */
import type { Static } from 'typebox';
import { BusinessDate, exact, Money, Nullable, Text, Type } from '../contract/schemas.ts';
import { defineFamily, type FieldColumn } from './family.ts';
import { RESTAURANT, RESTAURANT_COLUMNS } from './fields.ts';

const Hours = Type.Number({ description: 'Hours, at most 3 decimals', examples: [9.5] });
const PerHour = Nullable(
  Type.Number({ description: 'Sales by hour worked; null without hours, and in grouped rows', examples: [68.72] }),
);
const Percent = Nullable(
  Type.Number({
    description: "Percent of the restaurant's whole sales of the date: 20.71 is 20.71 %; null if there are none",
    examples: [20.71],
  }),
);
const Sales = Nullable(Type.Number({ description: 'Null in grouped rows', examples: [1340] }));
/** GUIDs of source systems are arbitrary text. */
const SourceGuid = (example: string, group: string) =>
  Nullable(Text(example, { description: `Null in rows that are not grouped by ${group}` }));

/** A labor record in the reference dialect. Fields of other groupings are null in both dialects. */
export const LaborRecord = Type.Object(
  {
    businessDate: BusinessDate,
    ...RESTAURANT,
    regularHours: Hours,
    overtimeHours: Hours,
    totalHours: Hours,
    regularCost: Money,
    overtimeCost: Money,
    totalCost: Money,
    netSalesAmount: Sales,
    grossSalesAmount: Sales,
    netSalesPerEmployeeHour: PerHour,
    grossSalesPerEmployeeHour: PerHour,
    totalCostPerNetSales: Percent,
    totalCostPerGrossSales: Percent,
    jobGuid: SourceGuid('5b0d7c1e-3f5a-4d5a-9d1c-7a7f1f6f0b02', 'JOB'),
    jobTitle: Nullable(Text('Server')),
    jobCode: Nullable(Text('', { description: 'Empty if the job has none' })),
    employeeGuid: SourceGuid('e3c1a5d0-9a54-4b3e-8a3c-1f0e6f0a7b11', 'EMPLOYEE'),
    employeeFirstName: Nullable(Text('Ada')),
    employeeLastName: Nullable(Text('Byron')),
    employeeChosenName: Nullable(Text('Addie')),
  },
  { ...exact, title: 'LaborRecord' },
);
export type LaborRecord = Static<typeof LaborRecord>;

const { restaurantGuid, businessDate, restaurantName, restaurantLocationName, restaurantLocationCode, ...figures } =
  LaborRecord.properties;

/** A labor record in the live dialect: the same fields in another order. */
const LiveLaborRecord = Type.Object(
  { restaurantGuid, businessDate, ...figures, restaurantName, restaurantLocationName, restaurantLocationCode },
  { ...exact, title: 'LiveLaborRecord' },
);

/**
 * Microseconds of the engine by grouping, measured over 73,200 dates of restaurants with 12 time entries; the cost is
 * in the rows returned.
 */
const MICROSECONDS = { none: 8, JOB: 40, EMPLOYEE: 100 } as const;

/** Fields of a grouping, and those that only the restaurant's row of a date has. */
const groupText = (word: string): FieldColumn => ({
  type: 'text',
  loaded: true,
  storedIn: ({ groups }) => groups.includes(word),
});
const salesPerHour: FieldColumn = { type: 'money', storedIn: ({ groups }) => groups.length === 0 };

/** Sales of where labour is loaded. */
const WORKED_NET = { field: 'netSalesAmount', worked: 'totalHours' };
const WORKED_GROSS = { field: 'grossSalesAmount', worked: 'totalHours' };

export const LABOR = defineFamily({
  kind: 'labor',
  path: '/labor',
  dataset: 'labor',
  title: 'Labor',
  noun: 'labor',
  label: 'Labor',
  summary: 'Get labor data',
  spans: ['day', 'week', 'month', 'year', 'custom'],
  dates: { start: 'startBusinessDate', end: 'endBusinessDate' },
  groups: ['JOB', 'EMPLOYEE'],
  mostGroups: 1,
  aggregates: ['DAY'],
  records: { reference: LaborRecord, live: LiveLaborRecord },
  columns: {
    businessDate: { type: 'date' },
    ...RESTAURANT_COLUMNS,
    regularHours: { type: 'hours' },
    overtimeHours: { type: 'hours' },
    totalHours: { type: 'hours' },
    regularCost: { type: 'money' },
    overtimeCost: { type: 'money' },
    totalCost: { type: 'money' },
    netSalesAmount: { type: 'money' },
    grossSalesAmount: { type: 'money' },
    netSalesPerEmployeeHour: salesPerHour,
    grossSalesPerEmployeeHour: salesPerHour,
    totalCostPerNetSales: { type: 'percent' },
    totalCostPerGrossSales: { type: 'percent' },
    jobGuid: groupText('JOB'),
    jobTitle: groupText('JOB'),
    jobCode: groupText('JOB'),
    employeeGuid: groupText('EMPLOYEE'),
    employeeFirstName: groupText('EMPLOYEE'),
    employeeLastName: groupText('EMPLOYEE'),
    employeeChosenName: groupText('EMPLOYEE'),
  },
  totals: ['regularHours', 'overtimeHours', 'totalHours', 'regularCost', 'overtimeCost', 'totalCost'],
  reportTotals: {
    // Sales belong to the restaurant: a report by job or by employee has none.
    sums: ['netSalesAmount', 'grossSalesAmount'],
    ratios: {
      netSalesPerEmployeeHour: { of: WORKED_NET, by: { field: 'totalHours' }, times: 1000, none: null },
      grossSalesPerEmployeeHour: { of: WORKED_GROSS, by: { field: 'totalHours' }, times: 1000, none: null },
      totalCostPerNetSales: { of: { field: 'totalCost' }, by: WORKED_NET, times: 10_000, none: null },
      totalCostPerGrossSales: { of: { field: 'totalCost' }, by: WORKED_GROSS, times: 10_000, none: null },
    },
    splits: {
      job: { fields: ['jobGuid', 'jobTitle', 'jobCode'], needs: 'JOB' },
      employee: {
        fields: ['employeeGuid', 'employeeFirstName', 'employeeLastName', 'employeeChosenName'],
        needs: 'EMPLOYEE',
      },
    },
  },
  cost: ({ groups: [group] }) => MICROSECONDS[group === 'JOB' || group === 'EMPLOYEE' ? group : 'none'],
  firstGuess: () => 0.1,
  limits: {
    labor: { live: '10/min,60/h', generous: '1000/min,6000/h', calls: 'each of POST /labor/day and /week', each: true },
    longLabor: { live: '10/h', generous: '1000/h', calls: 'each of POST /labor, /labor/month and /year', each: true },
  },
  limitOf: (span) => (span === 'day' || span === 'week' ? 'labor' : 'longLabor'),
  changes: ['timeEntries'],
  onLive: { spans: ['day', 'week', 'month'] },
});

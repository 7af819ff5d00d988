/**
 * Labor: hours and cost of hourly jobs, and the sales of the same time, by restaurant and date, optionally by job or
 * employee.
 */
import { type Column, defineFamily } from '../family.ts';
import { RESTAURANT_COLUMNS } from '../fields.ts';
import { LaborRecord, LiveLaborRecord } from './records.ts';

/**
 * Microseconds of the engine by grouping, measured over 73,200 dates of restaurants with 12 time entries; the cost is
 * in the rows returned.
 */
const MICROSECONDS = { none: 8, JOB: 40, EMPLOYEE: 100 } as const;

/** Fields of a grouping, and those that only the restaurant's row of a date has. */
const groupText = (word: string): Column => ({
  type: 'text',
  loaded: true,
  storedIn: ({ groups }) => groups.includes(word),
});
const salesPerHour: Column = { type: 'money', storedIn: ({ groups }) => groups.length === 0 };

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

/** The labor record (docs/contract.md#records): exact names, types and order. */
import Type, { type Static } from 'typebox';
import { BusinessDate, exact, Money, Nullable, Text } from '../../contract/schemas.ts';
import { RESTAURANT } from '../fields.ts';

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

const labor = LaborRecord.properties;

/** A labor record in the live dialect: the same fields in another order. */
export const LiveLaborRecord = Type.Object(
  {
    restaurantGuid: labor.restaurantGuid,
    businessDate: labor.businessDate,
    regularHours: labor.regularHours,
    overtimeHours: labor.overtimeHours,
    totalHours: labor.totalHours,
    regularCost: labor.regularCost,
    overtimeCost: labor.overtimeCost,
    totalCost: labor.totalCost,
    netSalesAmount: labor.netSalesAmount,
    grossSalesAmount: labor.grossSalesAmount,
    netSalesPerEmployeeHour: labor.netSalesPerEmployeeHour,
    grossSalesPerEmployeeHour: labor.grossSalesPerEmployeeHour,
    totalCostPerNetSales: labor.totalCostPerNetSales,
    totalCostPerGrossSales: labor.totalCostPerGrossSales,
    jobGuid: labor.jobGuid,
    jobTitle: labor.jobTitle,
    jobCode: labor.jobCode,
    employeeGuid: labor.employeeGuid,
    employeeFirstName: labor.employeeFirstName,
    employeeLastName: labor.employeeLastName,
    employeeChosenName: labor.employeeChosenName,
    restaurantName: labor.restaurantName,
    restaurantLocationName: labor.restaurantLocationName,
    restaurantLocationCode: labor.restaurantLocationCode,
  },
  { ...exact, title: 'LiveLaborRecord' },
);
export type LiveLaborRecord = Static<typeof LiveLaborRecord>;

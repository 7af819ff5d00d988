/** Labor. */
import type { BusinessDate } from '../dates.ts';
import type { FieldsOf } from '../declaration.ts';
import { FAMILIES } from '../families.ts';
import { readRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { Restaurants, TimeRange } from '../types.ts';
import { type Family, type FamilyTypes, type GroupsOf, type Has, type HistoryAsk, requestsOf } from './family.ts';

export type LaborGroup = 'JOB' | 'EMPLOYEE';

export interface LaborAsk extends Restaurants {
  /**
   * day is one date, week at most 7, month at most 31; year and custom, at most 366, do not exist on the live system.
   */
  range: TimeRange | 'custom';
  start: BusinessDate;
  /** Optional for a day. */
  end?: BusinessDate | undefined;
  /** At most one. */
  groupBy?: readonly [] | readonly [LaborGroup] | undefined;
}

/** The figures of a labor record. Amounts are in currency units with at most two decimals, hours have at most three. */
export interface LaborFigures {
  /** YYYYMMDD. */
  businessDate: string;
  restaurantGuid: string;
  restaurantName: string;
  restaurantLocationName: string | null;
  /** Empty if the restaurant has none. */
  restaurantLocationCode: string;
  regularHours: number;
  overtimeHours: number;
  totalHours: number;
  regularCost: number;
  overtimeCost: number;
  totalCost: number;
  /** Percent of the restaurant's total sales of the date, also in grouped rows; null if these are 0. */
  totalCostPerNetSales: number | null;
  totalCostPerGrossSales: number | null;
}

/** Whether an ask is grouped: `boolean` if it is known only at run time. */
type Grouped<A> = Has<GroupsOf<A>, 'JOB'> | Has<GroupsOf<A>, 'EMPLOYEE'>;
/** Only rows that are not grouped have sales. */
type Sales<A> =
  Has<GroupsOf<A>, 'JOB'> extends true
    ? null
    : Has<GroupsOf<A>, 'EMPLOYEE'> extends true
      ? null
      : Grouped<A> extends false
        ? number
        : number | null;
/** Null unless it was grouped by this. */
type Of<A, Group, Value> = Has<GroupsOf<A>, Group> extends false ? null : Value;

/** A labor record for an ask. */
export type LaborRecord<A = LaborAsk> = LaborFigures & {
  netSalesAmount: Sales<A>;
  grossSalesAmount: Sales<A>;
  /** Null without hours, and in grouped rows. */
  netSalesPerEmployeeHour: number | null;
  grossSalesPerEmployeeHour: number | null;
  /** Null for entries without a job. */
  jobGuid: Of<A, 'JOB', string | null>;
  jobTitle: Of<A, 'JOB', string | null>;
  /** Empty if the job has none. */
  jobCode: Of<A, 'JOB', string | null>;
  /** Null for entries without an employee. */
  employeeGuid: Of<A, 'EMPLOYEE', string | null>;
  employeeFirstName: Of<A, 'EMPLOYEE', string | null>;
  employeeLastName: Of<A, 'EMPLOYEE', string | null>;
  employeeChosenName: Of<A, 'EMPLOYEE', string | null>;
};

interface LaborTypes extends FamilyTypes {
  ask: LaborAsk;
  row: LaborRecord<this['asked']>;
}
export type LaborHistoryAsk = HistoryAsk<LaborAsk>;
/** Reports of labor. */
export type LaborResource = ReportResource<LaborTypes>;

const DECLARED = FAMILIES.labor;

/** A labor record with its fields in the reference order. Throws UnexpectedAnswerError for anything else. */
export const laborRecord = readRecord<LaborRecord>(
  DECLARED.fields satisfies FieldsOf<LaborRecord, typeof DECLARED.fields>,
  'businessDate',
  'regularHours',
);

export const LABOR: Family<LaborTypes> = {
  ...requestsOf(DECLARED),
  read: laborRecord,
  // The live system has no longer range.
  historyRange: 'month',
};

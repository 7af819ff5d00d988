/** Sales metrics. */

import type { BusinessDate } from '../dates.ts';
import type { FieldsOf } from '../declaration.ts';
import { FAMILIES } from '../families.ts';
import { readRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { Named, Restaurants, TimeRange } from '../types.ts';
import { type Family, type FamilyTypes, type GroupsOf, type Has, type HistoryAsk, requestsOf } from './family.ts';

export type GroupBy = 'REVENUE_CENTER' | 'DINING_OPTION' | 'ORDER_SOURCE';

export interface MetricsAsk extends Restaurants {
  /** day is one date, week at most 7, month at most 31, year and custom at most 366, inclusive. */
  range: TimeRange | 'custom';
  /** First business date. */
  start: BusinessDate;
  /** Last business date; optional for a day. */
  end?: BusinessDate | undefined;
  /** At most two. */
  groupBy?: readonly GroupBy[] | undefined;
  /** HOUR for at most 31 dates. On the live system for one date only, and it has no DAYPART. */
  aggregateBy?: 'DAY' | 'HOUR' | 'DAYPART' | undefined;
  /** Rows have `restaurantName`. */
  fetchRestaurantNames?: boolean | undefined;
}

/** The figures of a metrics record. Money is in currency units with at most two decimals: see `cents`. */
export interface MetricsFigures {
  restaurantGuid: string;
  /** YYYYMMDD, local to the restaurant. */
  businessDate: string;
  guestCount: number;
  voidOrdersCount: number;
  discountOrderCount: number;
  ordersCount: number;
  openOrderCount: number;
  closedOrderCount: number;
  netSalesAmount: number;
  grossSalesAmount: number;
  discountAmount: number;
  voidOrdersAmount: number;
  refundAmount: number;
  avgOrderValue: number;
  /** Decimal strings with two decimals. In reports by group the same hours and pay are in every row: see `totals`. */
  hourlyJobTotalHours: string;
  hourlyJobTotalPay: string;
  /** Null if no hours were worked. */
  hourlyJobSalesPerLaborHour: string | null;
}

type Group<A, G> = Has<GroupsOf<A>, G> extends true ? string : Has<GroupsOf<A>, G> extends false ? null : string | null;

type Hour<A> = A extends { aggregateBy: 'HOUR' }
  ? string
  : A extends { aggregateBy?: infer T }
    ? [T] extends ['DAY' | 'DAYPART' | undefined]
      ? null
      : string | null
    : null;

/** `daypart` is present if it was requested. */
type DaypartOf<A> = A extends { aggregateBy: 'DAYPART' } ? { daypart: string } : { daypart?: string };

/** A sales metrics record for an ask: groups that were not requested are null. */
export type MetricsRecord<A = MetricsAsk> = MetricsFigures & {
  revenueCenter: Group<A, 'REVENUE_CENTER'>;
  diningOption: Group<A, 'DINING_OPTION'>;
  orderSource: Group<A, 'ORDER_SOURCE'>;
  /** "0" … "23"; null unless requested by HOUR. */
  businessHour: Hour<A>;
} & DaypartOf<A> &
  Named<A>;

interface MetricsTypes extends FamilyTypes {
  ask: MetricsAsk;
  row: MetricsRecord<this['asked']>;
}
export type MetricsHistoryAsk = HistoryAsk<MetricsAsk>;
/** Reports of sales metrics. */
export type MetricsResource = ReportResource<MetricsTypes>;

const DECLARED = FAMILIES.metrics;

/**
 * A metrics record in the reference dialect: groups that were not requested are null, hours and pay are strings with
 * two decimals. Throws UnexpectedAnswerError for anything else.
 */
export const metricsRecord = readRecord<MetricsRecord>(
  DECLARED.fields satisfies FieldsOf<MetricsRecord, typeof DECLARED.fields>,
  'businessDate',
);

export const METRICS: Family<MetricsTypes> = {
  ...requestsOf(DECLARED),
  read: metricsRecord,
  historyRange: 'custom',
};

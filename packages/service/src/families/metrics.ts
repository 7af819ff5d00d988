/**
 * Sales metrics: what was sold, by restaurant and date, optionally by hour and by up to two groups. Names, types and
 * order of the record are exact: docs/contract.md#records.
 */
import type { Static } from 'typebox';
import { BusinessDate, Count, exact, Guid, Money, Nullable, Text, Type } from '../contract/schemas.ts';
import type { Aggregate } from '../contract/words.ts';
import { defineFamily, type FieldColumn } from './family.ts';
import { DecimalText, DiningOption, NAME_COLUMN, RestaurantName, RevenueCenter } from './fields.ts';

const Hour = Type.String({ pattern: '^(\\d|1\\d|2[0-3])$', examples: ['17'] });
const DaypartName = Text('Dinner', { description: 'Only with aggregateBy=DAYPART' });
const OrderSource = Text('IN_STORE');

/** A sales metrics record in the reference dialect. */
export const MetricsRecord = Type.Object(
  {
    restaurantGuid: Guid,
    businessDate: BusinessDate,
    guestCount: Count,
    voidOrdersCount: Count,
    discountOrderCount: Count,
    ordersCount: Count,
    openOrderCount: Count,
    closedOrderCount: Count,
    netSalesAmount: Money,
    grossSalesAmount: Money,
    discountAmount: Money,
    voidOrdersAmount: Money,
    refundAmount: Money,
    avgOrderValue: Money,
    revenueCenter: Nullable(RevenueCenter),
    diningOption: Nullable(DiningOption),
    orderSource: Nullable(OrderSource),
    businessHour: Nullable(Hour),
    daypart: Type.Optional(DaypartName),
    hourlyJobTotalHours: DecimalText,
    hourlyJobTotalPay: DecimalText,
    hourlyJobSalesPerLaborHour: Nullable(DecimalText),
    restaurantName: Type.Optional(RestaurantName),
  },
  { ...exact, title: 'MetricsRecord' },
);
export type MetricsRecord = Static<typeof MetricsRecord>;

const metrics = MetricsRecord.properties;

/** A sales metrics record in the live dialect: fields of groupings that were not requested are omitted. */
export const LiveMetricsRecord = Type.Object(
  {
    restaurantGuid: metrics.restaurantGuid,
    businessDate: metrics.businessDate,
    guestCount: metrics.guestCount,
    voidOrdersCount: metrics.voidOrdersCount,
    discountOrderCount: metrics.discountOrderCount,
    ordersCount: metrics.ordersCount,
    openOrdersCount: metrics.openOrderCount,
    closedOrdersCount: metrics.closedOrderCount,
    netSalesAmount: metrics.netSalesAmount,
    grossSalesAmount: metrics.grossSalesAmount,
    discountAmount: metrics.discountAmount,
    voidOrdersAmount: metrics.voidOrdersAmount,
    refundAmount: metrics.refundAmount,
    avgOrderValue: metrics.avgOrderValue,
    revenueCenter: Type.Optional(RevenueCenter),
    diningOption: Type.Optional(DiningOption),
    orderSource: Type.Optional(OrderSource),
    businessHour: Type.Optional(Hour),
    daypart: metrics.daypart,
    hourlyJobTotalHours: Type.Number({ examples: [12.5] }),
    hourlyJobTotalPay: Money,
    hourlyJobSalesPerLaborHour: Nullable(Money),
    restaurantName: metrics.restaurantName,
  },
  { ...exact, title: 'LiveMetricsRecord' },
);
export type LiveMetricsRecord = Static<typeof LiveMetricsRecord>;

/**
 * Microseconds of the engine by the number of groups, measured over 73,000 dates of restaurants; the cost is in the
 * rows returned.
 */
const MICROSECONDS: Record<Aggregate, readonly number[]> = {
  DAY: [7, 25, 60],
  HOUR: [50, 130, 240],
  DAYPART: [50, 130, 240],
};

/** The live dialect omits the fields of groupings that were not requested (docs/contract.md#dialects). */
const group = (word: string): FieldColumn => ({
  type: 'text',
  loaded: true,
  shownIn: ({ dialect, groups }) => dialect === 'reference' || groups.includes(word),
});

export const METRICS = defineFamily({
  kind: 'metrics',
  path: '/metrics',
  dataset: 'metrics',
  title: 'Metrics',
  noun: 'sales metrics',
  label: 'Sales metrics',
  summary: 'Get aggregated sales data',
  spans: ['day', 'week', 'month', 'year', 'custom'],
  deprecatedPath: true,
  dates: { start: 'startBusinessDate', end: 'endBusinessDate' },
  groups: ['DINING_OPTION', 'REVENUE_CENTER', 'ORDER_SOURCE'],
  mostGroups: 2,
  aggregates: ['DAY', 'HOUR', 'DAYPART'],
  records: { reference: MetricsRecord, live: LiveMetricsRecord },
  columns: {
    restaurantGuid: { type: 'guid' },
    businessDate: { type: 'date' },
    guestCount: { type: 'count' },
    voidOrdersCount: { type: 'count' },
    discountOrderCount: { type: 'count' },
    ordersCount: { type: 'count' },
    openOrderCount: { type: 'count', live: { name: 'openOrdersCount' } },
    closedOrderCount: { type: 'count', live: { name: 'closedOrdersCount' } },
    netSalesAmount: { type: 'money' },
    grossSalesAmount: { type: 'money' },
    discountAmount: { type: 'money' },
    voidOrdersAmount: { type: 'money' },
    refundAmount: { type: 'money' },
    avgOrderValue: { type: 'money' },
    revenueCenter: group('REVENUE_CENTER'),
    diningOption: group('DINING_OPTION'),
    orderSource: group('ORDER_SOURCE'),
    businessHour: {
      type: 'hour',
      shownIn: ({ dialect, aggregate }) => dialect === 'reference' || aggregate === 'HOUR',
    },
    daypart: { type: 'text', loaded: true, shownIn: ({ aggregate }) => aggregate === 'DAYPART' },
    hourlyJobTotalHours: { type: 'decimalText', live: { type: 'money' } },
    hourlyJobTotalPay: { type: 'decimalText', amount: true, live: { type: 'money' } },
    hourlyJobSalesPerLaborHour: { type: 'decimalText', amount: true, live: { type: 'money' } },
    restaurantName: NAME_COLUMN,
  },
  totals: [
    'guestCount',
    'voidOrdersCount',
    'discountOrderCount',
    'ordersCount',
    'openOrderCount',
    'closedOrderCount',
    'netSalesAmount',
    'grossSalesAmount',
    'discountAmount',
    'voidOrdersAmount',
    'refundAmount',
    'hourlyJobTotalHours',
    'hourlyJobTotalPay',
  ],
  reportTotals: {
    once: {
      fields: ['hourlyJobTotalHours', 'hourlyJobTotalPay'],
      per: ['restaurantGuid', 'businessDate', 'businessHour', 'daypart'],
    },
    ratios: {
      avgOrderValue: { of: { field: 'netSalesAmount' }, by: { field: 'ordersCount' }, times: 1, none: 0 },
      hourlyJobSalesPerLaborHour: {
        of: { field: 'netSalesAmount', worked: 'hourlyJobTotalHours' },
        by: { field: 'hourlyJobTotalHours' },
        times: 100,
        none: null,
      },
    },
    splits: {
      businessHour: { fields: ['businessHour'], needs: 'HOUR' },
      daypart: { fields: ['daypart'], needs: 'DAYPART' },
      diningOption: { fields: ['diningOption'], needs: 'DINING_OPTION' },
      revenueCenter: { fields: ['revenueCenter'], needs: 'REVENUE_CENTER' },
      orderSource: { fields: ['orderSource'], needs: 'ORDER_SOURCE' },
    },
  },
  cost: ({ aggregate, groups }) => MICROSECONDS[aggregate][groups.length] ?? 0,
  // Rounded up from docs/performance.md.
  firstGuess: (aggregate) => (aggregate === 'DAY' ? 0.02 : 1),
  limits: {
    metrics: { live: '10/min,60/h', generous: '1000/min,6000/h', calls: 'POST /metrics/day and /week' },
    longMetrics: { live: '10/h', generous: '1000/h', calls: 'POST /metrics, /metrics/month and /year' },
  },
  limitOf: (span) => (span === 'day' || span === 'week' ? 'metrics' : 'longMetrics'),
  changes: ['checks', 'orders', 'timeEntries'],
});

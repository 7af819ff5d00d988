/**
 * Checks: one record for each check, in the order in which their orders were opened. Names, types and order of the
 * record are exact: docs/contract.md#records.
 */
import type { Static } from 'typebox';
import { BusinessDate, exact, Guid, Instant, Money, Nullable, Text, Type } from '../contract/schemas.ts';
import { defineFamily } from './family.ts';
import { DiningOption, NAME_COLUMN, RestaurantName, RevenueCenter } from './fields.ts';

const Whole = Type.Integer({ examples: [17] });
/** The display number of an order or check, as in the loaded data. */
const Display = Text('17');
const CheckStatus = Type.Union([Type.Literal('OPEN'), Type.Literal('PAID'), Type.Literal('CLOSED')], {
  examples: ['CLOSED'],
});

/** A check record in the reference dialect. */
export const CheckRecord = Type.Object(
  {
    restaurantGuid: Guid,
    orderNumber: Nullable(Whole),
    orderGuid: Guid,
    checkNumber: Nullable(Whole),
    checkGuid: Guid,
    orderOpenDate: BusinessDate,
    checkPaidDateTime: Nullable(Instant),
    checkModifiedDateTime: Nullable(Instant),
    checkStatus: CheckStatus,
    checkVoidedStatus: Type.Boolean(),
    diningOption: DiningOption,
    revenueCenter: RevenueCenter,
    serverName: Nullable(Text('Ada Byron')),
    checkTotalAmount: Money,
    checkDiscountAmount: Money,
    checkTaxAmount: Money,
    checkTipAmount: Money,
    checkGratuityAmount: Money,
    checkRefundAmount: Money,
    restaurantName: Type.Optional(RestaurantName),
  },
  { ...exact, title: 'CheckRecord' },
);
export type CheckRecord = Static<typeof CheckRecord>;

const check = CheckRecord.properties;

/** A check record in the live dialect. */
export const LiveCheckRecord = Type.Object(
  {
    restaurantGuid: check.restaurantGuid,
    orderNumber: Nullable(Display),
    orderGuid: check.orderGuid,
    checkNumber: Nullable(Display),
    checkGuid: check.checkGuid,
    orderOpenedDate: check.orderOpenDate,
    checkPaidDateTime: check.checkPaidDateTime,
    checkModifiedDateTime: check.checkModifiedDateTime,
    checkStatus: check.checkStatus,
    checkVoidedStatus: check.checkVoidedStatus,
    diningOption: check.diningOption,
    revenueCenter: check.revenueCenter,
    serverName: check.serverName,
    checkTotalAmount: check.checkTotalAmount,
    checkDiscountAmount: check.checkDiscountAmount,
    checkTaxAmount: check.checkTaxAmount,
    checkTipAmount: check.checkTipAmount,
    checkGratuityAmount: check.checkGratuityAmount,
    checkRefundAmount: check.checkRefundAmount,
    restaurantName: check.restaurantName,
  },
  { ...exact, title: 'LiveCheckRecord' },
);
export type LiveCheckRecord = Static<typeof LiveCheckRecord>;

export const CHECK = defineFamily({
  kind: 'check',
  path: '/check',
  dataset: 'checks',
  title: 'Check',
  noun: 'checks',
  label: 'Checks',
  summary: 'Get check data',
  spans: ['day', 'week', 'month', 'year'],
  dates: { start: 'startBusinessDate', end: 'endBusinessDate' },
  groups: [],
  mostGroups: 0,
  aggregates: ['DAY'],
  records: { reference: CheckRecord, live: LiveCheckRecord },
  columns: {
    restaurantGuid: { type: 'guid' },
    orderNumber: { type: 'count', live: { type: 'countText' } },
    orderGuid: { type: 'guid' },
    checkNumber: { type: 'count', live: { type: 'countText' } },
    checkGuid: { type: 'guid' },
    orderOpenDate: { type: 'date', live: { name: 'orderOpenedDate' } },
    checkPaidDateTime: { type: 'instant' },
    checkModifiedDateTime: { type: 'instant' },
    checkStatus: { type: 'text' },
    checkVoidedStatus: { type: 'boolean' },
    diningOption: { type: 'text', loaded: true },
    revenueCenter: { type: 'text', loaded: true },
    serverName: { type: 'text', loaded: true },
    checkTotalAmount: { type: 'money' },
    checkDiscountAmount: { type: 'money' },
    checkTaxAmount: { type: 'money' },
    checkTipAmount: { type: 'money' },
    checkGratuityAmount: { type: 'money' },
    checkRefundAmount: { type: 'money' },
    restaurantName: NAME_COLUMN,
  },
  totals: [
    'checkTotalAmount',
    'checkDiscountAmount',
    'checkTaxAmount',
    'checkTipAmount',
    'checkGratuityAmount',
    'checkRefundAmount',
  ],
  reportTotals: {
    splits: { diningOption: { fields: ['diningOption'] }, revenueCenter: { fields: ['revenueCenter'] } },
  },
  // 1200 µs, measured over 73,000 dates of restaurants with 100 to 250 checks: each check is a row.
  cost: () => 1200,
  // Rounded up from docs/performance.md.
  firstGuess: () => 2,
  limits: { check: { live: '5/min,60/day', generous: '50/min,600/day', calls: 'POST /check/{timeRange}' } },
  limitOf: () => 'check',
  changes: ['checks'],
  onLive: { spans: ['day'] },
});

/** Checks: one record for each check, in the order in which their orders were opened. */
import { defineFamily } from '../family.ts';
import { CheckRecord, LiveCheckRecord } from './records.ts';

export const CHECK = defineFamily({
  kind: 'check',
  path: '/check',
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
    restaurantName: { type: 'text', loaded: true, shownIn: ({ names }) => names },
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

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import * as checkWire from '../../service/src/families/check.ts';
import * as metricsWire from '../../service/src/families/metrics.ts';

const wire = { ...checkWire, ...metricsWire };

import type { FieldsOf } from './declaration.ts';
import { UnexpectedAnswerError } from './errors.ts';
import { FAMILIES } from './families.ts';
import { readRecord } from './records.ts';
import { type CheckRecord, checkRecord } from './resources/checks.ts';
import { type MetricsRecord, metricsRecord } from './resources/metrics.ts';

const LAWS = Number(process.env.LAWS ?? 200);

const amount = fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100);
const count = fc.nat(1000);
const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(one);
const instant = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const decimal = amount.map((value) => value.toFixed(2));
const date = fc.integer({ min: 20200101, max: 20261231 }).map(String);
const display = maybe(fc.nat({ max: 999_999 }));

/** In the order of the wire. */
const metrics = fc.record({
  restaurantGuid: fc.uuid(),
  businessDate: date,
  guestCount: count,
  voidOrdersCount: count,
  discountOrderCount: count,
  ordersCount: count,
  openOrderCount: count,
  closedOrderCount: count,
  netSalesAmount: amount,
  grossSalesAmount: amount,
  discountAmount: amount,
  voidOrdersAmount: amount,
  refundAmount: amount,
  avgOrderValue: amount,
  revenueCenter: maybe(fc.string()),
  diningOption: maybe(fc.string()),
  orderSource: maybe(fc.string()),
  businessHour: maybe(fc.nat(23).map(String)),
  hourlyJobTotalHours: decimal,
  hourlyJobTotalPay: decimal,
  hourlyJobSalesPerLaborHour: maybe(decimal),
}) satisfies fc.Arbitrary<MetricsRecord>;

const check = fc.record({
  restaurantGuid: fc.uuid(),
  orderNumber: display,
  orderGuid: fc.uuid(),
  checkNumber: display,
  checkGuid: fc.uuid(),
  orderOpenDate: date,
  checkPaidDateTime: maybe(instant),
  checkModifiedDateTime: instant,
  checkStatus: fc.constantFrom('OPEN', 'PAID', 'CLOSED', 'TO_COME'),
  checkVoidedStatus: fc.boolean(),
  diningOption: fc.string(),
  revenueCenter: fc.string(),
  serverName: maybe(fc.string()),
  checkTotalAmount: amount,
  checkDiscountAmount: amount,
  checkTaxAmount: amount,
  checkTipAmount: amount,
  checkGratuityAmount: amount,
  checkRefundAmount: amount,
}) satisfies fc.Arbitrary<CheckRecord>;

/** The restaurant's name, and what a later version may add: names that objects have too are not among them. */
const more = fc.record(
  { restaurantName: fc.string(), tenderMix: fc.jsonValue({ noUnicodeString: false }), laterAmount: amount },
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, unknown>>;

const parsed = (record: unknown): unknown => JSON.parse(JSON.stringify(record));
const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));

/** A record of the live dialect, keys in no particular order: without the groups that were not asked for. */
function liveMetrics(record: MetricsRecord, forms: { dateAsNumber: boolean }): unknown {
  const { openOrderCount, closedOrderCount, revenueCenter, diningOption, orderSource, businessHour, ...rest } = record;
  const groups = { revenueCenter, diningOption, orderSource, businessHour };
  return parsed({
    ...Object.fromEntries(Object.entries(groups).filter(([, value]) => value !== null)),
    ...rest,
    businessDate: forms.dateAsNumber ? Number(record.businessDate) : record.businessDate,
    openOrdersCount: openOrderCount,
    closedOrdersCount: closedOrderCount,
    hourlyJobTotalHours: Number(record.hourlyJobTotalHours),
    hourlyJobTotalPay: Number(record.hourlyJobTotalPay),
    hourlyJobSalesPerLaborHour: numberOf(record.hourlyJobSalesPerLaborHour),
  });
}

function liveCheck(record: CheckRecord, forms: { dateAsNumber: boolean; leaveOut: boolean }): unknown {
  const { orderOpenDate, checkPaidDateTime, serverName, ...rest } = record;
  const paid = checkPaidDateTime === null && forms.leaveOut ? {} : { checkPaidDateTime };
  const server = serverName === null && forms.leaveOut ? {} : { serverName };
  return parsed({
    ...server,
    ...rest,
    ...paid,
    orderOpenedDate: forms.dateAsNumber ? Number(orderOpenDate) : orderOpenDate,
    orderNumber: record.orderNumber === null ? 'A-12' : String(record.orderNumber),
    checkNumber: record.checkNumber === null ? '' : String(record.checkNumber),
  });
}

test('a metrics record of either dialect is read into the same record, its fields in the order of the wire', () => {
  fc.assert(
    fc.property(metrics, more, fc.boolean(), (record, extra, dateAsNumber) => {
      const reference = parsed({ ...record, ...extra });
      const live = { ...(parsed(extra) as object), ...(liveMetrics(record, { dateAsNumber }) as object) };

      assert.deepEqual(metricsRecord(reference), reference);
      assert.deepEqual(metricsRecord(live), reference);
      assert.equal(JSON.stringify(metricsRecord(reference)), JSON.stringify(reference));
      assert.equal(JSON.stringify(metricsRecord(live)), JSON.stringify(reference));
    }),
    { numRuns: LAWS },
  );
});

test('a check record of either dialect is read into the same record, its fields in the order of the wire', () => {
  fc.assert(
    fc.property(check, more, fc.boolean(), fc.boolean(), (record, extra, dateAsNumber, leaveOut) => {
      const reference = parsed({ ...record, ...extra });
      const live = { ...(parsed(extra) as object), ...(liveCheck(record, { dateAsNumber, leaveOut }) as object) };

      assert.deepEqual(checkRecord(reference), reference);
      assert.deepEqual(checkRecord(live), reference);
      assert.equal(JSON.stringify(checkRecord(reference)), JSON.stringify(reference));
      assert.equal(JSON.stringify(checkRecord(live)), JSON.stringify(reference));
    }),
    { numRuns: LAWS },
  );
});

test('a null that a service sends remains null, in any field', () => {
  const { diningOption, orderOpenDate, checkPaidDateTime } = checkRecord({
    checkGuid: 'c',
    diningOption: null,
    orderOpenDate: null,
  });
  assert.deepEqual([diningOption, orderOpenDate, checkPaidDateTime], [null, null, null]);
});

test('the fields are those that a service describes, none more or less, whichever dialect it speaks', () => {
  const names = (schema: { properties: object }): string[] =>
    Object.keys(schema.properties).filter((name) => name !== 'restaurantName');
  const valueless = (schema: { properties: object }): object =>
    Object.fromEntries(names(schema).map((name) => [name, '0']));

  for (const dialect of [wire.MetricsRecord, wire.LiveMetricsRecord]) {
    assert.deepEqual(Object.keys(metricsRecord(valueless(dialect))), names(wire.MetricsRecord));
  }
  for (const dialect of [wire.CheckRecord, wire.LiveCheckRecord]) {
    assert.deepEqual(Object.keys(checkRecord(valueless(dialect))), names(wire.CheckRecord));
  }
});

test('hours and pay have two decimals however they came, and are 0 where there are none', () => {
  const read = (hours: unknown): string =>
    metricsRecord({ businessDate: '20260310', hourlyJobTotalHours: hours }).hourlyJobTotalHours;

  assert.deepEqual([12.5, 0, -0.5, '12.50', '12.5', '0.0', 1234567.89, null, undefined].map(read), [
    '12.50',
    '0.00',
    '-0.50',
    '12.50',
    '12.50',
    '0.00',
    '1234567.89',
    '0.00',
    '0.00',
  ]);
  assert.equal(metricsRecord({ businessDate: '20260310' }).hourlyJobSalesPerLaborHour, null);
  assert.equal(
    metricsRecord({ businessDate: '20260310', hourlyJobSalesPerLaborHour: 0 }).hourlyJobSalesPerLaborHour,
    '0.00',
  );
  assert.throws(() => read('many'), {
    name: 'UnexpectedAnswerError',
    message: 'The answer has no hours or pay: "many"',
  });
});

test('a group that was not asked for is null, and an hour is text', () => {
  const record = metricsRecord({ businessDate: 20260310, businessHour: 0 });

  const { businessDate, businessHour, revenueCenter, diningOption, orderSource } = record;
  assert.deepEqual(
    { businessDate, businessHour, revenueCenter, diningOption, orderSource },
    { businessDate: '20260310', businessHour: '0', revenueCenter: null, diningOption: null, orderSource: null },
  );
  assert.ok(!('restaurantName' in record));
});

test('a display number is a number where it is whole, else null', () => {
  const read = (orderNumber: unknown): unknown => checkRecord({ checkGuid: 'c', orderNumber }).orderNumber;

  assert.deepEqual(
    ['5018', 5018, '0', 'A-12', '1e3', '0x1F', ' 7', '', '9'.repeat(40), 1.5, null, undefined].map(read),
    [5018, 5018, 0, null, null, null, null, null, null, null, null, null],
  );
});

test('what a record is read from stays as it was', () => {
  const raw = Object.freeze({ checkGuid: 'c', orderOpenedDate: 20260310, orderNumber: '7', later: Object.freeze([1]) });

  const record = checkRecord(raw);

  assert.equal(record.orderOpenDate, '20260310');
  assert.deepEqual(raw, { checkGuid: 'c', orderOpenedDate: 20260310, orderNumber: '7', later: [1] });
});

test('a field that is named like one of every object gives nothing to the record', () => {
  const record = checkRecord(JSON.parse('{"checkGuid":"c","__proto__":{"admin":true},"later":1}'));

  assert.equal(Object.getPrototypeOf(record), Object.prototype);
  assert.equal('admin' in record, false);
  assert.equal((record as unknown as { later: number }).later, 1);
});

test('what is no record of the kind is refused, and shown', () => {
  const problem = { status: 400, message: 'x'.repeat(1000) };
  const others = [null, undefined, 0, 'text', true, [], [[]], {}, problem];

  for (const read of [metricsRecord, checkRecord]) {
    for (const raw of others) assert.throws(() => read(raw), UnexpectedAnswerError);
  }
  assert.throws(() => metricsRecord({ checkGuid: 'c' }), {
    message: 'The answer has no businessDate: {"checkGuid":"c"}',
  });
  assert.throws(() => checkRecord({ businessDate: '20260310' }), { message: /^The answer has no checkGuid: / });
  assert.throws(
    () => metricsRecord(problem),
    (error: Error) => error.message.length <= 300,
  );
});

test('what a service leaves out of a record has the default of its field, and its fields are in the order of the wire', () => {
  const read = readRecord<{ restaurantGuid: string; settledDate: string | null }>(FAMILIES['payout-payments'].fields);

  const record = read({ later: 1, settledDate: 20260311, paymentTotal: 12.5, restaurantGuid: 'r' });

  assert.deepEqual(Object.keys(record), [...Object.keys(FAMILIES['payout-payments'].fields), 'later']);
  const { restaurantGuid, restaurantName, restaurantLocationName, restaurantLocationCode, settledDate, ...more } =
    record as unknown as Record<string, unknown>;
  assert.deepEqual(
    { restaurantGuid, restaurantName, restaurantLocationName, restaurantLocationCode, settledDate },
    {
      restaurantGuid: 'r',
      restaurantName: undefined,
      restaurantLocationName: null,
      restaurantLocationCode: '',
      settledDate: '20260311',
    },
  );
  assert.deepEqual([more.orderOpenDateTime, more.paymentCardBrand, more.later], [null, null, 1]);
});

test('a declaration whose fields are not those of the record does not compile', () => {
  const fields = { guid: { type: 'guid' }, sold: { type: 'quantity' }, code: { type: 'text', default: null } } as const;
  type Own = typeof fields;

  fields satisfies FieldsOf<{ guid: string; sold: number; code: string | null }, Own>;
  // @ts-expect-error A field of the record is missing.
  fields satisfies FieldsOf<{ guid: string; sold: number; code: string | null; more: string }, Own>;
  // @ts-expect-error A field is not in the record.
  fields satisfies FieldsOf<{ guid: string; code: string | null }, Own>;
  // @ts-expect-error A quantity is no text.
  fields satisfies FieldsOf<{ guid: string; sold: string; code: string | null }, Own>;
  // @ts-expect-error The field may be null, its type not.
  fields satisfies FieldsOf<{ guid: string; sold: number; code: string }, Own>;
  assert.deepEqual(Object.keys(fields), ['guid', 'sold', 'code']);
});

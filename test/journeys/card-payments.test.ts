/**
 * The worked example of docs/metrics.md#payouts-by-hand, loaded over HTTP: every figure that the page computes by hand.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { ask, BISTRO, newGuid, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const paymentGuid = (index: number): string => `91b00000-0000-4000-8000-00000000000${index}`;
const [P1, P2, P3, P4] = [paymentGuid(1), paymentGuid(2), paymentGuid(3), paymentGuid(4)];
const [ORDER, CHECK] = [newGuid(), newGuid()];
const card = { type: 'CREDIT', paymentStatus: 'CAPTURED', paidDate: '2026-03-10T16:31:05.000+0000' };
const PAYMENTS = [
  { ...card, guid: P1, cardType: 'VISA', cardClass: 'CREDIT', amount: 40, tipAmount: 8, originalProcessingFee: 1.39 },
  {
    ...card,
    guid: P2,
    cardType: 'AMEX',
    amount: 20,
    originalProcessingFee: 0.73,
    paidDate: '2026-03-11T00:02:44.000+0000',
    paidBusinessDate: 20260310,
    refund: { refundAmount: 5 },
  },
  { guid: P3, type: 'CASH', amount: 30, paidDate: '2026-03-10T17:00:00.000+0000' },
  { ...card, guid: P4, cardType: 'VISA', amount: 15, paymentStatus: 'VOIDED' },
];
const SETTLEMENTS = [
  {
    guid: '5e700000-0000-4000-8000-000000000001',
    settledDate: '20260311',
    transactions: [
      { kind: 'PAYMENT', paymentGuid: P1, amount: 48, feeAmount: 1.39 },
      { kind: 'PAYMENT', paymentGuid: P2, amount: 20, feeAmount: 0.73 },
    ],
  },
  {
    guid: '5e700000-0000-4000-8000-000000000002',
    settledDate: '20260313',
    transactions: [{ kind: 'REFUND', paymentGuid: P2, amount: 5 }],
  },
];
const RESTAURANT = {
  restaurantGuid: BISTRO,
  restaurantName: 'Corner Bistro',
  restaurantLocationName: null,
  restaurantLocationCode: '',
};
const SALES_DATE = {
  ...RESTAURANT,
  salesDate: '20260310',
  settledDates: [] as string[],
  transactionCount: 2,
  paymentAmount: 68,
  refundAmount: 5,
  totalFeeAmount: 2.12,
  withholdingAmount: 0,
  payoutAmount: 60.88,
};
const FIRST = {
  ...RESTAURANT,
  orderGuid: ORDER,
  checkGuid: CHECK,
  paymentGuid: P1,
  settledDate: null as string | null,
  orderOpenDateTime: '2026-03-10 11:58:10',
  paidDateTime: '2026-03-10 12:31:05',
  paymentCardBrand: 'Visa',
  paymentCardType: 'Credit',
  tipAmount: 8,
  gratuityAmount: 0,
  paymentSubtotal: 40,
  paymentTotal: 48,
};
const SECOND = {
  ...FIRST,
  paymentGuid: P2,
  paidDateTime: '2026-03-10 20:02:44',
  paymentCardBrand: 'AMEX',
  paymentCardType: 'UNSPECIFIED CARD',
  tipAmount: 0,
  paymentSubtotal: 20,
  paymentTotal: 20,
};
const GUESTS = [P1, P2].map((paymentGuid) => ({
  ...RESTAURANT,
  paymentDate: '20260310',
  orderGuid: ORDER,
  paymentGuid,
  cardFingerprint: null,
}));
const DAY = { startDate: 20260310, endDate: 20260310 };

describe('card payments', () => {
  let running: Running;
  let token: string;
  const get = (path: string) => running.call('GET', path, { token });
  async function report(path: string, range = 'day', dates: object = DAY) {
    const guid = await ask(running, token, `${path}/${range}`, dates);
    return (await get(`${path}/${guid}`)).body;
  }

  before(async () => {
    running = await startJourney();
    token = await running.login('blue');
    await putRestaurant(running, token, BISTRO, { name: 'Corner Bistro' });
    const opened = { guid: ORDER, openedDate: '2026-03-10T15:58:10.400+0000' };
    await postOrders(running, token, BISTRO, [plainOrder(opened, { guid: CHECK, payments: PAYMENTS })]);
  });
  after(() => running.stop());

  it('are reported before anything is settled, without settled dates', async () => {
    const bySalesDate = await report('/payout/sales-date');
    const payments = await report('/payout/payments');
    const guests = await report('/guest/payments');
    const payouts = await report('/payout');

    assert.deepEqual(bySalesDate, [SALES_DATE]);
    assert.deepEqual(payments, [FIRST, SECOND]);
    assert.deepEqual(guests, GUESTS);
    assert.deepEqual(payouts, []);
    assert.deepEqual(Object.keys(payments[0] ?? {}), Object.keys(FIRST));
  });

  it('have no date in totals until they are settled', async () => {
    const guid = await ask(running, token, '/payout/payments/day', { ...DAY, restaurantIds: [BISTRO] });
    const rowsOf = async (query: string) =>
      (await get(`/reports/${guid}/totals?fields=paymentTotal${query}`)).body.rows;

    const sums = { currencyCode: null, rows: 2, paymentTotal: 68 };
    assert.deepEqual(await rowsOf('&by=businessDate,weekday'), [{ businessDate: null, weekday: null, ...sums }]);
    assert.deepEqual(await rowsOf('&from=20260310'), [{ ...sums, rows: 0, paymentTotal: 0 }]);
  });

  it('have the dates of the settlements that name them, whose payouts have their times', async () => {
    const loaded = await running.call('POST', `/restaurants/${BISTRO}/payouts`, { token, json: SETTLEMENTS });
    const [row] = await report('/payout/sales-date', 'week', { startDate: 20260309, endDate: 20260315 });
    const payments = await report('/payout/payments', 'month', { startDate: 20260301, endDate: 20260320 });
    const payouts = await report('/payout', 'week', { startDate: 20260309, endDate: 20260315 });

    assert.equal(loaded.body.accepted, 2);
    assert.deepEqual(row, { ...SALES_DATE, settledDates: ['20260311', '20260313'] });
    assert.deepEqual(payments, [
      { ...FIRST, settledDate: '20260311' },
      { ...SECOND, settledDate: '20260311' },
    ]);
    const shown = payouts.map((payout: Record<string, unknown>) => [
      ...[payout.settledDate, payout.salesPeriodStartDateTime, payout.salesPeriodEndDateTime, payout.transactionCount],
      ...[payout.paymentAmount, payout.refundAmount, payout.totalFeeAmount, payout.payoutAmount],
    ]);
    assert.deepEqual(shown, [
      ['20260311', '2026-03-10 12:31:05', '2026-03-10 20:02:44', 2, 68, 0, 2.12, 65.88],
      ['20260313', null, null, 0, 0, 5, 0, -5],
    ]);
  });

  it('share the gratuity of their check by amount', async () => {
    const other = BISTRO.replace('b1', 'b2');
    await putRestaurant(running, token, other);
    const shared = { appliedServiceCharges: [{ chargeAmount: 6, gratuity: true }] };
    const payments = [46, 20].map((amount) => ({ ...card, guid: newGuid(), amount }));
    await postOrders(running, token, other, [plainOrder({}, { ...shared, payments })]);

    const rows = await report('/payout/payments', 'day', { ...DAY, restaurantIds: [other] });

    assert.deepEqual(
      rows.map((row: Record<string, unknown>) => [row.gratuityAmount, row.paymentSubtotal, row.paymentTotal]),
      [
        [4.18, 41.82, 46],
        [1.82, 18.18, 20],
      ],
    );
  });

  it('follow the versions of their order, and are deleted with it', async () => {
    const third = BISTRO.replace('b1', 'b3');
    await putRestaurant(running, token, third);
    const [guid, check] = [newGuid(), newGuid()];
    const version = (hour: string, payments: object[]) =>
      plainOrder({ guid, modifiedDate: `2026-03-10T${hour}:00:00.000+0000` }, { guid: check, payments });
    const totals = async () =>
      (
        await report('/payout/payments', 'week', { startDate: 20260309, endDate: 20260315, restaurantIds: [third] })
      ).map((row: { paymentTotal: number }) => row.paymentTotal);
    const payment = { ...card, guid: newGuid(), amount: 10 };

    await postOrders(running, token, third, [version('18', [payment])]);
    await postOrders(running, token, third, [
      version('19', [
        { ...payment, tipAmount: 2 },
        { ...card, guid: newGuid(), amount: 5, paidBusinessDate: 20260311 },
      ]),
    ]);
    await running.call('POST', `/restaurants/${third}/orders`, { token, json: [version('17', [payment])] });
    const current = await totals();
    await running.call('DELETE', `/restaurants/${third}/orders/${guid}`, { token });

    assert.deepEqual([current, await totals()], [[12, 5], []]);
  });

  it('are found under their own kind only, at paths of two segments', async () => {
    const payments = await ask(running, token, '/payout/payments/day', { startDate: 20260310 });
    const guests = await ask(running, token, '/guest/payments/day', { startDate: 20260310 });
    const post = (path: string) => running.call('POST', path, { token, json: DAY });
    const wrong = await get(`/payout/${payments}`);
    const other = await get(`/payout/sales-date/${guests}`);
    const right = await get(`/guest/payments/${guests.toUpperCase()}/`);
    const [listed, status] = [await get('/reports?kind=payout-payments'), await get(`/reports/${guests}`)];

    assert.deepEqual([wrong.status, wrong.body.code], [404, 'report_of_another_kind']);
    assert.match(
      wrong.body.message,
      /payout-payments report: retrieve it with GET \/payout\/payments\/[0-9a-f-]{36}\.$/,
    );
    assert.deepEqual([other.status, right.status], [404, 200]);
    for (const path of ['/payout/payments', '/payout/sales-date']) {
      assert.deepEqual([(await get(path)).status, (await get(path)).body.code], [404, 'route_not_found'], path);
      const { code, message } = (await post(path)).body;
      assert.deepEqual(
        [code, message],
        ['route_not_found', `The time range of POST ${path}/{timeRange} is one of day, week, month.`],
      );
    }
    for (const path of ['/guest/payments/month', '/guest/payments', '/payout/sales-date/year', '/payout/settled-date'])
      assert.equal((await post(path)).body.code, 'route_not_found', path);
    assert.equal((await get(`/payout/payments/day/${payments}`)).status, 404);
    assert.ok(listed.body.reports.every(({ kind }: { kind: string }) => kind === 'payout-payments'));
    assert.deepEqual(status.body.controlTotals, [{ currencyCode: null, rows: 4, paymentsWithFingerprint: 0 }]);
  });

  it('are written in every form: a list of dates in one cell, local times without a zone', async () => {
    const [dates, payments] = [
      await ask(running, token, '/payout/sales-date/day', { ...DAY, restaurantIds: [BISTRO] }),
      await ask(running, token, '/payout/payments/day', { ...DAY, restaurantIds: [BISTRO] }),
    ];
    const csv = await get(`/payout/sales-date/${dates}?format=csv`);
    const paid = await get(`/payout/payments/${payments}?format=csv`);
    const parquet = async (path: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${running.service.baseUrl}${path}?format=parquet`, { headers });
      return await response.arrayBuffer();
    };
    const [dateFile, paidFile] = [
      await parquet(`/payout/sales-date/${dates}`),
      await parquet(`/payout/payments/${payments}`),
    ];
    const [row] = await parquetReadObjects({ file: dateFile });
    const [first] = await parquetReadObjects({ file: paidFile });
    const { children } = parquetSchema(await parquetMetadataAsync(paidFile));
    const time = children.find(({ element }) => element.name === 'paidDateTime')?.element.logical_type;

    assert.equal(
      csv.text.split('\r\n')[1],
      `${BISTRO},Corner Bistro,,"",20260310,20260311;20260313,2,68.00,5.00,2.12,0.00,60.88`,
    );
    assert.match(
      paid.text,
      /,20260311,2026-03-10 11:58:10,2026-03-10 12:31:05,Visa,Credit,8\.00,0\.00,40\.00,48\.00\r\n/,
    );
    assert.deepEqual(row?.settledDates, [new Date('2026-03-11'), new Date('2026-03-13')]);
    assert.deepEqual(
      [first?.paidDateTime, time],
      [new Date('2026-03-10T12:31:05Z'), { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' }],
    );
  });
});

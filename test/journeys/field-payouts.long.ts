/**
 * Payouts and guest payments as clients in the field read them: their shapes and assumptions, in the dialect `live`,
 * under its limits.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BISTRO, newGuid, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const DINER = BISTRO.replace('b15', 'b16');
const DATES = ['20260309', '20260310', '20260311'];
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type Row = Record<string, unknown>;

/** The instant of a date at noon in New York. */
const noonOf = (date: string): string => `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T17:00:00.000+0000`;

describe('a client of payouts and guest payments from the field', () => {
  let running: Running;
  let token: string;
  const call = (method: string, path: string, json?: object) =>
    running.call(method, path, {
      token,
      base: '/era/v1',
      headers: { 'content-type': 'application/json' },
      ...(json ? { json } : {}),
    });

  before(async () => {
    running = await startJourney({ limits: 'live' });
    token = await running.login('g', { dialect: 'live' });
    for (const restaurant of [BISTRO, DINER]) {
      await putRestaurant(running, token, restaurant);
      const payments = DATES.map((date) => ({
        guid: newGuid(),
        type: 'CREDIT',
        cardType: 'VISA',
        paymentStatus: 'CAPTURED',
        amount: 20,
        tipAmount: 4,
        originalProcessingFee: 0.75,
        paidDate: noonOf(date),
      }));
      const orders = payments.map((payment, at) =>
        plainOrder({ businessDate: DATES[at], openedDate: payment.paidDate }, { payments: [payment] }),
      );
      await postOrders(running, token, restaurant, orders);
      const transactions = payments.map(({ guid, paidDate }) => ({
        kind: 'PAYMENT',
        paymentGuid: guid,
        amount: 24,
        feeAmount: 0.75,
        paidDateTime: paidDate,
      }));
      const settlement = { guid: newGuid(), settledDate: '20260312', transactions };
      const loaded = await call('POST', `/restaurants/${restaurant}/payouts`, [settlement]);
      assert.equal(loaded.body.accepted, 1, loaded.text);
    }
  });
  after(() => running.stop());

  it('that sends every field of the create bodies adds payouts up by either date', async () => {
    const body = { startDate: '20260309', endDate: '20260315', restaurantIds: [], excludedRestaurantIds: [] };
    const sums: number[][] = [];
    for (const path of ['/payout', '/payout/sales-date']) {
      const created = await call('POST', `${path}/week`, body);
      const rows: Row[] = (await call('GET', `${path}/${JSON.parse(created.text)}`)).body;
      const sum = (field: string) => rows.reduce((total, row) => total + Math.round(Number(row[field]) * 100), 0);
      sums.push(['paymentAmount', 'totalFeeAmount', 'payoutAmount', 'transactionCount'].map(sum));
      for (const row of rows) assert.match(String(row.settledDate ?? row.salesDate), /^\d{8}$/);
    }

    assert.deepEqual(sums, [
      [14_400, 450, 13_950, 600],
      [14_400, 450, 13_950, 600],
    ]);
  });

  it('that takes the payouts of one day reads one row a restaurant', async () => {
    const created = await call('POST', '/payout/day', { startDate: '20260312', endDate: '20260312' });
    const { status, body } = await call('GET', `/payout/${JSON.parse(created.text)}`);

    assert.equal(status, 200);
    assert.deepEqual(
      body.map((row: Row) => [
        row.restaurantGuid,
        row.settledDate,
        row.transactionCount,
        row.payoutAmount,
        row.payoutStatus,
      ]),
      [BISTRO, DINER].map((guid) => [guid, '20260312', 3, 69.75, 'SENT']),
    );
    assert.deepEqual(
      [body[0].salesPeriodStartDateTime, body[0].salesPeriodEndDateTime],
      ['2026-03-09 13:00:00', '2026-03-11 13:00:00'],
    );
  });

  it('that is strict about types finds strings in all fields of guest payments but an unknown fingerprint', async () => {
    const body = { startDate: '20260309', endDate: '20260315', restaurantIds: [BISTRO], excludedRestaurantIds: [] };
    const created = await call('POST', '/guest/payments/week', body);
    // The vendor's own sample ends in a slash.
    const answer = await call('GET', `/guest/payments/${JSON.parse(created.text)}/`);
    const rows: Row[] = answer.body;

    assert.equal(rows.length, 3);
    for (const row of rows) {
      const { cardFingerprint, restaurantLocationName, ...texts } = row;
      assert.deepEqual(Object.keys(row), [
        ...['restaurantGuid', 'restaurantName', 'restaurantLocationName', 'restaurantLocationCode'],
        ...['paymentDate', 'orderGuid', 'paymentGuid', 'cardFingerprint'],
      ]);
      assert.deepEqual([cardFingerprint, restaurantLocationName], [null, null]);
      assert.ok(Object.values(texts).every((value) => typeof value === 'string'));
    }
  });

  it('that loads guest payments day by day at its pace is never refused, and finds each payment once', async () => {
    token = await running.login('g', { dialect: 'live' });
    const seen = new Map<string, Row>();
    for (let made = 0; made < 60; made++) {
      const startDate = DATES[made % DATES.length] ?? '';
      const created = await call('POST', '/guest/payments/day', { startDate, endDate: startDate });
      assert.equal(created.status, 200, created.text);
      let rows: Row[] | undefined;
      for (let polls = 0; polls < 8 && rows === undefined; polls++) {
        const answer = await call('GET', `/guest/payments/${JSON.parse(created.text)}`);
        if (answer.status === 200 && Array.isArray(answer.body)) rows = answer.body;
        running.advance(2000);
      }
      for (const row of rows ?? []) {
        assert.equal(row.paymentDate, startDate);
        for (const field of ['orderGuid', 'paymentGuid', 'restaurantGuid']) assert.match(String(row[field]), GUID);
        const known = seen.get(String(row.paymentGuid));
        if (known) assert.deepEqual(row, known);
        seen.set(String(row.paymentGuid), row);
      }
      assert.equal(rows?.length, 2);
      running.advance(12_500);
    }

    assert.equal(seen.size, 6);
  });

  it('that asks for what does not exist on the live system is refused with the reason', async () => {
    // The clients before have used up the limits of the group.
    running.advance(86_400_000);
    token = await running.login('g', { dialect: 'live' });
    const paths = ['/payout/settled-date', '/payout/year', '/guest/payments/month', '/payout/payments'];
    const answers = await Promise.all(paths.map((path) => call('POST', path, { startDate: '20260310' })));
    const named = await call('POST', '/guest/payments/day', { startBusinessDate: '20260310' });

    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.code]),
      paths.map(() => [404, 'route_not_found']),
    );
    assert.deepEqual([named.status, named.body.code], [400, 'unknown_field']);
  });
});

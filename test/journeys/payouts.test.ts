/** Payouts by settled date: settlements loaded over HTTP, and the report that they make. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ask, BISTRO, putRestaurant, type Running, startJourney } from './service.ts';

const [P1, P2] = ['91b00000-0000-4000-8000-000000000001', '91b00000-0000-4000-8000-000000000002'];
const settlement = (index: number, changes: object): Record<string, unknown> => ({
  guid: `5e700000-0000-4000-8000-00000000000${index}`,
  modifiedDate: '2026-03-14T00:00:00Z',
  ...changes,
});

/** The settlements of the example of docs/metrics.md. */
const SETTLED = settlement(1, {
  settledDate: '20260311',
  transactions: [
    { kind: 'PAYMENT', paymentGuid: P1, amount: 48, feeAmount: 1.39, paidDateTime: '2026-03-10T16:31:05.900Z' },
    { kind: 'PAYMENT', paymentGuid: P2, amount: 20, feeAmount: 0.73, paidDateTime: '2026-03-11T00:02:44Z' },
  ],
});
const REFUNDED = settlement(2, {
  settledDate: 20260313,
  transactions: [{ kind: 'REFUND', paymentGuid: P2, amount: 5 }],
});
const RESTAURANT = {
  restaurantGuid: BISTRO,
  restaurantName: 'Bistro',
  restaurantLocationName: 'Main Street',
  restaurantLocationCode: '',
};

describe('payouts by settled date', () => {
  let running: Running;
  let token: string;
  const load = (settlements: object[], headers: Record<string, string> = {}) =>
    running.call('POST', `/restaurants/${BISTRO}/payouts`, { token, json: settlements, headers });
  async function report(startDate = '20260301', endDate = '20260320'): Promise<Record<string, unknown>[]> {
    const guid = await ask(running, token, '/payout/month', { startDate, endDate });
    return (await running.call('GET', `/payout/${guid}`, { token })).body;
  }

  before(async () => {
    running = await startJourney();
    token = await running.login('blue');
    await putRestaurant(running, token, BISTRO, { locationName: 'Main Street' });
  });
  after(() => running.stop());

  it('are empty before a settlement is loaded', async () => {
    assert.deepEqual(await report(), []);
  });

  it('are a row for each settled date, with what was paid, refunded, withheld and paid out', async () => {
    const loaded = await load([SETTLED, REFUNDED]);
    const rows = await report();

    assert.deepEqual(loaded.body, { accepted: 2, unchanged: 0, rejected: [], rejectedCount: 0 });
    assert.deepEqual(rows, [
      {
        ...RESTAURANT,
        settledDate: '20260311',
        salesPeriodStartDateTime: '2026-03-10 12:31:05',
        salesPeriodEndDateTime: '2026-03-10 20:02:44',
        transactionCount: 2,
        paymentAmount: 68,
        refundAmount: 0,
        totalFeeAmount: 2.12,
        withholdingAmount: 0,
        payoutAmount: 65.88,
        payoutStatus: 'SENT',
      },
      {
        ...RESTAURANT,
        settledDate: '20260313',
        salesPeriodStartDateTime: null,
        salesPeriodEndDateTime: null,
        transactionCount: 0,
        paymentAmount: 0,
        refundAmount: 5,
        totalFeeAmount: 0,
        withholdingAmount: 0,
        payoutAmount: -5,
        payoutStatus: 'SENT',
      },
    ]);
  });

  it('have the newest version of a settlement, on its own date only', async () => {
    const again = await load([SETTLED]);
    const older = await load([{ ...SETTLED, settledDate: 20260301, modifiedDate: '2026-03-01T00:00:00Z' }]);
    const moved = await load([{ ...REFUNDED, settledDate: '2026-03-16', modifiedDate: '2026-03-15T00:00:00Z' }]);
    const dates = (await report()).map(({ settledDate }) => settledDate);
    await load([{ guid: REFUNDED.guid, deleted: true, modifiedDate: '2026-03-16T00:00:00Z' }]);
    await load([REFUNDED]);
    const left = (await report()).map(({ settledDate }) => settledDate);

    const counts = [again, older, moved].map(({ body }) => [body.accepted, body.unchanged]);
    assert.deepEqual(counts, [
      [0, 1],
      [0, 1],
      [1, 0],
    ]);
    assert.deepEqual([dates, left], [['20260311', '20260316'], ['20260311']]);
  });

  it('of several settlements of a date are one row, NONE before CAPTURED before SENT', async () => {
    const sums = { settledDate: 20260319, transactions: [{ kind: 'PAYMENT', amount: 10, withholdingAmount: 0.5 }] };
    await load([settlement(3, sums), settlement(4, { ...sums, status: 'CAPTURED', transactionCount: 19 })]);
    const captured = await report('20260319', '20260319');
    await load([
      settlement(5, { settledDate: 20260319, status: 'NONE', adjustments: [{ name: 'Rent', amount: 7.25 }] }),
    ]);
    const [row, ...more] = await report('20260319', '20260319');

    assert.deepEqual([captured[0]?.payoutStatus, captured[0]?.transactionCount], ['CAPTURED', 20]);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [row?.payoutStatus, row?.paymentAmount, row?.withholdingAmount, row?.payoutAmount],
      ['NONE', 20, 8.25, 11.75],
    );
  });

  it('are rejected record by record, and loaded once for each Idempotency-Key', async () => {
    const wrong = await load([settlement(6, { settledDate: 20260302 }), settlement(7, { settledDate: 'soon' })]);
    const key = { 'idempotency-key': '"one"' };
    const first = await load([settlement(6, { settledDate: 20260302 })], key);
    const second = await load([settlement(6, { settledDate: 20260302 })], key);
    const reused = await load([settlement(6, { settledDate: 20260303 })], key);

    assert.deepEqual(
      [wrong.body.accepted, wrong.body.rejected[0].index, wrong.body.rejected[0].pointer],
      [1, 1, '/settledDate'],
    );
    assert.deepEqual([first.body, second.headers.get('idempotency-replayed')], [second.body, 'true']);
    assert.deepEqual([reused.status, reused.body.code], [422, 'idempotency_key_reused']);
  });

  it('in bodies of more than 100 settlements are what they are in small ones', async () => {
    const other = BISTRO.replace('b1', 'b2');
    await putRestaurant(running, token, other);
    const many = Array.from({ length: 900 }, (_, index) => ({
      guid: `5e700000-0000-4000-8001-${String(index).padStart(12, '0')}`,
      settledDate: 20260201 + (index % 28),
      transactions: [{ kind: 'PAYMENT', amount: 1 + index / 100, feeAmount: 0.01 }],
    }));
    const path = `/restaurants/${other}/payouts`;
    for (const batch of [many, many.slice(0, 5), many]) await running.call('POST', path, { token, json: batch });

    const guid = await ask(running, token, '/payout/month', { startDate: 20260201, endDate: 20260228 });
    const { body } = await running.call('GET', `/payout/${guid}`, { token });
    const status = await running.call('GET', `/reports/${guid}`, { token });

    assert.equal(body.length, 28);
    assert.deepEqual(status.body.controlTotals, [
      {
        currencyCode: null,
        rows: 28,
        transactionCount: 900,
        paymentAmount: 4945.5,
        refundAmount: 0,
        totalFeeAmount: 9,
        withholdingAmount: 0,
        payoutAmount: 4936.5,
      },
    ]);
  });

  it('take startDate and endDate, a day, a week or a month, and nothing else', async () => {
    const post = (path: string, json: object) => running.call('POST', path, { token, json });
    const day = await post('/payout/day', { startDate: 20260311 });
    const named = await post('/payout/day', { startBusinessDate: 20260311 });
    const long = await post('/payout/week', { startDate: 20260301, endDate: 20260308 });
    const grouped = await post('/payout/day', { startDate: 20260311, groupBy: [] });
    const year = await post('/payout/year', { startDate: 20260311, endDate: 20260311 });
    const hourly = await post('/payout/day?aggregateBy=HOUR', { startDate: 20260311 });
    const metrics = await running.call('GET', `/metrics/${day.body}`, { token });

    assert.equal(day.status, 200);
    assert.deepEqual(
      [named, long, grouped, year, hourly, metrics].map(({ status, body }) => [status, body.code]),
      [
        [400, 'unknown_field'],
        [400, 'span_too_long'],
        [400, 'unknown_field'],
        [404, 'route_not_found'],
        [400, 'unknown_parameter'],
        [404, 'report_of_another_kind'],
      ],
    );
    assert.match(named.body.message, /Did you mean startDate\?/);
    assert.match(metrics.body.message, /retrieve it with GET \/payout\/[0-9a-f-]{36}\.$/);
  });

  it('are written in every form, with local times that have no zone', async () => {
    const guid = await ask(running, token, '/payout/day', { startDate: 20260311 });
    const csv = await running.call('GET', `/payout/${guid}?format=csv`, { token });
    const changes = await running.call('GET', `/reports/${guid}`, { token });

    const lines = csv.text.split('\r\n');
    assert.equal(
      lines[1],
      `${BISTRO},Bistro,Main Street,"",20260311,2026-03-10 12:31:05,2026-03-10 20:02:44,2,68.00,0.00,2.12,0.00,65.88,SENT`,
    );
    assert.deepEqual([changes.body.kind, changes.body.request.body], ['payout', { startDate: 20260311 }]);
  });
});

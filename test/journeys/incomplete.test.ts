/** Reports over orders that were loaded before items and payments were stored say where they are missing. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Daypart } from '../../packages/client/src/index.ts';
import { checkFact, linesOf, orderFact } from '../conformance/facts.ts';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const OTHER = BISTRO.replace('b1', 'b2');
const SPAN = { startDate: 20260309, endDate: 20260315 };
const MENU_SPAN = { startBusinessDate: 20260309, endBusinessDate: 20260315 };
const day = (restaurantGuid: string, businessDate: string, missing: string) => ({
  restaurantGuid,
  businessDate,
  missing,
});

describe('a report over orders that an older version loaded', () => {
  let running: Running;
  let token: string;
  const old = randomUUID();

  /** What the report, its status and its retrieval say is missing. */
  async function missing(path: string, body: object) {
    const guid = await ask(running, token, path, body);
    const retrieved = await running.call('GET', `${path.replace(/\/\w+$/, '')}/${guid}`, { token });
    const status = await running.call('GET', `/reports/${guid}`, { token });
    assert.equal(retrieved.status, 200, retrieved.text);
    return { count: retrieved.headers.get('x-report-incomplete'), days: status.body.incomplete };
  }

  before(async () => {
    running = await startJourney();
    token = await running.login('blue');
    const { facts, ledger } = running.service.stores;
    for (const guid of [BISTRO, OTHER]) await putRestaurant(running, token, guid);
    const ids = new Map((await ledger.restaurantsOf('blue')).map(({ guid, id }) => [guid, id]));
    const load = (restaurant: string, changes: Parameters<typeof orderFact>[0]) =>
      facts.merge(ids.get(restaurant) ?? 0, linesOf({ orders: [orderFact({ modified_at: 0, ...changes })] }));
    await load(BISTRO, { order_guid: old, business_date: 20260310 });
    await load(BISTRO, { business_date: 20260312, details: 1 });
    await load(BISTRO, { business_date: 20260313, details: 3 });
    await load(BISTRO, { business_date: 20260314, status: 'excluded' });
    await load(OTHER, { business_date: 20260311 });
    await load(OTHER, { business_date: 20260320 });
  });
  after(() => running.stop());

  it('says of which restaurants and dates items or payments are missing', async () => {
    const payments = [
      day(BISTRO, '20260310', 'payments'),
      day(BISTRO, '20260312', 'payments'),
      day(OTHER, '20260311', 'payments'),
    ];
    assert.deepEqual(await missing('/payout/sales-date/week', SPAN), { count: '3', days: payments });
    assert.deepEqual(await missing('/payout/payments/week', SPAN), { count: '3', days: payments });
    assert.deepEqual(await missing('/guest/payments/week', { ...SPAN, restaurantIds: [OTHER] }), {
      count: '1',
      days: payments.slice(2),
    });
    assert.deepEqual(await missing('/menu/week', MENU_SPAN), {
      count: '2',
      days: [day(BISTRO, '20260310', 'items'), day(OTHER, '20260311', 'items')],
    });
  });

  it('does not say so of reports that need neither, and of small reports that wait together only what is theirs', async () => {
    const metrics = await missing('/metrics/week', MENU_SPAN);
    const payouts = await missing('/payout/week', SPAN);
    const together = await Promise.all(
      [BISTRO, OTHER, BISTRO].map((guid) => missing('/payout/payments/week', { ...SPAN, restaurantIds: [guid] })),
    );

    assert.deepEqual(metrics, { count: null, days: undefined });
    assert.deepEqual(payouts, { count: null, days: undefined });
    assert.deepEqual(
      together.map(({ count }) => count),
      ['2', '1', '2'],
    );
  });

  it('is complete after the orders are loaded again, and remains incomplete if only a part of a date was', async () => {
    const again = plainOrder({ guid: old, businessDate: 20260310 });
    const { facts, ledger } = running.service.stores;
    const [restaurant] = await ledger.restaurantsOf('blue');
    await facts.merge(restaurant?.id ?? 0, linesOf({ orders: [orderFact({ business_date: 20260309 })] }));
    await postOrders(running, token, BISTRO, [again, plainOrder({ businessDate: 20260309 })]);

    const { days } = await missing('/payout/payments/week', { ...SPAN, restaurantIds: [BISTRO] });
    const none = await missing('/payout/payments/day', { startDate: 20260310, restaurantIds: [BISTRO] });

    const listed = await running.call('GET', `/restaurants/${BISTRO}/days?from=20260310`, { token });

    assert.deepEqual(
      listed.body.map(({ businessDate, itemsFrom }: Record<string, unknown>) => [businessDate, itemsFrom !== null]),
      [
        ['20260310', true],
        ['20260312', false],
        ['20260313', true],
      ],
    );
    assert.deepEqual(days, [day(BISTRO, '20260309', 'payments'), day(BISTRO, '20260312', 'payments')]);
    assert.deepEqual(none, { count: null, days: [] });
  });

  it('names an order of another date that was paid in the span, by the clock and the closeout hour of its restaurant', async () => {
    const guid = BISTRO.replace('b1', 'b3');
    await putRestaurant(running, token, guid, { timeZone: 'America/Los_Angeles', closeoutHour: 5 });
    const { facts, ledger } = running.service.stores;
    const [restaurant] = await ledger.restaurantsOf('blue', [guid]);
    for (const [business_date, paidDate] of [
      [20260301, '2026-03-10T11:59:59Z'],
      [20260302, '2026-03-10T12:00:00Z'],
      [20260320, '2026-03-11T11:59:59Z'],
      [20260321, '2026-03-11T12:00:00Z'],
    ] as const) {
      const order = orderFact({ business_date });
      const checks = [checkFact(order, { paid_at: Date.parse(paidDate) })];
      await facts.merge(restaurant?.id ?? 0, linesOf({ orders: [order], checks }));
    }

    const request = { startDate: 20260310, restaurantIds: [guid] };
    const days = [day(guid, '20260302', 'payments'), day(guid, '20260320', 'payments')];
    for (const path of ['/payout/sales-date/day', '/payout/payments/day', '/guest/payments/day'])
      assert.deepEqual(await missing(path, request), { count: '2', days });
    const { startDate: startBusinessDate, restaurantIds } = request;
    assert.deepEqual(await missing('/menu/day', { startBusinessDate, restaurantIds }), { count: null, days: [] });
  });

  it('says so to a program that reads it through the client, and to a person at a terminal', async () => {
    const client = new Daypart({ baseUrl: running.service.baseUrl, token });
    const ask = { range: 'week', start: '20260309', end: '20260315', restaurantIds: [OTHER] } as const;
    const report = await client.payoutPayments.report(ask);
    const rows = client.payoutPayments.rows(report.guid);
    for await (const _ of rows);
    const once = await client.payoutPayments.retrieve(report.guid);
    const metrics = await client.metrics.report(ask);
    assert.deepEqual([report.incomplete, rows.incomplete, once.ready && once.incomplete], [1, 1, 1]);
    assert.equal(metrics.incomplete, 0);

    const program = fileURLToPath(new URL('../../packages/service/bin/daypart.mjs', import.meta.url));
    const home = await mkdtemp(join(tmpdir(), 'daypart-incomplete-'));
    const env = { PATH: process.env.PATH, HOME: home, DAYPART_URL: running.service.baseUrl, DAYPART_TOKEN: token };
    const daypart = (...args: string[]) => promisify(execFile)(process.execPath, [program, ...args], { env });
    const dates = ['--from', '2026-03-09', '--to', '2026-03-15'];
    try {
      const one = await daypart('report', 'menu', ...dates, '--restaurant', OTHER, '--format', 'json');
      const line =
        /^Warning: The figures are incomplete\. Orders of 1 restaurant and date were loaded without their items: Bistro 20260311\. Load these orders again\.\n$/;
      assert.match(one.stderr, line);
      assert.ok(Array.isArray(JSON.parse(one.stdout)));
      const parts = await daypart(
        'report',
        'payout-payments',
        '--from',
        '2026-02-10',
        '--to',
        '2026-03-20',
        '--format',
        'csv',
      );
      assert.match(
        parts.stderr,
        /Orders of \d+ restaurants and dates were loaded without their payments: Bistro 2026\d{4}, /,
      );
      const whole = await daypart('report', 'metrics', ...dates, '--format', 'table');
      assert.equal(whole.stderr, '');
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});

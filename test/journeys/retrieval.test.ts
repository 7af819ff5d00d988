import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const METRICS_FIELDS =
  'restaurantGuid businessDate guestCount voidOrdersCount discountOrderCount ordersCount openOrderCount closedOrderCount ' +
  'netSalesAmount grossSalesAmount discountAmount voidOrdersAmount refundAmount avgOrderValue revenueCenter diningOption ' +
  'orderSource businessHour hourlyJobTotalHours hourlyJobTotalPay hourlyJobSalesPerLaborHour';
const CHECK_FIELDS =
  'restaurantGuid orderNumber orderGuid checkNumber checkGuid orderOpenDate checkPaidDateTime checkModifiedDateTime ' +
  'checkStatus checkVoidedStatus diningOption revenueCenter serverName checkTotalAmount checkDiscountAmount checkTaxAmount ' +
  'checkTipAmount checkGratuityAmount checkRefundAmount';
const DAY = { startBusinessDate: '20260310' };

describe('retrieving', () => {
  let running: Running;
  let token: string;
  const order = plainOrder();

  before(async () => {
    running = await startJourney();
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, [order, plainOrder({ businessDate: 20260311, voided: true })]);
  });
  after(() => running.stop());

  it('answers metrics as an array of records with exact names, types and order', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);

    const { status, body, headers, text } = await running.call('GET', `/metrics/${guid}`, { token });

    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(Object.keys(body[0]).join(' '), METRICS_FIELDS);
    assert.deepEqual(body, [
      {
        restaurantGuid: BISTRO,
        businessDate: '20260310',
        guestCount: 2,
        voidOrdersCount: 0,
        discountOrderCount: 1,
        ordersCount: 1,
        openOrderCount: 0,
        closedOrderCount: 1,
        netSalesAmount: 9,
        grossSalesAmount: 10,
        discountAmount: 1,
        voidOrdersAmount: 0,
        refundAmount: 0,
        avgOrderValue: 9,
        revenueCenter: null,
        diningOption: null,
        orderSource: null,
        businessHour: null,
        hourlyJobTotalHours: '0.00',
        hourlyJobTotalPay: '0.00',
        hourlyJobSalesPerLaborHour: null,
      },
    ]);
    assert.equal(headers.get('content-length'), String(Buffer.byteLength(text)));
  });

  it('answers checks as an array of records with exact names, types and order', async () => {
    const guid = await ask(running, token, '/check/day', { ...DAY, endBusinessDate: '20260310' });

    const { status, body } = await running.call('GET', `/check/${guid}`, { token });

    assert.equal(status, 200);
    assert.equal(Object.keys(body[0]).join(' '), CHECK_FIELDS);
    assert.deepEqual(body, [
      {
        restaurantGuid: BISTRO,
        orderNumber: 17,
        orderGuid: order.guid,
        checkNumber: 31,
        checkGuid: (order.checks as { guid: string }[])[0]?.guid,
        orderOpenDate: '20260310',
        checkPaidDateTime: '2026-03-10T17:55:12.345Z',
        checkModifiedDateTime: '2026-03-10T18:00:00.000Z',
        checkStatus: 'CLOSED',
        checkVoidedStatus: false,
        diningOption: 'Dine In',
        revenueCenter: 'Dining Room',
        serverName: 'Ada Byron',
        checkTotalAmount: 11.8,
        checkDiscountAmount: 1,
        checkTaxAmount: 0.8,
        checkTipAmount: 2,
        checkGratuityAmount: 0,
        checkRefundAmount: 0,
      },
    ]);
  });

  it('adds restaurantName, last, only when asked', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    const check = await ask(running, token, '/check/day', { ...DAY, endBusinessDate: 20260310 });

    const named = await running.call('GET', `/metrics/${guid}?fetchRestaurantNames=TRUE`, { token });
    const plain = await running.call('GET', `/metrics/${guid}?fetchRestaurantNames=false`, { token });
    const checks = await running.call('GET', `/check/${check}?fetchRestaurantNames=true`, { token });

    assert.equal(Object.keys(named.body[0]).join(' '), `${METRICS_FIELDS} restaurantName`);
    assert.equal(named.body[0].restaurantName, 'Bistro');
    assert.equal(Object.keys(plain.body[0]).join(' '), METRICS_FIELDS);
    assert.equal(checks.body[0].restaurantName, 'Bistro');
    const wrong = await running.call('GET', `/metrics/${guid}?fetchRestaurantNames=1`, { token });
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, 'fetchRestaurantNames']);
  });

  it('answers [] when there is nothing to report', async () => {
    const guid = await ask(running, token, '/metrics/day', { startBusinessDate: 20250101 });
    const check = await ask(running, token, '/check/week', { startBusinessDate: 20250101, endBusinessDate: 20250107 });

    assert.equal((await running.call('GET', `/metrics/${guid}`, { token })).text.trim(), '[]');
    assert.equal((await running.call('GET', `/check/${check}`, { token })).text.trim(), '[]');
  });

  it('gives a row to a date whose only order is voided', async () => {
    const guid = await ask(running, token, '/metrics/day', { startBusinessDate: '20260311' });
    const { body } = await running.call('GET', `/metrics/${guid}`, { token });
    assert.deepEqual(
      [body.length, body[0].ordersCount, body[0].voidOrdersCount, body[0].voidOrdersAmount, body[0].avgOrderValue],
      [1, 0, 1, 9, 0],
    );
  });

  it('keeps to the snapshot however often it is read and regardless of later loads', async () => {
    const guid = await ask(running, token, '/metrics/day', { startBusinessDate: '20260312' });
    const first = await running.call('GET', `/metrics/${guid}`, { token });

    await postOrders(running, token, BISTRO, [plainOrder({ businessDate: 20260312 })]);

    const again = await running.call('GET', `/metrics/${guid}`, { token });
    const named = await running.call('GET', `/metrics/${guid}?fetchRestaurantNames=true`, { token });
    const fresh = await ask(running, token, '/metrics/day', { startBusinessDate: '20260312' });
    assert.equal(again.text, first.text);
    assert.deepEqual(named.body, []);
    assert.equal((await running.call('GET', `/metrics/${fresh}`, { token })).body.length, 1);
  });

  it('answers under both bases, with a trailing slash, in upper case, to HEAD and with stray headers', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    const plain = await running.call('GET', `/metrics/${guid}`, { token });

    const others = await Promise.all([
      running.call('GET', `/metrics/${guid}`, { token, base: '/era/v1' }),
      running.call('GET', `/metrics/${guid}/`, { token }),
      running.call('GET', `/metrics/${guid.toUpperCase()}`, { token }),
      running.call('GET', `/metrics/${guid}`, {
        token,
        headers: { 'content-type': 'application/json', 'toast-restaurant-external-id': BISTRO },
      }),
    ]);
    const head = await running.call('HEAD', `/metrics/${guid}`, { token });

    for (const other of others) assert.equal(other.text, plain.text);
    assert.deepEqual(
      [head.status, head.text, head.headers.get('content-length')],
      [200, '', plain.headers.get('content-length')],
    );
  });

  it('answers the deprecated path exactly as its replacement, and says what follows it', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    const plain = await running.call('GET', `/metrics/${guid}?fetchRestaurantNames=true`, { token });

    const old = await running.call('GET', `/metrics/day/${guid}?fetchRestaurantNames=true`, { token, base: '/era/v1' });

    assert.deepEqual([old.status, old.text], [200, plain.text]);
    const { origin } = running.service;
    const sent = (answer: typeof old) => ['deprecation', 'sunset', 'link'].map((name) => answer.headers.get(name));
    assert.deepEqual(sent(old), [
      '@1767225600',
      'Sat, 01 Jan 2028 00:00:00 GMT',
      `<${origin}/era/v1/metrics/${guid}?fetchRestaurantNames=true>; rel="successor-version"`,
    ]);
    assert.deepEqual(sent(plain), [null, null, null]);
    const odd = await running.call('GET', `/metrics/day/${guid}?x=%3E"`, { token });
    assert.match(odd.headers.get('link') ?? '', /^<[^<>"]+>; rel="successor-version"$/);
    const custom = await ask(running, token, '/metrics', { ...DAY, endBusinessDate: '20260310' });
    const check = await ask(running, token, '/check/day', { ...DAY, endBusinessDate: '20260310' });
    for (const path of [
      `/metrics/week/${guid}`,
      `/metrics/hour/${guid}`,
      `/metrics/day/${custom}`,
      `/metrics/day/${check}`,
    ]) {
      const answer = await running.call('GET', path, { token });
      assert.equal(answer.status, 404, path);
      assert.equal(answer.headers.get('deprecation'), '@1767225600', path);
      assert.match(answer.headers.get('link') ?? '', /rel="successor-version"/);
    }
    const anonymous = await running.call('GET', `/metrics/day/${guid}`);
    assert.deepEqual([anonymous.status, anonymous.headers.get('deprecation')], [401, '@1767225600']);
  });

  it('reads one report in both dialects, by the credential that reads', async () => {
    const live = await running.login('g', { dialect: 'live' });
    const guid = await ask(running, token, '/metrics/day', { ...DAY, groupBy: ['DINING_OPTION'] });
    const check = await ask(running, live, '/check/day', { ...DAY, endBusinessDate: 20260310 });

    const { body: metrics } = await running.call('GET', `/metrics/${guid}`, { token: live });
    const { body: checks } = await running.call('GET', `/check/${check}`, { token: live });

    const { openOrdersCount, closedOrdersCount, diningOption, hourlyJobTotalHours, hourlyJobTotalPay } = metrics[0];
    assert.deepEqual([openOrdersCount, closedOrdersCount, diningOption], [0, 1, 'Dine In']);
    assert.deepEqual([hourlyJobTotalHours, hourlyJobTotalPay], [0, 0]);
    for (const absent of ['openOrderCount', 'closedOrderCount', 'revenueCenter', 'orderSource', 'businessHour']) {
      assert.ok(!(absent in metrics[0]), absent);
    }
    assert.deepEqual(
      [checks[0].orderOpenedDate, checks[0].orderNumber, checks[0].checkNumber],
      ['20260310', '17', '31'],
    );
    assert.ok(!('orderOpenDate' in checks[0]));
    const reference = await running.call('GET', `/check/${check}`, { token });
    assert.equal(reference.body[0].orderOpenDate, '20260310');
  });

  it('knows only the GUIDs of its own kind', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    const unknown = 'ffffffff-0000-4000-8000-000000000000';
    const wrong = await running.call('GET', `/check/${guid}`, { token });
    assert.equal(wrong.status, 404);
    assert.match(wrong.body.message, /GET \/metrics\//);
    for (const path of [
      `/metrics/${unknown}`,
      `/check/${unknown}`,
      '/metrics/x',
      '/check/%7B%7D',
      `/metrics/${guid}0`,
    ]) {
      const { status, body } = await running.call('GET', path, { token });
      assert.deepEqual([status, body.code], [404, 'report_not_found'], path);
    }
  });

  it('refuses an Accept that JSON does not meet', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    const { status, body } = await running.call('GET', `/metrics/${guid}`, { token, headers: { accept: 'image/png' } });
    assert.deepEqual([status, body.code], [406, 'not_acceptable']);
  });
});

describe('after the sunset', () => {
  it('the deprecated path is 410, with a link to its successor', async () => {
    const running = await startJourney({ sunset: new Date('2026-03-01') });
    try {
      const token = await running.login('g');
      const answer = await running.call('GET', '/metrics/day/ffffffff-0000-4000-8000-000000000000', { token });
      assert.deepEqual([answer.status, answer.body.code], [410, 'sunset_passed']);
      assert.match(
        answer.headers.get('link') ?? '',
        /\/v1\/metrics\/ffffffff-0000-4000-8000-000000000000>; rel="successor-version"/,
      );
    } finally {
      await running.stop();
    }
  });
});

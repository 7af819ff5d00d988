import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Daypart, type MetricsAsk, openSteps } from '@daypart/client';
import { signalEngines } from './engines.ts';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const CAFE = 'b1500000-0000-4000-8000-000000000002';
const SCOPES = ['enterprise-metrics:read', 'ingest:write'];
const WEEK = { startBusinessDate: '20260309', endBusinessDate: '20260315' };

describe('totals of a report', () => {
  let running: Running;
  let token: string;
  let live: string;
  let guid: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('group', { scopes: SCOPES });
    live = await running.login('group', { dialect: 'live' });
    await putRestaurant(running, token, BISTRO, { currencyCode: 'USD' });
    await putRestaurant(running, token, CAFE, { currencyCode: 'EUR' });
    const online = { diningOption: { guid: 'd2', name: 'Delivery' } };
    await postOrders(running, token, BISTRO, [plainOrder(), plainOrder(), plainOrder(online)]);
    await postOrders(running, token, BISTRO, [plainOrder({ businessDate: 20260313 })]);
    await postOrders(running, token, CAFE, [plainOrder()]);
    const entry = {
      guid: 'e0000000-0000-4000-8000-000000000001',
      businessDate: 20260310,
      hourlyWage: 20,
      regularHours: 4,
      inDate: '2026-03-10T16:00:00Z',
      outDate: '2026-03-10T20:00:00Z',
    };
    await running.call('POST', `/restaurants/${BISTRO}/time-entries`, { token, json: [entry] });
    guid = await ask(running, token, '/metrics/week', { ...WEEK, groupBy: ['DINING_OPTION'] });
  });
  after(() => running.stop());

  const totals = (query = '', as = token, headers: Record<string, string> = {}) =>
    running.call('GET', `/reports/${guid}/totals${query}`, { token: as, headers });
  const figures = (rows: Record<string, unknown>[], ...fields: string[]) =>
    rows.map((row) => fields.map((field) => row[field]));

  it('are of the whole, a row for each currency, with labour counted once and ratios of the sums', async () => {
    const { status, body } = await totals();

    assert.equal(status, 200);
    assert.deepEqual([body.reportRequestGuid, body.by], [guid, []]);
    assert.ok(Date.parse(body.asOf) > 0);
    assert.deepEqual(figures(body.rows, 'currencyCode', 'rows', 'ordersCount', 'netSalesAmount', 'avgOrderValue'), [
      ['EUR', 1, 1, 9, 9],
      ['USD', 3, 4, 36, 9],
    ]);
    const labour = ['hourlyJobTotalHours', 'hourlyJobTotalPay', 'hourlyJobSalesPerLaborHour'];
    assert.deepEqual(figures(body.rows, ...labour), [
      ['0.00', '0.00', null],
      // 27.00 on the date with hours, of 36.00.
      ['4.00', '80.00', '6.75'],
    ]);
  });

  it('of the menu are made by its items, menus, groups and modifiers, with the average price of the sums', async () => {
    const guids: string[] = [];
    for (const group of ['MENU_ITEM', 'MENU_GROUP', 'MENU', 'MODIFIER'])
      guids.push(await ask(running, token, '/menu/week', { ...WEEK, groupBy: [group] }));
    const answers = [];
    for (const [at, by] of ['menuItem', 'menuGroup', 'menu', 'modifier'].entries())
      answers.push(await running.call('GET', `/reports/${guids[at]}/totals?by=${by}`, { token }));

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const items = answers[0]?.body.rows;
    assert.deepEqual(figures(items, 'currencyCode', 'quantitySold', 'grossSalesAmount', 'averagePrice'), [
      ['EUR', 1, 10, 10],
      ['USD', 4, 40, 10],
    ]);
    assert.ok(items.every((row: object) => 'menuItemGuid' in row && 'menuItemName' in row));
  });

  it('of a currency without rows have every figure', async () => {
    const day = { startBusinessDate: '20260313', endBusinessDate: '20260313' };
    const [plain, byJob] = [
      await ask(running, token, '/labor/day', day),
      await ask(running, token, '/labor/day', { ...day, groupBy: ['JOB'] }),
    ];
    const rows = async (of: string) => (await running.call('GET', `/reports/${of}/totals`, { token })).body.rows;
    const fields = ['currencyCode', 'rows', 'totalHours', 'netSalesAmount', 'netSalesPerEmployeeHour'];

    assert.deepEqual(figures(await rows(plain), ...fields), [
      ['EUR', 0, 0, 0, null],
      ['USD', 1, 0, 9, null],
    ]);
    assert.deepEqual(figures(await rows(byJob), ...fields), [
      ['EUR', 0, 0, null, null],
      ['USD', 0, 0, null, null],
    ]);
  });

  it('are made by dates, days of the week, restaurants and the groups of the report', async () => {
    const byDay = (await totals('?by=weekday,restaurant')).body.rows;
    assert.deepEqual(figures(byDay, 'weekday', 'restaurantGuid', 'currencyCode', 'ordersCount'), [
      [2, BISTRO, 'USD', 3],
      [2, CAFE, 'EUR', 1],
      [5, BISTRO, 'USD', 1],
    ]);
    assert.deepEqual(Object.keys(byDay[0]).slice(0, 5), [
      'weekday',
      'restaurantGuid',
      'currencyCode',
      'rows',
      'guestCount',
    ]);
    const byGroup = (await totals('?by=diningOption')).body.rows;
    assert.deepEqual(figures(byGroup, 'diningOption', 'currencyCode', 'ordersCount', 'hourlyJobTotalHours'), [
      ['Delivery', 'USD', 1, null],
      ['Dine In', 'EUR', 1, null],
      ['Dine In', 'USD', 3, null],
    ]);
    const inLive = (await totals('?by=businessDate', live)).body.rows;
    assert.deepEqual(figures(inLive, 'businessDate', 'openOrdersCount', 'hourlyJobTotalHours', 'openOrderCount'), [
      ['20260310', 0, 0, undefined],
      ['20260310', 0, 4, undefined],
      ['20260313', 0, 0, undefined],
    ]);
  });

  it('are limited to one weekday and to some figures if that is requested', async () => {
    const { body } = await totals(
      '?by=restaurant,businessDate,diningOption&weekday=5&fields=netSalesAmount,ordersCount',
    );
    assert.deepEqual(body.rows, [
      {
        restaurantGuid: BISTRO,
        businessDate: '20260313',
        diningOption: 'Dine In',
        currencyCode: 'USD',
        rows: 1,
        ordersCount: 1,
        netSalesAmount: 9,
      },
    ]);
    const { body: later } = await totals('?by=restaurant&from=20260311&to=20260315&fields=ordersCount');
    assert.deepEqual(figures(later.rows, 'restaurantGuid', 'ordersCount'), [[BISTRO, 1]]);
    const inLive = await totals('?by=restaurant&fields=openOrdersCount', live);
    assert.deepEqual(Object.keys(inLive.body.rows[0]), ['restaurantGuid', 'currencyCode', 'rows', 'openOrdersCount']);
  });

  it('have a row for each currency even if a report has none, and are 304 for a client that has them', async () => {
    const empty = await ask(running, token, '/metrics/day', { startBusinessDate: '20260301' });
    const { body, headers } = await running.call('GET', `/reports/${empty}/totals`, { token });
    assert.deepEqual(figures(body.rows, 'currencyCode', 'rows', 'ordersCount', 'avgOrderValue', 'hourlyJobTotalPay'), [
      ['EUR', 0, 0, 0, '0.00'],
      ['USD', 0, 0, 0, '0.00'],
    ]);
    assert.deepEqual((await running.call('GET', `/reports/${empty}/totals?by=restaurant`, { token })).body.rows, []);
    const held = { 'if-none-match': headers.get('etag') ?? '' };
    const again = await running.call('GET', `/reports/${empty}/totals`, { token, headers: held });
    assert.deepEqual([again.status, again.text], [304, '']);
    assert.equal((await totals('', token, held)).status, 200);
    assert.notEqual((await totals()).headers.get('etag'), (await totals('', live)).headers.get('etag'));
  });

  it('can be had without the rows as JSON, which are made when they are first retrieved', async () => {
    const json = { ...WEEK, groupBy: ['DINING_OPTION'] };
    const create = (headers: Record<string, string>) =>
      running.call('POST', '/metrics/week', {
        token,
        json,
        headers: { 'content-type': 'application/json', ...headers },
      });
    const later = await create({ prefer: 'forms=later' });
    const unknown = await create({ prefer: 'forms=never' });
    const wrong = await running.call('POST', '/metrics/week', { token, json: {}, headers: { prefer: 'forms=later' } });
    assert.deepEqual([wrong.status, wrong.headers.get('preference-applied')], [400, null]);
    assert.deepEqual(
      [later, unknown].map(({ status, headers }) => [status, headers.get('preference-applied')]),
      [
        [200, 'forms=later'],
        [200, null],
      ],
    );
    const status = async () => (await running.call('GET', `/reports/${later.body}`, { token })).body;
    const whole = await running.call('GET', `/reports/${later.body}/totals`, { token, headers: { prefer: 'wait=20' } });
    assert.deepEqual(whole.body.rows, (await totals()).body.rows);
    const before = await status();
    assert.deepEqual([before.status, before.rows, before.bytes, before.files], ['COMPLETED', 4, null, []]);

    const read = await running.call('GET', `/metrics/${later.body}`, { token });
    const csv = await running.call('GET', `/metrics/${later.body}?format=csv`, { token });

    assert.deepEqual(read.body, (await running.call('GET', `/metrics/${guid}`, { token })).body);
    assert.equal(csv.text, (await running.call('GET', `/metrics/${guid}?format=csv`, { token })).text);
    const { files } = await status();
    assert.deepEqual(files.map((file: { format: string; bytes: number }) => [file.format, file.bytes]).sort(), [
      ['csv', Buffer.byteLength(csv.text)],
      ['json', Buffer.byteLength(read.text)],
    ]);
  });

  it('name what they cannot be made by', async () => {
    for (const [query, code, pointer] of [
      ['?by=month', 'invalid_parameter', 'by'],
      ['?by=', 'invalid_parameter', 'by'],
      ['?by=weekday,weekday', 'invalid_parameter', 'by'],
      ['?by=weekday,restaurant,businessDate,diningOption', 'invalid_parameter', 'by'],
      ['?fields=', 'invalid_parameter', 'fields'],
      ['?fields=netSalesAmount,tips', 'invalid_parameter', 'fields'],
      ['?from=20260230', 'invalid_date', 'from'],
      ['?from=20260312&to=20260311', 'dates_reversed', 'to'],
      ['?weekday=0', 'invalid_parameter', 'weekday'],
      ['?weekday=2&weekday=3', 'invalid_parameter', 'weekday'],
      ['?by=weekday&by=restaurant', 'invalid_parameter', 'by'],
      ['?by=businessHour', 'invalid_parameter', 'by'],
      ['?by=orderSource', 'invalid_parameter', 'by'],
      ['?By=weekday', 'unknown_parameter', 'By'],
    ] as const) {
      const { status, body } = await totals(query);
      assert.deepEqual([status, body.code, body.errors[0].pointer], [400, code, pointer], query);
    }
    assert.match((await totals('?by=businessHour')).body.message, /restaurant, businessDate, weekday, diningOption/);
  });

  it('have at most 10,000 rows', async () => {
    const many = Array.from({ length: 10_001 }, (_, index) =>
      plainOrder({ businessDate: 20260302, diningOption: { guid: `d-${index}`, name: `Table ${index}` } }),
    );
    await postOrders(running, token, CAFE, many);
    const day = { startBusinessDate: '20260302', groupBy: ['DINING_OPTION'] };
    const large = await ask(running, token, '/metrics/day', day);
    const refused = await running.call('GET', `/reports/${large}/totals?by=diningOption`, { token });
    const { status, headers, body } = refused;
    assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'too_many_rows', 'by']);
    assert.equal(headers.get('etag'), null);
    const whole = (await running.call('GET', `/reports/${large}/totals`, { token })).body.rows;
    assert.deepEqual(figures(whole, 'currencyCode', 'rows', 'ordersCount'), [
      ['EUR', 10_001, 10_001],
      ['USD', 0, 0],
    ]);
  });

  it('are not found as a report is not, and wait for it as a retrieval does', async () => {
    const stranger = await running.login('strangers');
    assert.deepEqual([(await totals('', stranger)).status, (await totals('')).status], [404, 200]);
    const gone = await ask(running, token, '/metrics/day', { startBusinessDate: '20260310' });
    await running.call('DELETE', `/reports/${gone}`, { token });
    assert.equal((await running.call('GET', `/reports/${gone}/totals`, { token })).status, 404);
    signalEngines(running, 'SIGSTOP');
    try {
      const held = await ask(running, token, '/metrics/day', { startBusinessDate: '20260310' });
      const early = await running.call('GET', `/reports/${held}/totals`, { token, headers: { prefer: 'wait=0' } });
      assert.deepEqual([early.status, early.body.reportRequestGuid], [202, held]);
    } finally {
      signalEngines(running, 'SIGCONT');
    }
  });

  it('are read by the client, which waits for them', async () => {
    const client = new Daypart({ baseUrl: `${running.service.origin}/v1`, token });
    const made = await client.metrics.create({ range: 'week', start: 20260309, end: 20260315, aggregateBy: 'HOUR' });

    const { rows, by } = await client.reports.totals(made, { by: ['businessHour'] });

    assert.deepEqual(by, ['businessHour']);
    assert.deepEqual(figures(rows, 'businessHour', 'currencyCode', 'ordersCount').slice(1, 3), [
      ['13', 'EUR', 1],
      ['13', 'USD', 4],
    ]);
  });

  it('are read by a client of single steps, which creates reports below a path and opens them as files', async () => {
    const client = openSteps({ baseUrl: `${running.service.origin}/v1`, token: async () => token });
    const dates = { start: 'startBusinessDate', end: 'endBusinessDate' };
    const metrics = client.steps<MetricsAsk>({ path: '/metrics', dates, groups: true });
    const request = { range: 'week', start: 20260309, end: 20260315, groupBy: ['DINING_OPTION'] } as const;

    const made = await metrics.create(request, { idempotencyKey: 'steps-1' });
    const repeated = await metrics.create(request, { idempotencyKey: 'steps-1' });
    const { rows } = await client.reports.totals(made);
    const csv = await (await metrics.open(made, { format: 'csv' })).text();

    assert.equal(repeated, made);
    assert.deepEqual(figures(rows, 'currencyCode', 'ordersCount'), [
      ['EUR', 1],
      ['USD', 4],
    ]);
    assert.equal(csv.trim().split('\n').length, 1 + 4);
    await assert.rejects(metrics.open(crypto.randomUUID()), { name: 'NotFoundError' });
    assert.throws(() => openSteps({ baseUrl: 'https://host/v1?a=1', token }), TypeError);
  });
});

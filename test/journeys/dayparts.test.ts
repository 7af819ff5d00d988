import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Daypart } from '@daypart/client';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const CAFE = 'b1500000-0000-4000-8000-000000000002';
const SCOPES = ['enterprise-metrics:read', 'ingest:write'];
const DEFAULT = [
  { name: 'Breakfast', from: '05:00', to: '11:00' },
  { name: 'Lunch', from: '11:00', to: '15:00' },
  { name: 'Afternoon', from: '15:00', to: '17:00' },
  { name: 'Dinner', from: '17:00', to: '22:00' },
  { name: 'Late night', from: '22:00', to: '05:00' },
];
const HALVES = [
  { name: 'Early', from: '04:00', to: '16:00' },
  { name: 'Late', from: '16:00', to: '04:00' },
];
const WHOLE = [{ name: 'All day', from: '00:00', to: '00:00' }];
const DAY = { startBusinessDate: '20260310' };

describe('dayparts', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('group', { scopes: SCOPES });
    for (const guid of [BISTRO, CAFE]) {
      await putRestaurant(running, token, guid);
      // 13:05, 20:05 and 1:05 in New York, all on the same business date.
      const opened = ['2026-03-10T17:05:00Z', '2026-03-11T00:05:00Z', '2026-03-11T05:05:00Z'];
      await postOrders(
        running,
        token,
        guid,
        opened.map((openedDate) => plainOrder({ openedDate })),
      );
    }
    const entry = {
      guid: 'e0000000-0000-4000-8000-000000000001',
      businessDate: 20260310,
      hourlyWage: 20,
      regularHours: 8,
      inDate: '2026-03-10T17:00:00Z',
      outDate: '2026-03-11T01:00:00Z',
    };
    await running.call('POST', `/restaurants/${BISTRO}/time-entries`, { token, json: [entry] });
  });
  after(() => running.stop());

  const get = (path: string, as = token) => running.call('GET', path, { token: as });
  const put = (path: string, dayparts: unknown, as = token) =>
    running.call('PUT', path, { token: as, json: { dayparts } });
  const rowsOf = async (guid: string, as = token) => (await get(`/metrics/${guid}`, as)).body;
  const byDaypart = (body: object = DAY) => ask(running, token, '/metrics/day?aggregateBy=DAYPART', body);

  it('are breakfast, lunch, afternoon, dinner and late night until they are set', async () => {
    assert.deepEqual((await get('/dayparts')).body, { dayparts: DEFAULT });
    assert.deepEqual((await get(`/restaurants/${BISTRO}/dayparts`)).body, { dayparts: DEFAULT, inherited: true });
  });

  it('split the rows of a report, in the order of the business day, with labour by its hours', async () => {
    const rows = await rowsOf(await byDaypart({ ...DAY, restaurantIds: [BISTRO] }));

    const fields = Object.keys(rows[0]);
    assert.equal(fields[fields.indexOf('businessHour') + 1], 'daypart');
    assert.deepEqual(
      rows.map((row: Record<string, unknown>) => [
        row.daypart,
        row.businessHour,
        row.ordersCount,
        row.hourlyJobTotalHours,
      ]),
      [
        ['Lunch', null, 1, '2.00'],
        ['Afternoon', null, 0, '2.00'],
        ['Dinner', null, 1, '4.00'],
        ['Late night', null, 1, '0.00'],
      ],
    );
    const plain = await rowsOf(await ask(running, token, '/metrics/day', DAY));
    assert.ok(!('daypart' in plain[0]));
    const csv = await running.call('GET', `/metrics/${await byDaypart()}?format=csv`, { token });
    assert.match(csv.text, /^[^\n]*,businessHour,daypart,hourlyJobTotalHours,/);
  });

  it('are in rows of the dialect live too, without the hour, and for any span', async () => {
    const live = await running.login('group', { dialect: 'live' });
    const guid = await ask(running, live, '/metrics?aggregateBy=DAYPART', {
      startBusinessDate: '20250401',
      endBusinessDate: '20260320',
      groupBy: ['DINING_OPTION', 'ORDER_SOURCE'],
    });
    const [row] = await rowsOf(guid, live);
    assert.deepEqual([row.daypart, 'businessHour' in row, row.diningOption], ['Lunch', false, 'Dine In']);
  });

  it('of a group and of a restaurant that differs are those that count when a report is gathered', async () => {
    const before = await byDaypart();
    await rowsOf(before);
    assert.deepEqual((await put('/dayparts', HALVES)).body, { dayparts: HALVES });
    const own = await put(`/restaurants/${CAFE}/dayparts`, WHOLE);
    assert.deepEqual([own.status, own.body], [200, { dayparts: WHOLE, inherited: false }]);

    const guid = await byDaypart();
    const rows = await rowsOf(guid);

    assert.deepEqual(
      rows.map((row: Record<string, unknown>) => [row.restaurantGuid, row.daypart, row.ordersCount]),
      [
        [BISTRO, 'Early', 1],
        [BISTRO, 'Late', 2],
        [CAFE, 'All day', 3],
      ],
    );
    const { request } = (await get(`/reports/${guid}`)).body;
    assert.deepEqual(request.dayparts, HALVES);
    assert.deepEqual(request.restaurantDayparts, [{ restaurantGuid: CAFE, dayparts: WHOLE }]);
    const old = (await get(`/reports/${before}`)).body;
    assert.deepEqual([old.request.dayparts, old.request.restaurantDayparts], [DEFAULT, []]);
    assert.equal((await rowsOf(before))[0].daypart, 'Lunch');
    const totals = (await get(`/reports/${guid}/totals?by=daypart`)).body.rows;
    assert.deepEqual(
      totals.map((row: Record<string, unknown>) => [row.daypart, row.ordersCount, row.hourlyJobTotalHours]),
      [
        ['All day', 3, '0.00'],
        ['Early', 1, '3.00'],
        ['Late', 2, '5.00'],
      ],
    );

    for (const _ of [1, 2]) {
      assert.equal((await running.call('DELETE', `/restaurants/${CAFE}/dayparts`, { token })).status, 204);
    }
    assert.deepEqual((await get(`/restaurants/${CAFE}/dayparts`)).body, { dayparts: HALVES, inherited: true });
  });

  it('change the watermark of the group', async () => {
    const etag = async () => (await get('/restaurants')).headers.get('etag');
    const tags = [await etag()];
    await put('/dayparts', WHOLE);
    tags.push(await etag());
    await put(`/restaurants/${BISTRO}/dayparts`, HALVES);
    tags.push(await etag());
    await running.call('DELETE', `/restaurants/${BISTRO}/dayparts`, { token });
    assert.equal(new Set(tags).size, 3);
    assert.equal(await etag(), tags[1]);
  });

  it('are refused with the place at which they do not divide the day', async () => {
    const [early, late] = HALVES;
    const many = Array.from({ length: 13 }, (_, index) => ({ name: `${index}`, from: '00:00', to: '01:00' }));
    for (const [dayparts, pointer, message] of [
      [undefined, '/dayparts', /1 to 12/],
      [[], '/dayparts', /1 to 12/],
      [many, '/dayparts', /1 to 12/],
      [[early, { ...late, to: '03:00' }], '/dayparts', /none covers 03:00/],
      [[early, { ...late, from: '15:00' }], '/dayparts/1', /covers 15:00, which Early covers too/],
      [[early, { ...late, name: 'Early' }], '/dayparts/1/name', /twice/],
      [[{ ...early, name: ' ' }, late], '/dayparts/0/name', /1 to 40/],
      [[{ ...early, name: 'x'.repeat(41) }, late], '/dayparts/0/name', /40/],
      [[{ ...early, from: '4:00' }, late], '/dayparts/0/from', /whole hour/],
      [[{ ...early, to: '16:30' }, late], '/dayparts/0/to', /whole hour/],
      [[{ ...early, to: 16 }, late], '/dayparts/0/to', /whole hour/],
      [[early, 'late'], '/dayparts/1', /object/],
      [[early, { ...late, until: '04:00' }], '/dayparts/1/until', /Unknown field/],
      [[{ ...early, to: '04:00' }, late], '/dayparts/1', /covers 16:00/],
    ] as const) {
      for (const path of ['/dayparts', `/restaurants/${BISTRO}/dayparts`]) {
        const { status, body } = await put(path, dayparts);
        assert.deepEqual([status, body.errors[0].pointer], [400, pointer], JSON.stringify(dayparts));
        assert.match(body.errors[0].message, message);
      }
    }
    const reader = await running.login('group', { scopes: ['enterprise-metrics:read'] });
    assert.equal((await put('/dayparts', HALVES, reader)).status, 403);
    const stranger = await running.login('strangers', { scopes: SCOPES });
    assert.equal((await put(`/restaurants/${BISTRO}/dayparts`, HALVES, stranger)).body.code, 'restaurant_not_found');
    assert.deepEqual((await get('/dayparts', stranger)).body, { dayparts: DEFAULT });
  });

  it('are read and set by the client', async () => {
    const client = new Daypart({ baseUrl: `${running.service.origin}/v1`, token });
    assert.deepEqual(await client.dayparts.set(HALVES), HALVES);
    assert.deepEqual(await client.dayparts.get(), HALVES);
    assert.deepEqual(await client.dayparts.set(WHOLE, { restaurantGuid: CAFE }), WHOLE);
    assert.deepEqual(await client.dayparts.get({ restaurantGuid: CAFE }), WHOLE);
    await client.dayparts.remove(CAFE);
    const { rows } = await client.metrics.report({ range: 'day', start: 20260310, aggregateBy: 'DAYPART' });
    assert.deepEqual(
      rows.map((row) => row.daypart),
      ['Early', 'Late', 'Early', 'Late'],
    );
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Daypart } from '@daypart/client';
import { BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const CAFE = 'b1500000-0000-4000-8000-000000000002';
const ALL = ['enterprise-metrics:read', 'ingest:write'];

describe('what is loaded', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('group', { scopes: ALL });
    await putRestaurant(running, token, BISTRO, { currencyCode: 'USD', locationName: 'Main Street' });
  });
  after(() => running.stop());

  const list = (headers: Record<string, string> = {}) => running.call('GET', '/restaurants', { token, headers });
  const etag = async (): Promise<string> => (await list()).headers.get('etag') ?? '';

  it('is listed with the settings of each restaurant, empty before the first load', async () => {
    const { status, headers, body } = await list();

    assert.equal(status, 200);
    assert.match(headers.get('etag') ?? '', /^"[\w-]{22}-gzip"$/);
    assert.equal(headers.get('cache-control'), 'private, no-cache');
    const { body: set } = await running.call('GET', '/dayparts', { token });
    assert.deepEqual(body, [
      {
        guid: BISTRO,
        name: 'Bistro',
        locationName: 'Main Street',
        locationCode: null,
        timeZone: 'America/New_York',
        closeoutHour: 4,
        currencyCode: 'USD',
        active: true,
        archived: false,
        testMode: false,
        dayparts: set.dayparts,
        firstBusinessDate: null,
        lastBusinessDate: null,
        loadedAt: null,
        connection: null,
      },
    ]);
  });

  it('has a watermark that changes with orders, time entries, reference data, settings and restaurants, and with nothing else', async () => {
    const order = plainOrder();
    const entry = {
      guid: 'e0000000-0000-4000-8000-000000000001',
      businessDate: 20260312,
      inDate: '2026-03-12T13:00:00Z',
    };
    const changes: [string, () => Promise<unknown>][] = [
      ['an order', () => postOrders(running, token, BISTRO, [order])],
      ['a time entry', () => running.call('POST', `/restaurants/${BISTRO}/time-entries`, { token, json: [entry] })],
      [
        'reference data',
        () =>
          running.call('PUT', `/restaurants/${BISTRO}/reference`, {
            token,
            json: { diningOptions: [{ guid: 'd1', name: 'At the table' }] },
          }),
      ],
      ['settings', () => putRestaurant(running, token, BISTRO, { currencyCode: 'EUR' })],
      ['a restaurant', () => putRestaurant(running, token, CAFE)],
      ['a deletion', () => running.call('DELETE', `/restaurants/${BISTRO}/orders/${order.guid}`, { token })],
    ];
    for (const [what, change] of changes) {
      const before = await etag();
      await change();
      const now = await list({ 'if-none-match': before });
      assert.equal(now.status, 200, what);
      assert.notEqual(now.headers.get('etag'), before, what);
    }
    const current = await etag();
    const others = await running.login('others', { scopes: ALL });
    const theirs = 'b1500000-0000-4000-8000-000000000009';
    await putRestaurant(running, others, theirs);
    await postOrders(running, others, theirs, [plainOrder()]);
    const late = await running.call('POST', `/restaurants/${BISTRO}/orders`, { token, json: [order] });
    assert.equal(late.body.unchanged, 1);
    for (const header of [current, `"other", W/${current}`, '*']) {
      const { status, text, headers } = await list({ 'if-none-match': header });
      assert.deepEqual([status, text, headers.get('etag')], [304, '', current], header);
    }
    await running.restart();
    assert.equal(await etag(), current, 'after a restart');
  });

  it('is listed by date, for a span or for all', async () => {
    const orders = [
      plainOrder({ businessDate: 20260301 }),
      plainOrder({ businessDate: 20260301, voided: true }),
      plainOrder({ businessDate: 20260305 }),
    ];
    await postOrders(running, token, CAFE, orders);
    const days = (query: string) => running.call('GET', `/restaurants/${CAFE.toUpperCase()}/days${query}`, { token });

    const { status, body, headers } = await days('');

    assert.equal(status, 200);
    assert.deepEqual(
      body.map(({ loadedAt, itemsFrom, ...rest }: Record<string, unknown>) => ({
        ...rest,
        hasItems: itemsFrom !== null && itemsFrom === loadedAt,
      })),
      [
        { businessDate: '20260301', orders: 2, checks: 2, timeEntries: 0, hasItems: true },
        { businessDate: '20260305', orders: 1, checks: 1, timeEntries: 0, hasItems: true },
      ],
    );
    const restaurants = (await list()).body;
    const cafe = restaurants.find(({ guid }: { guid: string }) => guid === CAFE);
    assert.deepEqual([cafe.firstBusinessDate, cafe.lastBusinessDate], ['20260301', '20260305']);
    assert.equal(body[0].loadedAt, cafe.loadedAt);
    assert.deepEqual((await days('?from=2026-03-02&to=20260331')).body, body.slice(1));
    assert.deepEqual((await days('?from=20260306')).body, []);
    const held = { token, headers: { 'if-none-match': headers.get('etag') ?? '' } };
    assert.equal((await running.call('GET', `/restaurants/${CAFE}/days`, held)).status, 304);
    assert.equal((await running.call('GET', `/restaurants/${CAFE}/days?to=20260310`, held)).status, 200);
  });

  it('has the dates of waste alone, on which menu reports have rows', async () => {
    const own = await running.login('wasteful', { scopes: ALL });
    const guid = 'b1500000-0000-4000-8000-000000000004';
    await putRestaurant(running, own, guid);
    const waste = plainOrder({ businessDate: 20260303, excessFood: true });
    await postOrders(running, own, guid, [
      waste,
      plainOrder({ businessDate: 20260304, excessFood: true, createdInTestMode: true }),
      plainOrder({ businessDate: 20260305, deleted: true }),
    ]);
    const listed = async () => {
      const { body } = await running.call('GET', '/restaurants', { token: own });
      return [body[0].firstBusinessDate, body[0].lastBusinessDate];
    };
    const days = () => running.call('GET', `/restaurants/${guid}/days`, { token: own });

    const { body } = await days();
    assert.deepEqual(
      body.map(({ loadedAt, ...rest }: Record<string, unknown>) => rest),
      [{ businessDate: '20260303', orders: 0, checks: 0, timeEntries: 0, itemsFrom: null }],
    );
    assert.deepEqual(await listed(), ['20260303', '20260303']);

    await running.call('DELETE', `/restaurants/${guid}/orders/${waste.guid}`, { token: own });
    assert.deepEqual((await days()).body, []);
    assert.deepEqual(await listed(), [null, null]);
  });

  it('has no last date to come: orders that are scheduled count once their date is the current one', async () => {
    const scheduled = 'b1500000-0000-4000-8000-000000000003';
    const ahead = await startJourney();
    try {
      const login = () => ahead.login('caterers', { scopes: ALL });
      let own = await login();
      for (const guid of [scheduled, CAFE]) await putRestaurant(ahead, own, guid, { timeZone: 'America/New_York' });
      const orders = (...dates: number[]) => dates.map((businessDate) => plainOrder({ businessDate }));
      const listed = async () => {
        own = await login();
        const { body, headers } = await ahead.call('GET', '/restaurants', { token: own });
        const dates = body.map((one: Record<string, unknown>) => [one.firstBusinessDate, one.lastBusinessDate]);
        return { dates, etag: headers.get('etag') };
      };
      await postOrders(ahead, own, CAFE, orders(20260414));
      await postOrders(ahead, own, scheduled, orders(20260310, 20260318, 20260322, 20260414));

      const before = await listed();
      assert.deepEqual(before.dates, [
        [null, null],
        ['20260310', '20260318'],
      ]);
      // 2026-03-22 02:00 in New York is the business date before.
      ahead.advance(36 * 3_600_000);
      assert.deepEqual(await listed(), before);
      ahead.advance(3 * 3_600_000);
      const after = await listed();
      assert.deepEqual(after.dates, [
        [null, null],
        ['20260310', '20260322'],
      ]);
      assert.notEqual(after.etag, before.etag);
      await postOrders(ahead, own, scheduled, orders(20260320, 20260401));
      assert.deepEqual((await listed()).dates, after.dates);
      const days = await ahead.call('GET', `/restaurants/${scheduled}/days?from=20260320`, { token: own });
      assert.deepEqual(
        days.body.map(({ businessDate }: { businessDate: string }) => businessDate),
        ['20260320', '20260322', '20260401', '20260414'],
      );
    } finally {
      await ahead.stop();
    }
  });

  it('names the parameter that is wrong, and hides the restaurants of others', async () => {
    const days = (query: string, as = token) =>
      running.call('GET', `/restaurants/${BISTRO}/days${query}`, { token: as });
    for (const [query, code, pointer] of [
      ['?from=20260230', 'invalid_date', 'from'],
      ['?to=soon', 'invalid_date', 'to'],
      ['?from=20260302&from=20260303', 'invalid_date', 'from'],
      ['?from=20260302&to=20260301', 'dates_reversed', 'to'],
      ['?form=20260302', 'unknown_parameter', 'form'],
    ] as const) {
      const { status, body } = await days(query);
      assert.deepEqual([status, body.code, body.errors[0].pointer], [400, code, pointer], query);
    }
    const stranger = await running.login('strangers');
    assert.equal((await days('', stranger)).body.code, 'restaurant_not_found');
    assert.deepEqual((await running.call('GET', '/restaurants', { token: stranger })).body, []);
    assert.equal((await running.call('GET', '/restaurants')).status, 401);
  });

  it('is read by the client, which brings nothing while the watermark is current', async () => {
    const client = new Daypart({ baseUrl: `${running.service.origin}/v1`, token });
    const { restaurants, watermark } = await client.restaurants.loaded();
    assert.deepEqual(
      restaurants.map(({ guid }) => guid),
      [BISTRO, CAFE],
    );
    assert.deepEqual(restaurants[0]?.dayparts[0], { name: 'Breakfast', from: '05:00', to: '11:00' });

    assert.equal(await client.restaurants.loaded({ watermark }), null);

    await postOrders(running, token, CAFE, [plainOrder({ businessDate: 20260320 })]);
    const later = await client.restaurants.loaded({ watermark });
    assert.equal(later?.restaurants[1]?.lastBusinessDate, '20260320');
    const [day] = await client.restaurants.days(CAFE, { from: '2026-03-20' });
    assert.deepEqual([day?.orders, day?.checks, day?.loadedAt], [1, 1, later?.restaurants[1]?.loadedAt]);
  });
});

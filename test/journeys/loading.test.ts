/** Loading over HTTP: docs/loading.md. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  type Answer,
  ask,
  BISTRO,
  newGuid,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  spooled,
  startJourney,
} from './service.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const NDJSON_TYPE = { 'content-type': 'application/x-ndjson' };

describe('loading', () => {
  let running: Running;
  let token: string;
  let restaurants = 0;
  before(async () => {
    running = await startJourney();
    token = await running.login('g');
  });
  after(() => running.stop());

  /** A restaurant of its own for a test. */
  async function open(changes: object = {}): Promise<string> {
    const guid = `c0000000-0000-4000-8000-${String(++restaurants).padStart(12, '0')}`;
    await putRestaurant(running, token, guid, changes);
    return guid;
  }

  const post = (
    restaurant: string,
    body: string | Buffer,
    headers: Record<string, string>,
    what = 'orders',
  ): Promise<Answer> => running.call('POST', `/restaurants/${restaurant}/${what}`, { token, body, headers });

  async function rows(restaurant: string, date: number): Promise<Record<string, unknown>[]> {
    const guid = await ask(running, token, '/metrics/day', { startBusinessDate: date, restaurantIds: [restaurant] });
    return (await running.call('GET', `/metrics/${guid}`, { token })).body;
  }

  const orders = (count: number, changes: object = {}): Record<string, unknown>[] =>
    Array.from({ length: count }, () => plainOrder(changes));

  it('takes an array or NDJSON, plain or gzip, with a byte order mark or without', async () => {
    const restaurant = await open();
    const lines = (some: object[]): string => some.map((order) => JSON.stringify(order)).join('\r\n');
    const bodies: [string | Buffer, Record<string, string>][] = [
      [JSON.stringify(orders(2)), JSON_TYPE],
      [JSON.stringify(orders(2), null, 2), { 'content-type': 'Application/JSON; charset=utf-8' }],
      [`\ufeff${JSON.stringify(orders(2))}`, JSON_TYPE],
      [lines(orders(2)), NDJSON_TYPE],
      [`${lines(orders(2))}\n\n`, { 'content-type': 'application/ndjson' }],
      [gzipSync(JSON.stringify(orders(2))), { ...JSON_TYPE, 'content-encoding': 'gzip' }],
      [gzipSync(lines(orders(2))), { ...NDJSON_TYPE, 'content-encoding': 'gzip' }],
    ];
    for (const [body, headers] of bodies) {
      const { status, body: answer } = await post(restaurant, body, headers);
      assert.deepEqual([status, answer], [200, { accepted: 2, unchanged: 0, rejected: [], rejectedCount: 0 }]);
    }
    assert.deepEqual((await post(restaurant, '[]', JSON_TYPE)).body, {
      accepted: 0,
      unchanged: 0,
      rejected: [],
      rejectedCount: 0,
    });
    assert.deepEqual((await post(restaurant, '', NDJSON_TYPE)).body, {
      accepted: 0,
      unchanged: 0,
      rejected: [],
      rejectedCount: 0,
    });
    assert.equal((await rows(restaurant, 20260310))[0]?.ordersCount, 14);
  });

  it('rejects a bad record alone, and says where and why', async () => {
    const restaurant = await open();
    const good = plainOrder();
    const bad = plainOrder({}, { amount: 'nine' });
    const huge = plainOrder({ note: 'x'.repeat(1024 * 1024) });
    const body = [good, bad, 7, { ...plainOrder(), guid: 'no' }, huge, plainOrder({ businessDate: 20260230 })];

    const { status, body: answer } = await post(restaurant, JSON.stringify(body), JSON_TYPE);

    assert.equal(status, 200);
    assert.deepEqual([answer.accepted, answer.unchanged], [1, 0]);
    const told = answer.rejected.map(
      ({ index, guid, pointer }: { index: number; guid: string | null; pointer: string }) => [index, guid, pointer],
    );
    assert.deepEqual(told, [
      [1, bad.guid, '/checks/0/amount'],
      [2, null, ''],
      [3, 'no', '/guid'],
      [4, null, ''],
      [5, body[5] && (body[5] as { guid: string }).guid, '/businessDate'],
    ]);
    for (const { message } of answer.rejected) assert.ok(message.length > 5);
    assert.equal((await rows(restaurant, 20260310))[0]?.ordersCount, 1);
  });

  it('stores nothing if the query has a parameter: loads have none', async () => {
    for (const path of ['orders', 'time-entries', 'payouts']) {
      const { status, body } = await running.call('POST', `/restaurants/${BISTRO}/${path}?dryRun=true`, {
        token,
        json: [],
      });
      assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'unknown_parameter', 'dryRun']);
      assert.match(body.detail, /None is allowed here/);
    }
  });

  it('stores nothing from a body that is not JSON', async () => {
    const restaurant = await open();
    const good = JSON.stringify(plainOrder());
    const bodies: [string | Buffer, Record<string, string>, string, number][] = [
      [`[${good}`, JSON_TYPE, 'invalid_json', 400],
      [`[${good},]`, JSON_TYPE, 'invalid_json', 400],
      [`[${good}] x`, JSON_TYPE, 'invalid_json', 400],
      [`[${good},{"guid":tru}]`, JSON_TYPE, 'invalid_json', 400],
      ['', JSON_TYPE, 'invalid_json', 400],
      [good, JSON_TYPE, 'invalid_json', 400],
      [`${good}\n{"guid":`, NDJSON_TYPE, 'invalid_json', 400],
      [
        Buffer.concat([Buffer.from(`[${good},"`), Buffer.from([0xff, 0xfe]), Buffer.from('"]')]),
        JSON_TYPE,
        'invalid_json',
        400,
      ],
      [Buffer.from(`[${good}]`), { ...JSON_TYPE, 'content-encoding': 'gzip' }, 'invalid_json', 400],
      [gzipSync(`[${good}]`).subarray(0, -20), { ...JSON_TYPE, 'content-encoding': 'gzip' }, 'invalid_json', 400],
      [`[${good}]`, { 'content-type': 'text/csv' }, 'unsupported_media_type', 415],
      [`[${good}]`, { ...JSON_TYPE, 'content-encoding': 'br' }, 'unsupported_media_type', 415],
    ];
    for (const [body, headers, code, status] of bodies) {
      const answer = await post(restaurant, body, headers);
      assert.deepEqual([answer.status, answer.body?.code], [status, code], String(body).slice(-20));
    }
    assert.deepEqual(await rows(restaurant, 20260310), []);
    assert.deepEqual(await spooled(running), []);
  });

  it('names the line and the place of what is not JSON as an editor does, in bodies read here or in a thread', async () => {
    const restaurant = await open();
    const good = JSON.stringify(plainOrder());
    const long = Array.from({ length: 300 }, () => JSON.stringify(plainOrder()));
    const cases: [string, Record<string, string>, RegExp][] = [
      [
        `${good}\r\n\r\n{"guid":"é",,}\n`,
        NDJSON_TYPE,
        /^The record with index 1 .* line 3, column 13: a property name in double quotes/,
      ],
      [
        `${long.join('\n')}\n{"guid":tru}`,
        NDJSON_TYPE,
        /^The record with index 300 .* line 301, column 9: a value is expected/,
      ],
      [
        `[\n  ${good},\n  {"guid":\n   'x'}\n]`,
        JSON_TYPE,
        /^The record with index 1 .* line 4, column 4: a value is expected/,
      ],
      [
        `[\n${long.join(',\n')},\n{"a" 1}]`,
        JSON_TYPE,
        /^The record with index 300 .* line 302, column 6: a colon is expected/,
      ],
      [
        `[${long.join(',')},{"a" 1}]`,
        JSON_TYPE,
        /^The record with index 300 .* character 6 of it, line 1: a colon is expected/,
      ],
      [`[\n${good}\n${good}]`, JSON_TYPE, /line 3, column 1: a comma or \]/],
      [
        `[\n${good},\n {"guid":1]`,
        JSON_TYPE,
        /^The record with index 1 .* line 3, column 11: a comma or } is expected/,
      ],
      [`[\n${good},\n {"guid":1`, JSON_TYPE, /The record that begins in line 3, column 2 is not closed/],
    ];
    for (const [body, headers, message] of cases) {
      const { status, body: problem } = await post(restaurant, body, headers);
      assert.equal(status, 400);
      assert.match(problem.message, message);
    }
    const small = await running.call('POST', '/metrics/day', { token, body: '{\n  "x": 01\n}', headers: JSON_TYPE });
    assert.match(small.body.message, /line 2, column 9: a comma or } is expected here/);
  });

  it('refuses a body that expands beyond the bound', async () => {
    const restaurant = await open();
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    const { status, body } = await post(restaurant, bomb, { ...JSON_TYPE, 'content-encoding': 'gzip' });
    assert.deepEqual([status, body.code], [413, 'expansion_too_large']);
  });

  it('stores nothing in a body whose client disconnects', async () => {
    const restaurant = await open();
    async function untilSpooled(loads: number): Promise<void> {
      for (let tries = 0; tries < 500 && (await spooled(running)).length !== loads; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.equal((await spooled(running)).length, loads);
    }
    const { port } = new URL(running.service.origin);
    const cut = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: `/v1/restaurants/${restaurant}/orders`,
      headers: { ...JSON_TYPE, authorization: `Bearer ${token}` },
    });
    cut.on('error', () => undefined);
    cut.write(`${JSON.stringify(orders(4000)).slice(0, -1)},`);
    // Only a load with more than fits in memory leaves anything to clear away.
    await untilSpooled(1);
    cut.destroy(new Error('gone'));
    await untilSpooled(0);
    assert.deepEqual(await rows(restaurant, 20260310), []);
  });

  it('lets a client see the answer that came before all of its body was read', async () => {
    const restaurant = await open();
    const large = JSON.stringify(orders(20_000));
    const unknown = await post('dddddddd-0000-4000-8000-000000000000', large, JSON_TYPE);
    const broken = await post(restaurant, `[1 ${large}`, JSON_TYPE);
    const coded = await post(restaurant, large, { ...JSON_TYPE, 'content-encoding': 'br' });
    const stranger = await running.call('POST', `/restaurants/${restaurant}/orders`, {
      body: large,
      headers: JSON_TYPE,
    });
    assert.deepEqual(
      [unknown, broken, coded, stranger].map(({ status, body }) => `${status} ${body.code}`),
      ['404 restaurant_not_found', '400 invalid_json', '415 unsupported_media_type', '401 token_missing'],
    );
  });

  it('lets the newest version win, moves an order to its new business date, and changes nothing when sent twice', async () => {
    const restaurant = await open();
    const first = plainOrder();
    const moved = { ...first, businessDate: 20260311, modifiedDate: '2026-03-12T00:00:00.000Z', numberOfGuests: 5 };
    const send = async (order: object) => (await post(restaurant, JSON.stringify([order]), JSON_TYPE)).body;

    assert.deepEqual(await send(first), { accepted: 1, unchanged: 0, rejected: [], rejectedCount: 0 });
    assert.deepEqual(await send(moved), { accepted: 1, unchanged: 0, rejected: [], rejectedCount: 0 });
    assert.deepEqual(await send(first), { accepted: 0, unchanged: 1, rejected: [], rejectedCount: 0 });
    assert.deepEqual(await send(moved), { accepted: 0, unchanged: 1, rejected: [], rejectedCount: 0 });

    assert.deepEqual(await rows(restaurant, 20260310), []);
    const after = await rows(restaurant, 20260311);
    assert.deepEqual([after.length, after[0]?.guestCount, after[0]?.ordersCount], [1, 5, 1]);
  });

  it('takes time entries, and reports the labour of a day', async () => {
    const restaurant = await open({ overtimeMultiplier: 2 });
    const entry = (changes: object) => ({
      guid: newGuid(),
      jobReference: { guid: 'cook' },
      inDate: '2026-03-10T14:00:00.000+0000',
      outDate: '2026-03-10T22:30:00.000+0000',
      regularHours: 8,
      overtimeHours: 0.5,
      hourlyWage: 20,
      ...changes,
    });
    await running.call('PUT', `/restaurants/${restaurant}/reference`, {
      token,
      json: { jobs: [{ guid: 'gm', title: 'Manager', wageFrequency: 'SALARY' }] },
    });
    await postOrders(running, token, restaurant, [plainOrder()]);
    const entries = [
      entry({}),
      entry({ jobReference: { guid: 'GM' } }),
      entry({ outDate: null }),
      entry({ regularPay: 100 }),
    ];

    const answer = await post(
      restaurant,
      JSON.stringify([...entries, entry({ regularHours: -1 })]),
      JSON_TYPE,
      'time-entries',
    );

    assert.equal(answer.body.accepted, 4);
    assert.equal(answer.body.rejected[0].pointer, '/regularHours');
    const [row] = await rows(restaurant, 20260310);
    // 8 × 20 + 0.5 × 20 × 2 = 180, and 100 as given; 17 hours; 9.00 ÷ 17.
    assert.deepEqual(
      [row?.hourlyJobTotalHours, row?.hourlyJobTotalPay, row?.hourlyJobSalesPerLaborHour],
      ['17.00', '280.00', '0.53'],
    );
  });
});

describe('restaurants', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('g');
  });
  after(() => running.stop());

  it('are made, replaced and read', async () => {
    const path = `/restaurants/${BISTRO}`;
    const json = { name: 'Bistro', timeZone: 'Europe/Paris', closeoutHour: 5, currencyCode: 'EUR', active: false };

    const made = await running.call('PUT', path, { token, json });
    const replaced = await running.call('PUT', path.toUpperCase().replace('/RESTAURANTS', '/restaurants'), {
      token,
      json: { name: 'Bistro 2', timeZone: 'UTC' },
    });

    assert.equal(made.status, 201);
    assert.deepEqual(made.body, {
      restaurantGuid: BISTRO,
      name: 'Bistro',
      timeZone: 'Europe/Paris',
      closeoutHour: 5,
      locationName: null,
      locationCode: null,
      currencyCode: 'EUR',
      overtimeMultiplier: 1.5,
      refundsOn: 'refund',
      active: false,
      testMode: false,
      archived: false,
    });
    assert.deepEqual([replaced.status, replaced.body.closeoutHour, replaced.body.active], [200, 4, true]);
    assert.deepEqual((await running.call('GET', path, { token })).body, replaced.body);
    assert.deepEqual((await running.call('GET', '/restaurants-information', { token })).body, [
      {
        restaurantGuid: BISTRO,
        restaurantName: 'Bistro 2',
        active: true,
        testMode: false,
        archived: false,
        currencyCode: null,
      },
    ]);
  });

  it('are refused with the field that is wrong', async () => {
    const cases: [object, string, string][] = [
      [{ timeZone: 'UTC' }, 'invalid_body', '/name'],
      [{ name: 'A' }, 'invalid_body', '/timeZone'],
      [{ name: 'A', timeZone: 'Mars/Base' }, 'invalid_body', '/timeZone'],
      [{ name: 'A', timeZone: '+02:00' }, 'invalid_body', '/timeZone'],
      [{ name: 'A', timeZone: 'UTC', closeoutHour: 13 }, 'invalid_body', '/closeoutHour'],
      [{ name: 'A', timeZone: 'UTC', closeoutHour: '4' }, 'invalid_body', '/closeoutHour'],
      [{ name: 'A', timeZone: 'UTC', active: 'yes' }, 'invalid_body', '/active'],
      [{ name: 'A', timeZone: 'UTC', currencyCode: 'usd' }, 'invalid_body', '/currencyCode'],
      [{ name: 'A', timeZone: 'UTC', overtimeMultiplier: 0.5 }, 'invalid_body', '/overtimeMultiplier'],
      [{ name: 'A', timeZone: 'UTC', refundsOn: 'payment' }, 'invalid_body', '/refundsOn'],
      [{ name: 'A', timeZone: 'UTC', colour: 'red' }, 'unknown_field', '/colour'],
    ];
    for (const [json, code, pointer] of cases) {
      const { status, body } = await running.call('PUT', `/restaurants/${BISTRO}`, { token, json });
      assert.deepEqual([status, body.code, body.errors?.[0]?.pointer], [400, code, pointer]);
    }
    const malformed = await running.call('PUT', '/restaurants/one', { token, json: { name: 'A', timeZone: 'UTC' } });
    assert.deepEqual([malformed.status, malformed.body.errors[0].pointer], [400, 'restaurantGuid']);
    assert.equal((await running.call('GET', '/restaurants/one', { token })).status, 404);
  });

  it('have reference data whose lists are replaced one by one', async () => {
    const guid = newGuid();
    await putRestaurant(running, token, guid);
    const path = `/restaurants/${guid}/reference`;
    const put = (json: object) => running.call('PUT', path, { token, json });

    const first = await put({
      diningOptions: [{ guid: 'D1', name: 'Dine In' }],
      employees: [{ guid: 'e1', firstName: 'Ada', lastName: 'B' }],
    });
    const second = await put({ diningOptions: [], jobs: [{ guid: 'j1', title: 'Cook', wageFrequency: 'HOURLY' }] });

    assert.deepEqual([first.status, second.status], [201, 200]);
    assert.deepEqual(second.body, {
      diningOptions: [],
      revenueCenters: [],
      employees: [{ guid: 'e1', firstName: 'Ada', lastName: 'B', chosenName: '' }],
      jobs: [{ guid: 'j1', title: 'Cook', code: '', wageFrequency: 'HOURLY', excludeFromReporting: false }],
    });
    assert.deepEqual((await running.call('GET', path, { token })).body, second.body);
    // What was ignored once is cut instead of refused.
    const long = await put({
      employees: [{ guid: 'e1', chosenName: '😀'.repeat(501) }],
      jobs: [{ guid: 'j1', code: 'a\0' }],
    });
    assert.deepEqual(
      [long.status, long.body.employees[0].chosenName, long.body.jobs[0].code],
      [200, '😀'.repeat(500), ''],
    );
    assert.equal((await put({ jobs: [{ guid: 'j1', code: 7 }] })).body.errors[0].pointer, '/jobs/0/code');
    const wrong = await put({ jobs: [{ guid: 'j1' }, { guid: 'J1' }] });
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/jobs/1/guid']);
    assert.equal((await put({ tables: [] })).body.errors[0].pointer, '/tables');
    assert.equal((await put({ jobs: {} })).body.errors[0].pointer, '/jobs');
  });
});

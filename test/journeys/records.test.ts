/** Single records over HTTP: time entries, by the worked example of docs/metrics.md, and a check. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Daypart } from '@daypart/client';
import { ADA, BISTRO, BO, COOK, CY, DATE, ENTRIES, fill, SERVER } from './labor-example.ts';
import { newGuid, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const CAFE = 'c4d00000-0000-4000-8000-000000000002';

describe('stored records', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('g');
    await fill(running, token);
  });
  after(() => running.stop());

  const entries = (query: string, as = token) =>
    running.call('GET', `/restaurants/${BISTRO}/time-entries?${query}`, { token: as });
  const hours = (regularHours: number, overtimeHours: number, totalHours: number) => ({
    regularHours,
    overtimeHours,
    totalHours,
  });
  const cost = (regularCost: number, overtimeCost: number, totalCost: number) => ({
    regularCost,
    overtimeCost,
    totalCost,
  });
  const shared = {
    businessDate: DATE,
    inDate: '2026-03-10T14:00:00.000Z',
    outDate: '2026-03-10T23:00:00.000Z',
  };
  const EXAMPLE = [
    { employeeGuid: ADA, jobGuid: COOK, jobTitle: 'Cook', ...hours(8, 1.5, 9.5), ...cost(160, 45, 205) },
    {
      employeeGuid: BO,
      jobGuid: SERVER,
      jobTitle: 'Server',
      ...hours(5.333333, 0, 5.333333),
      ...cost(38.67, 0, 38.67),
    },
    { employeeGuid: CY, jobGuid: SERVER, jobTitle: 'Server', ...hours(4.6666, 0, 4.6666), ...cost(33.83, 0, 33.83) },
  ]
    .map((entry, index) => ({ guid: ENTRIES[index]?.guid ?? '', ...shared, ...entry }))
    .sort((a, b) => (a.guid < b.guid ? -1 : 1));

  it('has the time entries of the example that count', async () => {
    const { status, body } = await entries(`from=${DATE}`);

    assert.equal(status, 200);
    assert.deepEqual(body, { timeEntries: EXAMPLE, nextCursor: null });
  });

  it('has those of one employee, and none of a date without any', async () => {
    const { body: own } = await entries(`from=2026-03-01&to=2026-03-31&employee=${ADA?.toUpperCase()}`);
    const { body: none } = await entries('from=20260311');

    assert.deepEqual(
      own.timeEntries,
      EXAMPLE.filter(({ employeeGuid }) => employeeGuid === ADA),
    );
    assert.deepEqual(none, { timeEntries: [], nextCursor: null });
  });

  it('are read in pages, with the client', async () => {
    const client = new Daypart({ baseUrl: `${running.service.origin}/v1`, token });
    const first = await client.restaurants.timeEntries(BISTRO, { from: DATE, limit: 2 });
    const second = await client.restaurants.timeEntries(BISTRO, {
      from: DATE,
      limit: 2,
      cursor: first.nextCursor ?? '',
    });

    assert.deepEqual([...first.timeEntries, ...second.timeEntries], EXAMPLE);
    assert.equal(first.timeEntries.length, 2);
    assert.equal(second.nextCursor, null);
  });

  it('are refused for a missing or wrong date, too many dates, and an unknown cursor', async () => {
    const refused: [string, number, string][] = [
      ['', 400, 'invalid_parameter'],
      ['to=20260310', 400, 'invalid_parameter'],
      ['from=20260230', 400, 'invalid_date'],
      ['from=20260310&to=20260309', 400, 'dates_reversed'],
      ['from=20260301&to=20260401', 400, 'span_too_long'],
      ['from=20260310&limit=1001', 400, 'invalid_parameter'],
      ['from=20260310&cursor=abc', 400, 'invalid_parameter'],
      ['from=20260310&employee=', 400, 'invalid_parameter'],
    ];
    for (const [query, status, code] of refused) {
      const answer = await entries(query);
      assert.deepEqual([answer.status, answer.body.code], [status, code], query);
    }
  });

  it('are unknown to another management group, and require the scope of reports', async () => {
    const others = await running.login('others');
    const loader = await running.login('g', { scopes: ['ingest:write'] });

    const unknown = await entries(`from=${DATE}`, others);
    const unscoped = await entries(`from=${DATE}`, loader);

    assert.deepEqual([unknown.status, unknown.body.code], [404, 'restaurant_not_found']);
    assert.deepEqual([unscoped.status, unscoped.body.code], [403, 'scope_missing']);
  });

  it('have a check with its items, card payments and refunds', async () => {
    const [restaurant, orderGuid, checkGuid, paymentGuid] = [CAFE, newGuid(), newGuid(), newGuid()];
    await putRestaurant(running, token, restaurant);
    const payment = {
      guid: paymentGuid,
      type: 'CREDIT',
      cardType: 'VISA',
      paidDate: '2026-03-10T18:00:00.000+0000',
      amount: 21.6,
      tipAmount: 4,
      refund: { refundAmount: 10.8, refundBusinessDate: 20260312 },
    };
    const soup = { guid: newGuid(), displayName: 'Soup', quantity: 2, preDiscountPrice: 20, price: 20 };
    const check = { guid: checkGuid, selections: [soup], payments: [payment], taxAmount: 1.6, totalAmount: 21.6 };
    await postOrders(running, token, restaurant, [plainOrder({ guid: orderGuid }, check)]);

    const client = new Daypart({ baseUrl: `${running.service.origin}/v1`, token });
    const read = await client.restaurants.check(restaurant, checkGuid.toUpperCase());

    assert.deepEqual([read.orderGuid, read.checkGuid, read.businessDate], [orderGuid, checkGuid, DATE]);
    assert.deepEqual([read.taxAmount, read.tipAmount, read.refundAmount], [1.6, 4, 10.8]);
    assert.deepEqual(
      read.items.map(({ name, quantity, grossSalesAmount, discountAmount }) => [
        ...[name, quantity, grossSalesAmount, discountAmount],
      ]),
      [['Soup', 2, 20, 1]],
    );
    const { paidDate: _, cardType: _type, ...paid } = read.payments[0] ?? assert.fail();
    assert.deepEqual(paid, {
      guid: paymentGuid,
      cardBrand: 'Visa',
      amount: 21.6,
      tipAmount: 4,
      gratuityAmount: 0,
      refundAmount: 10.8,
    });
    assert.deepEqual(read.refunds, [{ businessDate: '20260312', amount: 10.8 }]);

    const others = await running.login('others');
    const unknown = [
      await running.call('GET', `/restaurants/${restaurant}/checks/${newGuid()}`, { token }),
      await running.call('GET', `/restaurants/${restaurant}/checks/none`, { token }),
      await running.call('GET', `/restaurants/${BISTRO}/checks/${checkGuid}`, { token }),
      await running.call('GET', `/restaurants/${restaurant}/checks/${checkGuid}`, { token: others }),
    ];
    assert.deepEqual(
      unknown.map(({ status, body }) => [status, body.code]),
      [...Array.from({ length: 3 }, () => [404, 'check_not_found']), [404, 'restaurant_not_found']],
    );
  });
});

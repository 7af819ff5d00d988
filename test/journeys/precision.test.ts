/** Currencies, dates of versions, large sums and names as they are really sent. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CURRENCIES } from '../../packages/service/src/contract/currencies.ts';
import {
  ask,
  BISTRO,
  NOW,
  newGuid,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from './service.ts';

const DAY = { startBusinessDate: '20260310' };
/** The latest date that a version may have. */
const LATEST = NOW + 24 * 60 * 60_000;
const dated = (ms: number): string => new Date(ms).toISOString();

describe('what is sent', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
  });
  after(() => running.stop());

  const load = (path: string, ...records: object[]) =>
    running.call('POST', `/restaurants/${BISTRO}/${path}`, { token, json: records });
  const rowsOf = async (path: string, body: object, restaurant: string): Promise<Record<string, unknown>[]> => {
    const guid = await ask(running, token, path, { ...body, restaurantIds: [restaurant] });
    return (await running.call('GET', `/${path.split('/')[1]}/${guid}`, { token })).body;
  };
  async function restaurant(): Promise<string> {
    const guid = `b17${newGuid().slice(3)}`;
    await putRestaurant(running, token, guid, { currencyCode: 'USD' });
    return guid;
  }

  it('is a currency of at most two decimals, or is refused with those that are accepted', async () => {
    for (const currencyCode of [
      'KWD',
      'BHD',
      'OMR',
      'TND',
      'JOD',
      'IQD',
      'LYD',
      'CLF',
      'ZZZ',
      'BTC',
      'XAU',
      'XXX',
      'usd',
      '',
    ]) {
      const json = { name: 'Bistro', timeZone: 'UTC', currencyCode };
      const { status, body } = await running.call('PUT', `/restaurants/${newGuid()}`, { token, json });
      assert.deepEqual(
        [currencyCode, status, body.code, body.errors[0].pointer],
        [currencyCode, 400, 'invalid_body', '/currencyCode'],
      );
      assert.match(body.detail, /AED, .*JPY, .*USD, .*ZWG/);
    }
    for (const currencyCode of ['USD', 'JPY', 'XPF', 'XCG', null])
      await putRestaurant(running, token, newGuid(), { currencyCode });
  });

  it('are only currencies that the runtime does not give more than two decimals', () => {
    const decimals = (currency: string): number =>
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
    assert.deepEqual(
      CURRENCIES.filter((code) => decimals(code) > 2),
      [],
    );
    assert.equal(new Set(CURRENCIES).size, CURRENCIES.length);
  });

  it('is no version of more than a day ahead, of any kind of record', async () => {
    const entry = {
      guid: newGuid(),
      inDate: '2026-03-10T16:00:00Z',
      outDate: '2026-03-10T20:00:00Z',
      businessDate: 20260310,
      hourlyWage: 20,
      regularHours: 4,
    };
    const settlement = { guid: newGuid(), settledDate: 20260311, status: 'SENT', transactions: [] };
    for (const [path, record] of [
      ['orders', plainOrder()],
      ['time-entries', entry],
      ['payouts', settlement],
    ] as const) {
      const early = await load(path, { ...record, modifiedDate: dated(LATEST + 1) });
      assert.deepEqual([path, early.body.accepted, early.body.rejected[0].pointer], [path, 0, '/modifiedDate']);
      assert.equal((await load(path, { ...record, modifiedDate: dated(LATEST) })).body.accepted, 1);
    }
  });

  it('is the newest version to the nanosecond, of any kind of record, one after the other and in one body', async () => {
    const entry = (hours: number) => ({
      guid: newGuid(),
      inDate: '2026-03-10T16:00:00Z',
      outDate: '2026-03-10T20:00:00Z',
      businessDate: 20260310,
      hourlyWage: 20,
      regularHours: hours,
    });
    const settlement = (amount: number) => ({
      guid: newGuid(),
      settledDate: 20260311,
      status: 'SENT',
      transactions: [{ kind: 'PAYMENT', amount }],
    });
    for (const [path, first, other] of [
      ['orders', plainOrder(), plainOrder({ numberOfGuests: 5 })],
      ['time-entries', entry(4), entry(8)],
      ['payouts', settlement(10), settlement(20)],
    ] as const) {
      for (const [older, newer] of [
        ['2026-03-10T18:00:00.000100Z', '2026-03-10T18:00:00.000900Z'],
        ['2026-03-10T18:00:00.0001+0000', '2026-03-10T18:00:00.000100001Z'],
        ['2026-03-10T18:00:00Z', '2026-03-10T18:00:00.0000001Z'],
      ]) {
        const guid = newGuid();
        const old = { ...other, guid, modifiedDate: older };
        const current = { ...first, guid, modifiedDate: newer };
        assert.equal((await load(path, current)).body.accepted, 1);
        assert.deepEqual([path, older, (await load(path, old)).body.unchanged], [path, older, 1]);
        const [a, b] = [
          { ...current, guid: newGuid() },
          { ...old, guid: newGuid() },
        ];
        const both = await load(path, a, { ...b, guid: a.guid }, { ...a, modifiedDate: older });
        assert.deepEqual([both.body.accepted, both.body.unchanged], [1, 2]);
        assert.equal((await load(path, { ...old, modifiedDate: newer })).body.accepted, 1);
      }
    }
    const order = plainOrder({ modifiedDate: '2026-03-10T18:00:00.000900Z' });
    await load('orders', order);
    await running.call('DELETE', `/restaurants/${BISTRO}/orders/${order.guid}`, { token });
    assert.equal((await load('orders', order)).body.unchanged, 1);
    assert.equal((await load('orders', { ...order, modifiedDate: '2026-03-10T18:00:00.000900001Z' })).body.accepted, 1);
    assert.deepEqual(await running.service.stores.facts.verify({ deadlineMs: 60_000 }), []);
  });

  it('is corrected after a version of the future was deleted', async () => {
    const order = plainOrder();
    await load('orders', { ...order, modifiedDate: dated(LATEST) });
    assert.equal((await load('orders', order)).body.accepted, 0);

    const { status } = await running.call('DELETE', `/restaurants/${BISTRO}/orders/${order.guid}`, { token });

    assert.equal(status, 204);
    assert.equal((await load('orders', order)).body.accepted, 1);
    assert.deepEqual(await running.service.stores.facts.verify({ deadlineMs: 60_000 }), []);
  });

  it('adds up to a total that is exact, or null where no number is', async () => {
    const huge = (cents: string) =>
      plainOrder(
        {},
        { appliedDiscounts: [], selections: [{ guid: newGuid(), preDiscountPrice: Number(cents), price: 1 }] },
      );
    const [exact, beyond, far] = [await restaurant(), await restaurant(), await restaurant()];
    // 2^46 units are 70,368,744,177,664: from there on a number may be that of another amount.
    const body = (orders: number) => Array.from({ length: orders }, () => huge('99999999999.99'));
    await postOrders(running, token, exact, body(703));
    await postOrders(running, token, beyond, body(704));
    await postOrders(running, token, far, body(901));

    for (const [guid, total] of [
      [exact, 70299999999992.97],
      [beyond, null],
      [far, null],
    ] as const) {
      const report = await ask(running, token, '/metrics/day', { ...DAY, restaurantIds: [guid] });
      const { text } = await running.call('GET', `/metrics/${report}`, { token });
      const { body: status } = await running.call('GET', `/reports/${report}`, { token });
      const { body: totals } = await running.call('GET', `/reports/${report}/totals`, { token });
      assert.equal(status.controlTotals[0].grossSalesAmount, total);
      assert.equal(totals.rows[0].grossSalesAmount, total);
      const orders = { [exact]: 703n, [beyond]: 704n }[guid] ?? 901n;
      const cents = String(orders * 9999999999999n);
      // The text of the record is exact in any case.
      assert.ok(text.includes(`"grossSalesAmount":${cents.slice(0, -2)}.${cents.slice(-2)}`), text);
    }
  });

  it('has one row for names that look the same', async () => {
    const own = await restaurant();
    const names = [
      'Café Crème',
      'Cafe\u0301 Cre\u0300me',
      'Café\u00a0Crème',
      ' Café  Crème ',
      'Café\tCrème',
      'Café\u3000Crème\u200b',
      '\u200fCafé Crème\u200e',
      '\u202aCafé\u2066 Crème\u2069\u202c',
      'Café\u0007 Crème\u0085',
    ];
    const orders = names.map((name) =>
      plainOrder(
        { diningOption: { name }, revenueCenter: { name }, source: name },
        {
          appliedDiscounts: [],
          selections: [{ guid: newGuid(), displayName: name, quantity: 1, preDiscountPrice: 10, price: 10 }],
        },
      ),
    );
    await postOrders(running, token, own, orders);

    for (const [path, group, field] of [
      ['/metrics/day', 'DINING_OPTION', 'diningOption'],
      ['/metrics/day', 'REVENUE_CENTER', 'revenueCenter'],
      ['/menu/day', 'MENU_ITEM', 'menuItemName'],
    ] as const) {
      const rows = await rowsOf(path, { ...DAY, groupBy: [group] }, own);
      assert.deepEqual(
        rows.map((row) => [row[field], row.grossSalesAmount]),
        [['Café Crème', 90]],
      );
    }
    const sources = await rowsOf('/metrics/day', { ...DAY, groupBy: ['ORDER_SOURCE'] }, own);
    assert.deepEqual(
      sources.map(({ orderSource }) => orderSource),
      ['CAFÉ_CRÈME'],
    );
  });

  it('are names of reference data and dayparts that look the same, too', async () => {
    const own = await restaurant();
    const reference = {
      diningOptions: [{ guid: 'd1', name: 'Cafe\u0301\u00a0 Bar ' }],
      employees: [{ guid: 'e1', firstName: 'Jose\u0301 ' }],
    };
    await running.call('PUT', `/restaurants/${own}/reference`, { token, json: reference });
    const stored = await running.call('GET', `/restaurants/${own}/reference`, { token });
    assert.equal(stored.body.diningOptions[0].name, 'Café Bar');
    assert.equal(stored.body.employees[0].firstName, 'José');
    for (const name of ['\u00a0\u200b', '\u200d', '\u3164\u2800', '\u0085']) {
      const json = { diningOptions: [{ guid: 'd1', name }] };
      const { status, body } = await running.call('PUT', `/restaurants/${own}/reference`, { token, json });
      assert.deepEqual([status, body.errors?.[0]?.pointer], [400, '/diningOptions/0/name'], JSON.stringify(name));
    }
    const dayparts = [
      { name: 'Day ', from: '05:00', to: '15:00' },
      { name: '\u00a0Day', from: '15:00', to: '05:00' },
    ];
    const { status } = await running.call('PUT', `/restaurants/${own}/dayparts`, { token, json: { dayparts } });
    assert.equal(status, 400);
  });
});

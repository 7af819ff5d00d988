/**
 * Menu reports as clients in the field read them: their shapes, their assumptions, in the dialect `live`, over the base
 * of the live system.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BISTRO, newGuid, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const DINER = BISTRO.replace('b15', 'b16');
const DATES = ['20260309', '20260310', '20260311'];
const ITEMS = {
  burger: '7e0b6a52-0c5d-4c9e-8a35-64d2c9f1a001',
  beer: '7e0b6a52-0c5d-4c9e-8a35-64d2c9f1a002',
  // The same name under another GUID.
  stout: '7e0b6a52-0c5d-4c9e-8a35-64d2c9f1a003',
  cheese: '7e0b6a52-0c5d-4c9e-8a35-64d2c9f1a004',
};
const MENUS = {
  restaurantGuid: BISTRO,
  menus: [
    { guid: 'm1', name: 'Food', menuGroups: [{ guid: 'g1', name: 'Grill', menuItems: [] }] },
    { guid: 'm2', name: 'Bar', menuGroups: [{ guid: 'g2', name: 'Beer', menuItems: [] }] },
  ],
};
const KEYS = [
  ...['restaurantGuid', 'restaurantName', 'restaurantLocationName', 'restaurantLocationCode', 'businessDate'],
  ...['netSalesAmount', 'grossSalesAmount', 'discountAmount', 'refundAmount', 'voidAmount', 'quantitySold'],
  ...['averagePrice', 'wasteCount', 'wasteAmount'],
];

type Row = Record<string, unknown>;

/**
 * What is sold on a date: 3 burgers with cheese (twice in words), a beer, a stout of the same name, and an item without
 * a GUID.
 */
const checkOf = () => ({
  guid: newGuid(),
  appliedDiscounts: [],
  selections: [
    {
      displayName: 'Burger',
      item: { guid: ITEMS.burger },
      itemGroup: { guid: 'g1' },
      quantity: 3,
      preDiscountPrice: 45,
      price: 45,
      modifiers: [
        { displayName: 'Cheese', item: { guid: ITEMS.cheese }, quantity: 3, preDiscountPrice: 4.5, price: 4.5 },
        { displayName: 'well done ', selectionType: 'SPECIAL_REQUEST', preDiscountPrice: 0, price: 0 },
      ],
    },
    { displayName: 'Beer', item: { guid: ITEMS.beer }, itemGroup: { guid: 'g2' }, preDiscountPrice: 6, price: 6 },
    { displayName: 'Beer', item: { guid: ITEMS.stout }, itemGroup: { guid: 'g2' }, preDiscountPrice: 7, price: 7 },
    { displayName: 'Catering', quantity: 1, preDiscountPrice: 100, price: 100 },
  ],
});

describe('a client of menu reports from the field', () => {
  let running: Running;
  let headers: Record<string, string>;
  let base: string;

  before(async () => {
    running = await startJourney();
    const token = await running.login('g', { dialect: 'live' });
    base = `${running.service.origin}/era/v1`;
    headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (const guid of [BISTRO, DINER]) {
      await putRestaurant(running, token, guid);
      const put = await running.call('PUT', `/restaurants/${guid}/menus`, { token, json: MENUS });
      assert.equal(put.status, 201);
      for (const businessDate of DATES)
        await postOrders(running, token, guid, [plainOrder({ businessDate }, checkOf())]);
    }
  });
  after(() => running.stop());

  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  /** Creates and gets once, without polling. */
  async function report(path: string, body: object, query = ''): Promise<Row[]> {
    const created = await post(path, body);
    assert.equal(created.status, 200, await created.clone().text());
    const guid = (await created.text()).trim().replaceAll('"', '');
    const answer = await fetch(`${base}/menu/${guid}${query}`, { headers });
    assert.equal(answer.status, 200);
    return (await answer.json()) as Row[];
  }
  const lists = (...restaurantIds: string[]) => ({ restaurantIds, excludedRestaurantIds: [] });
  const week = { startBusinessDate: '20260309', endBusinessDate: '20260311' };

  it('that stores a row for each item GUID and date, and skips rows without one, stores each once', async () => {
    const rows = await report('/menu/week', { ...week, ...lists(BISTRO), groupBy: ['MENU_ITEM'] });

    const stored = new Map<string, [number, number | null]>();
    for (const row of rows) {
      if (!row.menuItemGuid) continue;
      const key = `${row.restaurantGuid} ${row.businessDate} ${row.menuItemGuid}`;
      assert.equal(stored.has(key), false, key);
      stored.set(key, [Math.round(row.quantitySold as number), row.averagePrice as number | null]);
    }

    assert.equal(stored.size, 3 * 3);
    assert.deepEqual(stored.get(`${BISTRO} 20260310 ${ITEMS.burger}`), [3, 15]);
    assert.deepEqual(stored.get(`${BISTRO} 20260310 ${ITEMS.stout}`), [1, 7]);
  });

  it('that reads a year without groups adds quantity and waste up', async () => {
    const year = { startBusinessDate: '20250401', endBusinessDate: '20260320' };
    const rows = await report('/menu/year', { ...year, ...lists() });

    const sum = (field: string): number => rows.reduce((all, row) => all + Number(row[field]), 0);
    assert.deepEqual([rows.length, sum('quantitySold'), sum('wasteCount'), sum('wasteAmount')], [6, 36, 0, 0]);
  });

  it('that asks for a day by menu without an end date gets a name and net sales in every row', async () => {
    const rows = await report('/menu/day', { startBusinessDate: '20260310', ...lists(BISTRO), groupBy: ['MENU'] });

    assert.deepEqual(
      rows.map(({ menuName, netSalesAmount }) => [menuName, netSalesAmount]),
      [
        ['Bar', 13],
        ['Food', 45],
        ['No Menu', 100],
      ],
    );
  });

  it('that calls methods of texts on the names of groups finds texts', async () => {
    const day = { startBusinessDate: '20260310', endBusinessDate: '20260310' };
    const rows = await report('/menu/day', { ...day, ...lists(BISTRO), groupBy: ['MENU_GROUP'] });

    assert.deepEqual(
      rows.map((row) => (row.menuGroupName as string).toUpperCase()),
      ['BEER', 'GRILL', 'NO MENU GROUP'],
    );
  });

  it('that asks for restaurant names at the retrieval gets the same rows in one GET', async () => {
    const request = { ...week, ...lists(BISTRO), groupBy: ['MENU_ITEM'] };
    const named = await report('/menu/week', request, '?fetchRestaurantNames=true');

    assert.deepEqual(named, await report('/menu/week', request));
    assert.ok(named.every((row) => row.menuItemName && row.restaurantName === 'Bistro'));
  });

  it('that is strict about numbers and takes [] for not ready reads modifiers, with free text that has no GUID', async () => {
    const rows = await report('/menu/week', { ...week, ...lists(BISTRO), groupBy: ['MODIFIER'] });

    assert.equal(rows.length, 6);
    for (const row of rows) {
      for (const field of KEYS.slice(5)) assert.equal(typeof row[field], 'number', field);
      assert.equal(
        row.netSalesAmount,
        Number(row.grossSalesAmount) - Number(row.discountAmount) - Number(row.refundAmount),
      );
      const isText = row.modifierName === 'well done';
      assert.deepEqual(Object.keys(row), [...KEYS, ...(isText ? [] : ['modifierGuid']), 'modifierName']);
      assert.deepEqual([row.quantitySold, row.averagePrice], isText ? [0, 0] : [3, 1.5]);
    }
    const custom = await report('/menu', { ...week, ...lists(BISTRO) });
    assert.deepEqual(
      custom.map((row) => Object.keys(row)),
      [KEYS, KEYS, KEYS],
    );
  });

  it('that asks without a range by item writes all rows in one upsert by restaurant, item and date', async () => {
    const rows = await report('/menu', { ...week, ...lists(), groupBy: ['MENU_ITEM'] });

    const keys = rows.map((row) => {
      const date = (row.businessDate as string).replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3');
      return `${row.restaurantGuid} ${row.menuItemGuid ?? row.menuItemName} ${date}`;
    });
    assert.equal(new Set(keys).size, 2 * 3 * 4);
    assert.equal(keys.length, 2 * 3 * 4);
    const refused = await post('/menu', { ...week, ...lists(), groupBy: ['MENU', 'MENU_ITEM'] });
    assert.deepEqual([refused.status, (await refused.text()).includes('groupBy')], [400, true]);
  });

  it('that uses words or shapes that do not exist gets a clean 400', async () => {
    for (const body of [
      { ...week, groupBy: ['ITEM'] },
      { ...week, groupBy: 'MENU_ITEM' },
      { startDate: '20260309', endDate: '20260311' },
      { ...week, aggregateBy: 'DAY' },
    ]) {
      const { status, headers: answered } = await post('/menu/week', { ...lists(BISTRO), ...body });
      assert.deepEqual([status, answered.get('content-type')], [400, 'application/problem+json; charset=utf-8']);
    }
  });
});

describe('the limits of menu reports', () => {
  it('count each endpoint on its own, as the live system does', async (t) => {
    const running = await startJourney({ limits: 'live', sandbox: true });
    t.after(() => running.stop());
    const token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    const create = async (range: string): Promise<number> => {
      const json = { startBusinessDate: '20260310', endBusinessDate: '20260310' };
      return (await running.call('POST', `/menu${range}`, { token, json })).status;
    };

    const days: number[] = [];
    for (let i = 0; i < 11; i++) days.push(await create('/day'));
    assert.deepEqual([days.filter((status) => status === 200).length, days.at(-1)], [10, 429]);
    assert.deepEqual([await create('/week'), await create('/month'), await create('')], [200, 200, 200]);
    const sandbox = await running.call('GET', '/menu/00000000-0000-4000-8000-000000000409', { token });
    assert.equal(sandbox.status, 409);
  });
});

/**
 * Menu reports over HTTP: the worked example of docs/metrics.md, the shape of records, the menus, what creates refuse,
 * and changes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import {
  BISTRO as ANY,
  ask,
  newGuid,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from './service.ts';

const BISTRO = ANY.replace('b15', 'c4d');
const DATE = '20260310';
const DAY = { startBusinessDate: DATE };
const item = (n: number) => `7e0b6a52-0c5d-4c9e-8a35-64d2c9f1a00${n}`;
const [BURGER, BEER, POTATO, SALAD, CHEESE] = [1, 2, 3, 4, 5].map(item);
const of = (guid?: string) => ({ item: { guid } });

const MENUS = {
  menus: [
    {
      guid: 'M-1',
      name: 'Dinner',
      visibility: ['POS'],
      menuGroups: [
        { guid: 'G-1', name: 'Grill', menuGroups: [{ guid: 'G-2', name: 'Burgers', menuItems: [] }], menuItems: [] },
        { guid: 'G-3', name: 'Drinks', menuItems: [{ guid: BEER, name: 'Listed beer' }] },
      ],
    },
  ],
};

const BEER_LINE = { displayName: 'Beer', ...of(BEER), itemGroup: { guid: 'g-3' }, preDiscountPrice: 6, price: 5.14 };
const CHECK = {
  guid: newGuid(),
  appliedDiscounts: [{ discountAmount: 5 }],
  appliedServiceCharges: [{ chargeAmount: 3, gratuity: false, serviceChargeCategory: 'SERVICE_CHARGE' }],
  selections: [
    {
      displayName: 'Burger',
      ...of(BURGER),
      itemGroup: { guid: 'g-2' },
      quantity: 2,
      preDiscountPrice: 32,
      price: 24.66,
      appliedDiscounts: [{ discountAmount: 3.2 }],
      refundDetails: { refundAmount: 4 },
      modifiers: [
        { displayName: 'Cheese', ...of(CHEESE), quantity: 2, preDiscountPrice: 2, price: 2 },
        { displayName: '=no onions ', selectionType: 'SPECIAL_REQUEST' },
      ],
    },
    BEER_LINE,
    { displayName: 'Potato salad', ...of(POTATO), quantity: 0.35, preDiscountPrice: 4.2, price: 4.2 },
    { displayName: 'Salad', ...of(SALAD), preDiscountPrice: 9.5, price: 9.5, voided: true },
    { displayName: 'Gift card', preDiscountPrice: 25, price: 25, selectionType: 'TOAST_CARD_SELL' },
  ],
};
const WASTE = {
  guid: newGuid(),
  selections: [{ ...BEER_LINE, price: 0, appliedDiscounts: [{ discountAmount: 6 }] }],
};

const FIGURES = [
  ...['netSalesAmount', 'grossSalesAmount', 'discountAmount', 'refundAmount', 'voidAmount', 'quantitySold'],
  ...['averagePrice', 'wasteCount', 'wasteAmount'],
];
const NAMES = ['restaurantName', 'restaurantLocationName', 'restaurantLocationCode'];
const PAIRS = ['menu', 'menuGroup', 'menuItem', 'modifier'].flatMap((pair) => [`${pair}Guid`, `${pair}Name`]);
const REFERENCE_ORDER = ['businessDate', 'restaurantGuid', ...NAMES, ...FIGURES, ...PAIRS];
const LIVE_ORDER = ['restaurantGuid', ...NAMES, 'businessDate', ...FIGURES];

// biome-ignore lint/suspicious/noExplicitAny: rows are read as the JSON that they are
type Row = any;
/** GUID, name, gross, discount, refund, net, void, quantity, average, waste. */
const shown = (row: Row, pair: string) => [
  ...[row[`${pair}Guid`], row[`${pair}Name`]],
  ...[row.grossSalesAmount, row.discountAmount, row.refundAmount, row.netSalesAmount, row.voidAmount],
  ...[row.quantitySold, row.averagePrice, row.wasteCount, row.wasteAmount],
];
const WHOLE = [42.2, 8.2, 4, 30, 9.5, 3.35, 12.6, 1, 6];

describe('menu reports', () => {
  let running: Running;
  let token: string;
  const create = (json: object, range = 'day') => ask(running, token, `/menu/${range}`, json);
  const rows = async (json: object, as = token): Promise<Row[]> =>
    (await running.call('GET', `/menu/${await create(json)}`, { token: as })).body;
  const by = (group: string) => rows({ ...DAY, groupBy: [group] });
  const orders = [plainOrder({}, CHECK), plainOrder({ excessFood: true }, WASTE)];

  before(async () => {
    running = await startJourney({ sandbox: true });
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO, { name: 'Corner Bistro', locationCode: '02' });
    await postOrders(running, token, BISTRO, orders);
    const put = await running.call('PUT', `/restaurants/${BISTRO}/menus`, { token, json: MENUS });
    assert.deepEqual([put.status, put.body], [201, { menus: 1, groups: 3, items: 1, skipped: 0 }]);
  });
  after(() => running.stop());

  it('come out as the example of the docs', async () => {
    const [whole, ...others] = await rows(DAY);
    const { body: metrics } = await running.call('GET', `/metrics/${await ask(running, token, '/metrics/day', DAY)}`, {
      token,
    });

    assert.deepEqual(others, []);
    assert.deepEqual(shown(whole, 'menuItem'), [null, null, ...WHOLE]);
    assert.deepEqual(
      (await by('MENU_ITEM')).map((row) => shown(row, 'menuItem')),
      [
        [BEER, 'Beer', 6, 0.86, 0, 5.14, 0, 1, 6, 1, 6],
        [BURGER, 'Burger', 32, 7.34, 4, 20.66, 0, 2, 16, 0, 0],
        [POTATO, 'Potato salad', 4.2, 0, 0, 4.2, 0, 0.35, 12, 0, 0],
        [SALAD, 'Salad', 0, 0, 0, 0, 9.5, 0, 0, 0, 0],
      ],
    );
    assert.deepEqual(
      (await by('MENU_GROUP')).map((row) => shown(row, 'menuGroup')),
      [
        ['g-3', 'Drinks', 6, 0.86, 0, 5.14, 0, 1, 6, 1, 6],
        ['g-1', 'Grill', 32, 7.34, 4, 20.66, 0, 2, 16, 0, 0],
        [null, 'No Menu Group', 4.2, 0, 0, 4.2, 9.5, 0.35, 12, 0, 0],
      ],
    );
    assert.deepEqual(
      (await by('MENU')).map((row) => shown(row, 'menu')),
      [
        ['m-1', 'Dinner', 38, 8.2, 4, 25.8, 0, 3, 12.67, 1, 6],
        [null, 'No Menu', 4.2, 0, 0, 4.2, 9.5, 0.35, 12, 0, 0],
      ],
    );
    assert.deepEqual(
      (await by('MODIFIER')).map((row) => shown(row, 'modifier')),
      [
        [null, '=no onions', 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [CHEESE, 'Cheese', 2, 0, 0, 2, 0, 2, 1, 0, 0],
      ],
    );
    const [{ grossSalesAmount, discountAmount, refundAmount, netSalesAmount, voidOrdersAmount }] = metrics;
    assert.deepEqual(
      [grossSalesAmount, discountAmount, refundAmount, netSalesAmount, voidOrdersAmount],
      [45.2, 8.2, 4, 33, 9.5],
    );
  });

  it('have all 22 fields in the reference dialect, and in live only the requested pair, without a GUID if there is none', async () => {
    const live = await running.login('g', { dialect: 'live' });
    const guid = await create({ ...DAY, groupBy: ['MODIFIER'] });
    const plain = await create(DAY);

    const reference = await running.call('GET', `/menu/${guid}`, { token });
    const named = await running.call('GET', `/menu/${guid}?fetchRestaurantNames=true`, { token });
    const [request, cheese] = (await running.call('GET', `/menu/${guid}`, { token: live })).body;
    const [whole] = (await running.call('GET', `/menu/${plain}`, { token: live })).body;

    assert.deepEqual(Object.keys(reference.body[0]), REFERENCE_ORDER);
    assert.equal(named.text, reference.text);
    assert.deepEqual(Object.keys(cheese), [...LIVE_ORDER, 'modifierGuid', 'modifierName']);
    assert.deepEqual(Object.keys(request), [...LIVE_ORDER, 'modifierName']);
    assert.deepEqual(Object.keys(whole), LIVE_ORDER);
    assert.deepEqual(
      [whole.businessDate, whole.restaurantName, whole.restaurantLocationName, whole.restaurantLocationCode],
      [DATE, 'Corner Bistro', null, '02'],
    );
    assert.deepEqual(shown(cheese, 'modifier'), shown(reference.body[1], 'modifier'));
  });

  it('are written as CSV, NDJSON and Parquet with the same values', async () => {
    const guid = await create({ ...DAY, groupBy: ['MODIFIER'] });
    const fetched = (format: string, as = token) =>
      fetch(`${running.service.baseUrl}/menu/${guid}?format=${format}`, { headers: { authorization: `Bearer ${as}` } });
    const live = await running.login('g', { dialect: 'live' });

    const { body } = await running.call('GET', `/menu/${guid}`, { token });
    const csv = (await (await fetched('csv')).text()).split('\r\n');
    const liveCsv = (await (await fetched('csv', live)).text()).split('\r\n');
    const ndjson = (await (await fetched('ndjson')).text()).trim().split('\n');
    const parquet = await parquetReadObjects({ file: await (await fetched('parquet')).arrayBuffer() });

    assert.deepEqual(
      ndjson.map((line) => JSON.parse(line)),
      body,
    );
    assert.equal(csv[0], REFERENCE_ORDER.join(','));
    assert.match(csv[1] ?? '', /,'=no onions$/);
    assert.equal(liveCsv[0], [...LIVE_ORDER, 'modifierGuid', 'modifierName'].join(','));
    assert.deepEqual(
      parquet.map((row) => shown(row, 'modifier')),
      body.map((row: Row) => shown(row, 'modifier')),
    );
  });

  it('have control totals of amounts and quantities', async () => {
    for (const groupBy of [[], ['MENU_ITEM'], ['MENU']]) {
      const guid = await create({ ...DAY, groupBy });
      await running.call('GET', `/menu/${guid}`, { token });
      const { body } = await running.call('GET', `/reports/${guid}`, { token });

      const amounts = {
        netSalesAmount: 30,
        grossSalesAmount: 42.2,
        discountAmount: 8.2,
        refundAmount: 4,
        voidAmount: 9.5,
      };
      const others = { quantitySold: 3.35, wasteCount: 1, wasteAmount: 6 };
      assert.deepEqual(
        [body.kind, body.controlTotals],
        ['menu', [{ currencyCode: null, rows: body.rows, ...amounts, ...others }]],
      );
    }
  });

  it('take one group at most, and say so', async () => {
    const refused = async (groupBy: unknown, range = 'day', more: object = {}) => {
      const { status, body } = await running.call('POST', `/menu/${range}`, {
        token,
        json: { ...DAY, groupBy, ...more },
      });
      return [status, body.code, body.errors?.[0]?.pointer, /groupBy/.test(body.detail)];
    };
    assert.deepEqual(await refused(['MENU', 'MENU_ITEM']), [400, 'invalid_group', '/groupBy', true]);
    assert.deepEqual(await refused(['MENU', 'MENU']), [400, 'invalid_group', '/groupBy/1', true]);
    assert.deepEqual(await refused(['menu']), [400, 'invalid_group', '/groupBy/0', true]);
    const custom = { endBusinessDate: '20260319', groupBy: ['MENU_ITEM'] };
    const { status, body } = await running.call('POST', '/menu', { token, json: { ...DAY, ...custom } });
    assert.deepEqual([status, typeof body], [200, 'string']);
    assert.equal((await running.call('GET', `/menu/day/${body}`, { token })).status, 404);
    assert.equal((await running.call('GET', `/metrics/${body}`, { token })).status, 404);
  });

  it('use the menus that are loaded when they are gathered, and replacing menus changes no figure of an item', async () => {
    const guid = BISTRO.replace('c4d', 'c4e');
    await putRestaurant(running, token, guid, { name: 'Other' });
    await postOrders(running, token, guid, [
      plainOrder({}, { selections: [{ ...BEER_LINE, displayName: null, menu: { name: 'Carried' } }] }),
    ]);
    const on = { ...DAY, restaurantIds: [guid] };
    const named = async () => [
      (await rows({ ...on, groupBy: ['MENU'] }))[0].menuName,
      (await rows({ ...on, groupBy: ['MENU_GROUP'] }))[0].menuGroupName,
      (await rows({ ...on, groupBy: ['MENU_ITEM'] }))[0].menuItemName,
    ];
    const put = (json: unknown) => running.call('PUT', `/restaurants/${guid}/menus`, { token, json });
    const items = async () => (await rows({ ...on, groupBy: ['MENU_ITEM'] })).map((row) => shown(row, '').slice(2));

    const before = await items();
    assert.deepEqual(await named(), ['Carried', 'No Menu Group', 'Unknown Item']);
    const first = await put([
      {
        name: 'Late',
        guid: 'm2',
        groups: [
          { name: 'Taps', guid: 'G-3', subgroups: [], items: [{ name: 'Ale', guid: BEER }] },
          { guid: 'G-4', items: [{ name: 'Stout', guid: 'I-4' }] },
        ],
      },
    ]);
    assert.deepEqual([first.status, first.body], [201, { menus: 1, groups: 1, items: 1, skipped: 2 }]);
    assert.deepEqual(await named(), ['Late', 'Taps', 'Ale']);
    assert.deepEqual(await items(), before);
    const stored = await running.call('GET', `/restaurants/${guid}/menus`, { token });
    assert.deepEqual(stored.body, {
      menus: [
        {
          guid: 'm2',
          name: 'Late',
          menuGroups: [{ guid: 'g-3', name: 'Taps', menuGroups: [], menuItems: [{ guid: BEER, name: 'Ale' }] }],
        },
      ],
    });
    assert.deepEqual((await put({ menus: [] })).body, { menus: 0, groups: 0, items: 0, skipped: 0 });
    assert.deepEqual(await named(), ['Carried', 'No Menu Group', 'Unknown Item']);
    for (const [json, pointer] of [
      [{}, '/menus'],
      [{ menus: [{ guid: 5, name: 'x' }] }, '/menus/0/guid'],
      [[{ guid: 'a', name: 'b', menuGroups: 'x' }], '/0/menuGroups'],
    ] as const) {
      const { status, body } = await put(json);
      assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'invalid_body', pointer]);
    }
    const foreign = await running.login('other');
    assert.equal((await running.call('GET', `/restaurants/${guid}/menus`, { token: foreign })).status, 404);
  });

  it('name an item as it was sold last, in any order of arrival of its orders', async () => {
    const guid = BISTRO.replace('c4d', 'c4f');
    await putRestaurant(running, token, guid, { name: 'Renaming' });
    const sold = (minute: number, displayName: string | null) =>
      plainOrder(
        { openedDate: `2026-03-10T17:${minute}:00.000+0000` },
        { selections: [{ ...BEER_LINE, displayName }] },
      );
    await postOrders(running, token, guid, [sold(30, 'Lager'), sold(40, null)]);
    await postOrders(running, token, guid, [sold(20, 'Zwickel')]);

    const [row, ...others] = await rows({ ...DAY, restaurantIds: [guid], groupBy: ['MENU_ITEM'] });
    assert.deepEqual([row.menuItemName, row.quantitySold, others], ['Lager', 3, []]);
  });

  it('explain what moved between two of them by check and line', async () => {
    const guid = BISTRO.replace('c4d', 'c50');
    await putRestaurant(running, token, guid, { name: 'Moving' });
    const json = { ...DAY, restaurantIds: [guid], groupBy: ['MENU_ITEM'] };
    const order: Row = plainOrder({}, CHECK);
    await postOrders(running, token, guid, [order]);
    const older = await create(json);
    await running.call('GET', `/menu/${older}`, { token });
    const [burger, ...rest] = CHECK.selections;
    const selections = [{ ...burger, quantity: 3 }, ...rest.filter(({ displayName }) => displayName !== 'Beer')];
    const corrected = { ...CHECK, selections, appliedDiscounts: [{ discountAmount: 4.14 }] };
    const later = {
      ...order,
      modifiedDate: '2026-03-11T18:00:00.000+0000',
      checks: [{ ...order.checks[0], ...corrected }],
    };
    await postOrders(running, token, guid, [later]);
    const newer = await create({ ...json });

    const { status, body } = await running.call('GET', `/reports/${newer}/changes?since=${older}`, { token });

    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body).slice(-2), ['lines', 'nextCursor']);
    assert.deepEqual(
      body.lines.map((line: Row) => [line.itemName, line.modifier, line.change, line.figures.quantitySold]),
      [
        ['Burger', false, 'CHANGED', { before: 2, after: 3, change: 1 }],
        ['Beer', false, 'REMOVED', { before: 1, after: null, change: -1 }],
      ],
    );
    assert.deepEqual([body.lines[1].orderGuid, body.lines[1].itemGuid], [order.guid, BEER]);
    assert.equal(body.controlTotals.change[0].quantitySold, 0);
  });
});

/**
 * Clients in the field that ask for what they please: any range with the grouping words of their user, words that do
 * not exist, and bodies in shapes of their own. They need rows, or a 400 that they can act on, and nothing in between.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BISTRO, newGuid, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const DATE = '20260310';
const NO_LISTS = { restaurantIds: [], excludedRestaurantIds: [] };

type Row = Record<string, unknown>;
interface Refusal {
  status: number;
  code: string;
  message: string;
  errors: { pointer: string; message: string }[];
}

describe('a client from the field', () => {
  let running: Running;
  let headers: Record<string, string>;
  let base: string;

  before(async () => {
    running = await startJourney();
    const token = await running.login('g', { dialect: 'live' });
    base = `${running.service.origin}/era/v1`;
    headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await putRestaurant(running, token, BISTRO);
    const cheese = { displayName: 'Cheese', item: { guid: 'i-2' }, preDiscountPrice: 1, price: 1 };
    const line = {
      displayName: 'Burger',
      item: { guid: 'i-1' },
      preDiscountPrice: 100,
      price: 100,
      modifiers: [cheese],
    };
    await postOrders(running, token, BISTRO, [
      plainOrder({}, { appliedDiscounts: [], selections: [{ ...line, itemGroup: { guid: 'g-1' } }] }),
    ]);
    const entry = { guid: newGuid(), businessDate: DATE, inDate: '2026-03-10T14:00:00.000Z', hourlyWage: 10.36 };
    const people = { employeeReference: { guid: 'e-1' }, jobReference: { guid: 'j-1', title: 'Cook' } };
    const loaded = await running.call('POST', `/restaurants/${BISTRO}/time-entries`, {
      token,
      json: [{ ...entry, ...people, outDate: '2026-03-10T16:00:00.000Z', regularHours: 2 }],
    });
    assert.equal(loaded.body.accepted, 1, loaded.text);
  });
  after(() => running.stop());

  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  /** Creates, then gets until there is more than that it is in progress. */
  async function report(family: string, range: string, body: object): Promise<Row[]> {
    const created = await post(`${family}${range}`, body);
    assert.equal(created.status, 200, await created.clone().text());
    const guid = JSON.parse(await created.text());
    for (;;) {
      const answer = await fetch(`${base}${family}/${guid}`, { headers });
      const rows = await answer.json();
      if (answer.status !== 202) return rows as Row[];
    }
  }
  async function refusal(path: string, body: unknown): Promise<Refusal> {
    const answer = await post(path, body);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/(problem\+)?json/);
    return { ...((await answer.json()) as Omit<Refusal, 'status'>), status: answer.status };
  }
  const reportsMade = async (): Promise<number> => {
    const answer = await fetch(`${running.service.baseUrl}/reports?limit=100`, { headers });
    return ((await answer.json()) as { reports: unknown[] }).reports.length;
  };

  it('that takes any range and passes the grouping words of its user on gets rows by each of them', async () => {
    // It finds the range by the number of dates, and asks without one for more than a month.
    const ranges: [range: string, first: string][] = [
      ['/day', DATE],
      ['/week', '20260304'],
      ['/month', '20260210'],
      ['', '20250401'],
    ];
    const words: [family: string, group: string, field: string, name: string][] = [
      ['/labor', 'JOB', 'jobTitle', 'Cook'],
      ['/labor', 'EMPLOYEE', 'employeeGuid', 'e-1'],
      ['/menu', 'MENU', 'menuName', 'No Menu'],
      ['/menu', 'MENU_GROUP', 'menuGroupName', 'No Menu Group'],
      ['/menu', 'MENU_ITEM', 'menuItemName', 'Burger'],
      ['/menu', 'MODIFIER', 'modifierName', 'Cheese'],
    ];
    for (const [range, startBusinessDate] of ranges) {
      for (const [family, group, field, name] of words) {
        const request = { startBusinessDate, endBusinessDate: DATE, ...NO_LISTS, groupBy: [group] };
        const rows = await report(family, range, request);
        assert.deepEqual(
          rows.map((row) => [row.businessDate, row[field]]),
          [[DATE, name]],
          `${family}${range} ${group}`,
        );
      }
    }
  });

  it('that shows labor as a percentage of sales is given percent', async () => {
    for (const groupBy of [undefined, ['JOB'], ['EMPLOYEE']]) {
      const [row = {}] = await report('/labor', '/day', {
        startBusinessDate: DATE,
        endBusinessDate: DATE,
        ...NO_LISTS,
        groupBy,
      });

      // 20.72 of 100.00.
      assert.deepEqual([row.totalCost, row.totalCostPerNetSales, row.totalCostPerGrossSales], [20.72, 20.72, 20.72]);
    }
  });

  it('that makes up grouping words is refused by the word, and gets its rows without any', async () => {
    const request = { startBusinessDate: DATE, endBusinessDate: DATE, ...NO_LISTS };
    const cases: [groupBy: unknown, pointer: string][] = [
      [['ITEM'], '/groupBy/0'],
      [['MENU_ITEM', 'SERVER'], '/groupBy/1'],
      [['menu_item'], '/groupBy/0'],
      [['MENU_ITEM', 'MENU_ITEM'], '/groupBy/1'],
      [['MENU', 'MENU_ITEM'], '/groupBy'],
      [[7], '/groupBy/0'],
      ['MENU_ITEM', '/groupBy'],
      [{ level: 'MENU_ITEM' }, '/groupBy'],
      [true, '/groupBy'],
    ];
    const before = await reportsMade();
    for (const [groupBy, pointer] of cases) {
      const { status, message, errors } = await refusal('/menu/day', { ...request, groupBy });
      assert.deepEqual([status, errors.map((error) => error.pointer)], [400, [pointer]], JSON.stringify(groupBy));
      // What it looks for, to ask again without.
      assert.match(message, /groupBy/);
    }
    assert.equal(await reportsMade(), before);
    assert.equal((await report('/menu', '/day', request)).length, 1);
  });

  it('that sends bodies in a shape of its own gets the names of the wrong field and of the expected one', async () => {
    const lists = NO_LISTS;
    const dates = { startBusinessDate: DATE, endBusinessDate: DATE };
    const cases: [path: string, body: unknown, pointer: string, message: RegExp][] = [
      ['/menu/day', { startDate: DATE, endDate: DATE, ...lists }, '/startDate', /startBusinessDate/],
      ['/payout/day', { ...dates, ...lists }, '/startBusinessDate', /startDate/],
      ['/menu/day', { dateRange: { start: DATE, end: DATE }, ...lists }, '/dateRange', /dateRange/],
      ['/menu/day', { ...dates, restaurantGuids: [BISTRO] }, '/restaurantGuids', /restaurantGuids/],
      ['/menu/day', { ...dates, restaurantIds: BISTRO }, '/restaurantIds', /restaurantIds/],
      ['/menu/day', { ...dates, restaurantIds: ['bistro'] }, '/restaurantIds/0', /./],
      ['/menu/day', { ...dates, ...lists, filters: [] }, '/filters', /filters/],
      ['/menu/day', { ...dates, ...lists, startBusinessDate: '10.03.2026' }, '/startBusinessDate', /startBusinessDate/],
      ['/menu/day?aggregateBy=DAY', { ...dates, ...lists }, 'aggregateBy', /aggregateBy/],
    ];
    const before = await reportsMade();
    for (const [path, body, pointer, message] of cases) {
      const refused = await refusal(path, body);
      assert.deepEqual([refused.status, refused.errors[0]?.pointer], [400, pointer], JSON.stringify([path, refused]));
      assert.match(refused.message, message);
    }
    for (const body of [[], 'menu', 7, null]) assert.equal((await refusal('/menu/day', body)).status, 400);
    for (const path of ['/menu-analytics/day', '/menu/hour', '/payout/settled-date'])
      assert.equal((await refusal(path, { ...dates, ...lists })).status, 404, path);
    assert.equal(await reportsMade(), before);
  });
});

/**
 * Labor as clients in the field read it: their shapes, their assumptions, in the dialect `live`, over the base of the
 * live system.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BISTRO, newGuid, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const DINER = BISTRO.replace('b15', 'b16');
const PEOPLE = ['e3c1a5d0-9a54-4b3e-8a3c-1f0e6f0a7b01', 'e3c1a5d0-9a54-4b3e-8a3c-1f0e6f0a7b02'];
const JOBS = ['5b0d7c1e-3f5a-4d5a-9d1c-7a7f1f6f0b01', '5b0d7c1e-3f5a-4d5a-9d1c-7a7f1f6f0b02'];
const DATES = ['20260309', '20260310', '20260311'];

type Row = Record<string, unknown>;

describe('a client of labor from the field', () => {
  let running: Running;
  let headers: Record<string, string>;
  let base: string;

  before(async () => {
    running = await startJourney();
    const token = await running.login('g', { dialect: 'live' });
    base = `${running.service.origin}/era/v1`;
    headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'toast-restaurant-external-id': BISTRO,
    };
    for (const guid of [BISTRO, DINER]) {
      await putRestaurant(running, token, guid);
      await running.call('PUT', `/restaurants/${guid}/reference`, {
        token,
        json: {
          employees: PEOPLE.map((person, i) => ({ guid: person, firstName: ['Ada', 'Bo'][i], lastName: 'Ames' })),
          jobs: [{ guid: JOBS[0], title: 'Cook' }],
        },
      });
      // On each date one works as a cook and, for two hours, in a job that nobody has named; the other as a cook.
      const entries = DATES.flatMap((date) =>
        [
          [PEOPLE[0], JOBS[0], 8, 1.25],
          [PEOPLE[0], JOBS[1], 2, 0],
          [PEOPLE[1], JOBS[0], 6.6666, 0],
        ].map(([person, job, regularHours, overtimeHours]) => ({
          guid: newGuid(),
          employeeReference: { guid: person },
          jobReference: { guid: job },
          businessDate: date,
          inDate: `${date.slice(0, 4)}-03-${date.slice(6)}T14:00:00.000+0000`,
          outDate: `${date.slice(0, 4)}-03-${date.slice(6)}T22:00:00.000+0000`,
          regularHours,
          overtimeHours,
          hourlyWage: 15.5,
        })),
      );
      const loaded = await running.call('POST', `/restaurants/${guid}/time-entries`, { token, json: entries });
      assert.equal(loaded.body.accepted, entries.length, loaded.text);
      for (const businessDate of DATES) await postOrders(running, token, guid, [plainOrder({ businessDate })]);
    }
  });
  after(() => running.stop());

  async function post(path: string, body: object): Promise<Response> {
    return await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }
  /** Creates and gets once, without polling. */
  async function report(path: string, body: object): Promise<Row[]> {
    const created = await post(path, body);
    assert.equal(created.status, 200, await created.clone().text());
    const guid = (await created.text()).trim().replaceAll('"', '');
    const answer = await fetch(`${base}/labor/${guid}`, { headers });
    assert.equal(answer.status, 200);
    return (await answer.json()) as Row[];
  }
  const lists = (...restaurantIds: string[]) => ({ restaurantIds, excludedRestaurantIds: [] });

  it('that puts six figures of each day through Number() keeps true sums', async () => {
    const rows = await report('/labor/day', { startBusinessDate: '20260310', endBusinessDate: '20260310', ...lists() });

    const kept = rows.map((row) =>
      ['regularHours', 'overtimeHours', 'totalHours', 'regularCost', 'overtimeCost', 'totalCost'].map((field) =>
        Number(row[field]),
      ),
    );

    // 8 + 2 + 6.6666 hours; 124.00 + 31.00 + 103.33 and 1.25 × 15.50 × 1.5 = 29.06.
    const day = [16.667, 1.25, 17.917, 258.33, 29.06, 287.39];
    assert.deepEqual(kept, [day, day]);
    assert.ok(rows.every((row) => typeof row.businessDate === 'string' && row.businessDate === '20260310'));
  });

  it('that reads a year by job at one retrieval groups by title, and calls the rest Other', async () => {
    const year = { startBusinessDate: '20250401', endBusinessDate: '20260320' };
    const rows = await report('/labor/year', { ...year, ...lists(BISTRO), groupBy: ['JOB'] });

    const byTitle = new Map<string, { cost: number; hours: number }>();
    for (const row of rows) {
      const title = (row.jobTitle as string | null) ?? 'Other';
      const { cost, hours } = byTitle.get(title) ?? { cost: 0, hours: 0 };
      byTitle.set(title, { cost: cost + Number(row.totalCost), hours: hours + Number(row.totalHours) });
    }

    assert.deepEqual(
      [...byTitle].map(([title, { cost, hours }]) => [title, cost.toFixed(2), hours.toFixed(3)]),
      [
        ['Cook', '769.17', '47.751'],
        ['Other', '93.00', '6.000'],
      ],
    );
  });

  it('that joins a week by employee on the GUIDs of the labor API finds everybody, in each of their jobs', async () => {
    for (const [range, end] of [
      ['week', '20260311'],
      ['month', '20260309'],
    ]) {
      const span = { startBusinessDate: '20260309', endBusinessDate: end };
      const rows = await report(`/labor/${range}`, { ...span, ...lists(DINER), groupBy: ['EMPLOYEE'] });
      const people = new Map(PEOPLE.map((guid) => [guid, { regular: 0, overtime: 0 }]));
      for (const row of rows) {
        const person = people.get(row.employeeGuid as string) ?? assert.fail(`nobody is ${row.employeeGuid}`);
        person.regular += Number(row.regularHours);
        person.overtime += Number(row.overtimeHours);
      }
      const days = range === 'week' ? 3 : 1;
      const shown = [...people.values()].map(({ regular, overtime }) => [regular.toFixed(3), overtime.toFixed(3)]);
      assert.deepEqual(shown, [
        [(10 * days).toFixed(3), (1.25 * days).toFixed(3)],
        [(6.667 * days).toFixed(3), '0.000'],
      ]);
    }
  });

  it('that reads percentages as percent gets percent, and a row for each date', async () => {
    for (const date of DATES) {
      const rows = await report('/labor/day', { startBusinessDate: date, endBusinessDate: date, ...lists(BISTRO) });
      const row = rows.find((one) => one.businessDate === date) ?? assert.fail(`no row of ${date}`);

      // Some divide what is over 100 by 100: these 287.39 of 9.00 are 3193.22 %.
      assert.equal(row.totalCostPerNetSales, 3193.22);
      assert.equal(row.totalCostPerGrossSales, 2873.9);
      assert.equal(row.netSalesPerEmployeeHour, 0.5);
    }
  });

  it('that asks without a range writes every row by restaurant, person and date without a duplicate', async () => {
    const request = { startBusinessDate: '20260309', endBusinessDate: '20260311', ...lists(), groupBy: ['EMPLOYEE'] };
    const rows = await report('/labor', request);

    const table = new Map<string, Row>();
    for (const row of rows) {
      const date = (row.businessDate as string).replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3');
      const key = `${row.restaurantGuid} ${date} ${row.employeeGuid}`;
      assert.equal(table.has(key), false, key);
      table.set(key, row);
    }

    assert.equal(table.size, 2 * 2 * 3);
    // Where two groups are refused it asks again without: it looks for the word.
    const refused = await post('/labor', { ...request, groupBy: ['JOB', 'EMPLOYEE'] });
    assert.deepEqual([refused.status, (await refused.text()).includes('groupBy')], [400, true]);
  });

  it('that drops all of a report at its first odd row keeps this one', async () => {
    const days = { startBusinessDate: 20260309, endBusinessDate: 20260311 };
    const rows = await report('/labor/week', { ...days, ...lists(BISTRO), groupBy: ['EMPLOYEE'] });

    const seen = new Set<string>();
    for (const row of rows) {
      const figures = ['regularHours', 'overtimeHours', 'totalHours', 'regularCost', 'overtimeCost', 'totalCost'];
      const values = figures.map((field) => row[field]);
      const [regular = 0, overtime = 0, hours = 0, regularCost = 0, overtimeCost = 0, cost = 0] = values as number[];
      assert.ok(values.every((value) => typeof value === 'number' && Number.isFinite(value) && value >= 0));
      assert.ok(Math.abs(regular + overtime - hours) <= 0.011 && Math.abs(regularCost + overtimeCost - cost) <= 0.011);
      assert.equal(row.restaurantGuid, BISTRO);
      assert.ok(typeof row.employeeGuid === 'string' && row.employeeGuid !== '');
      const key = `${row.businessDate} ${row.employeeGuid}`;
      assert.ok(!seen.has(key));
      seen.add(key);
    }
    assert.equal(seen.size, 6);
  });

  it('that looks a date up by its text, and takes numbers only, finds its row', async () => {
    const rows = await report('/labor/day', {
      startBusinessDate: '20260311',
      endBusinessDate: '20260311',
      ...lists(DINER),
    });

    const row = rows.find(({ businessDate }) => String(businessDate) === '20260311') ?? assert.fail();
    for (const field of ['totalHours', 'totalCost', 'netSalesAmount', 'grossSalesAmount'])
      assert.equal(typeof row[field], 'number', field);
  });
});

describe('live restrictions', () => {
  it('refuse clients of the dialect live what the live system refuses, and no others', async () => {
    const running = await startJourney({ liveRestrictions: true, sandbox: true });
    try {
      const [live, plain] = [await running.login('g', { dialect: 'live' }), await running.login('g')];
      const year = { startBusinessDate: '20250401', endBusinessDate: '20260320' };
      const lists = { restaurantIds: [], excludedRestaurantIds: [] };
      const post = (token: string, path: string, json: object) => running.call('POST', path, { token, json });

      const refused = await post(live, '/labor/year', { ...year, ...lists });
      const noLists = await post(live, '/metrics/year', year);
      const taken = await post(live, '/metrics/year', { ...year, ...lists });
      const other = await post(plain, '/labor/year', year);
      const reserved = '/check/00000000-0000-4000-8000-000000000200';
      const sandbox = await running.call('GET', reserved, { token: live });

      assert.deepEqual([refused.status, refused.body.code], [400, 'live_restriction']);
      assert.match(refused.body.message, /DAYPART_LIVE_RESTRICTIONS/);
      assert.deepEqual([noLists.status, noLists.body.errors[0].pointer], [400, '/restaurantIds']);
      assert.deepEqual([taken.status, other.status, sandbox.status], [200, 200, 200]);
      for (const path of [
        '/metrics',
        '/metrics/year',
        '/check',
        '/labor',
        '/menu',
        '/payout/payments',
        '/guest/payments',
      ]) {
        const conflict = await running.call('GET', `${path}/00000000-0000-4000-8000-000000000409`, { token: live });
        const { path: again, body } = conflict.body.replacement;
        assert.equal((await post(live, again.replace('/v1', ''), body)).status, 200, path);
      }
    } finally {
      await running.stop();
    }
  });
});

/** `daypart report labor` against a real service: the table, what it is split by, and CSV. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../../packages/service/src/access/clients.ts';
import {
  BISTRO,
  NOW,
  newGuid,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from '../journeys/service.ts';
import { type Desk, openDesk } from './desk.ts';

const TAVERN = BISTRO.replace('b15', 'b16');
const DATES = ['--from', '2026-03-10', '--to', '2026-03-11'];

describe('labor on the command line', () => {
  let running: Running;
  let desk: Desk;
  let env: Record<string, string>;
  const run = (...args: string[]) => desk.run(['report', 'labor', ...args], { env });

  before(async () => {
    running = await startJourney();
    desk = await openDesk();
    const token = await running.login('g');
    const { id, secret } = await createClient(running.service.stores.ledger, { group: 'g', dialect: 'live' }, NOW);
    env = { DAYPART_URL: running.service.baseUrl, DAYPART_CLIENT_ID: id, DAYPART_CLIENT_SECRET: secret };
    const entry = (employee: object, job: object, changes: object) => ({
      guid: newGuid(),
      employeeReference: employee,
      jobReference: job,
      businessDate: '20260310',
      inDate: '2026-03-10T14:00:00.000+0000',
      outDate: '2026-03-10T22:00:00.000+0000',
      overtimeHours: 0,
      hourlyWage: 20,
      ...changes,
    });
    const ada = { guid: 'e-1', firstName: 'Ada', lastName: 'Ames', chosenName: 'Addie' };
    const cook = { guid: 'j-1', title: '=Cook' };
    const entries = [
      entry(ada, cook, { regularHours: 8, overtimeHours: 1.5 }),
      entry({ guid: 'e-2' }, { guid: 'j-2', title: 'Server' }, { regularHours: 5.333333 }),
      entry({ guid: 'e-2' }, { guid: 'j-2' }, { regularHours: 4, businessDate: '20260311' }),
    ];
    for (const [guid, name, of] of [
      [BISTRO, 'Bistro', entries],
      [TAVERN, 'Tavern', entries.slice(0, 1)],
    ] as const) {
      await putRestaurant(running, token, guid, { name, currencyCode: guid === BISTRO ? 'USD' : 'EUR' });
      await postOrders(running, token, guid, [plainOrder()]);
      const loaded = await running.call('POST', `/restaurants/${guid}/time-entries`, { token, json: of });
      assert.equal(loaded.body.accepted, of.length);
    }
  });
  after(async () => {
    await running.stop();
    await desk.close();
  });

  it('is a table of hours, cost and sales, with totals whose ratios are made of the sums', async () => {
    const { code, out, err } = await run(...DATES, '--restaurant', 'Bistro', '--format', 'table');

    assert.deepEqual([code, err], [0, '']);
    const lines = out.split('\n').map((line) => line.trimEnd().split(/ {2,}/).join(' | '));
    assert.match(lines[0] ?? '', /^Labor 2026-03-10 to 2026-03-11 \(2 dates\) · Bistro$/);
    assert.deepEqual(lines.slice(2, 5), [
      'Date | Regular h | Overtime h | Hours | Regular cost | Overtime cost | Cost | Net sales | Sales/hour | % of net',
      '2026-03-10 Tue | 13.333 | 1.500 | 14.833 | 266.67 | 45.00 | 311.67 | 9.00 | 0.61 | 3,463.00',
      '2026-03-11 Wed | 4.000 | 0.000 | 4.000 | 80.00 | 0.00 | 80.00 | 0.00 | 0.00 | –',
    ]);
    assert.equal(lines[6], 'Total | 17.333 | 1.500 | 18.833 | 346.67 | 45.00 | 391.67 | 9.00 | 0.48 | 4,351.89');
  });

  it('is added up by daypart totals with the decimals of its own table', async () => {
    const { out } = await run(...DATES, '--restaurant', 'Bistro', '--format', 'table');
    const [guid = ''] = /(?<=daypart get )\S+/.exec(out) ?? [];
    const totals = await desk.run(['totals', guid, '--format', 'table'], { env });

    assert.equal(totals.code, 0, totals.err);
    const cells = totals.out.split('\n')[1]?.trim().split(/ {2,}/) ?? [];
    const wanted = ['17.333', '1.500', '18.833', '346.67', '45.00', '391.67', '9.00', '10.00', '0.48', '0.53'];
    assert.deepEqual(cells.slice(2), [...wanted, '4,351.89', '3,916.70']);
  });

  it('is split by job or by employee, one at a time, with a total a currency', async () => {
    const jobs = await run(...DATES, '--by', 'job', '--format', 'table');
    const people = await run(...DATES, '--by', 'employee', '--format', 'table');
    const both = await run(...DATES, '--by', 'job,employee');
    const other = await run(...DATES, '--by', 'hour');

    const columns = (out: string, index: number) => out.split('\n')[index]?.trimEnd().split(/ {2,}/).slice(0, 5);
    assert.deepEqual(columns(jobs.out, 2), ['Restaurant', 'Currency', 'Date', 'Job', 'Regular h']);
    assert.deepEqual(columns(jobs.out, 3), ['Bistro', 'USD', '2026-03-10 Tue', '=Cook', '8.000']);
    assert.deepEqual(columns(people.out, 4), ['Bistro', 'USD', '2026-03-10 Tue', 'e-2', '5.333']);
    assert.match(people.out, /Tavern +EUR .* Addie Ames /);
    assert.match(jobs.out, /Total {2,}EUR .* 205\.00/);
    assert.match(jobs.out, /USD .* 391\.67/);
    assert.match(jobs.out, /Percent is of the restaurant’s whole sales of the date/);
    assert.deepEqual([both.code, other.code], [2, 2]);
    assert.match(both.err, /--by takes at most one of job and employee/);
    assert.match(other.err, /labor cannot be split by hour/);
  });

  it('is sorted by what people call the columns, and written as CSV without formulas', async () => {
    const sorted = await run(...DATES, '--by', 'employee', '--sort', 'hours:desc', '--format', 'json');
    const csv = await run(...DATES, '--by', 'job', '--restaurant', 'Tavern', '--format', 'csv');
    const file = await run(...DATES, '--restaurant', 'Tavern', '--format', 'csv', '--names', '--iso-dates');

    assert.deepEqual(
      JSON.parse(sorted.out).map(({ totalHours }: { totalHours: number }) => totalHours),
      [9.5, 9.5, 5.333, 4],
    );
    assert.match(csv.out, /^restaurantGuid,businessDate,regularHours,.*\r\n.*,j-1,'=Cook,/);
    assert.match(file.out, /^restaurantName,currencyCode,businessDate,.*\r\nTavern,EUR,2026-03-10,/);
  });
});

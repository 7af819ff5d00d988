/** Dayparts, hours of several dates, and totals of a report at a terminal. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DAY, openTrading, TAVERN, type Trading } from './trading.ts';

describe('dayparts on the command line', () => {
  let trading: Trading;
  before(async () => {
    trading = await openTrading();
  });
  after(() => trading.close());

  it('are shown, set and reset, of the group and of a restaurant', async () => {
    const { run } = trading;
    const shown = async (...args: string[]) => {
      const { code, out, err } = await run(['dayparts', ...args]);
      assert.equal(code, 0, err);
      return JSON.parse(out).map(({ name, from, to }: Record<string, string>) => `${name} ${from}-${to}`);
    };
    assert.equal((await shown())[4], 'Late night 22:00-05:00');

    const set = await shown('--set', 'Day 5-17,  Night out 17:00 - 5:00');
    assert.deepEqual(set, ['Day 05:00-17:00', 'Night out 17:00-05:00']);
    assert.deepEqual(await shown('--restaurant', '=tav'), set);
    assert.deepEqual(await shown('--restaurant', '=tav', '--set', 'Whole 0-24'), ['Whole 00:00-00:00']);
    assert.deepEqual(await shown(), set);
    assert.deepEqual(await shown('--restaurant', TAVERN, '--reset'), set);
  });

  it('split a report, also in totals, and in CSV the field is in the place that the service gives it', async () => {
    const { run, server } = trading;
    await run(['dayparts', '--set', 'Early 4-14, Late 14-4']);
    const ask = ['report', 'metrics', '--from', '2026-03-09', '--to', '2026-03-12', '--by', 'daypart'];

    const [json, csv, sorted, added, table] = await Promise.all([
      run(ask),
      run([...ask, '--format', 'csv']),
      run([...ask, '--format', 'csv', '--sort', 'net-sales:desc']),
      run([...ask, '--total-by', 'date', '--format', 'ndjson']),
      run([...ask, '--format', 'table']),
    ]);

    const rows = JSON.parse(json.out);
    assert.deepEqual(
      rows.map((row: Record<string, unknown>) => [row.restaurantGuid === TAVERN, row.businessDate, row.daypart]),
      [
        [false, '20260310', 'Early'],
        [true, '20260310', 'Early'],
        [true, '20260312', 'Early'],
      ],
    );
    assert.match(csv.out, /^restaurantGuid,businessDate,[^\n]*,businessHour,daypart,hourlyJobTotalHours/);
    assert.deepEqual(sorted.out.split('\r\n')[0], csv.out.split('\r\n')[0]);
    const lines = added.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ businessDate, daypart, ordersCount }) => [businessDate, daypart, ordersCount]),
      [
        ['20260310', 'Early', 3001],
        ['20260312', 'Early', 1],
      ],
    );
    assert.match(table.out, /by daypart\n[\s\S]*Daypart/);
    assert.ok((await server('/dayparts')).includes('Early'));
  });

  it('of hours over several dates come as one report, which has a GUID', async () => {
    const { run } = trading;
    const ask = ['report', 'metrics', '--from', '2026-03-09', '--to', '2026-03-12', '--by', 'hour'];

    const { out } = await run([...ask, '--format', 'table']);
    const parquet = await run([...ask, '--format', 'parquet', '--output', '-']);

    assert.match(out, /daypart get [0-9a-f-]{36}/);
    assert.deepEqual([parquet.code, parquet.out.slice(0, 4)], [0, 'PAR1']);
  });

  it('of a report are added up by the service', async () => {
    const { run, running, token } = trading;
    const made = await running.call('POST', '/metrics/week', {
      token,
      json: { startBusinessDate: '20260309', endBusinessDate: '20260315' },
    });
    const totals = (...args: string[]) => run(['totals', made.body, ...args]);

    const [whole, days, table, wrong] = await Promise.all([
      totals(),
      totals('--by', 'restaurant,weekday', '--format', 'csv'),
      totals('--by', 'restaurant, weekday', '--format', 'table'),
      totals('--by', 'hour'),
    ]);

    assert.deepEqual(JSON.parse(whole.out).rows[0].ordersCount, 3002);
    assert.match(days.out, /^restaurantGuid,weekday,currencyCode,rows,guestCount,/);
    assert.equal(days.out.trim().split('\r\n').length, 4);
    assert.match(table.out, /^Restaurant +Weekday +Currency/);
    assert.match(table.out, /=Tavern +Thursday/);
    assert.deepEqual([wrong.code, /restaurant, businessDate, weekday/.test(wrong.err)], [2, true]);
  });

  it('report what is wrong before anything is sent', async () => {
    const { run } = trading;
    for (const [args, message] of [
      [['dayparts', '--set', 'Breakfast'], /a daypart is a name and whole hours/],
      [['dayparts', '--set', 'A 5-25, B 1-5'], /A 5-25/],
      [['dayparts', '--reset'], /--reset needs --restaurant/],
      [['dayparts', '--set', 'A 0-24', '--reset', '--restaurant', TAVERN], /not both/],
      [['report', 'metrics', ...DAY, '--by', 'hour,daypart'], /hour or daypart, not both/],
      [['report', 'checks', ...DAY, '--by', 'daypart'], /cannot be split/],
      [['totals'], /needs the GUID/],
      [['totals', 'x'], /no GUID/],
    ] as const) {
      const { code, err } = await run([...args]);
      assert.equal(code, 2, args.join(' '));
      assert.match(err, message);
    }
    const refused = await run(['dayparts', '--set', 'A 5-11, B 12-5']);
    assert.deepEqual([refused.code, /none covers 11:00/.test(refused.err)], [2, true]);
  });
});

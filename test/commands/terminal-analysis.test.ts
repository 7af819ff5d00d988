/** `--total-by`, `--compare` and `--sort`: what people see, and what programs read. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { newGuid, plainOrder, postOrders, putRestaurant } from '../journeys/service.ts';
import { HAS_SCRIPT, seen } from './desk.ts';
import { openTrading, TAVERN, type Trading } from './trading.ts';

const CAFE = 'b1500000-0000-4000-8000-000000000003';
const WEEK = ['--from', '2026-03-09', '--to', '2026-03-10'];

describe('reports that are added up, compared or sorted', () => {
  let trading: Trading;
  before(async () => {
    trading = await openTrading();
    const { running, token } = trading;
    // 3,000 orders of 9.00 in dollars at the Bistro on the 10th; here the others.
    await putRestaurant(running, token, TAVERN, { name: '=Tavern', currencyCode: 'USD' });
    await putRestaurant(running, token, CAFE, { name: 'Café', currencyCode: 'EUR', timeZone: 'Europe/Paris' });
    const on = (businessDate: number, count: number) =>
      Array.from({ length: count }, () => plainOrder({ businessDate }));
    await postOrders(running, token, CAFE, [...on(20260310, 4), ...on(20260303, 5), ...on(20260309, 1)]);
    await postOrders(running, token, TAVERN, [...on(20260303, 1), ...on(20260309, 2)]);
  });
  after(() => trading.close());
  const json = async (...args: string[]) => {
    const { code, out, err } = await trading.run(['report', 'metrics', ...args]);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  const names = ['--restaurant', 'café', '--restaurant', '=tavern'];

  it('add up by date, currencies apart, with the fields of the wire', async () => {
    const rows = await json(...WEEK, ...names, '--total-by', 'date');

    assert.deepEqual(
      rows.map((row: Record<string, unknown>) => [
        row.businessDate,
        row.currencyCode,
        row.ordersCount,
        row.netSalesAmount,
        row.avgOrderValue,
        row.restaurantGuid,
      ]),
      [
        ['20260309', 'EUR', 1, 9, 9, null],
        ['20260309', 'USD', 2, 18, 9, null],
        ['20260310', 'EUR', 4, 36, 9, null],
        ['20260310', 'USD', 1, 9, 9, null],
      ],
    );
  });

  it('of 29 February have nothing beside them a year before', async () => {
    const { running, token, run } = trading;
    const on = (businessDate: number, count: number) =>
      Array.from({ length: count }, () => plainOrder({ businessDate }));
    await postOrders(running, token, CAFE, [...on(20230228, 3), ...on(20230301, 2), ...on(20240229, 1)]);
    const cafe = ['--restaurant', 'café', '--compare', 'year'];

    const [row] = await json('--date', '2024-02-29', ...cafe);
    assert.deepEqual([row.ordersCount, row.ordersCountCompared, row.ordersCountPercent], [1, 0, null]);
    assert.deepEqual([row.comparedStartBusinessDate, row.comparedEndBusinessDate], [null, null]);
    const [two] = await json('--from', '2024-02-29', '--to', '2024-03-01', ...cafe);
    assert.deepEqual(
      [two.ordersCountCompared, two.comparedStartBusinessDate, two.comparedEndBusinessDate],
      [2, '20230301', '20230301'],
    );
    const table = ['report', 'metrics', '--date', '2024-02-29', ...cafe, '--format', 'table'];
    assert.match(
      (await run(table)).out,
      /^Sales metrics 2024-02-29 Thu, compared with nothing: the year before has no/,
    );
  });

  it('of one restaurant and date have no column of restaurants if they are added up by date', async () => {
    const args = ['report', 'metrics', '--date', '2026-03-10', '--restaurant', 'café', '--format', 'table'];
    const byDate = await trading.run([...args, '--total-by', 'date']);
    const byRestaurant = await trading.run([...args, '--total-by', 'restaurant']);

    assert.match(byDate.out, /\nOrders +Guests .*\n +4 +8 /);
    assert.match(byRestaurant.out, /\nRestaurant +Orders +Guests .*\nCafé +4 +8 /);
  });

  it('have labour for restaurants and dates, and none for a group, as totals in the service', async () => {
    const labour = async (...args: string[]): Promise<unknown[]> =>
      (await json(...WEEK, ...names, ...args)).map((row: Record<string, unknown>) => row.hourlyJobTotalHours);

    assert.deepEqual(await labour('--total-by', 'restaurant'), ['0.00', '0.00']);
    assert.deepEqual(await labour('--total-by', 'restaurant', '--by', 'dining-option'), [null, null, null]);
    assert.deepEqual(await labour('--by', 'dining-option', '--sort', 'orders'), ['0.00', '0.00', '0.00', '0.00']);
    const { code, out } = await trading.run([
      'report',
      'metrics',
      ...WEEK,
      ...names,
      '--total-by',
      'date',
      '--by',
      'order-source',
    ]);
    assert.equal(code, 0, out);
  });

  it('are beside the compared span, in every form', async () => {
    const day = ['--date', '2026-03-10', ...names, '--compare', 'weekday'];
    const file = join(trading.desk.folder, 'compared.csv');

    const rows = await json(...day, '--names');
    const written = await trading.run(['report', 'metrics', ...day, '--output', file]);
    const [head = '', first = ''] = (await readFile(file, 'utf8')).split('\r\n');
    const cells = Object.fromEntries(head.split(',').map((field, at) => [field, first.split(',')[at]]));

    assert.deepEqual(
      rows.map((row: Record<string, unknown>) => [
        row.restaurantName,
        row.netSalesAmount,
        row.netSalesAmountCompared,
        row.netSalesAmountDifference,
        row.netSalesAmountPercent,
      ]),
      [
        ['=Tavern', 9, 9, 0, 0],
        ['Café', 36, 45, -9, -20],
      ],
    );
    assert.deepEqual([rows[0].comparedStartBusinessDate, rows[0].comparedEndBusinessDate], ['20260303', '20260303']);
    assert.equal(written.code, 0, written.err);
    assert.match(head, /^restaurantName,restaurantGuid,/);
    assert.deepEqual(
      [
        cells.restaurantName,
        cells.startBusinessDate,
        cells.comparedStartBusinessDate,
        cells.netSalesAmount,
        cells.netSalesAmountDifference,
      ],
      ["'=Tavern", '2026-03-10', '2026-03-03', '9.00', '0.00'],
    );
  });

  it('are a table that fits, with a total of each currency', {
    skip: HAS_SCRIPT ? false : 'there is no script of util-linux',
  }, async () => {
    const args = [
      'report',
      'metrics',
      '--date',
      '2026-03-10',
      ...names,
      '--compare',
      'weekday',
      '--sort',
      'net-sales:desc',
    ];

    const { code, text } = await trading.desk.onTerminal(args, { env: trading.env, columns: 60 });
    const lines = seen(text).split('\n');

    assert.equal(code, 0, text);
    assert.equal(lines[0], 'Sales metrics 2026-03-10 Tue, compared with 2026-03-03 Tue · 2 restaurants');
    assert.match(lines[2] ?? '', /^Restaurant +Currency +Net sales +Before +Change +%$/);
    assert.match(lines[3] ?? '', /^Café +EUR +36\.00 +45\.00 +-9\.00 +-20\.0$/);
    assert.match(lines[4] ?? '', /^=Tavern +USD +9\.00 +9\.00 +0\.00 +0\.0$/);
    assert.match(lines[6] ?? '', /^Total EUR +EUR +36\.00 +45\.00/);
    assert.match(lines[7] ?? '', /^Total USD +USD +9\.00 +9\.00/);
    assert.match(seen(text), /\nOmitted to fit: orders, avg order, guests, hours, sales\/hour\.\n/);
  });

  it('are sorted as they came otherwise, checks too', async () => {
    const rows = await json(...WEEK, ...names, '--sort', 'orders:desc');
    const checks = JSON.parse((await trading.run(['report', 'checks', ...WEEK, ...names, '--sort', 'date:desc'])).out);

    assert.deepEqual(
      rows.map((row: { ordersCount: number }) => row.ordersCount),
      [4, 2, 1, 1],
    );
    assert.ok(!('restaurantName' in rows[0]) && !('currencyCode' in rows[0]) && 'hourlyJobTotalPay' in rows[0]);
    assert.deepEqual(
      checks.map((row: { orderOpenDate: string }) => row.orderOpenDate),
      [...Array(5).fill('20260310'), ...Array(3).fill('20260309')],
    );
  });

  it('keep every field of the records where they are only sorted, in CSV to the last digit', async () => {
    const { running, token } = trading;
    const payments = [
      { guid: newGuid(), type: 'CREDIT', amount: 9.8, paymentStatus: 'CAPTURED', paidDate: '2026-03-14T17:00:00Z' },
    ];
    for (const guid of [CAFE, TAVERN])
      await postOrders(running, token, guid, [plainOrder({ businessDate: 20260314 }, { payments })]);
    for (const word of ['menu', 'labor', 'payout-payments', 'payout-sales-date', 'guest-payments', 'checks']) {
      const run = async (...args: string[]) =>
        (await trading.run(['report', word, '--date', '2026-03-14', ...args])).out.split(/\r?\n/).filter(Boolean);
      const [head, ...lines] = await run('--format', 'csv');
      const [sortedHead, ...sorted] = await run('--format', 'csv', '--sort', 'restaurant');
      const [own = ''] = await run('--format', 'ndjson');
      const [other = ''] = await run('--format', 'ndjson', '--sort', 'restaurant');

      assert.ok(lines.length > 0, word);
      assert.equal(sortedHead, head);
      assert.deepEqual(sorted.sort(), lines.sort());
      assert.deepEqual(Object.keys(JSON.parse(other)), Object.keys(JSON.parse(own)));
    }
  });

  it('have their headings in CSV without a line too', async () => {
    for (const args of [
      ['--total-by', 'restaurant'],
      ['--by', 'daypart', '--compare', 'year', '--names'],
    ]) {
      const csv = ['report', 'metrics', ...names, ...args, '--format', 'csv'];
      const [some, none] = [await trading.run([...csv, ...WEEK]), await trading.run([...csv, '--date', '2020-01-01'])];

      assert.equal(none.out, `${some.out.split('\r\n')[0]}\r\n`);
    }
    const { body } = await trading.running.call('POST', '/metrics/day', {
      token: trading.token,
      json: { startBusinessDate: '20200101' },
    });
    const totals = await trading.run(['totals', body, '--by', 'restaurant', '--format', 'csv']);
    assert.deepEqual([totals.code, totals.out], [0, '']);
  });

  it('are refused for what cannot be', async () => {
    const cases: [string[], RegExp][] = [
      [
        ['checks', ...WEEK, '--compare', 'year'],
        /--compare is only for report metrics, not for checks; daypart totals GUID/,
      ],
      [
        ['metrics', ...WEEK, '--compare', 'yera'],
        /--compare takes previous, weekday, year, 52-weeks, not yera; did you mean year/,
      ],
      [['metrics', ...WEEK, '--sort', 'net'], /there is no field net; did you mean/],
      [
        ['metrics', ...WEEK, '--total-by', 'date', '--format', 'parquet', '--output', 'x.parquet'],
        /use csv, ndjson or json/,
      ],
    ];
    for (const [args, message] of cases) {
      const { code, err } = await trading.run(['report', ...args]);
      assert.deepEqual([code, message.test(err)], [2, true], err);
    }
  });
});

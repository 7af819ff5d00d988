/**
 * Tables of restaurants with several currencies: one line of totals for each currency, and no change if there is only
 * one.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../../packages/service/src/access/clients.ts';
import {
  NOW,
  newGuid,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from '../journeys/service.ts';
import { type Desk, openDesk } from './desk.ts';

const TABLE = ['--date', '2026-03-10', '--format', 'table'];
/** The cells of each line. */
const cellsOf = (out: string): string[][] => out.split('\n').map((line) => line.trim().split(/ {2,}/));
const totalsIn = (out: string): string[][] => {
  const cells = cellsOf(out);
  const rule = cells.findIndex(([first = '']) => /^─+$/.test(first));
  return cells.slice(
    rule + 1,
    cells.findIndex(([first], at) => at > rule && first === ''),
  );
};

const cardPayment = () => ({
  guid: newGuid(),
  type: 'CREDIT',
  amount: 9.8,
  tipAmount: 2,
  paymentStatus: 'CAPTURED',
  paidDate: '2026-03-10T17:55:12.345+0000',
});

describe('a table of several currencies', () => {
  let running: Running;
  let desk: Desk;
  let token: string;
  let env: Record<string, string>;
  const [oslo, paris, lyon] = [newGuid(), newGuid(), newGuid()];
  before(async () => {
    running = await startJourney();
    desk = await openDesk();
    token = await running.login('g');
    const client = await createClient(running.service.stores.ledger, { group: 'g' }, NOW);
    env = {
      DAYPART_URL: running.service.baseUrl,
      DAYPART_CLIENT_ID: client.id,
      DAYPART_CLIENT_SECRET: client.secret,
    };
    await putRestaurant(running, token, oslo, { name: 'Oslo', currencyCode: 'NOK' });
    await putRestaurant(running, token, paris, { name: 'Paris', currencyCode: 'EUR' });
    await putRestaurant(running, token, lyon, { name: 'Lyon', currencyCode: 'EUR' });
    for (const [at, restaurant] of [oslo, paris, lyon].entries()) {
      const orders = Array.from({ length: at === 0 ? 600 : at }, () => plainOrder({}, { payments: [cardPayment()] }));
      await postOrders(running, token, restaurant, orders);
    }
  });
  after(async () => {
    await running.stop();
    await desk.close();
  });
  const report = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await desk.run(['report', ...args, ...TABLE], { env });
    assert.deepEqual([code, err], [0, '']);
    return out;
  };

  it('of metrics names the currency of each line and has a total of each', async () => {
    const out = await report('metrics');

    assert.deepEqual(
      cellsOf(out)
        .slice(2, 6)
        .map((cells) => cells.slice(0, 5)),
      [
        ['Restaurant', 'Currency', 'Orders', 'Guests', 'Net sales'],
        ['Lyon', 'EUR', '2', '4', '18.00'],
        ['Oslo', 'NOK', '600', '1,200', '5,400.00'],
        ['Paris', 'EUR', '1', '2', '9.00'],
      ],
    );
    assert.deepEqual(
      totalsIn(out).map((cells) => cells.slice(0, 5)),
      [
        ['Total', 'EUR', '3', '6', '27.00'],
        ['Total', 'NOK', '600', '1,200', '5,400.00'],
      ],
    );
  });

  it('of metrics has net sales over time for each', async () => {
    await postOrders(running, token, oslo, [plainOrder({ openedDate: '2026-03-10T20:05:00.000Z' })]);
    await postOrders(running, token, paris, [plainOrder({ openedDate: '2026-03-10T20:05:00.000Z' })]);

    const out = await report('metrics', '--by', 'hour');

    assert.match(out, /\nNet sales EUR \S+ +\S* *13:00 to 16:00, most 27\.00 at 13:00\n/);
    assert.match(out, /\nNet sales NOK \S+ +\S* *13:00 to 16:00, most 5,400\.00 at 13:00\n/);
  });

  it('of checks does too, though its lines are written as they come', async () => {
    const out = await report('checks');

    const [heads = []] = cellsOf(out).slice(2);
    assert.deepEqual(heads.slice(0, 2), ['Restaurant', 'Currency']);
    const money = (cells: string[] | undefined): string | undefined => cells?.[2];
    const [eur, nok, ...more] = totalsIn(out);
    assert.deepEqual([eur?.slice(0, 2), nok?.slice(0, 2), more], [['Total', 'EUR'], ['Total', 'NOK'], []]);
    assert.deepEqual([money(eur), money(nok)], ['47.20', '7,091.80']);
  });

  it('of any kind keeps the lines of a currency together where it is sorted by an amount', async () => {
    const currencyOf = new Map([['Oslo', 'NOK']]);
    for (const [word, sort, currencies] of [
      ['metrics', 'net-sales:desc', ['EUR', 'NOK']],
      ['checks', 'total:desc', ['EUR', 'NOK']],
      ['menu', 'netSalesAmount:desc', ['EUR', 'NOK']],
      ['menu', 'average-price:desc', ['EUR', 'NOK']],
      ['labor', 'net-sales:desc', ['EUR', 'NOK']],
      ['payout-payments', 'tip:desc', ['EUR', 'NOK']],
      ['payout-sales-date', 'payout:desc', ['EUR', 'NOK']],
      ['menu', 'quantity:desc', ['NOK', 'EUR']],
    ] as const) {
      const args = ['report', word, '--date', '2026-03-10', '--sort', sort, '--format', 'ndjson', '--names'];
      const { code, out, err } = await desk.run(args, { env });
      const found = out
        .trim()
        .split('\n')
        .map((line) => currencyOf.get(JSON.parse(line).restaurantName) ?? 'EUR');

      assert.deepEqual([code, err], [0, '']);
      assert.deepEqual(
        found.filter((code, at) => code !== found[at - 1]),
        currencies,
        `${word} by ${sort}`,
      );
    }
  });

  it('of one currency has one total and no such column', async () => {
    const metrics = await report('metrics', '--restaurant', 'Paris', '--restaurant', 'Lyon');
    const checks = await report('checks', '--restaurant', 'Paris', '--restaurant', 'Lyon');

    for (const out of [metrics, checks]) {
      assert.doesNotMatch(out, /Currency|EUR/);
      assert.equal(totalsIn(out).length, 1);
    }
  });

  it('of an existing report keeps the currencies that it was gathered with', async () => {
    const guids: unknown[] = [];
    for (const path of ['metrics', 'check', 'menu']) {
      const response = await fetch(`${running.service.baseUrl}/${path}/day`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ startBusinessDate: '20260310', endBusinessDate: '20260310' }),
      });
      guids.push(await response.json());
    }
    const shown = async (): Promise<string[][][]> => {
      const tables = [];
      for (const guid of guids) {
        const { code, out, err } = await desk.run(['get', String(guid), '--format', 'table'], { env });
        assert.deepEqual([code, err], [0, '']);
        tables.push(cellsOf(out));
      }
      return tables;
    };
    const before = await shown();
    for (const cells of before) assert.ok(cells.some(([name, code]) => name === 'Total' && code === 'NOK'));

    await putRestaurant(running, token, oslo, { name: 'Oslo', currencyCode: 'SEK' });
    await putRestaurant(running, token, lyon, { name: 'Lyon', currencyCode: 'CHF' });
    try {
      assert.deepEqual(await shown(), before);
      assert.match(await report('metrics'), /Oslo +SEK/);
    } finally {
      await putRestaurant(running, token, oslo, { name: 'Oslo', currencyCode: 'NOK' });
      await putRestaurant(running, token, lyon, { name: 'Lyon', currencyCode: 'EUR' });
    }
  });
});

describe('a table of a currency without a smaller unit', () => {
  let running: Running;
  let desk: Desk;
  let env: Record<string, string>;
  const [kyoto, rome] = [newGuid(), newGuid()];
  before(async () => {
    running = await startJourney();
    desk = await openDesk();
    const token = await running.login('g');
    const { id, secret } = await createClient(running.service.stores.ledger, { group: 'g' }, NOW);
    env = { DAYPART_URL: running.service.baseUrl, DAYPART_CLIENT_ID: id, DAYPART_CLIENT_SECRET: secret };
    await putRestaurant(running, token, kyoto, { name: 'Kyoto', currencyCode: 'JPY' });
    await putRestaurant(running, token, rome, { name: 'Rome', currencyCode: 'EUR' });
    const order = (amount: number, businessDate: number, hour: number) =>
      plainOrder(
        { businessDate, openedDate: `2026-03-10T${hour}:05:00.000Z` },
        {
          amount,
          taxAmount: 100,
          totalAmount: amount + 100,
          appliedDiscounts: [],
          selections: [
            {
              guid: newGuid(),
              quantity: 1,
              preDiscountPrice: amount,
              price: amount,
              tax: 100,
              item: { guid: 'i1' },
              displayName: 'Set',
            },
          ],
          payments: [{ ...cardPayment(), amount: amount + 100, tipAmount: 20 }],
        },
      );
    const entry = {
      guid: newGuid(),
      employeeReference: { guid: 'e1' },
      jobReference: { guid: 'j1', title: 'Cook' },
      businessDate: '20260310',
      inDate: '2026-03-10T14:00:00.000+0000',
      outDate: '2026-03-10T17:00:00.000+0000',
      regularHours: 3,
      overtimeHours: 0,
      hourlyWage: 1200,
    };
    for (const guid of [kyoto, rome]) {
      const orders = [order(900, 20260310, 17), order(1001, 20260310, 20), order(850, 20260309, 17)];
      await postOrders(running, token, guid, orders);
      const loaded = await running.call('POST', `/restaurants/${guid}/time-entries`, { token, json: [entry] });
      assert.equal(loaded.body.accepted, 1);
    }
  });
  after(async () => {
    await running.stop();
    await desk.close();
  });
  const run = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await desk.run(args, { env });
    assert.deepEqual([code, err], [0, '']);
    return out;
  };
  it('of one restaurant shows every amount, total and average in whole units, and hours and percent as ever', async () => {
    for (const [shown, word, ...args] of [
      ['2 4 1,901 1,901 0 0 951 3.00 3,600 634', 'metrics'],
      ['Kyoto 1,901 850 +1,051 +123.6 2 1 +1 +100.0 951 850 +101 +11.8 4', 'metrics', '--compare', 'previous'],
      ['Total 2 4 1,901 1,901 0 0 951 3.00 3,600 634', 'metrics', '--by', 'hour'],
      ['10:00 to 16:00, most 1,001 at 16:00', 'metrics', '--by', 'hour'],
      ['Total 2,141 0 200 40 0 0', 'checks'],
      ['Ada Byron 1,121 0 100 20 0 0', 'checks'],
      ['3.000 0.000 3.000 3,600 0 3,600 1,901 634 189.37', 'labor'],
      ['Set 2 1,901 1,901 0 0 0 951 0 0', 'menu', '--by', 'item'],
      ['Total 3,051 60 0 3,111', 'payout-payments'],
      ['3 3,111 0 0 0 3,111', 'payout-sales-date'],
    ] as const) {
      const out = await run('report', word, '--restaurant', 'Kyoto', ...TABLE, ...args);

      assert.ok(out.replace(/ +/g, ' ').includes(shown), `${shown}:\n${out}`);
    }
  });

  it('of several restaurants shows the amounts of each line and total as its currency has them', async () => {
    const out = await run('report', 'metrics', ...TABLE);

    const [kyoto, rome] = [
      '4 1,901 1,901 0 0 951 3.00 3,600 634',
      '4 1,901.00 1,901.00 0.00 0.00 950.50 3.00 3,600.00 633.67',
    ];
    assert.deepEqual(
      cellsOf(out)
        .filter(([, code]) => code === 'JPY' || code === 'EUR')
        .map((cells) => cells.join(' ')),
      [`Kyoto JPY 2 ${kyoto}`, `Rome EUR 2 ${rome}`, `Total EUR 2 ${rome}`, `Total JPY 2 ${kyoto}`],
    );
  });

  it('of an existing report and of its totals does too, and what programs read has two decimals', async () => {
    const out = await run('report', 'metrics', '--restaurant', 'Kyoto', ...TABLE);
    const [guid = ''] = /(?<=daypart get )\S+/.exec(out) ?? [];
    const [again, totals, csv, json] = await Promise.all([
      run('get', guid, '--format', 'table'),
      run('totals', guid, '--format', 'table'),
      run('get', guid, '--format', 'csv'),
      run('totals', guid, '--format', 'json'),
    ]);

    assert.deepEqual(cellsOf(again)[3], cellsOf(out)[3]);
    assert.equal(cellsOf(totals)[1]?.join(' '), 'JPY 1 4 0 0 2 0 2 1,901 1,901 0 0 0 951 3.00 3,600 634');
    assert.match(csv, /,1901\.00,1901\.00,0\.00,0\.00,0\.00,950\.50,.*,3\.00,3600\.00,633\.67\r\n$/);
    assert.equal(JSON.parse(json).rows[0].avgOrderValue, 950.5);
  });
});

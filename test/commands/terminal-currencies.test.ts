/** Tables of restaurants with several currencies: one line of totals for each currency, and no change if there is only one. */
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
  ...{ guid: newGuid(), type: 'CREDIT', amount: 9.8, tipAmount: 2 },
  ...{ paymentStatus: 'CAPTURED', paidDate: '2026-03-10T17:55:12.345+0000' },
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

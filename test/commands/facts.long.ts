/** `daypart facts` on a folder at rest and beside a service, with rollups that somebody changed. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { run, serveHere } from './in-process.ts';
import { serve, stop } from './process.ts';
import { putRestaurants, RESTAURANTS, report, signIn, startTrade } from './trade.ts';

describe('daypart facts', () => {
  let data: string;
  before(async () => {
    data = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
    const { base, stop } = await serveHere(['--data', data], { DAYPART_BOOTSTRAP_CLIENT: 'me:secret:group' });
    const service = await signIn(base);
    await putRestaurants(service);
    const trade = startTrade(service);
    while (Math.min(...trade.acknowledged()) < 4) await new Promise((resolve) => setTimeout(resolve, 50));
    await trade.stop();
    await stop();
  });
  after(() => rm(data, { recursive: true, force: true }));

  /** Changes the file itself, while nothing holds it. */
  async function tamper(sql: string): Promise<void> {
    const instance = await DuckDBInstance.create(join(data, 'facts', 'facts.duckdb'));
    const connection = await instance.connect();
    await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
  }
  const facts = (...args: string[]) => run(['facts', ...args, '--data', data]);
  const CLEAN =
    'daily rollups  0 faults\nmenu rollups   0 faults\nlabor rollups  0 faults\nloaded days    0 faults\norder dates    0 faults\n';

  it('finds a cent that is not what the facts say, and rebuild repairs it, with nothing running', async () => {
    assert.deepEqual(await facts('verify'), { code: 0, out: CLEAN, err: '' });
    await tamper(
      'update new_sheets set gross_cents = gross_cents + 1 where rowid = (select min(rowid) from new_sheets where restaurant_id = 2 and business_date = 20260311)',
    );

    const found = await facts('verify');

    assert.equal(found.code, 1);
    assert.match(
      found.out,
      /^daily rollups {2}1 fault\n {2}2026-03-11 {2}b1500000-0000-4000-8000-000000000002 {2}Bistro 2\nmenu/,
    );
    assert.match(found.err, /daypart facts rebuild computes them again/);
    assert.deepEqual(await facts('rebuild'), { code: 0, out: CLEAN, err: '' });
    assert.equal((await facts('verify')).code, 0);
  });

  it('does the same beside a running service, whose reports are right from then on', async () => {
    const env = { DAYPART_BOOTSTRAP_CLIENT: 'me:secret:group' };
    const before = await serveHere(['--data', data], env);
    const right = await report(await signIn(before.base), 'metrics');
    await before.stop();
    await tamper('update sheets set guests = guests + 1; delete from order_dates_01; delete from new_order_dates');
    const { child, base } = await serve(['--data', data], env);
    try {
      const service = await signIn(base);
      assert.notDeepEqual(await report(service, 'metrics'), right);

      const found = await facts('verify', '--json');

      assert.equal(found.code, 1);
      const { sheets } = JSON.parse(found.out);
      assert.deepEqual(
        sheets.map((one: { sheet: string; faults: number }) => [one.sheet, one.faults]),
        [
          ['daily rollups', 2 * RESTAURANTS.length],
          ['menu rollups', 0],
          ['labor rollups', 0],
          ['loaded days', 0],
          ['order dates', 2],
        ],
      );
      const dates = sheets.find((one: { sheet: string }) => one.sheet === 'order dates');
      assert.deepEqual(dates.first[0], {
        restaurantGuid: RESTAURANTS[0]?.guid,
        restaurantName: 'Bistro 1',
        businessDate: 20260310,
      });
      const rebuilt = await facts('rebuild');
      assert.deepEqual([rebuilt.code, rebuilt.out], [0, CLEAN]);
      assert.match(rebuilt.err, /Requested a rebuild from the running service/);
      assert.deepEqual(await report(service, 'metrics'), right);
    } finally {
      assert.equal(await stop(child), 0);
    }
  });

  it('refuses misuse, and a folder that holds no data', async () => {
    const cases: [string[], number, RegExp][] = [
      [['facts'], 2, /verify or rebuild/],
      [['facts', 'verfy'], 2, /did you mean verify/],
      [['facts', 'verify', 'x'], 2, /unexpected x/],
      [['facts', 'verify', '--data', join(data, 'none')], 1, /none is not a data folder/],
      [['backup'], 2, /backup needs/],
      [['backup', 'a', 'b'], 2, /unexpected b/],
      [['restore'], 2, /restore needs/],
      [['restore', data, '--data', join(data, 'none')], 1, /is not a backup/],
    ];
    await Promise.all(
      cases.map(async ([args, code, message]) => {
        const ended = await run(args);
        assert.equal(ended.code, code, `${args.join(' ')}: ${ended.err}`);
        assert.match(ended.err, message);
      }),
    );
  });
});

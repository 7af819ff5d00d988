/** Whatever a report asks for, what is fetched for it is a valid query of ClickHouse, before and after a promotion. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { migrateFacts } from '../../packages/service/src/facts/clickhouse/clickhouse.ts';
import { fetchesOf } from '../../packages/service/src/facts/clickhouse/node-reports.ts';
import { gatherSteps } from '../../packages/service/src/facts/duckdb/gather.ts';
import { composedQueries } from '../families/queries.ts';
import { countRead, type FactsServers, readRows, startServers } from './servers.ts';

const SNAPSHOT = { high: 9, except: [7] };
const CHECKS = 1000;
const PROMOTED = { promotion: 3, except: [2], snapshot: { high: 5, except: [] } };

describe('the queries that reports send to ClickHouse', () => {
  let servers: FactsServers;
  let url: string;
  before(async () => {
    servers = await startServers();
    const addresses = await servers.newDatabase();
    await migrateFacts(addresses.url, addresses.ledgerUrl);
    url = addresses.url;
  });
  after(async () => await servers.close());

  it('are valid for every aggregation, grouping and size', async () => {
    const texts = new Map<string, string>();
    for (const { name, family, query } of composedQueries(true))
      for (const promoted of [undefined, PROMOTED]) {
        const { dates, linked } = family[1];
        const steps = gatherSteps(family, query, 'x.parquet');
        const ids = query.restaurants.map(({ id }) => id);
        const work = { steps, restaurants: ids, from: query.startDate, to: query.endDate, dates, linked };
        const fetches = fetchesOf(work, { snapshot: SNAPSHOT, promoted, forgotten: 0, now: 0 });
        assert.ok(fetches.length > 0, name);
        for (const { table, text } of fetches) texts.set(text, `${name}: ${table}`);
      }
    assert.ok(texts.size > 50, `only ${texts.size} texts`);
    for (const [text, name] of texts) {
      const plan = await readRows(url, `select * from (explain ${text})`).catch((error) =>
        assert.fail(`${name}: ${error}\n${text}`),
      );
      assert.ok(plan.length > 1, name);
    }
  });

  it('read checks for card payments only while orders lack their payments', async () => {
    const addresses = await servers.newDatabase();
    await migrateFacts(addresses.url, addresses.ledgerUrl);
    const work = composedQueries().flatMap(({ family, query }) => {
      const { dates, linked } = family[1];
      const restaurants = query.restaurants.map(({ id }) => id);
      const steps = gatherSteps(family, query, 'x.parquet');
      const own = { steps, restaurants, from: query.startDate, to: query.endDate, dates, linked };
      return query.kind === 'payout-payments' ? [own] : [];
    });
    const seen = { snapshot: { high: 9, except: [] }, promoted: undefined, forgotten: 0, now: 0 };
    /** Of each report, whether checks are read: more than there are orders. */
    const areRead = async (): Promise<boolean[]> =>
      await Promise.all(
        work.map(async (one) => {
          const fetch = fetchesOf(one, seen).find(({ table }) => table === 'checks');
          return (await countRead(addresses.url, fetch?.text ?? assert.fail())) >= CHECKS;
        }),
      );
    const add = (sql: string) => readRows(addresses.url, `insert into ${sql}`);
    const order = (born: number, load: number, sign: number, details: number) =>
      add(
        `orders (restaurant_id, business_date, born, load, sign, details) select 1, 20260201, ${born}, ${load}, ${sign}, ${details}`,
      );
    await add(`checks (restaurant_id, business_date, born) select 1, 20260201, 1 from numbers(${CHECKS})`);

    await order(1, 1, 1, 0);
    assert.deepEqual(await areRead(), [true, true]);
    await order(1, 2, -1, 0);
    await order(2, 2, 1, 3);
    assert.deepEqual(await areRead(), [false, false]);
  });
});

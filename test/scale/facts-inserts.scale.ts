/** Inserts that the server does not confirm: the load is aborted, and nothing of it is ever visible. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgresLog } from '../../packages/service/src/facts/clickhouse/load-log/postgres-log.ts';
import { sweep } from '../../packages/service/src/facts/clickhouse/protocol.ts';
import { openServer, type Server, serverAddress } from '../../packages/service/src/facts/clickhouse/server.ts';
import { openServerRows } from '../../packages/service/src/facts/clickhouse/server-rows.ts';
import { FactsGone } from '../../packages/service/src/facts/errors.ts';
import { checkFact, mergeLines, type OpenedFacts, orderFact, recordsOf } from '../conformance/facts.ts';
import { type FactsServers, openFacts, readRows, startServers } from './servers.ts';

const TABLES = ['orders', 'checks', 'places', 'sheets', 'loaded_days'];

describe('inserts that are not confirmed', () => {
  let servers: FactsServers;
  let addresses: Awaited<ReturnType<FactsServers['newDatabase']>>;
  let opened: OpenedFacts;
  let server: Server;
  before(async () => {
    servers = await startServers();
    addresses = await servers.newDatabase();
    opened = await openFacts(servers, 'lines', {}, addresses);
    const { url, database } = serverAddress(addresses.url);
    server = openServer(url, database);
  });
  after(async () => {
    await server.close();
    await opened.close();
    await servers.close();
  });

  const countOf = async (restaurant: number): Promise<number> => {
    const counts = TABLES.map((table) => `select count() as n from ${table} where restaurant_id = ${restaurant}`);
    const [row] = await readRows(addresses.url, `select sum(n) as n from (${counts.join(' union all ')})`);
    return Number(row?.n);
  };

  for (const [fault, restaurant] of [
    ['short', 1],
    ['unknown', 2],
  ] as const)
    it(`aborts the load if the answer is ${fault}: its rows are seen by nobody, and it can be loaded again`, async () => {
      const order = orderFact();
      const load = () => mergeLines(opened, restaurant, { orders: [order], checks: [checkFact(order)] });
      await servers.bridge.failInsert(fault);
      await assert.rejects(load(), (error) => error instanceof FactsGone && !error.outcomeUnknown);
      assert.ok((await countOf(restaurant)) > 0, 'some of the rows are there');
      assert.deepEqual(await recordsOf(opened, restaurant), []);
      assert.deepEqual(await recordsOf(opened, restaurant, { kind: 'check' }), []);

      assert.equal((await load()).accepted, 1);
      const loaded = await recordsOf(opened, restaurant, { kind: 'check' });
      assert.equal(loaded.length, 1);
      const both = await countOf(restaurant);
      const log = openPostgresLog(addresses.ledgerUrl, 1000);
      try {
        for (let sweeps = 0; sweeps < 2; sweeps++) {
          await sleep(20);
          await sweep(log, openServerRows(server), 1);
        }
        assert.deepEqual((await log.seen()).snapshot.except, []);
      } finally {
        await log.close();
      }
      assert.ok((await countOf(restaurant)) < both);
      assert.deepEqual(await recordsOf(opened, restaurant, { kind: 'check' }), loaded);
    });
});

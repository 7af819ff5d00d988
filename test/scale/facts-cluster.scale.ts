/**
 * The facts on a cluster of replicas, by setting: which statements and settings are sent, and what becomes of loads
 * when a host cannot be reached or a quorum is not. The engine here has no replicas: the bridge lets it parse the
 * statements, and runs those of a single server.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { migrateFacts } from '../../packages/service/src/facts/clickhouse/clickhouse.ts';
import { openPostgresLog } from '../../packages/service/src/facts/clickhouse/load-log/postgres-log.ts';
import { promote } from '../../packages/service/src/facts/clickhouse/protocol.ts';
import { openServer, serverAddress } from '../../packages/service/src/facts/clickhouse/server.ts';
import { openServerRows } from '../../packages/service/src/facts/clickhouse/server-rows.ts';
import { serverTables } from '../../packages/service/src/facts/clickhouse/tables.ts';
import { FactsGone } from '../../packages/service/src/facts/errors.ts';
import { checkFact, mergeLines, type OpenedFacts, orderFact, recordsOf } from '../conformance/facts.ts';
import { CLUSTER } from './bridge/replicas.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';
import { type FactsServers, openFacts, readRows, startServers } from './servers.ts';

describe('facts on a cluster', () => {
  let servers: FactsServers;
  let proxies: FaultyProxy[] = [];
  let addresses: Awaited<ReturnType<FactsServers['newDatabase']>>;
  let opened: OpenedFacts;
  before(async () => {
    servers = await startServers();
    proxies = [await startProxy(servers.bridge.port), await startProxy(servers.bridge.port)];
    const { url, ledgerUrl } = await servers.newDatabase();
    const hosts = proxies.map(({ port }) => `127.0.0.1:${port}`).join(',');
    addresses = { url: `clickhouse://${hosts}/${serverAddress(url).database}?cluster=${CLUSTER}`, ledgerUrl };
    opened = await openFacts(servers, 'lines', {}, addresses);
  });
  after(async () => {
    await opened.close();
    for (const proxy of proxies) await proxy.close();
    await servers.close();
  });

  const load = (restaurant: number) => {
    const order = orderFact();
    return mergeLines(opened, restaurant, { orders: [order], checks: [checkFact(order)] });
  };
  const checksOf = (restaurant: number) => recordsOf(opened, restaurant, { kind: 'check' });
  const server = () => {
    const { url, database, cluster } = serverAddress(addresses.url);
    return openServer(url, database, cluster);
  };

  it('creates each table on all servers of the cluster, as replicas of each other', async () => {
    const texts = (await servers.bridge.kept()).map(({ query }) => query);
    const created = texts.filter((text) => /create (table|database)/.test(text) && /on cluster/.test(text));
    for (const text of created) assert.match(text, /on cluster 'main'/);
    const tables = created.filter((text) => /create table/.test(text));
    for (const text of tables)
      assert.match(
        text,
        /ReplicatedMergeTree\('\/clickhouse\/tables\/\{shard\}\/\{database\}\/\{table\}', '\{replica\}'\)/,
      );
    const names = tables.map((text) => /if not exists (\w+)/.exec(text)?.[1]);
    assert.deepEqual(
      new Set(names),
      new Set(['schema_version', 'identity', ...serverTables().map(({ name }) => name)]),
    );
  });

  it('writes to a quorum, each insert once, and brings a host up to date before it is read', async () => {
    await load(1);
    assert.equal((await checksOf(1)).length, 1);
    const kept = await servers.bridge.kept();
    const inserts = kept.filter(({ query }) => /^\s*(--.*\n\s*)*insert into (orders|places|sheets)/m.test(query));
    assert.ok(inserts.length >= 3);
    for (const { settings } of inserts) {
      assert.equal(settings.insert_quorum, 'auto');
      assert.equal(settings.insert_deduplicate, '0');
      assert.equal(settings.async_insert, '0');
    }
    const texts = kept.map(({ query }) => query);
    const read = texts.findLastIndex((text) => /from checks/.test(text));
    assert.ok(texts.slice(0, read).some((text) => /system sync replica checks lightweight/.test(text)));
  });

  it('writes promotions to a quorum', async () => {
    const own = server();
    const log = openPostgresLog(addresses.ledgerUrl, 1000);
    try {
      const before = await recordsOf(opened, 1);
      assert.ok(await promote(log, openServerRows(own)));
      assert.deepEqual(await recordsOf(opened, 1), before);
      const sums = (await servers.bridge.kept()).filter(({ query }) => /insert into promoted_/.test(query));
      assert.ok(sums.length > 0);
      for (const { settings } of sums) assert.equal(settings.insert_quorum, 'auto');
    } finally {
      await own.close();
      await log.close();
    }
  });

  it('aborts a load whose quorum is not reached: it is seen by nobody, also when its rows appear', async () => {
    await servers.bridge.failInsert('unknown');
    await assert.rejects(load(2), FactsGone);
    const [row] = await readRows(addresses.url, 'select count() as n from places where restaurant_id = 2');
    assert.equal(Number(row?.n), 1);
    assert.deepEqual(await checksOf(2), []);
    assert.equal((await load(2)).accepted, 1);
    assert.equal((await checksOf(2)).length, 1);
  });

  it('uses the next host if one cannot be reached, and sends nothing twice', async () => {
    const [first, second] = proxies;
    if (!first || !second) assert.fail();
    const own = server();
    try {
      const [row] = await readRows(addresses.url, 'select * from places where restaurant_id = 1 limit 1');
      const insert = async (at = own) => {
        const { insert: before } = await servers.bridge.calls();
        const ended = await at.insert('places', [{ ...row, load: 1_000_000 }], Date.now() + 10_000).then(
          () => 'stored',
          (error: unknown) => (error instanceof FactsGone ? 'not known' : String(error)),
        );
        return `${ended}, sent ${(await servers.bridge.calls()).insert - before} times`;
      };
      // The answer to the insert is lost: whether the rows were stored is not known.
      first.cutAfter(0);
      assert.equal(await insert(), 'not known, sent 1 times');
      assert.equal(await insert(), 'stored, sent 1 times', 'by the second host');
    } finally {
      await own.close();
    }
    // A read that breaks off is sent to the next host.
    assert.equal((await load(3)).accepted, 1);
    assert.equal((await checksOf(3)).length, 1);

    // Refused: nothing was sent, so nothing fails.
    await first.close();
    proxies = [second];
    assert.equal((await load(4)).accepted, 1);
    assert.equal((await checksOf(4)).length, 1);
  });

  it('is refused by a server that does not know the cluster', async () => {
    const { url, ledgerUrl } = await servers.newDatabase();
    await assert.rejects(migrateFacts(`${url}?cluster=other`, ledgerUrl), /ClickHouse has no cluster other/);
  });
});

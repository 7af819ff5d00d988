/**
 * Histories on the real engines: two nodes load the same restaurants while the ways to ClickHouse and PostgreSQL are
 * cut, delayed and frozen, rows of loads that are never committed arrive, and rollups are promoted. What was
 * acknowledged is there, what is there was sent, and everything that is kept besides agrees. `FAULT_HISTORIES` sets how
 * many restaurants there are.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../packages/service/src/demo/random.ts';
import { migrateFacts } from '../../packages/service/src/facts/clickhouse/clickhouse.ts';
import {
  openPostgresLog,
  type PostgresLog,
} from '../../packages/service/src/facts/clickhouse/load-log/postgres-log.ts';
import { promote, retire, runLoads, sweep } from '../../packages/service/src/facts/clickhouse/protocol.ts';
import { openServer, type Server, serverAddress } from '../../packages/service/src/facts/clickhouse/server.ts';
import { openServerRows, type ServerRows } from '../../packages/service/src/facts/clickhouse/server-rows.ts';
import { FactsGone } from '../../packages/service/src/facts/errors.ts';
import type { OrderFact } from '../../packages/service/src/facts/order.ts';
import { checkFact, linesOf, mergeLines, type OpenedFacts, orderFact, recordsOf } from '../conformance/facts.ts';
import { SEED } from '../laws/laws.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';
import { type FactsServers, openFacts, readRows, startServers } from './servers.ts';

const HISTORIES = Number(process.env.FAULT_HISTORIES ?? 50);
const ROUNDS = 6;
const BOUNDS = { deadlineMs: 120_000 };
const LEASE_MS = 2000;

describe('facts on servers that fail', () => {
  let servers: FactsServers;
  let proxies: { facts: FaultyProxy; ledger: FaultyProxy };
  let addresses: Awaited<ReturnType<FactsServers['newDatabase']>>;
  let nodes: OpenedFacts[] = [];
  let log: PostgresLog;
  let server: Server;
  let rows: ServerRows;
  before(async () => {
    servers = await startServers();
    proxies = { facts: await startProxy(servers.bridge.port), ledger: await startProxy(servers.postgres.socket) };
    addresses = await servers.newDatabase();
    const near = await openFacts(servers, 'lines', { leaseMs: LEASE_MS }, addresses);
    const database = serverAddress(addresses.url).database;
    const far = await openFacts(
      servers,
      'lines',
      {
        leaseMs: LEASE_MS,
        url: `clickhouse://127.0.0.1:${proxies.facts.port}/${database}`,
        ledgerUrl: `postgres://bench@127.0.0.1:${proxies.ledger.port}/${database}`,
      },
      addresses,
    );
    nodes = [near, far];
    log = openPostgresLog(addresses.ledgerUrl, LEASE_MS);
    server = openServer(serverAddress(addresses.url).url, database);
    rows = openServerRows(server);
  });
  after(async () => {
    for (const proxy of Object.values(proxies)) proxy.heal();
    for (const node of nodes) await node.close();
    await server.close();
    await log.close();
    for (const proxy of Object.values(proxies)) await proxy.close();
    await servers.close();
  });

  const near = (): OpenedFacts => nodes[0] ?? assert.fail();
  const checksOf = (restaurant: number) => recordsOf(near(), restaurant, { kind: 'check' });
  const metricsOf = (restaurant: number) => recordsOf(near(), restaurant);

  it('shows the same with and without promotions, lost ones and rows of loads that were aborted', async () => {
    const restaurant = 100_000;
    const order = orderFact();
    const load = (changes: Partial<OrderFact>) => {
      const version = { ...order, ...changes };
      return mergeLines(near(), restaurant, {
        orders: [version, orderFact({ seq: 1 })],
        checks: [checkFact(version, { check_guid: order.order_guid })],
      });
    };
    const all = async () => [
      await metricsOf(restaurant),
      await checksOf(restaurant),
      await near().facts.loadedDays(restaurant, 20260101, 20261231),
      (await near().facts.coverage([restaurant])).get(restaurant),
    ];
    await load({});
    await load({ modified_at: 2000, business_date: 20260401, guests: 5 });
    const before = await all();
    assert.ok(await promote(log, rows));
    assert.deepEqual(await all(), before);
    const deltas = async (): Promise<number> =>
      Number((await readRows(addresses.url, 'select count() as n from sheets where restaurant_id = 100000'))[0]?.n);
    const kept = await deltas();
    assert.equal(await retire(log, rows, 60_000), false, 'too early');
    await sleep(20);
    assert.equal(await retire(log, rows, 1), true);
    assert.ok((await deltas()) < kept);
    assert.deepEqual(await all(), before);
    assert.equal(await retire(log, rows, 1), false, 'twice');

    await load({ modified_at: 3000, guests: 6 });
    const after = await all();
    assert.notDeepEqual(after, before);
    const { snapshot, promoted } = await log.seen();
    const lost = await log.nextPromotion();
    await rows.promote(lost.promotion, snapshot, promoted?.snapshot, lost.now + 10_000);
    assert.deepEqual(await all(), after);
    assert.ok(await promote(log, rows));
    assert.deepEqual(await all(), after);

    // A load that dies when its rows are there.
    const count = async (): Promise<number> =>
      Number((await readRows(addresses.url, 'select count() as n from orders where restaurant_id = 100000'))[0]?.n);
    const committed = await count();
    await assert.rejects(
      runLoads(
        { ...log, commit: () => Promise.reject(new Error('cut')), areCommitted: async () => false },
        {
          ...rows,
          find: async () => undefined,
          async insert(_: string, until: number) {
            const [row] = await readRows(
              addresses.url,
              `select * from orders where restaurant_id = 100000 and sign = 1 limit 1`,
            );
            const { snapshot: seen } = await log.seen();
            await server.insert('orders', [{ ...row, born: seen.high + 1, load: seen.high + 1 }], until);
          },
        },
        randomUUID(),
        { entries: [{ restaurant, kind: 'orders' }], wanted: async () => undefined, merge: async () => 'rows' },
      ),
    );
    assert.equal(await count(), committed + 1);
    assert.deepEqual(await all(), after);
    for (const sweeps of [1, 2]) {
      await sleep(20);
      await sweep(log, rows, 1);
      assert.equal(await count(), committed, `${sweeps}`);
    }
    assert.deepEqual((await log.seen()).snapshot.except, []);
    assert.deepEqual(await all(), after);
    // A load log that was restored from an older copy than ClickHouse.
    const { high } = (await log.seen()).snapshot;
    const [row] = await readRows(addresses.url, 'select * from places where restaurant_id = 100000 limit 1');
    await server.insert('places', [{ ...row, load: high + 5 }], Date.now() + 10_000);
    const [sum] = await readRows(addresses.url, 'select * from promoted_sheets where restaurant_id = 100000 limit 1');
    const unknown = Number((await log.nextPromotion()).promotion) + 3;
    await server.insert('promoted_sheets', [{ ...sum, promotion: unknown }], Date.now() + 10_000);
    await migrateFacts(addresses.url, addresses.ledgerUrl);
    assert.deepEqual(await all(), after);
    assert.ok(await promote(log, rows));
    assert.ok(((await log.seen()).promoted?.promotion ?? 0) > unknown);
    assert.deepEqual(await all(), after);
    assert.ok((await load({ modified_at: 4000 })).load > high + 5);

    await assert.rejects(server.insert('orders', [], Date.now() - 60_000), /too late/);
    assert.deepEqual(await near().facts.verify(BOUNDS), []);
  });

  it('ends a load with FactsGone wherever the load log is cut off, and says when it may have been kept', async () => {
    const far = nodes[1] ?? assert.fail();
    let restaurant = 200_000;
    /** How a load ends, and whether it is there, when the log's connections are cut after so many bytes. */
    async function endAfter(bytes: number): Promise<'kept' | 'unknown' | 'not kept'> {
      const order = orderFact();
      // Each begins with connections of its own, so that the same number of bytes comes as far.
      proxies.ledger.cut();
      await sleep(50);
      proxies.ledger.heal();
      proxies.ledger.cutAfter(bytes);
      const end = await mergeLines(far, ++restaurant, { orders: [order], checks: [checkFact(order)] }).then(
        () => 'kept' as const,
        (error: unknown) => {
          assert.ok(error instanceof FactsGone, `${error}`);
          return error.outcomeUnknown ? ('unknown' as const) : ('not kept' as const);
        },
      );
      proxies.ledger.heal();
      if (end === 'not kept') assert.deepEqual(await checksOf(restaurant), [], 'not kept, and it is there');
      return end;
    }

    let bytes = 0;
    while ((await endAfter(bytes)) !== 'kept') {
      bytes += 100;
      assert.ok(bytes < 10_000, 'no load was kept');
    }
    // The answer to the commit is the last of them, and shorter than 100 bytes. How many came before it is not known to
    // the byte: what a load that failed had taken is given back later, on the same connections.
    const ends: string[] = [];
    const isMissing = (): boolean => !(ends.includes('unknown') && ends.includes('not kept'));
    for (let fewer = 5; fewer < bytes && isMissing(); fewer += 15) ends.push(await endAfter(bytes - fewer));
    assert.ok(!isMissing(), ends.join());
  });

  it(`holds in ${HISTORIES} histories`, async (t) => {
    const random = createRandom(String(SEED)).next;
    const sent = new Map<number, OrderFact[]>();
    const acknowledged = new Map<number, OrderFact[]>();
    const counts = { loads: 0, acknowledged: 0, refused: 0 };
    const guids = ['a', 'b'].map((name) => `0000000${name}-0000-4000-8000-000000000000`);

    async function loadOne(restaurant: number, turn: number): Promise<void> {
      const version = orderFact({
        order_guid: guids[Math.floor(random() * guids.length)] ?? '',
        business_date: 20260301 + Math.floor(random() * 3),
        modified_at: turn,
        gross_cents: 1000 + turn,
      });
      sent.set(restaurant, [...(sent.get(restaurant) ?? []), version]);
      counts.loads++;
      const node = nodes[random() < 0.5 ? 0 : 1] ?? near();
      const lines = linesOf({ orders: [version], checks: [checkFact(version, { check_guid: version.order_guid })] });
      try {
        await node.facts.merge(restaurant, lines);
        counts.acknowledged++;
        acknowledged.set(restaurant, [...(acknowledged.get(restaurant) ?? []), version]);
      } catch {
        counts.refused++;
      }
    }

    /** Something goes wrong on the way from the second node, for a while. */
    async function fail(): Promise<void> {
      const proxy = random() < 0.6 ? proxies.facts : proxies.ledger;
      const fault = Math.floor(random() * 4);
      await sleep(random() * 300);
      if (fault === 0) proxy.cut();
      else if (fault === 1) proxy.delay(50);
      else if (fault === 2) proxy.freeze();
      else proxy.cutAfter(Math.floor(random() * 2000));
      await sleep(300 + random() * 2500);
      proxy.heal();
    }

    for (let round = 0; round < ROUNDS; round++) {
      const loads = Array.from({ length: HISTORIES }, (_, restaurant) => [
        loadOne(restaurant + 1, 10 * round + 1),
        ...(random() < 0.3 ? [loadOne(restaurant + 1, 10 * round + 2)] : []),
      ]);
      await Promise.all([...loads.flat(), fail(), promote(log, rows)]);
    }

    t.diagnostic(JSON.stringify({ ...counts, seed: SEED }));
    assert.ok(counts.acknowledged > counts.loads / 4);
    const scopes = Array.from({ length: HISTORIES }, (_, place) => ({
      id: place + 1,
      guid: `b1500000-0000-4000-8000-${String(place + 1).padStart(12, '0')}`,
      name: 'Bistro',
      timeZone: 'America/New_York',
      closeoutHour: 4,
      currencyCode: null,
    }));
    const checks = await recordsOf(near(), 1, { kind: 'check', restaurants: scopes });
    const byRestaurant = Map.groupBy(checks, ({ restaurantGuid }) => Number(String(restaurantGuid).slice(-12)));
    for (const { id } of scopes) {
      for (const guid of guids) {
        const ofGuid = (list: OrderFact[] = []) => list.filter(({ order_guid }) => order_guid === guid);
        const newest = Math.max(0, ...ofGuid(acknowledged.get(id)).map(({ modified_at }) => modified_at));
        const listed = (byRestaurant.get(id) ?? []).filter(({ orderGuid }) => orderGuid === guid);
        const place = `restaurant ${id}, order ${guid}, seed ${SEED}`;
        assert.ok(listed.length <= 1, place);
        const [current] = listed;
        // Each version has a time of its own: what is current was acknowledged last, or sent after that.
        const modified = current ? Date.parse(String(current.checkModifiedDateTime)) : 0;
        assert.ok(modified >= newest, place);
        const version = ofGuid(sent.get(id)).find(({ modified_at }) => modified_at === modified);
        if (current) assert.equal(current.orderOpenDate, String(version?.business_date), place);
      }
    }
    assert.deepEqual(await near().facts.verify(BOUNDS), []);
    const metrics = await recordsOf(near(), 1, { restaurants: scopes });
    const orders = metrics.reduce((sum, { ordersCount }) => sum + Number(ordersCount), 0);
    assert.equal(orders, checks.length, 'each order has one check');
  });
});

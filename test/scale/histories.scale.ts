/**
 * The law of the load protocol on real servers: histories of test/laws/load-protocol.test.ts, run by the service's own
 * steps and SQL against PostgreSQL and the ClickHouse engine, on three nodes that fail at every call, are killed
 * (SIGKILL) and frozen (SIGSTOP) past the lease. What a report shows is what a plain fold of the committed bodies
 * gives; what was acknowledged is committed; what was refused is not. `HISTORIES` sets how many there are.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createRandom } from '../../packages/service/src/demo/random.ts';
import { parseSnapshot } from '../../packages/service/src/facts/clickhouse/snapshot.ts';
import { type OpenedFacts, reportOf } from '../conformance/facts.ts';
import { SEED } from '../laws/laws.ts';
import { type Body, drawBody, fold, RESTAURANTS } from '../laws/protocol-bodies.ts';
import { isVisible } from '../laws/protocol-world.ts';
import { type HistoryNode, startHistoryNode, type Told } from './histories.ts';
import { type FactsServers, openFacts, startServers } from './servers.ts';

const HISTORIES = Number(process.env.HISTORIES ?? 200);
const NODES = 3;
/** Histories under way at once. */
const AT_ONCE = 24;
const LEASE_MS = 5000;
/** Longer than any insert of these histories takes, late ones too. */
const GRACE_MS = 30_000;
const BOUNDS = { deadlineMs: 120_000 };

const guidOf = (place: number): string => `b1500000-0000-4000-8000-${String(place).padStart(12, '0')}`;
const restaurantOf = (guid: unknown): number => Number(String(guid).slice(-12));

describe('the law of the load protocol on real servers', () => {
  let servers: FactsServers;
  let addresses: Awaited<ReturnType<FactsServers['newDatabase']>>;
  let reader: OpenedFacts;
  let database: pg.Pool;
  let folder: string;
  const nodes: HistoryNode[] = [];
  const random = createRandom(String(SEED)).next;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] ?? assert.fail();

  const bodies = new Map<number, Body>();
  const acknowledged: { load: number; accepted: number }[] = [];
  const refused = new Set<number>();
  const callers = new Map<number, { bodies: Body[]; end(): void }>();
  const counts = {
    histories: 0,
    callers: 0,
    acknowledged: 0,
    deaths: 0,
    freezes: 0,
    late: 0,
    killed: 0,
    cutOff: 0,
    frozen: 0,
    swept: 0,
    promotions: 0,
    reports: 0,
  };

  function onTold(told: Told): void {
    if (told.kind === 'numbers') {
      for (const { index, load } of told.loads) {
        const body = callers.get(told.caller)?.bodies[index];
        if (body) bodies.set(load, body);
      }
    } else if (told.kind === 'acknowledged') acknowledged.push(...told.loads);
    else if (told.kind === 'refused') for (const load of told.loads) refused.add(load);
    if (told.kind === 'ended' || told.kind === 'maintained')
      for (const name of ['deaths', 'freezes', 'late'] as const) counts[name] += told.counts[name];
    if (told.kind === 'ended') callers.get(told.caller)?.end();
    if (told.kind === 'maintained') counts[told.of === 'sweep' ? 'swept' : 'promotions'] += told.done;
  }
  function onKilled(ended: number[]): void {
    counts.cutOff += ended.length;
    for (const caller of ended) callers.get(caller)?.end();
  }

  before(async () => {
    servers = await startServers();
    addresses = await servers.newDatabase();
    reader = await openFacts(servers, 'lines', {}, addresses);
    database = new pg.Pool({ connectionString: addresses.ledgerUrl });
    folder = await mkdtemp(join(tmpdir(), 'daypart-histories-'));
    const options = { ...addresses, folder, leaseMs: LEASE_MS, graceMs: GRACE_MS, onTold, onKilled };
    for (let place = 0; place < NODES; place++) nodes.push(await startHistoryNode(options));
  });
  after(async () => {
    for (const node of nodes) await node.stop();
    await reader?.close();
    await database?.end();
    await servers?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const seed = (): number => Math.floor(random() * 2 ** 31);

  /** A few callers that load the same restaurants, one soon after the other, each through a node of its own choice. */
  async function runHistory(history: number): Promise<void> {
    const ended: Promise<void>[] = [];
    for (let left = 4 + Math.floor(random() * 4); left > 0; left--) {
      const own = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        drawBody(random, 1 + history * RESTAURANTS + Math.floor(random() * RESTAURANTS)),
      );
      const caller = ++counts.callers;
      ended.push(new Promise((resolve) => callers.set(caller, { bodies: own, end: resolve })));
      pick(nodes.filter((node) => node.isUp())).send({ kind: 'load', caller, bodies: own, seed: seed() });
      await sleep(random() * 300);
    }
    await Promise.all(ended);
    counts.histories++;
  }

  /** The committed loads that a snapshot sees, by restaurant, in their order. */
  async function committedBodies(snapshot: string): Promise<Map<number, Body[]>> {
    const seen = parseSnapshot(snapshot);
    const { rows } = await database.query<{ load: string }>('select load from facts_loads order by load');
    const loads = rows.map(({ load }) => Number(load)).filter((load) => isVisible(seen, load));
    const known = loads.map((load) => bodies.get(load) ?? assert.fail(`load ${load} is of nobody`));
    return Map.groupBy(known, ({ restaurant }) => restaurant);
  }

  /** Both kinds of reports of all restaurants show what the fold of the bodies that their snapshots see gives. */
  async function checkReports(): Promise<void> {
    const restaurants = Array.from({ length: HISTORIES * RESTAURANTS }, (_, place) => ({
      id: place + 1,
      guid: guidOf(place + 1),
      name: 'Bistro',
      timeZone: 'America/New_York',
      closeoutHour: 4,
      currencyCode: null,
    }));
    const ask = (kind: string) => reportOf(reader, 1, { kind, restaurants });
    const [checks, metrics] = await Promise.all([ask('check'), ask('metrics')]);
    const listed = checks.records.map((one) =>
      [
        restaurantOf(one.restaurantGuid),
        String(one.orderGuid).slice(7, 8),
        one.orderOpenDate,
        Date.parse(String(one.checkModifiedDateTime)),
        Math.round(Number(one.checkTotalAmount) * 100),
      ].join(' '),
    );
    const expected = [...(await committedBodies(checks.snapshot)).values()].flatMap((own) =>
      [...fold(own).current.values()].map(({ restaurant, guid, date, modified, amount }) =>
        [restaurant, guid, date, modified, amount].join(' '),
      ),
    );
    assert.deepEqual(listed.sort(), expected.sort(), `checks, seed ${SEED}`);

    const rollups = metrics.records.flatMap(({ restaurantGuid, businessDate, ordersCount, grossSalesAmount }) =>
      ordersCount === 0
        ? []
        : [
            `${restaurantOf(restaurantGuid)} ${businessDate} ${ordersCount} ${Math.round(Number(grossSalesAmount) * 100)}`,
          ],
    );
    const days = [...(await committedBodies(metrics.snapshot)).values()].flatMap((own) => {
      const byDay = Map.groupBy(fold(own).current.values(), ({ restaurant, date }) => `${restaurant} ${date}`);
      return [...byDay].map(
        ([day, versions]) => `${day} ${versions.length} ${versions.reduce((sum, { amount }) => sum + amount, 0)}`,
      );
    });
    assert.deepEqual(rollups.sort(), days.sort(), `metrics, seed ${SEED}`);
    counts.reports += 2;
  }

  /** Kills and freezes nodes, and has rows swept and rollups promoted, until the histories are over. */
  async function disturb(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await sleep(500 + random() * 1500);
      const node = pick(nodes);
      const choice = random();
      if (choice < 0.1) {
        counts.killed++;
        await node.restart();
      } else if (choice < 0.2) {
        counts.frozen++;
        await node.freeze(LEASE_MS * (1 + random()));
      } else node.send({ kind: choice < 0.6 ? 'sweep' : 'promote', seed: seed() });
    }
  }
  async function watch(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await sleep(5000);
      await checkReports();
    }
  }

  it(`holds in ${HISTORIES} histories`, async (t) => {
    let next = 0;
    let isOver = false;
    const work = async (): Promise<void> => {
      while (next < HISTORIES) await runHistory(next++);
    };
    const histories = Promise.all(Array.from({ length: AT_ONCE }, work)).finally(() => {
      isOver = true;
    });
    await Promise.all([histories, disturb(() => isOver), watch(() => isOver)]);
    // What was refused or cut off may still arrive.
    await sleep(LEASE_MS);
    await checkReports();

    const committed = new Set(
      (await database.query<{ load: string }>('select load from facts_loads')).rows.map(({ load }) => Number(load)),
    );
    counts.acknowledged = acknowledged.length;
    t.diagnostic(JSON.stringify({ ...counts, begun: bodies.size, committed: committed.size, wrong: 0, seed: SEED }));
    for (const { load, accepted } of acknowledged) {
      // One that changes nothing is not committed.
      assert.ok(committed.has(load) || accepted === 0, `load ${load} was acknowledged`);
      const { restaurant } = bodies.get(load) ?? assert.fail();
      const before = [...new Set([...committed, load])].filter(
        (one) => one <= load && bodies.get(one)?.restaurant === restaurant,
      );
      const own = before.sort((one, other) => one - other).flatMap((one) => bodies.get(one) ?? []);
      assert.equal(accepted, fold(own).accepted, `what load ${load} accepted`);
    }
    for (const load of refused) assert.ok(!committed.has(load), `load ${load} was refused`);
    // What the law is about has happened.
    for (const name of ['acknowledged', 'deaths', 'freezes', 'late', 'killed'] as const)
      assert.ok(counts[name] > HISTORIES / 200, `${counts[name]} ${name}`);
    assert.deepEqual(await reader.facts.verify(BOUNDS), []);
  });
});

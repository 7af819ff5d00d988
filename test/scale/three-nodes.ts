/** Three nodes behind haproxy, each with a way of its own to every store, that a test can cut, delay and freeze. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { tokenOf } from '../commands/process.ts';
import { BISTRO } from '../journeys/service.ts';
import { freePort } from '../ports.ts';
import { startTrade, type Trade, verdictOf } from '../torture/load.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type Answer, type Call, callsTo, type Installation, type Node, startInstallation } from './nodes.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';

/** The restaurant of single tests. Those of the trade load another one, so that each knows what its own has. */
export const CAFE = 'b1500000-0000-4000-8000-0000000000ca';
export const DATE = 20260310;
/** How long something may take to succeed again on the slowest machine; how long it took is told. */
const AGAIN_MS = 120_000;
const TRY_MS = 100;

export type StoreName = 'ledger' | 'facts' | 'results';

export interface Placed {
  node: Node;
  /** From it to the stores. */
  paths: Record<StoreName, FaultyProxy>;
  /** Starts it again on its port, with an empty disk. */
  start(): Promise<void>;
}

export interface ThreeNodes {
  installation: Installation;
  balancer: Balancer;
  nodes: [Placed, Placed, Placed];
  /** Calls through the balancer. */
  call: Call;
  token: string;
  credentials: { id: string; secret: string };
  /** PostgreSQL itself: what the nodes have written there. */
  database: pg.Pool;
  close(): Promise<void>;
}

/**
 * Starts the stores, three nodes with the settings, and the balancer; makes a client of a group with two restaurants.
 */
export async function startThreeNodes(settings: Record<string, string> = {}): Promise<ThreeNodes> {
  const installation = await startInstallation();
  const proxies: FaultyProxy[] = [];
  let balancer: Balancer | undefined;
  const database = new pg.Pool({ connectionString: installation.env.DAYPART_LEDGER });
  database.on('error', () => undefined);
  async function close(): Promise<void> {
    await database.end();
    await balancer?.close();
    for (const proxy of proxies) await proxy.close();
    await installation.close();
  }

  async function place(): Promise<Placed> {
    const { env, servers, s3, factsProxy } = installation;
    const [ledger, facts, results] = await Promise.all([
      startProxy(servers.postgres.socket),
      startProxy(servers.bridge.port),
      startProxy(s3.proxy.port),
    ]);
    proxies.push(ledger, facts, results);
    const { pathname } = new URL(env.DAYPART_LEDGER ?? '');
    const own = {
      ...settings,
      DAYPART_LEDGER: `postgres://bench@127.0.0.1:${ledger.port}${pathname}`,
      DAYPART_FACTS: env.DAYPART_FACTS?.replace(`:${factsProxy.port}/`, `:${facts.port}/`) ?? '',
      DAYPART_RESULTS: env.DAYPART_RESULTS?.replace(`%3A${s3.proxy.port}`, `%3A${results.port}`) ?? '',
    };
    const port = await freePort();
    const placed: Placed = {
      node: await installation.startNode(own, port),
      paths: { ledger, facts, results },
      async start() {
        placed.node = await installation.startNode(own, port);
      },
    };
    return placed;
  }

  try {
    const migrated = await installation.run('migrate');
    assert.equal(migrated.code, 0, migrated.err);
    const nodes = await Promise.all([place(), place(), place()]);
    balancer = await startBalancer(nodes.map(({ node }) => Number(new URL(node.origin).port)));
    const call = callsTo(balancer.origin);
    const credentials = await installation.createClient('blue');
    const answer = await tokenOf(balancer.origin, credentials.id, credentials.secret);
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const restaurant = { name: 'Bistro', timeZone: 'America/New_York' };
    for (const [guid, json] of [
      [BISTRO, restaurant],
      [CAFE, { ...restaurant, testMode: true }],
    ] as const) {
      const made = await call('PUT', `/restaurants/${guid}`, { token, json });
      assert.equal(made.status, 201, made.text);
    }
    return { installation, balancer, nodes, call, token, credentials, database, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Calls until it succeeds; with how long that took, in milliseconds. Fails after two minutes. */
export async function again(work: () => Promise<Answer>): Promise<Answer & { ms: number }> {
  const began = performance.now();
  let last = 'no answer';
  while (performance.now() - began < AGAIN_MS) {
    try {
      const answer = await work();
      if ([200, 201, 204].includes(answer.status)) return { ...answer, ms: Math.round(performance.now() - began) };
      last = `${answer.status} ${answer.text}`;
    } catch (error) {
      last = String(error);
    }
    await sleep(TRY_MS);
  }
  assert.fail(`not within ${AGAIN_MS / 1000} s: ${last}`);
}

/** Waits for a state that the stores show. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + AGAIN_MS; performance.now() < end; ) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await sleep(20);
  }
  assert.fail(`never ${what}`);
}

export interface KeptReport {
  state: string;
  attempt: number;
  worker: string | null;
}

/** The row of a report. */
export async function reportOf({ database }: Pick<ThreeNodes, 'database'>, guid: string): Promise<KeptReport> {
  const asked = 'select state, attempt::int, worker from report_request where guid = $1';
  const [report] = (await database.query<KeptReport>(asked, [guid])).rows;
  return report ?? assert.fail(`there is no report ${guid}`);
}

export const completed = (world: Pick<ThreeNodes, 'database'>, guid: string): Promise<KeptReport> =>
  until(`completed: ${guid}`, async () => {
    const report = await reportOf(world, guid);
    return report.state === 'completed' ? report : undefined;
  });

/**
 * Restaurants that trade through the balancer, whatever fails: answers of stores and nodes that are away are repeated.
 */
export const tradeThrough = ({ balancer, token }: ThreeNodes, pauseMs: number): Trade =>
  startTrade(() => ({ base: `${balancer.origin}/v1`, token }), { pauseMs, explained: [502, 503, 504] });

/**
 * Ends the trade. Throws unless everything acknowledged is there once, and the figures of a report are those of a plain
 * sum. `own` are reports of the test, which no trade requested. Returns the counts, for the output.
 */
export async function endTrade(world: ThreeNodes, trade: Trade, own: ReadonlySet<string>): Promise<object> {
  await trade.stop();
  const { balancer, call, token } = world;
  const { wrong, ...counts } = await verdictOf({ base: `${balancer.origin}/v1`, token }, trade);
  assert.deepEqual(
    wrong.filter((line) => !own.has(line.slice(0, 36))),
    [],
  );
  assert.deepEqual([counts.lost, counts.doubled], [0, 0]);
  const json = { startBusinessDate: DATE, restaurantIds: [BISTRO] };
  const { body: guid } = await again(() => call('POST', '/metrics/day', { token, json }));
  const { body } = await again(() => call('GET', `/metrics/${guid}`, { token, headers: { prefer: 'wait=20' } }));
  const orders = trade.checks.size;
  const sums = { ordersCount: orders, guestCount: 2 * orders, grossSalesAmount: 10 * orders };
  const { ordersCount, guestCount, grossSalesAmount, discountAmount, netSalesAmount } = body[0];
  assert.deepEqual(
    { ordersCount, guestCount, grossSalesAmount, discountAmount, netSalesAmount },
    { ...sums, discountAmount: orders, netSalesAmount: 9 * orders },
  );
  return { ...counts, ...trade.counts, netSales: netSalesAmount };
}

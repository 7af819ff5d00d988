/**
 * Nodes over servers of their own, and what they do there: the work is counted, because it says more than the time on a
 * machine that they share.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tokenOf } from '../../test/commands/process.ts';
import { plainOrder } from '../../test/journeys/service.ts';
import type { Installation, Node } from '../../test/scale/nodes.ts';
import { processorSeconds, reapedSeconds, startEndless, treeOf, treeSeconds } from '../children.ts';
import { holdTo } from './cgroup.ts';

const ENGINES = new URL('../../test/scale/node_modules/chdb/', import.meta.url);

/** What was done, of all nodes together; processor seconds are those of the nodes and their engines. */
export interface Work {
  statements: number;
  clickhouse: number;
  s3: number;
  cpu: number;
}

export interface Nodes {
  installation: Installation;
  token: string;
  nodes: Node[];
  /** Starts and stops nodes until there are as many. */
  scaleTo(count: number): Promise<void>;
  /** What was done since the start. */
  work(): Promise<Work>;
  /** Processor seconds of PostgreSQL, and of ClickHouse. */
  storeSeconds(): { postgres: number; clickhouse: number };
  close(): Promise<void>;
}

const CATCH_UP_MS = 1000;

/** How many restaurants there are; each connection of a measurement loads one of them. */
export const RESTAURANTS = 16;
export const restaurantGuid = (index: number): string =>
  `b1500000-0000-4000-8000-${String(200 + index).padStart(12, '0')}`;

/** Signs a new client in and gives each restaurant one order; the client's token. */
async function addRestaurants(installation: Installation, node: Node): Promise<string> {
  const { id, secret } = await installation.createClient('bench');
  const { access_token: token } = (await (await tokenOf(node.origin, id, secret)).json()) as { access_token: string };
  for (let index = 0; index < RESTAURANTS; index++) {
    const path = `/restaurants/${restaurantGuid(index)}`;
    const json = { name: `Restaurant ${index}`, timeZone: 'America/New_York' };
    const made = await node.call('PUT', path, { token, json });
    if (made.status !== 201) throw new Error(made.text);
    const loaded = await node.call('POST', `${path}/orders`, { token, json: [plainOrder()] });
    if (loaded.status !== 200) throw new Error(loaded.text);
  }
  return token;
}

/**
 * Starts the servers and migrates them, and unless they are to stay empty one node with restaurants. Throws where the
 * server engines are not installed.
 */
export async function startNodes(isEmpty = false): Promise<Nodes> {
  if (!existsSync(ENGINES))
    throw new Error(
      'scale-out requires the server engines of test/scale (650 MB): npm install --prefix test/scale --no-workspaces --no-save installs them',
    );
  // Its process counts the calls of the S3 server, and PostgreSQL's own counter those of the nodes.
  const { startInstallation } = await import('../../test/scale/nodes.ts');
  const installation = await startInstallation({ shared_preload_libraries: 'pg_stat_statements' });
  const { postgres, bridge } = installation.servers;
  const nodes: Node[] = [];
  try {
    await postgres.run('create extension pg_stat_statements');
    const migrated = await installation.run('migrate');
    if (migrated.code !== 0) throw new Error(migrated.err);
    let token = '';
    if (!isEmpty) {
      const node = await installation.startNode();
      nodes.push(node);
      token = await addRestaurants(installation, node);
    }
    let calls = 0;
    const ended = { cpu: 0 };
    const [postmaster = '0'] = readFileSync(join(postgres.data, 'postmaster.pid'), 'utf8').split('\n');
    return {
      installation,
      token,
      nodes,
      async scaleTo(count) {
        while (nodes.length < count) nodes.push(await installation.startNode());
        for (const node of nodes.splice(count)) {
          ended.cpu += treeSeconds(node.child.pid ?? 0);
          await node.stop();
        }
      },
      async work() {
        const name = new URL(installation.env.DAYPART_LEDGER ?? '').pathname.slice(1);
        const counted = await postgres.run(
          `select coalesce(sum(calls), 0) from pg_stat_statements where dbid = (select oid from pg_database where datname = '${name}')`,
        );
        const { query, insert, command } = await bridge.calls();
        calls += installation.s3.takeCalls().length;
        const cpu = nodes.reduce((sum, { child }) => sum + treeSeconds(child.pid ?? 0), ended.cpu);
        return { statements: Number(counted), clickhouse: query + insert + command, s3: calls, cpu };
      },
      storeSeconds: () => ({
        // Nodes close connections that they do not use, and their server processes end.
        postgres: treeSeconds(Number(postmaster)) + reapedSeconds(Number(postmaster)),
        clickhouse: processorSeconds(bridge.pid),
      }),
      close: () => installation.close(),
    };
  } catch (error) {
    await installation.close();
    throw error;
  }
}

/** The processes of a node: itself and its engine. */
export const pidsOf = ({ child }: Node): number[] => treeOf(child.pid ?? 0);

/**
 * What each node may use of a core where nodes are held: on two cores four of them leave the servers and the clients
 * room.
 */
const SHARE = 0.2;

/**
 * Holds each of several programs, given by their processes, to its share of a core until the function is called.
 * Undefined where this process may not.
 */
export function holdEach(programs: readonly (readonly number[])[]): (() => void) | undefined {
  const releases: (() => void)[] = [];
  const releaseAll = (): void => {
    for (const release of releases) release();
  };
  for (const pids of programs) {
    const release = holdTo(SHARE, pids);
    if (!release) {
      releaseAll();
      return undefined;
    }
    releases.push(release);
  }
  return releaseAll;
}

/**
 * Does the work with so many nodes while the others are stopped: they would gather reports as well. Each turn begins
 * with another node, so that none has compiled more of its code than the others because it was measured alone each
 * time.
 */
export async function withSome<T>(
  running: Nodes,
  count: number,
  turn: number,
  work: (running: Nodes) => Promise<T>,
): Promise<T> {
  const from = turn % running.nodes.length;
  const nodes = [...running.nodes.slice(from), ...running.nodes.slice(0, from)];
  const stopped = nodes.slice(count).flatMap(pidsOf);
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  try {
    return await work({ ...running, nodes: nodes.slice(0, count) });
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    // They read the notifications that they missed, which is not the work of what is measured next.
    if (stopped.length > 0) await sleep(CATCH_UP_MS);
  }
}

/**
 * Does the work while the machine is as busy as with all nodes: a stand-in calculates for each that is stopped, held to
 * the same share. A core whose neighbour works is slower, which has nothing to do with what a node does. The stores of
 * fewer nodes still work less.
 */
export async function withStandIns<T>(count: number, work: () => Promise<T>): Promise<T> {
  const standIns = Array.from({ length: count }, () => startEndless('nodes/stand-in.ts'));
  const release = holdEach(standIns.map(({ pid }) => [pid]));
  try {
    return await work();
  } finally {
    await Promise.all(standIns.map(({ stop }) => stop()));
    release?.();
  }
}

export const workOf = (from: Work, to: Work): Work => ({
  statements: to.statements - from.statements,
  clickhouse: to.clickhouse - from.clickhouse,
  s3: to.s3 - from.s3,
  cpu: to.cpu - from.cpu,
});

/** What all nodes together do in a second while nobody calls them. */
export async function idleWork(running: Nodes, seconds: number): Promise<Work> {
  const before = await running.work();
  await sleep(seconds * 1000);
  const { statements, clickhouse, s3, cpu } = workOf(before, await running.work());
  return { statements: statements / seconds, clickhouse: clickhouse / seconds, s3: s3 / seconds, cpu: cpu / seconds };
}

/**
 * A data folder of a million checks, moved to servers: the cost of the move, and reports of a year of 1,000 restaurants
 * before and after it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { start, tokenOf } from '../../test/commands/process.ts';
import type { Call, Node } from '../../test/scale/nodes.ts';
import { residentBytes, treeOf, treeSeconds } from '../children.ts';
import { type Figure, figureOf, runPairs } from '../figures.ts';
import { fill } from '../scale/fill.ts';
import { FIRST_DATE, LAST_DATE, shapeOf } from '../scale/shape.ts';
import { startNodes } from './installation.ts';

const MEMORY_MB = 1024;
const MOST_RATIO = 2;
const MOST_MB = 2048;
const YEAR = { startBusinessDate: FIRST_DATE, endBusinessDate: LAST_DATE };

/** Requests a year of all restaurants and waits until it is complete; the records are not rendered. */
async function gatherYear(call: Call, token: string): Promise<void> {
  const { status, text, body: guid } = await call('POST', '/metrics/year', { token, json: YEAR });
  if (status !== 200) throw new Error(text);
  for (;;) {
    const { body } = await call('GET', `/reports/${guid}`, { token });
    if (body.status === 'COMPLETED') return;
    if (body.status !== 'IN_PROGRESS') throw new Error(`the report is ${body.status}`);
    await sleep(50);
  }
}

/** Runs the move; seconds, and the most memory that it and its engine had together. */
async function move(
  data: string,
  env: Record<string, string>,
): Promise<{ seconds: number; cpu: number; bytes: number }> {
  const began = performance.now();
  const child = start(['move', '--data', data, '--engine-memory', String(MEMORY_MB)], env);
  let [bytes, cpu, err] = [0, 0, ''];
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  child.stdout?.resume();
  while (child.exitCode === null && child.signalCode === null) {
    try {
      const tree = treeOf(child.pid ?? 0);
      // One that has just ended has no memory any more.
      const resident = tree.reduce((sum, pid) => sum + (residentBytes(pid) || 0), 0);
      bytes = Math.max(bytes, resident);
      cpu = Math.max(cpu, treeSeconds(child.pid ?? 0));
    } catch {
      // One of them has just ended.
    }
    await sleep(50);
  }
  if (child.exitCode !== 0) throw new Error(err);
  return { seconds: (performance.now() - began) / 1000, cpu, bytes };
}

/** Processor seconds of a year, of the processes. */
async function costOf(node: Node, token: string, others: () => number): Promise<number> {
  const seconds = (): number => treeSeconds(node.child.pid ?? 0) + others();
  const before = seconds();
  await gatherYear(node.call, token);
  return seconds() - before;
}

export async function measureYear(): Promise<Figure[]> {
  const root = await mkdtemp(join(tmpdir(), 'daypart-nodes-year-'));
  const [data, factsCopy, parquet] = ['data', 'facts-copy', 'parquet'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const { nodeOf } = await import('../../test/scale/nodes.ts');
  const env = { DAYPART_CONSOLE: 'off', DAYPART_LOG_LEVEL: 'warn' };
  let embedded: Node | undefined;
  const servers = await startNodes(true);
  try {
    const { rows } = await fill(shapeOf(1), { data, factsCopy, parquet }, MEMORY_MB);
    await rm(factsCopy, { recursive: true });
    const moved = await move(data, servers.installation.env);
    embedded = await nodeOf(data, env);
    const token = ((await (await tokenOf(embedded.origin, 'bench', 'secret')).json()) as { access_token: string })
      .access_token;
    await servers.scaleTo(1);
    const [node] = servers.nodes;
    if (!node) throw new Error('no node');
    const own = embedded;
    const stores = (): number => {
      const { postgres, clickhouse } = servers.storeSeconds();
      return postgres + clickhouse;
    };
    const ours = () => costOf(node, token, stores);
    const limit = () => costOf(own, token, () => 0);
    await ours();
    await limit();
    const nodeAlone = await costOf(node, token, () => 0);
    const about = { compared: 'alone' as const, beside: '' };
    return [
      figureOf(
        {
          figure: 'a year of 1,000 restaurants, processor s of the node and the servers',
          beside: 'the data folder',
          compared: 'ratio',
          goal: { at: 'most', value: MOST_RATIO },
          note: `${nodeAlone.toFixed(1)} s of them are the node's; ${Math.round(rows.checks / 1000)} k checks, 366,000 records`,
        },
        await runPairs(ours, limit),
      ),
      figureOf(
        {
          figure: 'daypart move of a million checks, MB of memory at most',
          ...about,
          goal: { at: 'most', value: MOST_MB },
          note: `${moved.seconds.toFixed(0)} s, ${moved.cpu.toFixed(0)} s of a processor`,
        },
        [{ ours: moved.bytes / 1e6, limit: null }],
      ),
    ];
  } finally {
    await embedded?.stop();
    await servers.close();
    await rm(root, { recursive: true, force: true });
  }
}

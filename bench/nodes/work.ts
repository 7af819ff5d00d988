/**
 * Work of an operation with one, two and four nodes: as many calls for each node, and what they cost in stores and
 * processor time.
 */
import { plainOrder } from '../../test/journeys/service.ts';
import { closedLoop } from '../children.ts';
import { type Figure, figureOf, median, PAIRS } from '../figures.ts';
import {
  holdEach,
  idleWork,
  type Nodes,
  pidsOf,
  RESTAURANTS,
  restaurantGuid,
  type Work,
  withSome,
  withStandIns,
  workOf,
} from './installation.ts';

const COUNTS = [1, 2, 4] as const;
/** `alone` is one node on cores that are otherwise idle. With a count, the nodes that are stopped have stand-ins. */
const STAGES = ['alone', ...COUNTS] as const;
type Stage = (typeof STAGES)[number];
/** Connections to each node; with four nodes each has a restaurant of its own. */
const CONNECTIONS = RESTAURANTS / 4;
/** Processor time is known in hundredths of a second, an idle node takes half of one in a second. */
const IDLE_SECONDS = 12;
/** Of retrievals, to each node. */
export const RETRIEVAL_CONNECTIONS = 32;
/** The business date of the orders. */
export const DAY = 20260310;

type Operation = 'load' | 'report' | 'retrieval';
type Counted = Exclude<Operation, 'retrieval'>;
/**
 * How long it is done again and again: a node that is held does some 80 loads or 60 reports meanwhile. In 2 s of
 * retrievals it had 0.4 s of a processor, of which connections and compiled code took a part that differed from run to
 * run.
 */
const SECONDS: Record<Operation, number> = { load: 8, report: 6, retrieval: 8 };
const NAMES: Record<keyof Work, string> = {
  statements: 'PostgreSQL statements',
  clickhouse: 'ClickHouse calls',
  s3: 'S3 calls',
  cpu: 'processor ms of the nodes',
};
/** Less than this is nothing, and has no ratio. A retrieval takes some 0.04 ms of a processor. */
const NOTHING: Record<keyof Work, number> = { statements: 0.05, clickhouse: 0.05, s3: 0.05, cpu: 0.005 };
const MOST_GROWTH = 1.1;

/** The operations of one connection. */
function operationsOf({ nodes, token }: Nodes, connection: number): Record<Counted, () => Promise<void>> {
  const node = nodes[connection % nodes.length];
  if (!node) throw new Error('no node');
  const restaurant = restaurantGuid(connection);
  const call: typeof node.call = async (method, path, options) => {
    const answer = await node.call(method, path, { token, ...options });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const waiting = { headers: { prefer: 'wait=30' } };
  return {
    async load() {
      await call('POST', `/restaurants/${restaurant}/orders`, { json: [plainOrder()] });
    },
    async report() {
      const json = { startBusinessDate: DAY, restaurantIds: [restaurant] };
      const { body } = await call('POST', '/metrics/day', { json });
      await call('GET', `/metrics/${body}`, waiting);
    },
  };
}

/**
 * Retrieves a report from all nodes; retrievals a second, of all together. Each node has a client process of its own,
 * because one for all could not keep four nodes busy.
 */
export async function retrieve({ nodes, token }: Nodes, ready: string, seconds: number): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const shots = { headers, connections: RETRIEVAL_CONNECTIONS, seconds };
  const rates = await Promise.all(
    nodes.map(({ origin }) => closedLoop({ url: `${origin}/v1/metrics/${ready}`, ...shots })),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}

/** Does the operation over all connections again and again; how often. */
async function repeat(
  connections: readonly Record<Counted, () => Promise<void>>[],
  operation: Counted,
): Promise<number> {
  const until = performance.now() + SECONDS[operation] * 1000;
  let count = 0;
  await Promise.all(
    connections.map(async (own) => {
      for (; performance.now() < until; count++) await own[operation]();
    }),
  );
  return count;
}

/** What one of each operation takes, less what the nodes do anyway. */
async function measureOnce(running: Nodes, idle: Work, ready: string): Promise<Record<Operation, Work>> {
  const connections = Array.from({ length: CONNECTIONS * running.nodes.length }, (_, index) =>
    operationsOf(running, index),
  );
  const measured: [Operation, Work][] = [];
  for (const operation of Object.keys(SECONDS) as Operation[]) {
    const [before, began] = [await running.work(), performance.now()];
    const count =
      operation === 'retrieval'
        ? (await retrieve(running, ready, SECONDS.retrieval)) * SECONDS.retrieval
        : await repeat(connections, operation);
    const seconds = (performance.now() - began) / 1000;
    const did = workOf(before, await running.work());
    const each = (name: keyof Work): number => Math.max(0, did[name] - idle[name] * seconds) / count;
    measured.push([
      operation,
      { statements: each('statements'), clickhouse: each('clickhouse'), s3: each('s3'), cpu: 1000 * each('cpu') },
    ]);
  }
  return Object.fromEntries(measured) as Record<Operation, Work>;
}

/** A report that is complete. */
export async function readyReport({ nodes: [node], token }: Nodes): Promise<string> {
  const json = { startBusinessDate: DAY, restaurantIds: [restaurantGuid(0)] };
  const { body } = (await node?.call('POST', '/metrics/day', { token, json })) ?? {};
  await node?.call('GET', `/metrics/${body}`, { token, headers: { prefer: 'wait=30' } });
  return String(body);
}

/**
 * The figures of all operations, and of nodes that nobody calls. The stages are measured in turns, because processor
 * time depends on what else the machine does. Nodes are held to a share of a core where that is possible, as in
 * `throughput`: otherwise one node has two cores with their caches to itself, and four share them.
 */
export async function measureWork(running: Nodes): Promise<Figure[]> {
  const rounds = new Map<Stage, Record<Operation, Work>[]>(STAGES.map((stage) => [stage, []]));
  const idles = new Map<number, Work>();
  const most = Math.max(...COUNTS);
  await running.scaleTo(most);
  const ready = await readyReport(running);
  // Warm: connections, compiled code, the first rows of each restaurant.
  await measureOnce(running, { statements: 0, clickhouse: 0, s3: 0, cpu: 0 }, ready);
  const release = holdEach(running.nodes.map(pidsOf));
  if (!release) process.stderr.write('nodes are not held, because control groups are not writable here ');
  const measureStage = (stage: Stage, turn: number): Promise<Record<Operation, Work>> => {
    const count = stage === 'alone' ? 1 : stage;
    const idle = idles.get(count);
    if (!idle) throw new Error(`${count} idle nodes were not measured`);
    // A stand-in that cannot be held would take a whole core.
    const standIns = stage === 'alone' || !release ? 0 : most - count;
    return withSome(running, count, turn, (some) => withStandIns(standIns, () => measureOnce(some, idle, ready)));
  };
  try {
    for (const count of COUNTS)
      idles.set(count, await withSome(running, count, 0, (some) => idleWork(some, IDLE_SECONDS)));
    for (let turn = 0; turn < PAIRS; turn++) {
      // Nodes become faster with each measurement, so neither is always the last.
      for (const stage of turn % 2 === 0 ? STAGES : STAGES.toReversed())
        rounds.get(stage)?.push(await measureStage(stage, turn));
      process.stderr.write(`${turn + 1} `);
    }
  } finally {
    release?.();
  }
  await running.scaleTo(1);
  const figures: Figure[] = [];
  for (const operation of Object.keys(SECONDS) as Operation[])
    for (const name of Object.keys(NAMES) as (keyof Work)[]) figures.push(growthOf(rounds, operation, name));
  return [...figures, ...idleFigures(idles)];
}

function growthOf(
  rounds: ReadonlyMap<Stage, Record<Operation, Work>[]>,
  operation: Operation,
  name: keyof Work,
): Figure {
  const valuesOf = (stage: Stage): number[] => (rounds.get(stage) ?? []).map((round) => round[operation][name]);
  return grown(name, `of a ${operation}`, valuesOf);
}

/** Of each node; there is no goal but that it does not grow with their number. */
function idleFigures(idles: ReadonlyMap<number, Work>): Figure[] {
  return (['statements', 'clickhouse', 'cpu'] as const).map((name) => {
    const of = (count: number): number => ((idles.get(count)?.[name] ?? 0) / count) * (name === 'cpu' ? 1000 : 1);
    return grown(name, 'a second of an idle node', (stage) => [of(stage === 'alone' ? 1 : stage)]);
  });
}

const growths = (values: number[], from: number[]): number[] =>
  values.map((value, index) => value / (from[index] ?? Number.NaN));

/** What four nodes take beside what one takes, of the values that were measured with each count of nodes. */
function grown(name: keyof Work, ofWhat: string, valuesOf: (stage: Stage) => number[]): Figure {
  const figure = `${NAMES[name]} ${ofWhat}, 4 nodes`;
  const nothing = NOTHING[name];
  const [alone, one, two, four] = STAGES.map(valuesOf) as [number[], number[], number[], number[]];
  if (median(one) < nothing && median(four) < nothing)
    return figureOf(
      { figure, beside: '', compared: 'alone', goal: { at: 'most', value: nothing } },
      four.map((ours) => ({ ours, limit: null })),
    );
  const note = `${median(one).toPrecision(3)}, ${median(two).toPrecision(3)}, ${median(four).toPrecision(3)} with 1, 2 and 4 nodes${name === 'cpu' ? `, ${median(alone).toPrecision(3)} with 1 on idle cores (${median(growths(four, alone)).toFixed(2)})` : ''}`;
  return figureOf(
    { figure, beside: '1 node', compared: 'ratio', goal: { at: 'most', value: MOST_GROWTH }, note },
    four.map((ours, index) => ({ ours, limit: one[index] ?? null })),
  );
}

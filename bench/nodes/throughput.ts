/**
 * Four nodes and one, each held to a fifth of a core; the servers and the clients are not held. On two cores four nodes
 * cannot have more than a fifth of one each and leave the servers room. The same is measured of raw node:http: what it
 * lacks of four times is the machine's.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerOf, closedLoop, processorSeconds, reapedSeconds, startLimit, treeSeconds } from '../children.ts';
import { type Figure, figureOf, median, PAIRS } from '../figures.ts';
import { holdEach, type Nodes, pidsOf, RESTAURANTS, restaurantGuid, withSome, withStandIns } from './installation.ts';
import { DAY, RETRIEVAL_CONNECTIONS, readyReport, retrieve } from './work.ts';

const GOAL = 3.6;
const COUNT = 4;
/**
 * A report takes up to two seconds here, so that four seconds were mostly their beginning and end. Of retrievals four
 * nodes made 2.5 to 4.8 × those of one from pair to pair of 2 s, and 2.2 to 3.7 × of 8 s.
 */
const SECONDS = { retrievals: 8, reports: 8 };
/**
 * Before nodes are held. After 8 s of reports the code of a node was still being compiled: a report took 19 ms, and 16
 * some 150 reports later.
 */
const WARM_SECONDS = { retrievals: 2, reports: 20 };
/**
 * As many reports to each node as it claims at once: with 8, four nodes waited for the servers for a sixth of their
 * share.
 */
const REPORT_CONNECTIONS = 16;

type Measured = 'retrievals' | 'reports';
/** Who takes processor time, in cores; `bench` is this process with its S3 server, and the clients. */
type Cores = Record<'nodes' | 'postgres' | 'clickhouse' | 'bench' | 'machine', number>;
interface Rate {
  /** A second, of all nodes. */
  rate: number;
  cores: Cores;
}

/** Processor seconds of all programs of this machine, by the clock ticks of /proc/stat but idle and iowait. */
function machineSeconds(): number {
  const [, user, nice, system, , , irq, soft, steal] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 9).map(Number);
  return ((user ?? 0) + (nice ?? 0) + (system ?? 0) + (irq ?? 0) + (soft ?? 0) + (steal ?? 0)) / 100;
}

/** Creates and retrieves reports of a day on all nodes; reports a second. */
async function makeReports({ nodes, token }: Nodes, seconds: number): Promise<number> {
  const shots = { headers: { authorization: `Bearer ${token}` }, connections: REPORT_CONNECTIONS, seconds };
  const answers = await Promise.all(
    nodes.map(({ origin }, index) => {
      const restaurants = Array.from({ length: RESTAURANTS / COUNT }, (_, turn) =>
        restaurantGuid((COUNT * index + turn) % RESTAURANTS),
      );
      const reports = { url: `${origin}/v1`, ...shots, restaurants, date: DAY };
      return answerOf<{ perSecond: number }>('small-reports.ts', reports);
    }),
  );
  return answers.reduce((sum, { perSecond }) => sum + perSecond, 0);
}

/** Rates of all of these nodes. */
async function measureOnce(running: Nodes, what: Measured, ready: string, lasting = SECONDS): Promise<Rate> {
  const { nodes, storeSeconds } = running;
  const seconds = (): Cores => ({
    ...storeSeconds(),
    nodes: nodes.reduce((sum, { child }) => sum + treeSeconds(child.pid ?? 0), 0),
    // The clients end before this is read for the second time.
    bench: processorSeconds(process.pid) + reapedSeconds(process.pid),
    machine: machineSeconds(),
  });
  const [before, began] = [seconds(), performance.now()];
  const rate =
    what === 'retrievals'
      ? await retrieve(running, ready, lasting.retrievals)
      : await makeReports(running, lasting.reports);
  const [after, took] = [seconds(), (performance.now() - began) / 1000];
  const cores = Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, (value - before[name as keyof Cores]) / took]),
  ) as Cores;
  return { rate, cores };
}

interface Pair {
  one: Rate;
  four: Rate;
}

/** Rates of one node and of four, in turns. Undefined where nodes cannot be held. */
async function measureNodes(running: Nodes): Promise<Record<Measured, Pair[]> | undefined> {
  await running.scaleTo(COUNT);
  const ready = await readyReport(running);
  // Each node has answered before it is held: what a start costs is not what is measured.
  for (const what of ['retrievals', 'reports'] as const) await measureOnce(running, what, ready, WARM_SECONDS);
  const release = holdEach(running.nodes.map(pidsOf));
  if (!release) return undefined;
  const pairs: Record<Measured, Pair[]> = { retrievals: [], reports: [] };
  try {
    for (let turn = 0; turn < PAIRS; turn++)
      for (const what of ['retrievals', 'reports'] as const) {
        const measure = (count: number): Promise<Rate> =>
          withSome(running, count, turn, (some) => withStandIns(COUNT - count, () => measureOnce(some, what, ready)));
        // Nodes become faster with each measurement, so neither is always the second.
        if (turn % 2 === 0) pairs[what].push({ one: await measure(1), four: await measure(COUNT) });
        else pairs[what].push({ four: await measure(COUNT), one: await measure(1) });
      }
  } finally {
    release();
  }
  return pairs;
}

/**
 * Requests a second of four processes of raw node:http beside one, held as nodes are: what the machine gives to anyone.
 */
async function measureRaw(): Promise<Figure['pairs']> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-throughput-'));
  const file = join(folder, 'body');
  await writeFile(file, '[{}]');
  const servers = await Promise.all(Array.from({ length: COUNT }, () => startLimit('bytes', file)));
  const release = holdEach(servers.map(({ pid }) => [pid]));
  const rateOf = async (count: number): Promise<number> => {
    const shots = { connections: RETRIEVAL_CONNECTIONS, seconds: SECONDS.retrievals };
    const rates = await Promise.all(servers.slice(0, count).map(({ url }) => closedLoop({ url, ...shots })));
    return rates.reduce((sum, rate) => sum + rate, 0);
  };
  try {
    await rateOf(COUNT);
    const pairs: Figure['pairs'] = [];
    for (let turn = 0; turn < PAIRS; turn++) {
      const limit = await withStandIns(COUNT - 1, () => rateOf(1));
      pairs.push({ ours: await rateOf(COUNT), limit });
    }
    return pairs;
  } finally {
    release?.();
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true });
  }
}

/** Whose processor time it was, with one node and with four. */
function coresNote(pairs: readonly Pair[]): string {
  const of = (side: keyof Pair, coresOf: (cores: Cores) => number): string =>
    median(pairs.map((pair) => coresOf(pair[side].cores))).toFixed(2);
  const both = (coresOf: (cores: Cores) => number): string => `${of('one', coresOf)} and ${of('four', coresOf)}`;
  const ofOthers = ({ machine, ...known }: Cores): number =>
    Object.values(known).reduce((left, cores) => left - cores, machine);
  const perCall = (side: keyof Pair): string =>
    median(pairs.map((pair) => (1000 * pair[side].cores.nodes) / pair[side].rate)).toPrecision(3);
  const cores = [
    `nodes ${both(({ nodes }) => nodes)}`,
    `PostgreSQL ${both(({ postgres }) => postgres)}`,
    `ClickHouse ${both(({ clickhouse }) => clickhouse)}`,
    `clients and S3 server ${both(({ bench }) => bench)}`,
    `other programs ${both(ofOthers)}`,
  ];
  return `cores with 1 and 4 nodes: ${cores.join(', ')}; processor ms of the nodes for one ${perCall('one')} and ${perCall('four')}`;
}

/** Of retrievals of a ready report, and of reports of a day from the POST to the records. */
export async function measureThroughput(running: Nodes): Promise<Figure[]> {
  const measured = await measureNodes(running);
  await running.scaleTo(1);
  if (!measured) {
    process.stderr.write('nodes cannot be held to a share of a core here: control groups are not writable ');
    return [];
  }
  const goal = { at: 'least', value: GOAL } as const;
  const raw = { figure: 'requests a second of 4 processes of raw node:http, held the same', beside: '1 process' };
  return [
    ...(['retrievals', 'reports'] as const).map((what) => {
      const about = { figure: `${what} a second of 4 nodes, each held to a fifth of a core`, beside: '1 node' };
      const pairs = measured[what].map(({ one, four }) => ({ ours: four.rate, limit: one.rate }));
      return figureOf({ ...about, compared: 'ratio', goal, note: coresNote(measured[what]) }, pairs);
    }),
    figureOf({ ...raw, compared: 'ratio', goal }, await measureRaw()),
  ];
}

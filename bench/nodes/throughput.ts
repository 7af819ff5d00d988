/**
 * Four nodes and one, each held to a fifth of a core; the servers and the clients are not held. On two cores four nodes cannot have more
 * than a fifth of one each and leave the servers room.
 */
import { answerOf, closedLoop, treeOf } from '../children.ts';
import { type Figure, figureOf, median, PAIRS } from '../figures.ts';
import { holdTo } from './cgroup.ts';
import { type Nodes, RESTAURANTS, restaurantGuid } from './installation.ts';
import { DAY, readyReport } from './work.ts';

const SHARE = 0.2;
const GOAL = 3.6;
const SECONDS = { retrievals: 2, reports: 4 };
const CONNECTIONS = { retrievals: 32, reports: 8 };

type Measured = 'retrievals' | 'reports';
/** A second of all nodes, and the cores that the servers took meanwhile. */
interface Rate {
  rate: number;
  postgres: number;
  clickhouse: number;
}

async function measureOnce({ nodes, token, storeSeconds }: Nodes, what: Measured, ready: string): Promise<Rate> {
  const headers = { authorization: `Bearer ${token}` };
  const [before, began] = [storeSeconds(), performance.now()];
  const rates = await Promise.all(
    nodes.map(async ({ origin }, place) => {
      const shots = { headers, connections: CONNECTIONS[what], seconds: SECONDS[what] };
      if (what === 'retrievals') return await closedLoop({ url: `${origin}/v1/metrics/${ready}`, ...shots });
      const own = Array.from({ length: RESTAURANTS / 4 }, (_, turn) =>
        restaurantGuid((4 * place + turn) % RESTAURANTS),
      );
      const asked = { url: `${origin}/v1`, ...shots, restaurants: own, date: DAY };
      return (await answerOf<{ perSecond: number }>('small-reports.ts', asked)).perSecond;
    }),
  );
  const [after, seconds] = [storeSeconds(), (performance.now() - began) / 1000];
  return {
    rate: rates.reduce((sum, rate) => sum + rate, 0),
    postgres: (after.postgres - before.postgres) / seconds,
    clickhouse: (after.clickhouse - before.clickhouse) / seconds,
  };
}

/** Undefined where nodes cannot be held. */
async function measureWith(running: Nodes, count: number): Promise<Record<Measured, Rate[]> | undefined> {
  await running.scaleTo(count);
  const ready = await readyReport(running);
  // Each node has answered before it is held: what a start costs is not what is measured.
  for (const what of ['retrievals', 'reports'] as const) await measureOnce(running, what, ready);
  const releases: (() => void)[] = [];
  const rates: Record<Measured, Rate[]> = { retrievals: [], reports: [] };
  try {
    for (const { child } of running.nodes) {
      const release = holdTo(SHARE, treeOf(child.pid ?? 0));
      if (!release) return undefined;
      releases.push(release);
    }
    for (let turn = 0; turn < PAIRS; turn++)
      for (const what of ['retrievals', 'reports'] as const) rates[what].push(await measureOnce(running, what, ready));
  } finally {
    for (const release of releases) release();
  }
  return rates;
}

/** Of retrievals of a ready report, and of reports of a day from the POST to the records. */
export async function measureThroughput(running: Nodes): Promise<Figure[]> {
  const one = await measureWith(running, 1);
  const four = one && (await measureWith(running, 4));
  await running.scaleTo(1);
  if (!one || !four) {
    process.stderr.write('nodes cannot be held to a share of a core here: control groups are not writable ');
    return [];
  }
  return (['retrievals', 'reports'] as const).map((what) => {
    const cores = (rates: readonly Rate[], store: 'postgres' | 'clickhouse'): string =>
      median(rates.map((rate) => rate[store])).toFixed(2);
    const note = `cores of the servers with 1 and 4 nodes: PostgreSQL ${cores(one[what], 'postgres')} and ${cores(four[what], 'postgres')}, ClickHouse ${cores(one[what], 'clickhouse')} and ${cores(four[what], 'clickhouse')}`;
    const about = { figure: `${what} a second of 4 nodes, each held to a fifth of a core`, beside: '1 node' };
    const pairs = four[what].map(({ rate }, place) => ({ ours: rate, limit: one[what][place]?.rate ?? null }));
    return figureOf({ ...about, compared: 'ratio', goal: { at: 'least', value: GOAL }, note }, pairs);
  });
}

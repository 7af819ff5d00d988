/**
 * What a connection costs while nothing changes at its point of sale, beside the same service while it is paused; and
 * how long the page of a connection to many restaurants takes.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_RESTAURANTS } from '../packages/service/src/demo/restaurants.ts';
import { manyRestaurants } from '../test/upstream/caller.ts';
import { startUpstream, type Upstream } from '../test/upstream/upstream.ts';
import { residentBytes, treeOf, treeSeconds } from './children.ts';
import { type Figure, figureOf, median } from './figures.ts';
import { withFolder } from './folders.ts';
import { type BenchService, startService } from './service.ts';

/** Two polls of each restaurant. */
const IDLE_SECONDS = Number(process.env.BENCH_IDLE_SECONDS ?? 240);
/** After a start, until nothing more is compiled and opened. */
const SETTLE_SECONDS = 20;
/** Nothing changes while its clock stands still; nor would a limit be over. */
const STILL = { speed: 0, limits: 'off' } as const;
const PAIRS = 2;
const PAGES = 20;

interface Connected {
  id: string;
  restaurants: { state: string }[];
}

async function connect(service: BenchService, { url, world }: Upstream): Promise<string> {
  const [client] = world.clients;
  const [restaurantGuid] = world.houses.keys();
  const { clientId, clientSecret } = client ?? {};
  const json = {
    kind: 'toast',
    url,
    credentials: { clientId, clientSecret },
    restaurantGuid,
    restaurants: 'all',
    backfillDays: 1,
  };
  return ((await (await service.call('POST', '/connections', JSON.stringify(json))).json()) as Connected).id;
}

const readConnection = async (service: BenchService, id: string): Promise<Connected> =>
  (await (await service.call('GET', `/connections/${id}`)).json()) as Connected;

async function untilCurrent(service: BenchService, id: string): Promise<void> {
  for (;;) {
    const { restaurants } = await readConnection(service, id);
    if (restaurants.every(({ state }) => state === 'current')) return;
    await sleep(1000);
  }
}

const residentOf = (service: BenchService): number =>
  treeOf(service.pid).reduce((sum, pid) => sum + residentBytes(pid), 0);

interface Cost {
  /** Percent of one core. */
  percent: number;
  megabytes: number;
  /** Files of the facts that were written. */
  written: number;
}

/** What the service costs from a start on. */
async function costOf(data: string): Promise<Cost> {
  const service = await startService(data, '--connect-private');
  const files = () =>
    Promise.all(
      ['facts.duckdb', 'facts.duckdb.wal'].map((name) =>
        stat(join(data, 'facts', name)).then(
          ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
          () => '',
        ),
      ),
    );
  try {
    await sleep(SETTLE_SECONDS * 1000);
    const [before, seconds] = [await files(), treeSeconds(service.pid)];
    await sleep(IDLE_SECONDS * 1000);
    const percent = ((treeSeconds(service.pid) - seconds) / IDLE_SECONDS) * 100;
    const after = await files();
    const written = after.filter((file, index) => file !== before[index]).length;
    return { percent, megabytes: residentOf(service) / 1e6, written };
  } finally {
    await service.stop();
  }
}

const idle = (): Promise<Figure[]> =>
  withFolder(async (folder) => {
    const data = join(folder, 'data');
    const upstream = await startUpstream({ ...STILL, restaurants: DEMO_RESTAURANTS, days: 5 });
    const costs: { active: Cost; paused: Cost }[] = [];
    try {
      const first = await startService(data, '--connect-private');
      const id = await connect(first, upstream);
      await untilCurrent(first, id);
      await first.stop();

      async function setPaused(isPaused: boolean): Promise<void> {
        const service = await startService(data, '--connect-private');
        await service.call('POST', `/connections/${id}/${isPaused ? 'pause' : 'resume'}`);
        await service.stop();
      }
      for (let pair = 0; pair < PAIRS; pair++) {
        const active = await costOf(data);
        await setPaused(true);
        costs.push({ active, paused: await costOf(data) });
        await setPaused(false);
      }
    } finally {
      await upstream.close();
    }
    const figure = (what: string, most: number, value: keyof Cost): Figure =>
      figureOf(
        {
          figure: `connections: idle, ${DEMO_RESTAURANTS.length} restaurants: ${what}`,
          beside: 'the same while it is paused',
          compared: 'more',
          goal: { at: 'most', value: most },
        },
        costs.map(({ active, paused }) => ({ ours: active[value], limit: paused[value] })),
      );
    return [
      figure('% of a core', 1, 'percent'),
      figure('MB of memory', 30, 'megabytes'),
      figure('files of the facts that were written', 0, 'written'),
    ];
  });

const page = (count: number): Promise<Figure[]> =>
  withFolder(async (folder) => {
    const upstream = await startUpstream({ ...STILL, restaurants: manyRestaurants(count), days: 1 });
    const service = await startService(join(folder, 'data'), '--connect-private');
    try {
      const id = await connect(service, upstream);
      const times: number[] = [];
      for (let time = 0; time < PAGES; time++) {
        const began = performance.now();
        await readConnection(service, id);
        times.push(performance.now() - began);
      }
      const about = {
        figure: `connections: the page of ${count} restaurants while they are read, ms`,
        beside: '-',
        compared: 'alone' as const,
        goal: { at: 'most' as const, value: 300 },
      };
      return [figureOf(about, [{ ours: median(times), limit: null }])];
    } finally {
      await service.stop();
      await upstream.close();
    }
  });

/** Of `BENCH_CONNECTION_MANY` restaurants the page. */
export const connectionIdle = async (): Promise<Figure[]> => [
  ...(await page(Number(process.env.BENCH_CONNECTION_MANY ?? 2000))),
  ...(await idle()),
];

/**
 * How long loads of one order take while a body of 100,000 orders of another restaurant is loaded, beside the same when
 * idle.
 */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { addDays } from '../packages/service/src/contract/dates.ts';
import { demoDay } from '../packages/service/src/demo/day.ts';
import { createRandom } from '../packages/service/src/demo/random.ts';
import { type Figure, figureOf, PAIRS } from './figures.ts';
import { LAST_DATE, TEMPLATE, withFolder } from './folders.ts';
import { requestOf, send } from './load-singles.ts';
import { type BenchService, putRestaurant, startService } from './service.ts';
import type { Singles } from './singles.ts';

/** Orders of the large body, and how many a date has. */
const LARGE = { orders: Number(process.env.BENCH_LARGE_ORDERS ?? 100_000), ordersPerDay: 400 };
/** The short loads: new orders of restaurants of their own, at a steady rate. */
const SHORT = { restaurants: 8, connections: 16, perSecond: 40, idleSeconds: 8 };

/** Gzip NDJSON; a member for each date, so that the whole text is never in memory. */
function largeBody(): Buffer {
  const days = Math.ceil(LARGE.orders / LARGE.ordersPerDay);
  const restaurant = { ...TEMPLATE, ordersPerDay: LARGE.ordersPerDay };
  const parts = Array.from({ length: days }, (_, back) => {
    const { orders } = demoDay(restaurant, addDays(LAST_DATE, -back));
    return gzipSync(orders.map((order) => `${JSON.stringify(order)}\n`).join(''), { level: 1 });
  });
  return Buffer.concat(parts);
}

async function loadLarge(service: BenchService, guid: string, body: Buffer): Promise<number> {
  const began = performance.now();
  const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
  const answer = await (await service.call('POST', `/restaurants/${guid}/orders`, body, headers)).json();
  const { accepted } = answer as { accepted: number };
  if (accepted < LARGE.orders * 0.9) throw new Error(`${accepted} of ${LARGE.orders} orders were accepted`);
  return performance.now() - began;
}

interface Run {
  idle: Singles;
  beside: Singles;
  /** Of the large load, ms. */
  took: number;
}

async function measure(folder: string, service: BenchService): Promise<Run[]> {
  const random = createRandom('load-beside-large');
  const restaurantOf = (name: string) => ({ ...TEMPLATE, guid: random.guid(), name, ordersPerDay: 4000 });
  const shorts = Array.from({ length: SHORT.restaurants }, (_, i) => restaurantOf(`Short ${i}`));
  const body = largeBody();
  for (const one of shorts) await putRestaurant(service, one);
  const request = requestOf(service, shorts);
  const port = Number(new URL(service.baseUrl).port);
  const { connections, perSecond } = SHORT;

  /** Short loads at the steady rate for so long, or until `until` settles. */
  async function short(run: string, seconds: number): Promise<Singles> {
    const count = Math.ceil(seconds * perSecond);
    const orders = shorts.flatMap((one, restaurant) =>
      demoDay(one, LAST_DATE, { seed: run })
        .orders.slice(0, Math.ceil(count / shorts.length))
        .map((source) => ({ restaurant, source })),
    );
    return await send(folder, orders.map(request), { connections, perSecond, to: { kind: 'http', port } });
  }

  const runs: Run[] = [];
  let seconds = SHORT.idleSeconds;
  // The first run warms up, and says how long the short loads have to go on.
  for (let run = 0; run <= PAIRS; run++) {
    const idle = await short(`idle ${run}`, SHORT.idleSeconds);
    const large = restaurantOf(`Large ${run}`);
    await putRestaurant(service, large);
    const [took, beside] = await Promise.all([loadLarge(service, large.guid, body), short(`beside ${run}`, seconds)]);
    seconds = Math.ceil(took / 1000);
    if (run > 0) runs.push({ idle, beside, took });
  }
  return runs;
}

function figuresOf(runs: Run[]): Figure[] {
  const text = `loads of one order, ${SHORT.perSecond} a second, beside a body of ${LARGE.orders} orders`;
  const listed = (of: (run: Run) => number): string => runs.map((run) => Math.round(of(run))).join(', ');
  return [
    figureOf(
      {
        figure: `${text}, p50 ms`,
        beside: 'the same when idle',
        compared: 'ratio',
        goal: { at: 'most', value: 2 },
        note: `the large body took ${listed(({ took }) => took)} ms; no load failed`,
      },
      runs.map(({ idle, beside }) => ({ ours: beside.median, limit: idle.median })),
    ),
    figureOf(
      {
        figure: `${text}, p99 ms`,
        beside: '-',
        compared: 'alone',
        goal: { at: 'most', value: 1000 },
        note: `when idle ${listed(({ idle }) => idle.p99)} ms; the longest of all took ${listed(({ beside }) => beside.longest)} ms`,
      },
      runs.map(({ beside }) => ({ ours: beside.p99, limit: null })),
    ),
  ];
}

export const loadBesideLarge = (): Promise<Figure[]> =>
  withFolder(async (folder) => {
    const service = await startService(join(folder, 'data'));
    try {
      return figuresOf(await measure(folder, service));
    } finally {
      await service.stop();
    }
  });

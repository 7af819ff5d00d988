/** Orders over HTTP into a filled folder, durable when answered, compared with JSON.parse of the same bytes. */
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RestaurantScope } from '../../packages/service/src/facts/report.ts';
import { answerOf, childrenOf, peakBytes, treeSeconds } from '../children.ts';
import { median, runPairs } from '../figures.ts';
import type { Table } from '../postgres-orders.ts';
import { type BenchService, startService } from '../service.ts';

export interface Ingested {
  /** Orders a second, each pair in its order. */
  pairs: { ours: number; limit: number }[];
  /**
   * Microseconds of a processor that an order takes of the service and its engine: the median, the first run to warm up
   * included.
   */
  processor: number;
  /** Mean size of an order, bytes. */
  orderBytes: number;
  /** The most that each had in memory, bytes. */
  memory: { service: number; engine: number };
}

/**
 * What the orders are like: those of the demo (3.5 items and half a modifier a check), the same without items and
 * payments, as they were until items were read, or with four items of two modifiers each.
 */
export const ORDER_SHAPES = ['demo', 'plain', 'dense'] as const;
export type OrderShape = (typeof ORDER_SHAPES)[number];

export interface BodiesQuery {
  folder: string;
  restaurants: readonly { guid: string; id: number }[];
  /** Orders of another run have other GUIDs. */
  run: string;
  shape: OrderShape;
  tables?: boolean;
}

/** What PostgreSQL copies into a table. */
export interface Copy {
  table: Table;
  columns: string[];
  file: string;
}

/** A body that was written. */
export interface WrittenBody {
  file: string;
  orders: number;
  copies: Copy[];
}

/** Bodies of one run, each to a restaurant of its own. */
export const BODIES = 12;
/** So many are under way at once: while the engine merges one, the next are read. */
export const AT_ONCE = 3;
/** A body that is sent, with how many orders it has. */
export interface Body {
  guid: string;
  orders: number;
  bytes: Buffer;
  copies: Copy[];
}

/** Writes the bodies of a run in a process of its own, reads them, and removes their files but those of the copies. */
export async function makeBodies(query: BodiesQuery): Promise<Body[]> {
  const written = await answerOf<WrittenBody[]>('scale/bodies.ts', query);
  const bodies: Body[] = [];
  for (const [i, { file, orders, copies }] of written.entries()) {
    bodies.push({ guid: query.restaurants[i]?.guid ?? '', orders, bytes: await readFile(file), copies });
    await rm(file);
  }
  return bodies;
}

/** Orders a second, with so many bodies in progress at once. */
export async function perSecond(
  bodies: readonly Body[],
  send: (body: Body, index: number) => Promise<void>,
): Promise<number> {
  const began = performance.now();
  const queue = bodies.values();
  const client = async (index: number): Promise<void> => {
    for (const body of queue) await send(body, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => client(index)));
  return (ordersIn(bodies) / (performance.now() - began)) * 1000;
}

export const ordersIn = (bodies: readonly Body[]): number => bodies.reduce((sum, { orders }) => sum + orders, 0);

export async function post(service: BenchService, { guid, orders, bytes }: Body): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' };
  const response = await service.call('POST', `/restaurants/${guid}/orders`, bytes, headers);
  const answer = (await response.json()) as { accepted: number };
  if (answer.accepted !== orders) throw new Error(`${answer.accepted} of ${orders} orders were taken`);
}

/** Posts bodies of some 5,000 orders, three at a time; every run's orders are new. */
export async function measureIngest(
  data: string,
  restaurants: readonly RestaurantScope[],
  folder: string,
  { shape = 'demo', count }: { shape?: OrderShape; count?: number } = {},
): Promise<Ingested> {
  const service = await startService(data);
  const file = join(folder, 'orders.ndjson');
  // In a folder that is kept, orders of an earlier measurement would be replaced, which takes 136 instead of 80 µs.
  const measurement = randomUUID();
  let run = 0;
  let orderBytes = 0;
  const processor: number[] = [];

  /** A run's bodies, and the same bytes in a file. Restaurants take turns. */
  async function prepare(): Promise<Body[]> {
    run++;
    const from = (run * BODIES) % (restaurants.length - BODIES);
    const chosen = restaurants.slice(from, from + BODIES);
    const bodies = await makeBodies({ folder, restaurants: chosen, run: `${measurement} ${run}`, shape });
    const text = Buffer.concat(bodies.map(({ bytes }) => bytes));
    // Onto the disk before the clock runs: what is written back meanwhile would hold up the service's own syncs.
    await writeFile(file, text, { flush: true });
    orderBytes = text.length / ordersIn(bodies);
    return bodies;
  }
  async function ours(): Promise<number> {
    const bodies = await prepare();
    const before = treeSeconds(service.pid);
    const rate = await perSecond(bodies, (body) => post(service, body));
    processor.push(((treeSeconds(service.pid) - before) / ordersIn(bodies)) * 1e6);
    return rate;
  }
  const limit = (): Promise<number> => answerOf<number>('scale/parse.ts', { file });
  try {
    await ours();
    await limit();
    const pairs = await runPairs(ours, limit, count);
    const engines = childrenOf(service.pid).map(peakBytes);
    return {
      pairs,
      processor: median(processor),
      orderBytes,
      memory: { service: peakBytes(service.pid), engine: Math.max(0, ...engines) },
    };
  } finally {
    await service.stop();
  }
}

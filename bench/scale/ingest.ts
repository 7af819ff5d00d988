/** Orders over HTTP into a filled folder, durable when answered, compared with JSON.parse of the same bytes. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import { demoDay } from '../../packages/service/src/demo/day.ts';
import type { SourceOrder } from '../../packages/service/src/demo/shapes.ts';
import type { RestaurantScope } from '../../packages/service/src/facts/report.ts';
import { answerOf, childrenOf, peakBytes, treeSeconds } from '../children.ts';
import { median, runPairs } from '../figures.ts';
import { TEMPLATE } from '../folders.ts';
import { type BenchService, startService } from '../service.ts';

export interface Ingested {
  /** Orders a second, each pair in its order. */
  pairs: { ours: number; limit: number }[];
  /** Microseconds of a processor that an order takes of the service and its engine: the median, the first run to warm up included. */
  processor: number;
  /** Mean size of an order, bytes. */
  orderBytes: number;
  /** The most that each had in memory, bytes. */
  memory: { service: number; engine: number };
}

/**
 * What the orders are like: those of the demo (3.5 items and half a modifier a check), the same without items and payments, as they were until
 * items were read, or with four items of two modifiers each.
 */
export const ORDER_SHAPES = ['demo', 'plain', 'dense'] as const;
export type OrderShape = (typeof ORDER_SHAPES)[number];

/** Bodies of one run, each to a restaurant of its own. */
export const BODIES = 12;
/** So many are under way at once: while the engine merges one, the next are read. */
export const AT_ONCE = 3;
const DAYS = 12;
const NEWLINE = Buffer.from('\n');
/** The day after the generated year. */
const FIRST_NEW = 20250101;

export interface Body {
  guid: string;
  orders: readonly object[];
  bytes: Buffer;
}

const MODIFIERS = ['No Onions', 'Extra Cheese'].map((displayName, place) => ({
  displayName,
  ...{ item: { guid: `7e0b6a52-0c5d-4c9e-8a35-00000000100${place}` }, quantity: 1, preDiscountPrice: 0.5, price: 0.5 },
}));

/** The same order with four items on each check, and two modifiers on each of them. */
function dense(order: SourceOrder): object {
  const four = ({ selections }: SourceOrder['checks'][number]): object[] =>
    Array.from({ length: 4 }, (_, place) => ({
      ...selections[place % selections.length],
      guid: randomUUID(),
      modifiers: MODIFIERS.map((modifier) => ({
        guid: randomUUID(),
        ...modifier,
        voided: false,
        selectionType: 'NONE',
      })),
    }));
  return { ...order, checks: order.checks.map((check) => ({ ...check, selections: four(check) })) };
}

/** The same order without items and payments. */
const plain = (order: SourceOrder): object => ({
  ...order,
  checks: order.checks.map(({ selections: _items, payments: _payments, ...check }) => check),
});

const SHAPED: Record<OrderShape, (order: SourceOrder) => object> = { demo: (order) => order, plain, dense };

/** Twelve days of some 400 orders with GUIDs that no other run has. */
export function makeBody(guid: string, run: string, shape: OrderShape): Body {
  const days = Array.from({ length: DAYS }, (_, day) => addDays(FIRST_NEW, day));
  const orders = days.flatMap((date) => demoDay({ ...TEMPLATE, guid }, date, { seed: run }).orders).map(SHAPED[shape]);
  return { guid, orders, bytes: Buffer.from(orders.map((order) => JSON.stringify(order)).join('\n')) };
}

export async function post(service: BenchService, { guid, orders, bytes }: Body): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' };
  const response = await service.call('POST', `/restaurants/${guid}/orders`, bytes, headers);
  const answer = (await response.json()) as { accepted: number };
  if (answer.accepted !== orders.length) throw new Error(`${answer.accepted} of ${orders.length} orders were taken`);
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
    const bodies = restaurants
      .slice(from, from + BODIES)
      .map(({ guid }) => makeBody(guid, `${measurement} ${run}`, shape));
    const text = Buffer.concat(bodies.flatMap(({ bytes }) => [bytes, NEWLINE]));
    // Onto the disk before the clock runs: what is written back meanwhile would hold up the service's own syncs.
    await writeFile(file, text, { flush: true });
    orderBytes = text.length / bodies.reduce((sum, { orders }) => sum + orders.length, 0);
    return bodies;
  }
  async function ours(): Promise<number> {
    const bodies = await prepare();
    const began = performance.now();
    const queue = bodies.values();
    const client = async (): Promise<void> => {
      for (const body of queue) await post(service, body);
    };
    const before = treeSeconds(service.pid);
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    const orders = bodies.reduce((sum, body) => sum + body.orders.length, 0);
    processor.push(((treeSeconds(service.pid) - before) / orders) * 1e6);
    return (orders / (performance.now() - began)) * 1000;
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

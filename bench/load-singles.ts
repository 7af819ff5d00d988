/**
 * Orders one at a time: alone, over many connections, and as corrections, beside PostgreSQL taking the same rows. Once
 * whole, and once without items and payments.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoDay } from '../packages/service/src/demo/day.ts';
import { createRandom } from '../packages/service/src/demo/random.ts';
import type { DemoRestaurant } from '../packages/service/src/demo/restaurants.ts';
import type { SourceOrder } from '../packages/service/src/demo/shapes.ts';
import { type PostgresCluster, startPostgres } from '../test/postgres.ts';
import { answerOf } from './children.ts';
import { type Figure, figureOf, PAIRS } from './figures.ts';
import { LAST_DATE, TEMPLATE, withFolder } from './folders.ts';
import { INDEXES, queryOf, TABLES } from './postgres-orders.ts';
import { type BenchService, putRestaurant, startService } from './service.ts';
import type { Singles, SinglesOptions } from './singles.ts';

const RESTAURANTS = 40;
/** Orders of one run of many connections; a run of one connection sends a tenth. */
const ORDERS = 4000;
const CONNECTIONS = 64;
/** What a correction adds to an order's modifiedDate, ms. */
const LATER = 60_000;

export interface Order {
  /** 0-based place of its restaurant. */
  restaurant: number;
  source: SourceOrder;
}

/** A day of each restaurant, in the order in which its orders were paid, with GUIDs that no other run has. */
function makeOrders(restaurants: readonly DemoRestaurant[], run: string): Order[] {
  const all = restaurants.flatMap((restaurant, index) =>
    demoDay(restaurant, LAST_DATE, { seed: run }).orders.map((source) => ({ restaurant: index, source })),
  );
  return all
    .sort((a, b) => a.source.modifiedDate.localeCompare(b.source.modifiedDate))
    .filter((_, i) => i % Math.max(Math.floor(all.length / ORDERS), 1) === 0)
    .slice(0, ORDERS);
}

/** As it is sent again after a change: later, and with one guest more. */
const corrected = ({ restaurant, source }: Order): Order => ({
  restaurant,
  source: {
    ...source,
    modifiedDate: new Date(Date.parse(source.modifiedDate) + LATER).toISOString(),
    numberOfGuests: (source.numberOfGuests ?? 0) + 1,
  },
});

/** An order of which the facts keep a row, and one for each check: no items, no payments. */
const bare = ({ restaurant, source }: Order): Order => ({
  restaurant,
  source: { ...source, checks: source.checks.map((check) => ({ ...check, selections: [], payments: [] })) },
});

/** The requests, whole. */
export function requestOf(service: BenchService, restaurants: readonly DemoRestaurant[]): (order: Order) => string {
  const { host, pathname } = new URL(service.baseUrl);
  return ({ restaurant, source }) => {
    const body = JSON.stringify([source]);
    const lines = [
      `POST ${pathname}/restaurants/${restaurants[restaurant]?.guid}/orders HTTP/1.1`,
      `host: ${host}`,
      `authorization: ${service.headers.authorization}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    return `${lines.join('\r\n')}\r\n\r\n${body}`;
  };
}

/** Sends the messages over connections, each an order; throws unless all were taken. */
export async function send(
  folder: string,
  messages: readonly string[],
  options: Omit<SinglesOptions, 'file'>,
): Promise<Singles> {
  const file = join(folder, 'messages.ndjson');
  // Onto the disk before the clock runs: what is written back meanwhile would hold up the syncs that are measured.
  await writeFile(file, messages.map((message) => `${JSON.stringify(message)}\n`).join(''), { flush: true });
  const answer = await answerOf<Singles>('singles.ts', { ...options, file });
  if (answer.failed > 0) throw new Error(`${answer.failed} of ${messages.length} orders were not taken`);
  return answer;
}

/** New orders, and then each of them corrected. */
interface Both {
  fresh: Singles;
  corrected: Singles;
}

/** The same orders taken by each. */
interface Pair {
  ours: Both;
  postgres: Both | undefined;
}

interface Runs {
  /** Ours over one connection. */
  alone: Singles[];
  /** Over many connections: orders as a point of sale sends them, and those without items and payments. */
  whole: Pair[];
  bare: Pair[];
}

async function measure(folder: string, service: BenchService, postgres: PostgresCluster | undefined): Promise<Runs> {
  const random = createRandom('load-singles');
  const restaurants = Array.from({ length: RESTAURANTS }, (_, i) => ({
    ...TEMPLATE,
    guid: random.guid(),
    name: `Singles ${i}`,
    ordersPerDay: (ORDERS / RESTAURANTS) * 1.2,
  }));
  for (const restaurant of restaurants) await putRestaurant(service, restaurant);
  const request = requestOf(service, restaurants);
  const to = { kind: 'http', port: Number(new URL(service.baseUrl).port) } as const;
  const both = async (orders: Order[], message: (order: Order) => string, target: SinglesOptions['to']) => {
    const many = { connections: CONNECTIONS, to: target };
    const fresh = await send(folder, orders.map(message), many);
    return { fresh, corrected: await send(folder, orders.map(corrected).map(message), many) };
  };
  const pair = async (orders: Order[], tables: Parameters<typeof queryOf>[0]): Promise<Pair> => ({
    ours: await both(orders, request, to),
    postgres: postgres && (await both(orders, queryOf(tables), { kind: 'postgres', socket: postgres.socket })),
  });

  const runs: Runs = { alone: [], whole: [], bare: [] };
  // The first run warms up.
  for (let run = 0; run <= PAIRS; run++) {
    const few = makeOrders(restaurants, `alone ${run}`).slice(0, ORDERS / 10);
    const alone = await send(folder, few.map(request), { connections: 1, to });
    const whole = await pair(makeOrders(restaurants, `many ${run}`), ['orders', 'checks', 'lines', 'card_payments']);
    const some = await pair(makeOrders(restaurants, `bare ${run}`).map(bare), ['orders', 'checks']);
    if (run === 0) continue;
    runs.alone.push(alone);
    runs.whole.push(whole);
    runs.bare.push(some);
  }
  return runs;
}

function figuresOf({ alone, whole, bare }: Runs): Figure[] {
  const own = (
    figure: string,
    goal: Figure['goal'],
    values: number[],
    note = 'none failed, or the measurement would have',
  ): Figure =>
    figureOf(
      { figure, goal, note, beside: '-', compared: 'alone' },
      values.map((value) => ({ ours: value, limit: null })),
    );
  const beside = (figure: string, rows: string, pairs: Pair[], of: (run: Both) => number): Figure =>
    figureOf(
      { figure, beside: `PostgreSQL taking ${rows}`, compared: 'ratio', goal: { at: 'least', value: 0.3 } },
      pairs.map(({ ours, postgres }) => ({ ours: of(ours), limit: postgres ? of(postgres) : null })),
    );
  const fresh = (run: Both): number => run.fresh.perSecond;
  const again = (run: Both): number => run.corrected.perSecond;
  const all = 'the same rows: order, checks, items and card payments';
  const two = 'the same rows: order and checks';
  const many = `${CONNECTIONS} connections, ${RESTAURANTS} restaurants`;
  return [
    own(
      'an order a request, one connection, p50 ms',
      { at: 'most', value: 15 },
      alone.map(({ median }) => median),
    ),
    own(
      `new orders, ${many}, orders/s`,
      { at: 'least', value: 1000 },
      whole.map(({ ours }) => ours.fresh.perSecond),
    ),
    own(
      `new orders, ${many}, p99 ms`,
      { at: 'most', value: 250 },
      whole.map(({ ours }) => ours.fresh.p99),
    ),
    own(
      `corrections, ${many}, orders/s`,
      { at: 'least', value: 500 },
      whole.map(({ ours }) => ours.corrected.perSecond),
    ),
    beside(`new orders, ${many}, orders/s`, all, whole, fresh),
    beside(`corrections, ${many}, orders/s`, all, whole, again),
    beside(`new orders without items and payments, ${many}, orders/s`, two, bare, fresh),
    beside(`corrections of those, ${many}, orders/s`, two, bare, again),
  ];
}

export const loadSingles = (): Promise<Figure[]> =>
  withFolder(async (folder) => {
    const postgres = await startPostgres({ synchronous_commit: 'on', max_connections: String(CONNECTIONS + 10) });
    try {
      await postgres?.run(TABLES, INDEXES);
      const service = await startService(join(folder, 'data'));
      try {
        return figuresOf(await measure(folder, service, postgres));
      } finally {
        await service.stop();
      }
    } finally {
      await postgres?.close();
    }
  });

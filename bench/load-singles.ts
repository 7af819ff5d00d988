/** Orders one at a time: alone, over many connections, and as corrections, beside PostgreSQL taking the same rows. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoDay } from '../packages/service/src/demo/day.ts';
import { createRandom } from '../packages/service/src/demo/random.ts';
import type { DemoRestaurant } from '../packages/service/src/demo/restaurants.ts';
import type { SourceOrder } from '../packages/service/src/demo/shapes.ts';
import type { CheckFact, OrderFact } from '../packages/service/src/facts/order.ts';
import { orderFacts } from '../packages/service/src/ingest/order.ts';
import { type PostgresCluster, startPostgres } from '../test/postgres.ts';
import { answerOf } from './children.ts';
import { type Figure, figureOf, PAIRS } from './figures.ts';
import { LAST_DATE, TEMPLATE, withFolder } from './folders.ts';
import { type BenchService, putRestaurant, startService } from './service.ts';
import type { Singles, SinglesOptions } from './singles.ts';

const RESTAURANTS = 40;
/** Orders of one run of many connections; a run of one connection sends a tenth. */
const ORDERS = 4000;
const CONNECTIONS = 64;
/** What a correction adds to an order's modifiedDate, ms. */
const LATER = 60_000;

interface Order {
  /** 0-based place of its restaurant. */
  restaurant: number;
  source: SourceOrder;
}

/** A day of each restaurant, in the order in which its orders were paid, with GUIDs that no other run has. */
function makeOrders(restaurants: readonly DemoRestaurant[], run: string): Order[] {
  const all = restaurants.flatMap((restaurant, place) =>
    demoDay(restaurant, LAST_DATE, { seed: run }).orders.map((source) => ({ restaurant: place, source })),
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

/** The requests, whole. */
function requestOf(service: BenchService, restaurants: readonly DemoRestaurant[]): (order: Order) => string {
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

const literal = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

function insert(table: string, restaurant: number, rows: readonly (OrderFact | CheckFact)[]): string {
  const [first] = rows;
  if (!first) return '';
  const { seq: _, ...columns } = first;
  const names = Object.keys(columns);
  const values = rows.map(
    (row) => `(${[restaurant, ...names.map((name) => literal(row[name as keyof typeof row]))].join(',')})`,
  );
  return `insert into ${table} (restaurant_id, ${names.join(', ')}) values ${values.join(',')};`;
}

/** What replaces an order and its checks: one query of several statements is one transaction. */
function queryOf({ restaurant, source }: Order): string {
  const { timeZone, closeoutHour } = TEMPLATE;
  const facts = orderFacts(source, 0, { timeZone, closeoutHour });
  if (!('order' in facts)) throw new Error(`${facts.pointer}: ${facts.message}`);
  const which = `where restaurant_id = ${restaurant} and order_guid = ${literal(facts.order.order_guid)}`;
  return [
    `delete from checks ${which};`,
    `delete from orders ${which};`,
    insert('orders', restaurant, [facts.order]),
    insert('checks', restaurant, facts.checks),
  ].join(' ');
}

async function send(
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

interface Runs {
  /** Ours over one connection. */
  alone: Singles[];
  /** New orders and corrections over many, ours and PostgreSQL's. */
  ours: { fresh: Singles; corrected: Singles }[];
  postgres: { fresh: Singles; corrected: Singles }[];
}

async function measure(folder: string, service: BenchService, postgres: PostgresCluster | undefined): Promise<Runs> {
  const random = createRandom('load-singles');
  const restaurants = Array.from({ length: RESTAURANTS }, (_, i) => ({
    ...TEMPLATE,
    ...{ guid: random.guid(), name: `Singles ${i}`, ordersPerDay: (ORDERS / RESTAURANTS) * 1.2 },
  }));
  for (const restaurant of restaurants) await putRestaurant(service, restaurant);
  const request = requestOf(service, restaurants);
  const to = { kind: 'http', port: Number(new URL(service.baseUrl).port) } as const;
  const both = async (orders: Order[], message: (order: Order) => string, target: SinglesOptions['to']) => {
    const many = { connections: CONNECTIONS, to: target };
    const fresh = await send(folder, orders.map(message), many);
    return { fresh, corrected: await send(folder, orders.map(corrected).map(message), many) };
  };

  const runs: Runs = { alone: [], ours: [], postgres: [] };
  // The first run warms up.
  for (let run = 0; run <= PAIRS; run++) {
    const few = makeOrders(restaurants, `alone ${run}`).slice(0, ORDERS / 10);
    const alone = await send(folder, few.map(request), { connections: 1, to });
    const orders = makeOrders(restaurants, `many ${run}`);
    const ours = await both(orders, request, to);
    const theirs = postgres && (await both(orders, queryOf, { kind: 'postgres', socket: postgres.socket }));
    if (run === 0) continue;
    runs.alone.push(alone);
    runs.ours.push(ours);
    if (theirs) runs.postgres.push(theirs);
  }
  return runs;
}

function figuresOf({ alone, ours, postgres }: Runs): Figure[] {
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
  const beside = (figure: string, of: (run: Runs['ours'][number]) => number): Figure =>
    figureOf(
      { figure, beside: 'PostgreSQL taking the same rows', compared: 'ratio', goal: { at: 'least', value: 0.3 } },
      ours.map((run, i) => ({ ours: of(run), limit: postgres[i] ? of(postgres[i]) : null })),
    );
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
      ours.map(({ fresh }) => fresh.perSecond),
    ),
    own(
      `new orders, ${many}, p99 ms`,
      { at: 'most', value: 250 },
      ours.map(({ fresh }) => fresh.p99),
    ),
    own(
      `corrections, ${many}, orders/s`,
      { at: 'least', value: 500 },
      ours.map((run) => run.corrected.perSecond),
    ),
    beside(`new orders, ${many}, orders/s`, ({ fresh }) => fresh.perSecond),
    beside(`corrections, ${many}, orders/s`, (run) => run.corrected.perSecond),
  ];
}

const TABLES = `
  create table orders (restaurant_id integer not null, order_guid uuid not null, business_date integer not null,
    business_hour smallint not null, opened_at bigint not null, modified_at bigint not null, status text not null,
    details smallint not null, dining_guid text, dining_name text, revenue_guid text, revenue_name text, source text, guests integer not null,
    open boolean not null, has_void boolean not null, has_discount boolean not null, void_cents bigint not null,
    gross_cents bigint not null, discount_cents bigint not null, refund_cents bigint not null,
    primary key (restaurant_id, order_guid));
  create index orders_of_restaurant on orders (restaurant_id, business_date);
  create table checks (restaurant_id integer not null, order_guid uuid not null, check_guid uuid not null,
    business_date integer not null, opened_at bigint not null, order_number bigint, check_number bigint, paid_at bigint,
    modified_at bigint, status text, voided boolean not null, dining_guid text, dining_name text, revenue_guid text,
    revenue_name text, server_guid text, server_name text, total_cents bigint not null, discount_cents bigint not null,
    tax_cents bigint not null, tip_cents bigint not null, gratuity_cents bigint not null, refund_cents bigint not null,
    void_cents bigint not null, sales_gross_cents bigint not null, sales_discount_cents bigint not null,
    sales_refund_cents bigint not null, primary key (restaurant_id, order_guid, check_guid));
  create index checks_of_restaurant on checks (restaurant_id, business_date);
`;

export const loadSingles = (): Promise<Figure[]> =>
  withFolder(async (folder) => {
    const postgres = await startPostgres({ synchronous_commit: 'on', max_connections: String(CONNECTIONS + 10) });
    try {
      await postgres?.run(TABLES);
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

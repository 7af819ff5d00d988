/**
 * `node bench/scale/bodies.ts '{"folder":…,"restaurants":[{"guid":…,"id":…}],"run":…,"shape":"demo"}'` writes the
 * bodies of a run into a folder, an NDJSON file for each restaurant, and prints how many orders each has. With
 * `"tables":true` it also writes the rows that PostgreSQL copies of each, a CSV file a table.
 *
 * A process of its own: 60,000 orders as objects in the client kept its garbage collector busy for as long as a third
 * of the service's own work.
 */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import { demoDay } from '../../packages/service/src/demo/day.ts';
import type { SourceOrder } from '../../packages/service/src/demo/shapes.ts';
import { TEMPLATE } from '../folders.ts';
import { ORDER_TABLES, rowsOf } from '../postgres-orders.ts';
import type { BodiesQuery, Copy, OrderShape, WrittenBody } from './ingest.ts';

const DAYS = 12;
/** The day after the generated year. */
const FIRST_NEW = 20250101;

const MODIFIERS = ['No Onions', 'Extra Cheese'].map((displayName, index) => ({
  displayName,
  item: { guid: `7e0b6a52-0c5d-4c9e-8a35-00000000100${index}` },
  quantity: 1,
  preDiscountPrice: 0.5,
  price: 0.5,
}));

/** The same order with four items on each check, and two modifiers on each of them. */
function dense(order: SourceOrder): object {
  const four = ({ selections }: SourceOrder['checks'][number]): object[] =>
    Array.from({ length: 4 }, (_, index) => ({
      ...selections[index % selections.length],
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

const cell = (value: unknown): string =>
  value === null ? '' : typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value);

async function writeCopies(orders: readonly object[], restaurant: number, prefix: string): Promise<Copy[]> {
  const rows = orders.map((source) => rowsOf({ restaurant, source: source as SourceOrder }));
  const copies: Copy[] = [];
  for (const table of ORDER_TABLES) {
    const all = rows.flatMap((one) => one[table]);
    const columns = Object.keys(all[0] ?? {});
    if (columns.length === 0) continue;
    const file = `${prefix}-${table}.csv`;
    const lines = all.map((row) => `${columns.map((name) => cell(row[name])).join(',')}\n`);
    await writeFile(file, lines.join(''), { mode: 0o644, flush: true });
    copies.push({ table, columns, file });
  }
  return copies;
}

/**
 * Twelve days of some 400 orders for each restaurant. Files are on the disk before the clock runs: what is written back
 * meanwhile would hold up others.
 */
async function writeBodies({ folder, restaurants, run, shape, tables }: BodiesQuery): Promise<WrittenBody[]> {
  const written: WrittenBody[] = [];
  for (const { guid, id } of restaurants) {
    const days = Array.from({ length: DAYS }, (_, day) => addDays(FIRST_NEW, day));
    const orders = days
      .flatMap((date) => demoDay({ ...TEMPLATE, guid }, date, { seed: run }).orders)
      .map(SHAPED[shape]);
    const prefix = join(folder, `${guid} ${run}`);
    const file = `${prefix}.ndjson`;
    await writeFile(file, orders.map((order) => `${JSON.stringify(order)}\n`).join(''), { flush: true });
    written.push({ file, orders: orders.length, copies: tables ? await writeCopies(orders, id, prefix) : [] });
  }
  return written;
}

console.log(JSON.stringify(await writeBodies(JSON.parse(process.argv[2] ?? '{}') as BodiesQuery)));

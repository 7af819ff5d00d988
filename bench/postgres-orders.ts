/** How PostgreSQL takes an order: tables with the columns of the facts, and one transaction that replaces its rows. */
import { orderFacts } from '../packages/service/src/ingest/order.ts';
import { TEMPLATE } from './folders.ts';
import type { Order } from './load-singles.ts';

export const ORDER_TABLES = ['orders', 'checks', 'lines', 'card_payments'] as const;
export type Table = (typeof ORDER_TABLES)[number];
export type Row = Readonly<Record<string, unknown>>;

const literal = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

/** The rows of an order by table, as the facts have them. Throws Error if it cannot be read. */
export function rowsOf({ restaurant, source }: Order): Record<Table, Row[]> {
  const { timeZone, closeoutHour } = TEMPLATE;
  const facts = orderFacts(source, 0, { timeZone, closeoutHour });
  if (!('order' in facts)) throw new Error(`${facts.pointer}: ${facts.message}`);
  const { order, checks, lines, card_payments } = facts;
  const { order_guid, business_date, opened_at } = order;
  const shared = { restaurant_id: restaurant, order_guid, business_date, opened_at };
  const whole = (row: object): Row => {
    const { seq: _, ...columns } = { ...shared, ...row } as Row;
    return columns;
  };
  return {
    orders: [whole(order)],
    checks: checks.map(whole),
    lines: lines.map(({ names: _, ...line }) => whole(line)),
    card_payments: card_payments.map(whole),
  };
}

function insert(table: Table, all: readonly Row[]): string {
  if (all.length === 0) return '';
  const names = Object.keys(all[0] ?? {});
  const values = all.map((row) => `(${names.map((name) => literal(row[name])).join(',')})`);
  return `insert into ${table} (${names.join(', ')}) values ${values.join(',')};`;
}

/**
 * The text that replaces an order in those of the tables: one query of several statements is one transaction. Throws
 * where the facts have rows for a table that is not among them.
 */
export const queryOf =
  (tables: readonly Table[]) =>
  (one: Order): string => {
    const rows = rowsOf(one);
    for (const [table, some] of Object.entries(rows)) {
      if (some.length > 0 && !tables.includes(table as Table)) throw new Error(`the order has ${table}`);
    }
    const which = `where restaurant_id = ${one.restaurant} and order_guid = ${literal(rows.orders[0]?.order_guid)}`;
    return [
      ...tables.map((table) => `delete from ${table} ${which};`).reverse(),
      ...tables.map((table) => insert(table, rows[table])),
    ].join(' ');
  };

export const TABLES = `
  create table orders (restaurant_id integer not null, order_guid uuid not null, business_date integer not null,
    business_hour smallint not null, opened_at bigint not null, modified_at bigint not null, status text not null,
    details smallint not null, dining_guid text, dining_name text, revenue_guid text, revenue_name text, source text, guests integer not null,
    open boolean not null, has_void boolean not null, has_discount boolean not null, void_cents bigint not null,
    gross_cents bigint not null, discount_cents bigint not null, refund_cents bigint not null);
  create table checks (restaurant_id integer not null, order_guid uuid not null, check_guid uuid not null,
    business_date integer not null, opened_at bigint not null, order_number bigint, check_number bigint, paid_at bigint,
    modified_at bigint, status text, voided boolean not null, dining_guid text, dining_name text, revenue_guid text,
    revenue_name text, server_guid text, server_name text, total_cents bigint not null, discount_cents bigint not null,
    tax_cents bigint not null, tip_cents bigint not null, gratuity_cents bigint not null, refund_cents bigint not null,
    void_cents bigint not null, sales_gross_cents bigint not null, sales_discount_cents bigint not null,
    sales_refund_cents bigint not null);
  create table lines (restaurant_id integer not null, order_guid uuid not null, check_guid uuid not null,
    business_date integer not null, opened_at bigint not null, modifier boolean not null, item_guid text, item_name text,
    group_guid text, group_name text, menu_guid text, menu_name text, quantity bigint not null, gross_cents bigint not null,
    discount_cents bigint not null, refund_cents bigint not null, void_cents bigint not null, waste_quantity bigint not null,
    waste_cents bigint not null);
  create table card_payments (restaurant_id integer not null, order_guid uuid not null, check_guid uuid not null,
    payment_guid uuid not null, business_date integer not null, opened_at bigint not null, sales_date integer not null,
    captured boolean not null, opened_local bigint not null, paid_at bigint not null, paid_local bigint not null,
    card_brand text, card_type text not null, total_cents bigint not null, tip_cents bigint not null,
    gratuity_cents bigint not null, refund_cents bigint not null, fee_cents bigint not null, withheld_cents bigint not null,
    fingerprint uuid);
`;

/** Each table is found by order, as a correction replaces them, and by date, as a report reads them. */
export const INDEXES = `
  alter table orders add primary key (restaurant_id, order_guid);
  alter table checks add primary key (restaurant_id, order_guid, check_guid);
  create index lines_of_order on lines (restaurant_id, order_guid);
  alter table card_payments add primary key (restaurant_id, order_guid, check_guid, payment_guid);
  ${ORDER_TABLES.map((table) => `create index ${table}_of_restaurant on ${table} (restaurant_id, business_date);`).join('\n  ')}
`;

/** What versions of orders and time entries add to the daily rollups, and subtract when they are replaced. */
import { checkedInteger } from './checked.ts';
import type { KeptSheets } from './kinds.ts';
import type { TableRow } from './rows.ts';
import type { SheetTable } from './steps.ts';

export interface SheetShape {
  table: SheetTable;
  /** The key columns of a rollup. */
  by: readonly string[];
  /** The summed columns, computed from a version, or a row of one of its parts, that the rollup includes; 0 for a column that it lacks. */
  sums: Readonly<Record<string, (row: TableRow) => unknown>>;
  isIn(row: TableRow): boolean;
}

const column =
  (name: string) =>
  (row: TableRow): unknown =>
    row[name] ?? 0;
const one = (): number => 1;

const DAY_SHEETS: SheetShape = {
  table: 'sheets',
  by: ['restaurant_id', 'business_date', 'dining_guid', 'dining_name', 'revenue_guid', 'revenue_name', 'source'],
  sums: {
    kept: one,
    guests: column('guests'),
    orders: ({ status }) => status === 'counted',
    open_orders: column('open'),
    void_orders: column('has_void'),
    discount_orders: column('has_discount'),
    void_cents: column('void_cents'),
    gross_cents: column('gross_cents'),
    discount_cents: column('discount_cents'),
    refund_cents: column('refund_cents'),
  },
  isIn: ({ status, modifier = null }) => status !== 'excluded' && modifier === null,
};

const LABOUR_SHEETS: SheetShape = {
  table: 'labour_sheets',
  by: ['restaurant_id', 'business_date', 'job_guid', 'employee_guid'],
  sums: {
    entries: one,
    micro_hours: column('micro_hours'),
    pay_cents: column('pay_cents'),
    overtime_micro: column('overtime_micro'),
    overtime_cents: column('overtime_cents'),
  },
  isIn: ({ deleted, hourly, out_at }) => !deleted && hourly === true && out_at !== null,
};

const MENU_SHEETS: SheetShape = {
  table: 'menu_sheets',
  by: [
    ...['restaurant_id', 'business_date', 'modifier', 'item_guid', 'item_name'],
    ...['group_guid', 'group_name', 'menu_guid', 'menu_name'],
  ],
  sums: {
    kept: one,
    quantity: column('quantity'),
    gross_cents: column('gross_cents'),
    discount_cents: column('discount_cents'),
    refund_cents: column('refund_cents'),
    void_cents: column('void_cents'),
    waste_quantity: column('waste_quantity'),
    waste_cents: column('waste_cents'),
  },
  isIn: ({ modifier }) => modifier !== null,
};

export const SHEET_SHAPES: Record<KeptSheets['table'], SheetShape> = {
  sheets: DAY_SHEETS,
  menu_sheets: MENU_SHEETS,
  labour_sheets: LABOUR_SHEETS,
};

/** A change of a rollup. */
interface SheetMove {
  /** A row with its key columns. */
  row: TableRow;
  /** The sums, in the order of the shape's. */
  sums: (number | bigint)[];
}

const nameOf = (row: TableRow, by: readonly string[]): string => JSON.stringify(by.map((name) => row[name] ?? null));

/** Adds exactly: with numbers as long as they are safe integers, since bigints took a third of a merge's time outside the engine. */
function plus(sum: number | bigint, value: number): number | bigint {
  const number = Number(sum) + value;
  return typeof sum === 'number' && Number.isSafeInteger(number) ? number : BigInt(sum) + BigInt(value);
}

/**
 * What new versions add to their rollups, minus the replaced ones: a row with sums for each rollup. Unchanged rollups are
 * omitted.
 */
export function sheetMoves(shape: SheetShape, came: readonly TableRow[], went: readonly TableRow[]): TableRow[] {
  const names = Object.keys(shape.sums);
  const values = Object.values(shape.sums);
  const moves = new Map<string, SheetMove>();
  const add = (row: TableRow, sign: 1 | -1): void => {
    if (!shape.isIn(row)) return;
    const name = nameOf(row, shape.by);
    const move = moves.get(name) ?? { row, sums: values.map(() => 0) };
    for (const [i, of] of values.entries()) {
      const value = of(row);
      move.sums[i] = plus(
        move.sums[i] ?? 0,
        sign * (typeof value === 'boolean' ? Number(value) : checkedInteger(value)),
      );
    }
    moves.set(name, move);
  };
  for (const row of came) add(row, 1);
  for (const row of went) add(row, -1);
  return [...moves.values()]
    .filter(({ sums }) => sums.some((sum) => Number(sum) !== 0))
    .map(({ row, sums }) => ({
      ...Object.fromEntries(shape.by.map((name) => [name, row[name]])),
      // JSON has no bigints: the engine reads a text of digits as well.
      ...Object.fromEntries(names.map((name, i) => [name, typeof sums[i] === 'bigint' ? String(sums[i]) : sums[i]])),
    }));
}

/** What versions of orders and time entries add to the daily rollups, and subtract when they are replaced. */
import type { KeptSheets } from './kinds.ts';
import type { TableRow } from './rows.ts';
import type { SheetTable } from './steps.ts';

export interface SheetShape {
  table: SheetTable;
  /** The key columns of a rollup. */
  by: readonly string[];
  /** The summed columns, computed from a version, or a row of one of its parts, that the rollup includes. */
  sums: Readonly<Record<string, (row: TableRow) => unknown>>;
  isIn(row: TableRow): boolean;
}

const column =
  (name: string) =>
  (row: TableRow): unknown =>
    row[name];
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
  isIn: ({ status }) => status !== 'excluded',
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
  isIn: () => true,
};

export const SHEET_SHAPES: Record<KeptSheets['table'], SheetShape> = {
  sheets: DAY_SHEETS,
  menu_sheets: MENU_SHEETS,
  labour_sheets: LABOUR_SHEETS,
};

/** A change of a rollup. */
interface SheetMove {
  /** Its key columns. */
  of: TableRow;
  sums: Record<string, bigint>;
}

const nameOf = (row: TableRow, by: readonly string[]): string => JSON.stringify(by.map((name) => row[name] ?? null));

/**
 * What new versions add to their rollups, minus the replaced ones: a row with sums for each rollup. Unchanged rollups are
 * omitted.
 */
export function sheetMoves(shape: SheetShape, came: readonly TableRow[], went: readonly TableRow[]): TableRow[] {
  const moves = new Map<string, SheetMove>();
  const add = (row: TableRow, sign: bigint): void => {
    if (!shape.isIn(row)) return;
    const name = nameOf(row, shape.by);
    const move = moves.get(name) ?? { of: Object.fromEntries(shape.by.map((by) => [by, row[by]])), sums: {} };
    for (const [sum, of] of Object.entries(shape.sums)) {
      move.sums[sum] = (move.sums[sum] ?? 0n) + sign * BigInt(of(row) as bigint | number | boolean);
    }
    moves.set(name, move);
  };
  for (const row of came) add(row, 1n);
  for (const row of went) add(row, -1n);
  return [...moves.values()]
    .filter(({ sums }) => Object.values(sums).some((sum) => sum !== 0n))
    .map(({ of, sums }) => ({ ...of, ...sums }));
}

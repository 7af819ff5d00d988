/** What versions of orders and time entries add to the day sheets, and take from them when they are replaced. */
import type { TableRow } from './rows.ts';

export interface SheetShape {
  table: string;
  /** What names a sheet. */
  by: readonly string[];
  /** How many versions are in it: a sheet with none is removed. */
  count: string;
  /** What is summed, from a version that is in a sheet. */
  sums: Readonly<Record<string, (row: TableRow) => unknown>>;
  isIn(row: TableRow): boolean;
}

const column =
  (name: string) =>
  (row: TableRow): unknown =>
    row[name];
const one = (): number => 1;

export const DAY_SHEETS: SheetShape = {
  table: 'sheets',
  by: ['restaurant_id', 'business_date', 'dining_guid', 'dining_name', 'revenue_guid', 'revenue_name', 'source'],
  count: 'kept',
  sums: {
    kept: one,
    guests: column('guests'),
    orders: ({ standing }) => standing === 'counted',
    open_orders: column('open'),
    void_orders: column('has_void'),
    discount_orders: column('has_discount'),
    void_cents: column('void_cents'),
    gross_cents: column('gross_cents'),
    discount_cents: column('discount_cents'),
    refund_cents: column('refund_cents'),
  },
  isIn: ({ standing }) => standing !== 'gone',
};

export const LABOUR_SHEETS: SheetShape = {
  table: 'labour_sheets',
  by: ['restaurant_id', 'business_date', 'job_guid'],
  count: 'entries',
  sums: { entries: one, micro_hours: column('micro_hours'), pay_cents: column('pay_cents') },
  isIn: ({ deleted, hourly, out_at }) => !deleted && hourly === true && out_at !== null,
};

/** What a sheet gains. */
export interface SheetMove {
  /** The columns that name it. */
  of: TableRow;
  sums: Record<string, bigint>;
}

const nameOf = (row: TableRow, by: readonly string[]): string => JSON.stringify(by.map((name) => row[name] ?? null));

/** The moves of versions that came and of versions that went, by sheet; sheets that stay as they are are left out. */
export function sheetMoves(shape: SheetShape, came: readonly TableRow[], went: readonly TableRow[]): SheetMove[] {
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
  return [...moves.values()].filter(({ sums }) => Object.values(sums).some((sum) => sum !== 0n));
}

/** The moves put onto the stored sheets: which rows of these go, and which rows come. */
export function movedSheets(
  shape: SheetShape,
  moves: readonly SheetMove[],
  stored: readonly TableRow[],
): { gone: TableRow[]; rows: TableRow[] } {
  const byName = new Map(stored.map((row) => [nameOf(row, shape.by), row]));
  const gone: TableRow[] = [];
  const rows: TableRow[] = [];
  for (const { of, sums } of moves) {
    const before = byName.get(nameOf(of, shape.by));
    if (before) gone.push(before);
    const after = Object.fromEntries(
      Object.entries(sums).map(([name, sum]) => [name, BigInt((before?.[name] ?? 0n) as bigint) + sum]),
    );
    if (after[shape.count] !== 0n) rows.push({ ...of, ...after });
  }
  return { gone, rows };
}

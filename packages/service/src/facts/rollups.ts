/**
 * The rollups: which rows they sum up, by what, and how. The SQL of both engines and the deltas of small loads
 * (duckdb/rollup-deltas.ts) are made from this table; a condition has the meaning that it has in SQL.
 */
import type { RollupFault } from './facts.ts';
import type { LoadKind } from './load.ts';
import type { OrderPart } from './order.ts';

/** The value of a column, or, with `not`, any other; no value matches where there is none, except `null`. */
type Wanted = boolean | string | null | { not: string | null };

/** What the columns of a row must be, all of them; without columns every row meets it. */
export type Condition = Readonly<Record<string, Wanted>>;

export type RollupTable = 'sheets' | 'menu_sheets' | 'labour_sheets';
/** The tables of facts whose rows are summed up. */
export type RollupSource = LoadKind | OrderPart;

export interface Rollup {
  /** How verification names it. */
  label: RollupFault['label'];
  /** The tables that it sums up, and which of their rows. */
  from: Readonly<Partial<Record<RollupSource, Condition>>>;
  /** The key columns. */
  by: readonly string[];
  /** By column: the column of the rows to add up, 0 where a table lacks it, or the condition of the rows to count. */
  sums: Readonly<Record<string, string | Condition>>;
  /** The sum that is 0 if a rollup is empty. */
  count: string;
  /**
   * The key columns by which it is stored, after date and restaurant: a month by item took 1.4 times as long without.
   */
  order?: readonly string[];
  /** Whether several rollups of a day may be about the same item, so that these are listed in `menu_repeats`. */
  repeats?: boolean;
}

/** Orders that are neither deleted nor waste. */
export const COUNTING_ORDER: Condition = { status: { not: 'excluded' } };
/** Time entries that count (docs/metrics.md#sales-metrics). */
export const COUNTING_ENTRY: Condition = { deleted: false, hourly: true, out_at: { not: null } };

const columns = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, name]));

export const ROLLUPS: Readonly<Record<RollupTable, Rollup>> = {
  sheets: {
    label: 'daily rollups',
    from: { orders: COUNTING_ORDER, refunds: { modifier: null } },
    by: ['restaurant_id', 'business_date', 'dining_guid', 'dining_name', 'revenue_guid', 'revenue_name', 'source'],
    sums: {
      kept: {},
      ...columns('guests'),
      orders: { status: 'counted' },
      open_orders: { open: true },
      void_orders: { has_void: true },
      discount_orders: { has_discount: true },
      ...columns('void_cents', 'gross_cents', 'discount_cents', 'refund_cents'),
    },
    count: 'kept',
  },
  menu_sheets: {
    label: 'menu rollups',
    from: { lines: {}, refunds: { modifier: { not: null } } },
    by: [
      ...['restaurant_id', 'business_date', 'modifier', 'item_guid', 'item_name'],
      ...['group_guid', 'group_name', 'menu_guid', 'menu_name'],
    ],
    sums: {
      kept: {},
      ...columns('quantity', 'gross_cents', 'discount_cents', 'refund_cents'),
      ...columns('void_cents', 'waste_quantity', 'waste_cents'),
    },
    count: 'kept',
    order: ['modifier', 'item_name'],
    repeats: true,
  },
  labour_sheets: {
    label: 'labor rollups',
    from: { shifts: COUNTING_ENTRY },
    by: ['restaurant_id', 'business_date', 'job_guid', 'employee_guid'],
    sums: { entries: {}, ...columns('micro_hours', 'pay_cents', 'overtime_micro', 'overtime_cents') },
    count: 'entries',
  },
};
export const ROLLUP_TABLES = Object.keys(ROLLUPS) as RollupTable[];

/** The sums of the daily rollups that are reported: `kept` counts rows. */
export const SALES_SUMS: Rollup['sums'] = Object.fromEntries(
  Object.entries(ROLLUPS.sheets.sums).filter(([name]) => name !== ROLLUPS.sheets.count),
);

/** The tables that a rollup sums up. */
export const sourcesOf = ({ from }: Rollup): RollupSource[] => Object.keys(from) as RollupSource[];

function wantedText(column: string, wanted: Wanted): string {
  if (typeof wanted === 'boolean') return wanted ? column : `not ${column}`;
  if (wanted === null) return `${column} is null`;
  if (typeof wanted === 'string') return `${column} = '${wanted}'`;
  return wanted.not === null ? `${column} is not null` : `${column} <> '${wanted.not}'`;
}

/** A condition in the SQL of every engine; `prefix` precedes its columns: `s.`. */
export const conditionText = (condition: Condition, prefix = ''): string =>
  Object.entries(condition)
    .map(([column, wanted]) => wantedText(`${prefix}${column}`, wanted))
    .join(' and ') || 'true';

const matches = (value: unknown, wanted: Wanted): boolean =>
  typeof wanted === 'object' && wanted !== null ? value !== null && value !== wanted.not : value === wanted;

/** Returns whether rows meet a condition; a property that a row lacks is null. */
export function meets(condition: Condition): (row: Readonly<Record<string, unknown>>) => boolean {
  const wanted = Object.entries(condition);
  return (row) => wanted.every(([column, value]) => matches(row[column] ?? null, value));
}

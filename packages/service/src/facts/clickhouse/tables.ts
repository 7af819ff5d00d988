/**
 * The tables on ClickHouse. Their columns are those of the node's engine (duckdb/schema.sql), which reads and writes
 * them as Parquet, so a column added there is added here. The differences: each row has its load and a sign.
 */

import { DERIVED_TABLES, type DerivedTable } from '../duckdb/derived.ts';
import { STORED_KINDS } from '../duckdb/kinds.ts';
import { type EngineColumn, TABLE_COLUMNS } from '../duckdb/schema.ts';
import type { LoadKind } from '../load.ts';
import { ORDER_PARTS } from '../order.ts';
import { COUNTING_ENTRY, COUNTING_ORDER, conditionText, ROLLUPS, SALES_SUMS } from '../rollups.ts';

/** Tables that are not stored: sums of records by hour, which ClickHouse computes for a report. */
export type SummedTable = 'hour_rollups' | 'worked_hours';

interface Summed {
  of: LoadKind;
  /** Columns of the records to group by. */
  by: readonly string[];
  /** Columns and the expressions that they sum, over rows of both signs. */
  sums: Readonly<Record<string, string>>;
  /** For a row for each part of a record: the columns of a part, with their types on ClickHouse. */
  parts?: { column: string; types: Readonly<Record<string, string>> };
  /** The condition of records that count. */
  counted: string;
}

export const SUMMED: Readonly<Record<SummedTable, Summed>> = {
  hour_rollups: {
    of: 'orders',
    by: [...ROLLUPS.sheets.by, 'business_hour'],
    sums: Object.fromEntries(
      Object.entries(SALES_SUMS).map(([name, sum]) => [
        name,
        typeof sum === 'string' ? `sum(sign * ${sum})` : `sumIf(sign, ${conditionText(sum)})`,
      ]),
    ),
    counted: conditionText(COUNTING_ORDER),
  },
  worked_hours: {
    of: 'shifts',
    by: ['restaurant_id', 'business_date', 'job_guid', 'hour'],
    sums: {
      micro_hours: 'sum(sign * part.micro_hours)',
      pay_cents: 'sum(sign * part.pay_cents)',
    },
    parts: { column: 'by_hour', types: { hour: 'Int8', micro_hours: 'Int64', pay_cents: 'Int64' } },
    counted: conditionText(COUNTING_ENTRY),
  },
};
export const SUMMED_TABLES = Object.keys(SUMMED) as SummedTable[];

function summedColumns({ of, by, sums }: Summed): EngineColumn[] {
  const own = new Map(TABLE_COLUMNS.get(of)?.map((column) => [column.name, column]));
  return [
    ...by.map((name) => own.get(name) ?? { name, type: 'TINYINT', isNullable: false }),
    ...Object.keys(sums).map((name) => ({ name, type: 'BIGINT', isNullable: false })),
  ];
}

const SUMMED_COLUMNS = new Map<string, EngineColumn[]>(
  SUMMED_TABLES.map((table) => [table, summedColumns(SUMMED[table])]),
);

/** The columns of a table of the node's engine, or of one that is summed up for it. Throws Error if there is none. */
export function columnsOf(table: string): readonly EngineColumn[] {
  const columns = TABLE_COLUMNS.get(table) ?? SUMMED_COLUMNS.get(table);
  if (!columns) throw new Error(`the engine has no table ${table}`);
  return columns;
}

export const columnNames = (table: string): string[] => columnsOf(table).map(({ name }) => name);

/** ClickHouse's types. A list of structures is stored as JSON, because it is not searched here. */
const TYPES: Readonly<Record<string, string>> = {
  TINYINT: 'Int8',
  INTEGER: 'Int32',
  BIGINT: 'Int64',
  VARCHAR: 'String',
  UUID: 'UUID',
  BOOLEAN: 'Bool',
};

export const isList = ({ type }: EngineColumn): boolean => type.endsWith('[]');

/** ClickHouse's type for a column of the node's engine. Throws Error if there is none. */
function serverType(column: EngineColumn): string {
  const type = isList(column) ? 'String' : TYPES[column.type];
  if (type === undefined) throw new Error(`no type of ClickHouse for ${column.name} ${column.type}`);
  return column.isNullable && !isList(column) ? `Nullable(${type})` : type;
}

/** Records have rows of both signs; a part of an order follows its order. */
export type FactTable = LoadKind | (typeof ORDER_PARTS)[number];
export type ListTable = 'names' | 'menu_entries';

export const RECORD_TABLES = Object.keys(STORED_KINDS) as LoadKind[];
export const FACT_TABLES: readonly FactTable[] = [...RECORD_TABLES, ...ORDER_PARTS];
export const LIST_TABLES: readonly ListTable[] = ['names', 'menu_entries'];

const isRecord = (table: FactTable): table is LoadKind => (RECORD_TABLES as readonly string[]).includes(table);

/** The record to which a table belongs: for a part, the order. */
export const recordOf = (table: FactTable): LoadKind => (isRecord(table) ? table : 'orders');
export const dateOf = (table: FactTable): string => STORED_KINDS[recordOf(table)].date;
export const keyOfTable = (table: FactTable): string => STORED_KINDS[recordOf(table)].key;

interface ServerTable {
  name: string;
  columns: readonly (readonly [name: string, type: string])[];
  order: string;
  partition: string;
}

const columnTypes = (table: string, without: readonly string[] = []): (readonly [string, string])[] =>
  columnsOf(table).flatMap((column) =>
    without.includes(column.name) ? [] : [[column.name, serverType(column)] as const],
  );

const MONTHS = (date: string): string => `intDiv(${date}, 100)`;
/** Groups the loads whose deltas are deleted together once a promotion has them. */
const LOADS = 'intDiv(load, 100000)';

export const promotedOf = (table: DerivedTable): string => `promoted_${table}`;

/** All tables, in the form in which they are created. */
export function serverTables(): ServerTable[] {
  const facts = FACT_TABLES.map((table): ServerTable => {
    const [date, key] = [dateOf(table), keyOfTable(table)];
    const signed: [string, string][] = isRecord(table)
      ? [
          ['load', 'Int64'],
          ['sign', 'Int8'],
        ]
      : [];
    return {
      name: table,
      columns: [...columnTypes(table, ['load_id']), ['born', 'Int64'], ...signed],
      order: ['restaurant_id', date, key, 'born', ...signed.slice(1).map(([name]) => name)].join(', '),
      partition: MONTHS(date),
    };
  });
  const places: ServerTable = {
    name: 'places',
    columns: [
      ['kind', 'String'],
      ['restaurant_id', 'Int32'],
      ['guid', 'UUID'],
      ['business_date', 'Int32'],
      ['load', 'Int64'],
    ],
    order: 'restaurant_id, kind, guid, load',
    partition: 'tuple()',
  };
  const rollups = DERIVED_TABLES.flatMap((table): ServerTable[] => {
    const columns = columnTypes(table);
    return [
      {
        name: table,
        columns: [...columns, ['load', 'Int64']],
        order: 'restaurant_id, business_date, load',
        partition: LOADS,
      },
      {
        name: promotedOf(table),
        columns: [...columns, ['promotion', 'Int64']],
        order: 'restaurant_id, business_date, promotion',
        partition: MONTHS('business_date'),
      },
    ];
  });
  const lists = LIST_TABLES.map(
    (table): ServerTable => ({
      name: table,
      columns: [...columnTypes(table), ['load', 'Int64'], ['is_marker', 'Bool']],
      order: table === 'names' ? 'restaurant_id, kind, load' : 'restaurant_id, load',
      partition: 'tuple()',
    }),
  );
  return [...facts, places, ...rollups, ...lists];
}

/** The time at which a day was loaded is the latest known; all other numbers of a rollup are added up. */
const LATEST = new Set(['load_id', 'loaded_at']);
const NAMES_ROWS = new Set(['restaurant_id', 'business_date']);

/** The key columns of a rollup, and the expressions that compute the others: `sums`, by column name. */
export function rollupColumns(table: DerivedTable): { by: string[]; sums: Record<string, string> } {
  const isSum = ({ name, type }: EngineColumn): boolean => type === 'BIGINT' && !NAMES_ROWS.has(name);
  const columns = columnsOf(table);
  return {
    by: columns.filter((column) => !isSum(column)).map(({ name }) => name),
    sums: Object.fromEntries(
      columns.filter(isSum).map(({ name }) => [name, `${LATEST.has(name) ? 'max' : 'sum'}(${name})`]),
    ),
  };
}

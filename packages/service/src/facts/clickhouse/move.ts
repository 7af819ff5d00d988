/**
 * Copies the facts of a data folder to ClickHouse. Load numbers are kept, so the snapshot of a report is the same text
 * in both. Nothing is visible before the load log in PostgreSQL records the last load.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DERIVED_TABLES, type DerivedTable } from '../duckdb/derived.ts';
import { STORED_KINDS } from '../duckdb/kinds.ts';
import type { EngineProcess } from '../duckdb/process.ts';
import type { EngineRow, Step, Value } from '../duckdb/protocol.ts';
import { type ReadValue, row, text, whole } from '../duckdb/row-readers.ts';
import { openSql } from '../duckdb/statements.ts';
import { orderDateOf } from '../order.ts';
import { toServer } from './fetched.ts';
import { copiedRows, type FolderDay, nodeRowOf, nodeRowsOf } from './row-types.ts';
import { INSERT_MS, openServer, serverAddress, serverPart } from './server.ts';
import {
  columnsOf,
  dateOf,
  FACT_TABLES,
  type FactTable,
  keyOfTable,
  LIST_TABLES,
  RECORD_TABLES,
  rollupColumns,
  serverTables,
} from './tables.ts';

const { statement: folderText, fragment } = openSql(new URL('./folder.sql', import.meta.url));

/**
 * Rows in one insert, which is within one month: a million checks have 74 MB there, and an insert may last a minute.
 */
const ROWS = 500_000;
const READ_MS = 60 * 60_000;
/** Numbers for which a total makes no sense. */
const NO_TOTAL = /(_at|_local|^load_id)$/;
const NUMBERS = new Set(['TINYINT', 'INTEGER', 'BIGINT']);

/** Rows, and sums of the numeric columns, of a table in each month (`YYYYMM`, 0 for rows without a date), by month. */
export type Totals = ReadonlyMap<string, readonly string[]>;

interface FactsTarget {
  /** Throws Error with a sentence if any table has rows. */
  check(): Promise<void>;
  /** Copies everything through files in `scratch`, to which the engine can write. */
  copy(scratch: string): Promise<void>;
  /** Throws Error if the totals of a table differ from those of the folder. */
  verify(): Promise<void>;
  /** The number of the folder's last load. */
  lastLoad(): Promise<number>;
  /** The totals of the folder, by table. */
  totals(): Promise<ReadonlyMap<string, Totals>>;
  close(): Promise<void>;
}

type MovedTable = FactTable | DerivedTable | (typeof LIST_TABLES)[number];
const TABLES: readonly MovedTable[] = [...FACT_TABLES, ...DERIVED_TABLES, ...LIST_TABLES];

const isRecord = (table: MovedTable): boolean => (RECORD_TABLES as readonly string[]).includes(table);
const isFact = (table: MovedTable): table is FactTable => (FACT_TABLES as readonly string[]).includes(table);
const isRollup = (table: MovedTable): table is DerivedTable => (DERIVED_TABLES as readonly string[]).includes(table);

/** The columns whose sums are compared. */
const numbersOf = (table: MovedTable): string[] =>
  isRollup(table)
    ? Object.entries(rollupColumns(table).sums).flatMap(([name, sum]) => (sum.startsWith('sum') ? name : []))
    : columnsOf(table).flatMap(({ name, type }) => (NUMBERS.has(type) && !NO_TOTAL.test(name) ? name : []));

const dateIn = (table: MovedTable): string => (isFact(table) ? dateOf(table) : 'business_date');

/** A query of the folder's rows of a part, each with the load of its order. */
const partsOf = (table: string): string => fragment('parts', { table, orderDate: orderDateOf(table) });

/** A query of the folder's rows of a table, for its totals. */
function folderTotals(table: MovedTable): string {
  const name = isRecord(table)
    ? 'totalRecords'
    : isFact(table)
      ? 'totalParts'
      : isRollup(table)
        ? 'totalRollups'
        : 'totalLists';
  const columns = numbersOf(table);
  const words = { table, columns: columns.join(', '), rows: partsOf(table) };
  const rows = fragment(name, { ...words, ...(isFact(table) ? { date: dateOf(table) } : {}) });
  return folderText('totals', { rows, sums: columns.map((column) => fragment('sum', { column })).join(', ') });
}

/** The words of `totals` for a table. */
function serverTotals(table: MovedTable): Record<string, string> {
  const columns = numbersOf(table);
  return {
    table,
    date: isFact(table) || isRollup(table) ? dateIn(table) : '0',
    sign: isRecord(table) ? 'sign' : '1',
    columns: columns.join(', '),
    sums: columns.map((column) => serverPart('totalSum', { column })).join(', '),
  };
}

function totalsOf(table: MovedTable, rows: readonly EngineRow[]): Totals {
  const sums = numbersOf(table).map((column) => [`${column}_total`, text] as const);
  const read = row<Record<string, ReadValue<number | string>>>({
    month: whole,
    rows: whole,
    ...Object.fromEntries(sums),
  });
  return new Map(
    rows
      .map(read)
      .map(({ month, ...totals }) => [
        String(month),
        ['rows', ...sums.map(([name]) => name)].map((name) => String(totals[name])),
      ]),
  );
}

/** The months in which two totals differ. */
const differing = (one: Totals, other: Totals): string[] =>
  [...new Set([...one.keys(), ...other.keys()])]
    .filter((month) => one.get(month)?.join() !== other.get(month)?.join())
    .sort();

interface DaySpan {
  from: number;
  to: number;
}

/** Groups consecutive days of a month into spans of about this many rows. */
function spansOf(days: readonly FolderDay[]): DaySpan[] {
  const spans: (DaySpan & { rows: number })[] = [];
  for (const { day, rows } of days) {
    const last = spans.at(-1);
    const isSame = last && Math.trunc(last.to / 100) === Math.trunc(day / 100) && last.rows + rows <= ROWS;
    if (isSame) Object.assign(last, { to: day, rows: last.rows + rows });
    else spans.push({ from: day, to: day, rows });
  }
  return spans;
}

/** Opens the target, which must have been migrated. `engine` has the facts of the folder. */
export function openFactsTarget(url: string, engine: Pick<EngineProcess, 'run'>): FactsTarget {
  const address = serverAddress(url);
  const server = openServer(address.url, address.database, address.cluster);
  const run = async (sql: string, values?: Record<string, Value>): Promise<EngineRow[]> => {
    const step: Step = { sql, ...(values ? { values } : {}) };
    return (await engine.run(['long'], [step], { deadlineMs: READ_MS }))[0] ?? [];
  };
  const lastLoad = async (): Promise<number> => nodeRowOf('lastLoad', await run(folderText('lastLoad'))).load_id;

  /** Writes a file with the statement and inserts it. */
  async function send(table: string, sql: string, values: Record<string, Value>, scratch: string): Promise<void> {
    const file = join(scratch, `${table}.parquet`);
    try {
      const rows = copiedRows(await run(sql, { ...values, file }));
      // Clocks may differ by half of this.
      if (rows > 0) await server.insert(table, { file, rows }, Date.now() + INSERT_MS);
    } finally {
      await rm(file, { force: true });
    }
  }

  async function copyDays(table: FactTable | DerivedTable, load: number, scratch: string): Promise<void> {
    const words = { table, date: dateIn(table), columns: columnsOut(table), rows: partsOf(table) };
    const rows = fragment(
      isRollup(table) ? 'rollups' : 'records',
      isRollup(table) ? { table } : { table, date: words.date },
    );
    for (const span of spansOf(nodeRowsOf('days', await run(folderText('days', { rows }))))) {
      const days = { from: span.from, to: span.to };
      if (isRollup(table)) await send(table, folderText('rollupsOut', words), { ...days, load }, scratch);
      else await send(table, folderText(isRecord(table) ? 'recordsOut' : 'partsOut', words), days, scratch);
      const places = { table, date: words.date, key: isFact(table) ? keyOfTable(table) : '' };
      if (isRecord(table)) await send('places', folderText('placesOut', places), days, scratch);
    }
  }

  const totals = async (): Promise<Map<string, Totals>> => {
    const found = new Map<string, Totals>();
    for (const table of TABLES) found.set(table, totalsOf(table, nodeRowsOf('totals', await run(folderTotals(table)))));
    return found;
  };

  return {
    lastLoad,
    totals,
    async check() {
      const texts = serverTables().map(({ name }) => serverPart('tableRows', { table: name }));
      const rows = await server.rows('filled', { tables: texts.join(' union all ') });
      if (rows.length === 0) return;
      throw new Error(
        `the ClickHouse database ${address.database} is not empty (${rows.map(({ name }) => name).join(', ')}): a data folder is moved to empty stores only. If a move did not finish, begin again: drop this database, run daypart migrate, then daypart move`,
      );
    },
    async copy(scratch) {
      const load = await lastLoad();
      for (const table of [...FACT_TABLES, ...DERIVED_TABLES]) await copyDays(table, load, scratch);
      for (const table of LIST_TABLES)
        await send(table, folderText('listsOut', { table, columns: columnsOut(table) }), { load }, scratch);
    },
    async verify() {
      const wrong: string[] = [];
      const expected = await totals();
      for (const table of TABLES) {
        const found = totalsOf(table, await server.rows('totals', serverTotals(table), { deadlineMs: READ_MS }));
        wrong.push(...differing(expected.get(table) ?? new Map(), found).map((month) => `${table} ${month}`));
      }
      const places = await server.rows('placesByKind');
      for (const kind of Object.keys(STORED_KINDS)) {
        const rows = [...(expected.get(kind)?.values() ?? [])].reduce((sum, [count]) => sum + Number(count), 0);
        if ((places.find((row) => row.kind === kind)?.rows ?? 0) !== rows) wrong.push(`places of ${kind}`);
      }
      if (wrong.length > 0)
        throw new Error(
          `ClickHouse has other totals than the data folder (${wrong.join(', ')}). Nodes see none of its rows. Begin again: drop the database ${address.database}, run daypart migrate, then daypart move`,
        );
    },
    close: () => server.close(),
  };
}

/** The columns of a table as ClickHouse stores them; the statement adds the load of a fact. */
const columnsOut = (table: MovedTable): string =>
  columnsOf(table)
    .filter(({ name }) => !(isFact(table) && name === 'load_id'))
    .map(toServer)
    .join(', ');

/** Receives the tables of an embedded ledger, in one transaction. */
import pg from 'pg';
import { loadStatements } from '../../storage/sql.ts';
import type { ReportForm } from '../form.ts';
import { LedgerGone } from '../ledger.ts';
import type { LedgerRow, LedgerTable, LedgerTables } from '../tables.ts';
import { connectionTo, type Run, sendTo } from './pool.ts';

const SQL = loadStatements(new URL('./move.sql', import.meta.url));

/** The key of the lock, the same in all versions: "dayp", "move". */
const LOCK = [0x64617970, 0x6d6f7665];
/** Tables that `daypart migrate` and a node that has only started write to. `facts_log` is checked separately. */
const OF_EMPTY = new Set(['schema_version', 'identity', 'ledger_clock', 'facts_log']);
const FORMS: LedgerTable = {
  name: 'report_form',
  columns: ['report_guid', 'attempt', 'name', 'key', 'byte_count', 'sha256'],
};
/** Rows in one statement: a plan or a list of forms has some kB. */
const ROWS = 500;

interface LedgerTarget {
  /** Throws Error with a sentence if the database has rows or lacks a column of the source. */
  check(source: LedgerTables): Promise<void>;
  /**
   * Adds all rows and these forms, and records which load of the facts is the last, in one commit. Throws like `check`,
   * and if the number of rows in a table differs afterwards; nothing is changed then.
   */
  receive(source: LedgerTables, forms: readonly ReportForm[], lastLoad: number): Promise<void>;
  close(): Promise<void>;
}

const quoted = (name: string): string => `"${name}"`;
const moveText = (name: string, table = '', column = '', columns: readonly string[] = []): string =>
  (SQL[name] ?? '')
    .replaceAll('{table}', table)
    .replaceAll('{columns}', columns.map(quoted).join(', '))
    .replaceAll('{column}', column);

function* chunksOf(rows: Iterable<LedgerRow>): Generator<LedgerRow[]> {
  let chunk: LedgerRow[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < ROWS) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

const rowOf = ({ guid, bytes, ...form }: ReportForm): LedgerRow => ({ ...form, report_guid: guid, byte_count: bytes });

interface MovedColumn {
  table: string;
  name: string;
  is_identity: boolean;
}

/** Throws Error if any of the tables has rows, or a load has begun. */
async function refuseRows(run: Run, columns: readonly MovedColumn[]): Promise<void> {
  const { rows } = await run<{ last_load: number; last_promotion: number }>({ text: moveText('loads') });
  const filled = rows.every(({ last_load, last_promotion }) => last_load === 0 && last_promotion === 0)
    ? []
    : ['facts_log'];
  for (const table of new Set(columns.map((column) => column.table))) {
    if (OF_EMPTY.has(table)) continue;
    const found = await run<{ has_rows: boolean }>({ text: moveText('hasRows', table) });
    if (found.rows[0]?.has_rows) filled.push(table);
  }
  if (filled.length > 0)
    throw new Error(
      `the database of DAYPART_LEDGER is not empty (${filled.join(', ')}): a data folder is moved to empty stores only. Use a new PostgreSQL database, a new ClickHouse database and a new prefix in the bucket, and run daypart migrate; nothing was changed`,
    );
}

/**
 * Opens the database, which must be migrated, and locks out other moves. Throws Error if one is running, LedgerGone.
 */
export async function openLedgerTarget(url: string): Promise<LedgerTarget> {
  // Copying a table of millions of rows takes longer than the timeouts of a service allow, as do the pauses between the
  // statements.
  const unbounded = { statement_timeout: 0, query_timeout: 0, idle_in_transaction_session_timeout: 0 };
  const client = new pg.Client({ ...connectionTo(url), ...unbounded });
  client.on('error', () => undefined);
  const run: Run = (statement) => sendTo(client, statement, true);
  const close = (): Promise<void> => client.end();
  try {
    await client.connect().catch((error: unknown) => {
      throw new LedgerGone(error, false);
    });
    const { rows } = await run<{ is_ours: boolean }>({ text: moveText('lock'), values: LOCK });
    if (!rows[0]?.is_ours) throw new Error('another daypart move into the same stores is running; nothing was changed');
  } catch (error) {
    await close();
    throw error;
  }
  const columnsOf = async (): Promise<MovedColumn[]> =>
    (await run<MovedColumn & pg.QueryResultRow>({ text: moveText('columns') })).rows;

  function checkColumns(source: LedgerTables, columns: readonly MovedColumn[]): void {
    const known = new Set(columns.map(({ table, name }) => `${table}.${name}`));
    const missing = source.tables.flatMap(({ name, columns: own }) =>
      own.map((column) => `${name}.${column}`).filter((column) => !known.has(column)),
    );
    if (missing.length > 0)
      throw new Error(
        `the database of DAYPART_LEDGER lacks ${missing.join(', ')}: run daypart migrate of this version`,
      );
  }

  async function add(table: LedgerTable, rows: Iterable<LedgerRow>, expected: number): Promise<void> {
    const text = moveText('insert', table.name, '', table.columns);
    for (const chunk of chunksOf(rows)) await run({ text, values: [JSON.stringify(chunk)] });
    const counted = await run<{ rows: number }>({ text: moveText('count', table.name) });
    const found = counted.rows[0]?.rows;
    if (found !== expected) throw new Error(`${table.name} has ${found} rows after the move instead of ${expected}`);
  }

  async function addAll(source: LedgerTables, forms: readonly ReportForm[], lastLoad: number): Promise<void> {
    const columns = await columnsOf();
    checkColumns(source, columns);
    const tables = [...source.tables, FORMS];
    for (const { name } of tables) await run({ text: moveText('triggersOff', name) });
    // From here on nobody else can change the tables.
    await refuseRows(run, columns);
    for (const table of source.tables) await add(table, source.rows(table), source.count(table));
    await add(FORMS, forms.map(rowOf), forms.length);
    for (const { table, name, is_identity } of columns)
      if (is_identity) await run({ text: moveText('setSequence', table, name) });
    for (const { name } of tables) await run({ text: moveText('triggersOn', name) });
    await run({ text: moveText('setLoads'), values: [lastLoad] });
  }

  return {
    async check(source) {
      const columns = await columnsOf();
      checkColumns(source, columns);
      await refuseRows(run, columns);
    },
    async receive(source, forms, lastLoad) {
      await run({ text: 'begin' });
      try {
        await addAll(source, forms, lastLoad);
        await run({ text: 'commit' });
      } catch (error) {
        // If the connection is lost, the server ends the transaction itself.
        await run({ text: 'rollback' }).catch(() => undefined);
        throw error;
      }
    },
    close,
  };
}

/** The ClickHouse server: statements, results as rows or as Parquet files, and inserts of Parquet files. */
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type ClickHouseClient, ClickHouseError, type ClickHouseSettings } from '@clickhouse/client';
import { checkedInteger } from '../duckdb/literals.ts';
import { openSql } from '../duckdb/statements.ts';
import { EngineGone, EngineTimeout, FactsGone } from '../errors.ts';
import { openHost } from './host.ts';
import { createHosts } from './hosts.ts';
import { type ServerRow, type ServerStatement, serverRowOf, serverRowsOf } from './row-types.ts';
import { serverTables } from './tables.ts';

export { serverAddress } from '../../storage/store-address.ts';

/** Statements of server.sql, and parts of them, with constants for their {words}. */
export const { statement: serverText, fragment: serverPart } = openSql(new URL('./server.sql', import.meta.url));

/** The longest time of an insert on the server: after twice that, rows sent earlier are stored or never will be. */
export const INSERT_MS = 60_000;
const READ_MS = 5 * 60_000;

/** Constants for the {words} of a statement. */
type Words = Record<string, string>;

export interface CallOptions {
  params?: Record<string, unknown>;
  deadlineMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A Parquet file and its number of rows. */
export interface RowFile {
  file: string;
  rows: number;
}

/** Its methods throw FactsGone while the server cannot be reached, and after 8 s without any answer from it. */
export interface Server {
  /** The rows of a statement of server.sql. Throws TypeError where they are not what row-types.ts says. */
  rows<Name extends ServerStatement>(name: Name, words?: Words, options?: CallOptions): Promise<ServerRow<Name>[]>;
  /** The row of one that always has one. */
  row<Name extends ServerStatement>(name: Name, words?: Words, options?: CallOptions): Promise<ServerRow<Name>>;
  /** Writes the result to a file. Throws EngineGone if it is cut off. */
  parquet(sql: string, file: string, options?: CallOptions): Promise<void>;
  run(sql: string, params?: Record<string, unknown>): Promise<void>;
  /**
   * Inserts the rows of a Parquet file, or objects, if it begins before the instant `until` (ms since 1970 UTC). If it
   * throws, some of them may be stored, or arrive later. Throws FactsGone unless the server confirms that it wrote all
   * of them.
   */
  insert(table: string, rows: RowFile | readonly object[], until: number): Promise<void>;
  close(): Promise<void>;
}

const SETTINGS: ClickHouseSettings = {
  // A sum has the same name as the column that is summed.
  prefer_column_name_to_alias: 1,
  join_use_nulls: 1,
  output_format_json_quote_64bit_integers: 0,
  output_format_parquet_string_as_string: 1,
  output_format_parquet_compression_method: 'lz4',
  // Lists of restaurants and GUIDs are part of the text.
  max_query_size: String(16 * 1024 * 1024),
};
const INSERT_SETTINGS: ClickHouseSettings = {
  max_execution_time: INSERT_MS / 1000,
  // An import of several years is one load.
  max_partitions_per_insert_block: '0',
  input_format_null_as_default: 0,
  insert_deduplicate: 0,
  // The answer must have the number of rows written, so it must come after that; newer servers (26.7) defer inserts by
  // default.
  async_insert: 0,
  wait_end_of_query: 1,
};

/** With replicas, a write is acknowledged when most of them have it. The wait is shorter than an insert may last. */
const QUORUM_SETTINGS: ClickHouseSettings = {
  insert_quorum: 'auto',
  insert_quorum_timeout: INSERT_MS / 3,
};

/**
 * Error codes of a server that is stopping, or of a replica that is not connected to the others: another host may
 * answer.
 */
const AWAY = new Set(['209', '210', '225', '236', '242', '244', '254', '999']);
/**
 * Error codes of a server that is available and cannot do it now: the same call may succeed later. 285, 286 and 319: a
 * quorum was not reached; 341: not all replicas have carried out a deletion; 394: the query was cancelled, as a server
 * does with all before it stops; 439 and 745: no thread is free for it.
 */
const OVERLOADED = new Set([...AWAY, '202', '241', '252', '285', '286', '319', '341', '394', '439', '745']);

/** A statement took longer than the server allows, which is no fault of the server. */
const TOO_LONG = '159';

/** Whether the connection failed, or the server said that it cannot do it now. */
const isOfConnection = (error: Error & { code?: string }): boolean =>
  error instanceof ClickHouseError ||
  error instanceof EngineGone ||
  /^(E[A-Z]+|ERR_STREAM_PREMATURE_CLOSE|ABORT_ERR)$/.test(error.code ?? '') ||
  /socket|aborted|connection/i.test(error.message);

/** Whether the host is at fault, and not the request. */
const isAway = (error: unknown): boolean =>
  error instanceof ClickHouseError ? AWAY.has(error.code) : isOfConnection(error as Error);

/** Converts an error to one that callers of the facts know. */
function failure(error: unknown, bounds: CallOptions): unknown {
  if (bounds.signal?.aborted) return new EngineGone('the work was cancelled');
  // Texts of other errors speak of timeouts as well: 209 of one between servers.
  if (error instanceof ClickHouseError && error.code !== TOO_LONG)
    return OVERLOADED.has(error.code) ? new FactsGone('the facts server cannot answer now', error) : error;
  if (/timeout/i.test((error as Error).message)) return new EngineTimeout('the facts server did not answer in time');
  if (!isOfConnection(error as Error)) return error;
  return new FactsGone('the facts server did not answer', error);
}

/** The columns of every table. */
const COLUMNS_BY_TABLE = new Map(serverTables().map(({ name, columns }) => [name, columns]));
const OTHER_TABLES = new Set(['schema_version', 'identity']);

const MARK = 'PAR1';

/** A Parquet file ends with its index, so one that was cut off has none. Throws EngineGone. */
async function checkWhole(file: string): Promise<void> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(MARK.length), 0, MARK.length, Math.max(0, size - MARK.length));
    if (size < 3 * MARK.length || buffer.toString('latin1') !== MARK)
      throw new EngineGone('the answer of the facts server was cut off');
  } finally {
    await handle.close();
  }
}

/** Throws FactsGone unless the server confirms that it wrote as many rows as were sent. */
function checkWritten(sent: number, written: string | undefined): void {
  if (Number(written) === sent) return;
  throw new FactsGone(`the facts server confirmed ${written ?? 'no number'} of ${sent} rows`);
}

function insertText(table: string, format: string, until: number): string {
  const columns = COLUMNS_BY_TABLE.get(table) ?? [];
  return serverText('insert', {
    table,
    format,
    names: columns.map(([name]) => name).join(', '),
    columns: columns.map(([name, type]) => `${name} ${type}`).join(', '),
    notLate: notLate(until),
  });
}

/** A condition that throws if the text runs after the instant (ms since 1970 UTC), by the server's clock. */
export const notLate = (until: number): string => serverPart('notLate', { until: String(checkedInteger(until)) });

/** The tables that a text reads, of which a replica may lack rows that others have acknowledged. */
const tablesIn = (sql: string): Set<string> => {
  const named = sql.matchAll(/\b(?:from|join)\s+(\w+)/gi);
  return new Set(
    [...named].flatMap(([, table = '']) => (COLUMNS_BY_TABLE.has(table) || OTHER_TABLES.has(table) ? [table] : [])),
  );
};

/**
 * Opens a server by the URLs of its hosts; nothing is sent yet. Without `database`, only statements that require none
 * can be run. With
 * `cluster` each host is a replica: writes are acknowledged by most of them, and a host is brought up to date before it
 * is read.
 */
export function openServer(url: string | readonly string[], database?: string, cluster?: string): Server {
  const isReplicated = cluster !== undefined;
  const settings = { ...SETTINGS, ...(isReplicated ? QUORUM_SETTINGS : {}) };
  const all = [url].flat().map((one) => openHost({ url: one, database, timeoutMs: READ_MS, settings }));
  const hosts = createHosts(all, isAway);

  async function within<T>(
    options: CallOptions & { mayRepeat: boolean },
    work: (client: ClickHouseClient, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { deadlineMs = READ_MS, signal: ended, mayRepeat } = options;
    const late = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs)));
    const signal = ended ? AbortSignal.any([ended, late]) : late;
    try {
      return await hosts.call((host) => host.call(work, signal), { mayRepeat, signal });
    } catch (error) {
      if (late.aborted && !ended?.aborted) throw new EngineTimeout('the facts server did not answer in time');
      throw failure(error, options);
    }
  }

  /** Waits until the host has the rows that were acknowledged earlier. */
  async function bringUpToDate(client: ClickHouseClient, sql: string, abort_signal: AbortSignal): Promise<void> {
    if (!isReplicated) return;
    const syncs = [...tablesIn(sql)].map((table) =>
      client.command({ query: serverText('syncReplica', { table }), abort_signal }),
    );
    await Promise.all(syncs);
  }

  const answer = (query: string, options: CallOptions): Promise<unknown[]> =>
    within({ ...options, mayRepeat: true }, async (client, abort_signal) => {
      await bringUpToDate(client, query, abort_signal);
      const result = await client.query({
        query,
        abort_signal,
        format: 'JSONEachRow' as const,
        ...(options.params ? { query_params: options.params } : {}),
      });
      return await result.json();
    });

  return {
    rows: async (name, words, options = {}) => serverRowsOf(name, await answer(serverText(name, words), options)),
    row: async (name, words, options = {}) => serverRowOf(name, await answer(serverText(name, words), options)),
    parquet: (query, file, options = {}) =>
      within({ ...options, mayRepeat: true }, async (client, abort_signal) => {
        await bringUpToDate(client, query, abort_signal);
        const { stream } = await client.exec({ query: `${query}\nformat Parquet`, abort_signal });
        await pipeline(stream, createWriteStream(file, { mode: 0o600 }), { signal: abort_signal });
        await checkWhole(file);
      }),
    run: (query, params) =>
      within({ mayRepeat: false }, async (client, abort_signal) => {
        await bringUpToDate(client, query, abort_signal);
        await client.command({ query, abort_signal, ...(params ? { query_params: params } : {}) });
      }),
    insert: (table, rows, until) =>
      within({ deadlineMs: INSERT_MS, mayRepeat: false }, async (client, abort_signal) => {
        const query = insertText(table, 'file' in rows ? 'Parquet' : 'JSONEachRow', until);
        // Opened first: a stream that opens its file while the call ends has nobody who handles that it cannot.
        const values =
          'file' in rows
            ? (await open(rows.file)).createReadStream()
            : Readable.from(rows.map((row) => `${JSON.stringify(row)}\n`));
        try {
          const request = { query, values, abort_signal, clickhouse_settings: INSERT_SETTINGS };
          const { stream, summary } = await client.exec(request);
          await buffer(stream);
          checkWritten('file' in rows ? rows.rows : rows.length, summary?.written_rows);
        } finally {
          values.destroy();
        }
      }),
    async close() {
      await Promise.all(all.map((host) => host.close()));
    },
  };
}

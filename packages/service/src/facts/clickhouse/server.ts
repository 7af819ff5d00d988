/** The ClickHouse server: statements, answers as rows or as Parquet files, and inserts of Parquet files. */
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import { EngineGone, EngineTimeout, FactsGone } from '../bounds.ts';
import { checkedInteger } from '../duckdb/checked.ts';
import type { Row } from '../duckdb/protocol.ts';
import { openSql } from '../duckdb/statements.ts';
import { watchPulse } from './pulse.ts';
import { serverTables } from './tables.ts';

/** Statements of server.sql, and parts of them, with constants for their {words}. */
export const { whole: serverText, part: serverPart } = openSql(new URL('./server.sql', import.meta.url));

/** No insert lasts longer on the server: what was sent before is there, or never will be, after twice that. */
export const INSERT_MS = 60_000;
const READ_MS = 5 * 60_000;
/** A ping that is not answered within this is sent again. */
const PING_MS = 3000;

export interface Asked {
  params?: Record<string, unknown>;
  deadlineMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The rows of a Parquet file, and how many there are. */
export interface RowFile {
  file: string;
  rows: number;
}

/** Its methods throw FactsGone while the server cannot be reached, and after 8 s in which it answers nothing. */
export interface Server {
  rows(sql: string, asked?: Asked): Promise<Row[]>;
  /** Writes the answer to a file. Throws EngineGone where it breaks off. */
  parquet(sql: string, file: string, asked?: Asked): Promise<void>;
  run(sql: string, params?: Record<string, unknown>): Promise<void>;
  /**
   * Inserts the rows of a Parquet file, or objects, if it begins before the instant `until`, milliseconds UTC. Where it throws, some of
   * them may be there, or come later. Throws FactsGone where the server does not confirm that it wrote all of them.
   */
  insert(table: string, rows: RowFile | readonly object[], until: number): Promise<void>;
  close(): Promise<void>;
}

const SETTINGS: ClickHouseSettings = {
  // A sum is named as what is summed.
  prefer_column_name_to_alias: 1,
  join_use_nulls: 1,
  output_format_json_quote_64bit_integers: 0,
  output_format_parquet_string_as_string: 1,
  output_format_parquet_compression_method: 'lz4',
  // Lists of restaurants and GUIDs are in the text.
  max_query_size: String(16 * 1024 * 1024),
};
const INSERT_SETTINGS: ClickHouseSettings = {
  max_execution_time: INSERT_MS / 1000,
  // An import of years is one load.
  max_partitions_per_insert_block: '0',
  input_format_null_as_default: 0,
  insert_deduplicate: 0,
  // The answer says how many rows were written, so it has to come after that, and newer servers (26.7) join inserts by default.
  async_insert: 0,
  wait_end_of_query: 1,
};

/** Answers of a server that is there and too busy, or stopping: the same call may succeed later. */
const OVERLOADED = new Set(['159', '202', '209', '210', '236', '241', '242', '252', '319']);

/** Whether the connection failed, or the server said that it cannot do it now. */
const isOfConnection = (error: Error & { code?: string }): boolean =>
  error instanceof ClickHouseError ||
  error instanceof EngineGone ||
  /^(E[A-Z]+|ERR_STREAM_PREMATURE_CLOSE|ABORT_ERR)$/.test(error.code ?? '') ||
  /socket|aborted|connection/i.test(error.message);

/** What went wrong, as callers of the facts know it. */
function failure(error: unknown, bounds: Asked): unknown {
  if (bounds.signal?.aborted) return new EngineGone('the work was cancelled');
  if (error instanceof ClickHouseError && !OVERLOADED.has(error.code)) return error;
  if (/timeout/i.test((error as Error).message)) return new EngineTimeout('the facts server did not answer in time');
  if (!isOfConnection(error as Error)) return error;
  return new FactsGone('the facts server did not answer', error);
}

/** Of every table. */
const COLUMNS = new Map(serverTables().map(({ name, columns }) => [name, columns]));

const MARK = 'PAR1';

/** A Parquet file ends with its index: one that was cut off has none. Throws EngineGone. */
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

/** Throws FactsGone where the server does not say that it wrote as many rows as were sent. */
function checkWritten(sent: number, written: string | undefined): void {
  if (Number(written) === sent) return;
  throw new FactsGone(`the facts server confirmed ${written ?? 'no number'} of ${sent} rows`);
}

/** `clickhouse://user:password@host:8123/database`, with `?secure=true` over TLS; `http:` and `https:` are taken as well. */
export function serverAddress(url: string): { url: string; database: string } {
  const address = new URL(url.replace(/^clickhouse:/, 'http:'));
  const database = address.pathname.slice(1) || 'default';
  if (!/^\w+$/.test(database)) throw new Error(`${database} is not the name of a database`);
  if (address.searchParams.get('secure') === 'true') address.protocol = 'https:';
  if (url.startsWith('clickhouse:') && address.port === '')
    address.port = address.protocol === 'https:' ? '8443' : '8123';
  address.pathname = '';
  address.search = '';
  return { url: address.href, database };
}

function insertText(table: string, format: string, until: number): string {
  const columns = COLUMNS.get(table) ?? [];
  return serverText('insert', {
    ...{ table, format },
    names: columns.map(([name]) => name).join(', '),
    columns: columns.map(([name, type]) => `${name} ${type}`).join(', '),
    notLate: notLate(until),
  });
}

/** Throws where the text is run after the instant, milliseconds UTC, by the server's clock. */
export const notLate = (until: number): string => serverPart('notLate', { until: String(checkedInteger(until)) });

/** Opens a server; nothing is sent yet. Without `database` only what needs none can be run. */
export function openServer(url: string, database?: string): Server {
  const both = {
    url,
    application: 'daypart',
    // What fails is thrown, with its cause.
    log: { level: ClickHouseLogLevel.OFF },
  };
  const client: ClickHouseClient = createClient({
    ...both,
    ...(database === undefined ? {} : { database }),
    request_timeout: READ_MS,
    max_open_connections: 16,
    clickhouse_settings: SETTINGS,
  });
  // Pings do not wait for a connection that queries have.
  const pings = createClient({ ...both, request_timeout: PING_MS, max_open_connections: 1 });
  const pulse = watchPulse(async () => (await pings.ping()).success);

  async function within<T>(asked: Asked, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { deadlineMs = READ_MS, signal } = asked;
    const late = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs)));
    const bounds = signal ? [signal, late] : [late];
    try {
      return await pulse.during((silent) => work(AbortSignal.any([...bounds, silent])));
    } catch (error) {
      if (late.aborted && !signal?.aborted) throw new EngineTimeout('the facts server did not answer in time');
      throw failure(error, asked);
    }
  }

  return {
    rows: (query, asked = {}) =>
      within(asked, async (abort_signal) => {
        const result = await client.query({
          ...{ query, abort_signal, format: 'JSONEachRow' as const },
          ...(asked.params ? { query_params: asked.params } : {}),
        });
        return await result.json<Row>();
      }),
    parquet: (query, file, asked = {}) =>
      within(asked, async (abort_signal) => {
        const { stream } = await client.exec({ query: `${query}\nformat Parquet`, abort_signal });
        await pipeline(stream, createWriteStream(file, { mode: 0o600 }), { signal: abort_signal });
        await checkWhole(file);
      }),
    run: (query, params) =>
      within({}, async (abort_signal) => {
        await client.command({ query, abort_signal, ...(params ? { query_params: params } : {}) });
      }),
    insert: (table, rows, until) =>
      within({ deadlineMs: INSERT_MS }, async (abort_signal) => {
        const query = insertText(table, 'file' in rows ? 'Parquet' : 'JSONEachRow', until);
        const values =
          'file' in rows ? createReadStream(rows.file) : Readable.from(rows.map((row) => `${JSON.stringify(row)}\n`));
        const asked = { query, values, abort_signal, clickhouse_settings: INSERT_SETTINGS };
        const { stream, summary } = await client.exec(asked);
        await buffer(stream);
        checkWritten('file' in rows ? rows.rows : rows.length, summary?.written_rows);
      }),
    async close() {
      pulse.stop();
      await Promise.all([client.close(), pings.close()]);
    },
  };
}

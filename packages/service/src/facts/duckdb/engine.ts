/** The engine's process: DuckDB on one file, one thread. It ends when its parent does. */

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type FromEngine, LANES, type Lane, type Row, type ToEngine } from './protocol.ts';
import { takeRewritten } from './removal.ts';
import { openRows } from './rows.ts';
import { rebuildSteps } from './steps.ts';
import { openTogether } from './together.ts';

const MIGRATIONS = new URL('./migrations/', import.meta.url);

const send = (message: FromEngine): void => {
  if (process.connected) process.send?.(message);
};

/** The first line of a migration after which the rollups have to be computed again: minutes for 91 M checks. */
const REBUILD = '-- rebuild\n';

/** Applies missing migrations in one transaction, so that a kill never leaves facts without matching rollups. */
async function migrate(connection: DuckDBConnection): Promise<void> {
  await connection.run('create table if not exists schema_version (version integer not null)');
  const reader = await connection.runAndReadAll('select coalesce(max(version), 0) as version from schema_version');
  const current = Number(reader.getRowObjectsJS()[0]?.version);
  const files = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const known = Number.parseInt(files.at(-1) ?? '0', 10);
  if (current > known) {
    throw new Error(`the facts were written by a newer daypart (schema ${current}, this one knows ${known})`);
  }
  if (current === known) return;
  let rebuild = false;
  await connection.run('begin');
  for (const file of files) {
    const version = Number.parseInt(file, 10);
    if (version <= current) continue;
    const sql = readFileSync(new URL(file, MIGRATIONS), 'utf8');
    await connection.run('insert into schema_version values ($version)', { version });
    await connection.run(sql);
    rebuild ||= sql.startsWith(REBUILD);
  }
  // For facts older than the rollups, or older than one of their columns. A new file has no facts, so the step is skipped:
  // it takes 60 ms of processor time, a fifth of a first start.
  if (rebuild && current > 0) for (const { sql } of rebuildSteps()) await connection.run(sql);
  await connection.run('commit');
}

/** Makes DuckDB's files private; an earlier version made the first two readable for everyone. */
function makePrivate(folder: string): void {
  process.umask(0o077);
  for (const name of ['facts.duckdb', 'facts.duckdb.wal']) {
    const path = join(folder, name);
    if (existsSync(path)) chmodSync(path, 0o600);
  }
}

async function open(folder: string, memoryMb: number, readable: string[]): Promise<DuckDBInstance> {
  // Not recursive: an engine that is started again would make a data folder that was removed.
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  makePrivate(folder);
  takeRewritten(folder);
  const instance = await DuckDBInstance.create(join(folder, 'facts.duckdb'), {
    threads: '1',
    memory_limit: `${memoryMb}MB`,
    temp_directory: join(folder, 'tmp'),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // The checkpoint of a commit joins no row groups, for which loads would wait: row-groups.ts does, when nothing is loaded.
    max_vacuum_tasks: '0',
    // How much a start after a kill reads again, in about a second; with 16 MB there was a checkpoint for every 15,000 orders.
    checkpoint_threshold: '64MB',
  });
  // The file is locked now, so leftovers of a killed engine are not in use.
  rmSync(join(folder, 'tmp'), { recursive: true, force: true });
  mkdirSync(join(folder, 'tmp'), { mode: 0o700 });
  // SQL may access the service's own folders and no other files of the machine.
  const quoted = [folder, ...readable].map((path) => `'${path.replaceAll("'", "''")}'`).join(', ');
  const connection = await instance.connect();
  await connection.run(`set allowed_directories = [${quoted}]`);
  await connection.run('set enable_external_access = false');
  connection.closeSync();
  return instance;
}

/** The engine reports the progress of a statement only if a session enables it, and by default only after 2 s. */
const TELL_PROGRESS = [
  'set enable_progress_bar = true',
  'set enable_progress_bar_print = false',
  'set progress_bar_time = 0',
];
const PROGRESS_MS = 200;
/**
 * Sums by groups with close numeric keys are kept in an array, by default of up to 4,096 entries. Preparing one took 3 of the
 * 17 ms of a day of eight restaurants, and gains nothing if so few rows are read.
 */
const SHORT_SUMS = 'set session perfect_ht_threshold = 8';

/** Reports the progress of a call: how many of its steps are done. The engine returns -1 if it does not know. */
function watchProgress(connection: DuckDBConnection, id: number, at: () => { step: number; of: number }): () => void {
  let reported = 0;
  const timer = setInterval(() => {
    const { step, of } = at();
    const done = (step + Math.min(Math.max(connection.progress.percentage, 0), 100) / 100) / of;
    if (done <= reported) return;
    reported = done;
    send({ kind: 'progress', id, done });
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}

async function run(connection: DuckDBConnection, message: Extract<ToEngine, { kind: 'run' }>): Promise<Row[][]> {
  const rows: Row[][] = [];
  const unwatch = message.watched
    ? watchProgress(connection, message.id, () => ({ step: rows.length, of: message.steps.length }))
    : () => undefined;
  const { transaction } = message;
  if (transaction === 'whole' || transaction === 'begin') await connection.run('begin');
  try {
    for (const { sql, values, needs } of message.steps) {
      if (needs !== undefined && !Number(rows[needs]?.[0]?.Count)) {
        rows.push([]);
        continue;
      }
      const reader = await connection.runAndReadAll(sql, values);
      rows.push(reader.getRowObjectsJS() as Row[]);
    }
    if (transaction === 'whole' || transaction === 'commit') await connection.run('commit');
    if (transaction === 'rollback') await connection.run('rollback');
    return rows;
  } catch (error) {
    // A transaction that failed to commit no longer exists, so there may be nothing to roll back.
    if (transaction !== 'none') await connection.run('rollback').catch(() => undefined);
    throw error;
  } finally {
    unwatch();
  }
}

const FULL = /No space left|disk is full|failed to offload|max_temp_directory_size/i;
/** After these errors DuckDB refuses everything until the file is opened again. */
const FATAL = /database has been invalidated|FATAL|INTERNAL Error/i;

const INTERRUPT_MS = 20;

async function main(): Promise<void> {
  const [folder = '', memoryMb = '', ...readable] = process.argv.slice(2);
  let instance: DuckDBInstance;
  const connections = new Map<Lane, DuckDBConnection>();
  try {
    instance = await open(folder, Number(memoryMb), readable);
    for (const lane of LANES) connections.set(lane, await instance.connect());
    for (const connection of connections.values()) for (const sql of TELL_PROGRESS) await connection.run(sql);
    await connections.get('short')?.run(SHORT_SUMS);
    await migrate(connections.get('write') as DuckDBConnection);
  } catch (error) {
    const { message } = error as Error;
    send({ kind: 'refused', message, full: FULL.test(message) });
    process.exit(1);
  }
  const small = openTogether(openRows(connections.get('write') as DuckDBConnection));
  const running = new Set<Promise<unknown>>();
  /**
   * A running query would use what is closed here, and crash: so it is interrupted and awaited. An interrupt that
   * arrives before the query has begun, or between two statements, is lost, so it is repeated.
   */
  const close = async (): Promise<void> => {
    while (running.size > 0) {
      for (const connection of connections.values()) connection.interrupt();
      await Promise.race([Promise.allSettled(running), sleep(INTERRUPT_MS)]);
    }
    for (const connection of connections.values()) connection.closeSync();
    instance.closeSync();
    process.exit(0);
  };
  let closing = false;
  // An exit would wait for a thread inside a query, and hold the file meanwhile: seconds or minutes. Committed data
  // is on disk.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.on('message', (message: ToEngine) => {
    if (closing) return;
    if (message.kind === 'close') {
      closing = true;
      return void close();
    }
    if (message.kind === 'interrupt') return connections.get(message.lane)?.interrupt();
    const work: Promise<Row[][]> =
      message.kind === 'merge'
        ? small.merge(message.together).then((merged) => [merged.map((load) => ({ ...load }))])
        : run(connections.get(message.lane) as DuckDBConnection, message).finally(() =>
            small.ran(message.steps, message.transaction),
          );
    running.add(work);
    const ended = (): boolean => running.delete(work);
    work.then(ended, ended);
    work.then(
      (rows) => send({ kind: 'done', id: message.id, rows }),
      (error: Error) => {
        const full = FULL.test(error.message);
        send({
          kind: 'failed',
          id: message.id,
          message: error.message,
          full,
          fatal: full || FATAL.test(error.message),
        });
      },
    );
  });
  send({ kind: 'ready' });
}

// Ctrl-C in a terminal reaches the whole process group; the parent decides when the engine ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
await main();

/** The engine's process: DuckDB on one file, one thread. It ends when its parent does. */

import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { serveCalls } from '../../threads/calls.ts';
import { parentProcess } from '../../threads/peers.ts';
import { openBatchMerge } from './batch-merge.ts';
import { rebuildSteps } from './derived.ts';
import { factsMigrations } from './place.ts';
import { type EngineCalls, type EngineFailure, type EngineRow, LANES, type Lane, type RunInput } from './protocol.ts';
import { takeRewritten } from './removal.ts';
import { openRows } from './rows.ts';

/** The first line of a migration after which the rollups have to be computed again: minutes for 91 M checks. */
const REBUILD = '-- rebuild\n';

/** Applies missing migrations in one transaction, so that a kill never leaves facts without matching rollups. */
async function migrate(connection: DuckDBConnection): Promise<void> {
  await connection.run('create table if not exists schema_version (version integer not null)');
  const reader = await connection.runAndReadAll('select coalesce(max(version), 0) as version from schema_version');
  const current = Number(reader.getRowObjectsJS()[0]?.version);
  const migrations = factsMigrations();
  const known = migrations.at(-1)?.version ?? 0;
  if (current > known) {
    throw new Error(`the facts were written by a newer daypart (schema ${current}, this one knows ${known})`);
  }
  if (current === known) return;
  let rebuild = false;
  await connection.run('begin');
  for (const migration of migrations) {
    const { version } = migration;
    if (version <= current) continue;
    const sql = migration.sql();
    await connection.run('insert into schema_version values ($version)', { version });
    await connection.run(sql);
    rebuild ||= sql.startsWith(REBUILD);
  }
  // For facts older than the rollups, or older than one of their columns. A new file has no facts, so the step is
  // skipped: it takes 60 ms of processor time, a fifth of a first start.
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
    // The checkpoint of a commit joins no row groups, for which loads would wait: row-groups.ts does, when nothing is
    // loaded.
    max_vacuum_tasks: '0',
    // How much a start after a kill reads again, in about a second; with 16 MB there was a checkpoint for every 15,000
    // orders.
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
 * Sums by groups with close numeric keys are kept in an array, by default of up to 4,096 entries. Preparing one took 3
 * of the 17 ms of a day of eight restaurants, and gains nothing if so few rows are read.
 */
const SHORT_SUMS = 'set session perfect_ht_threshold = 8';

/** Reports the progress of a call: how many of its steps are done. The engine returns -1 if it does not know. */
function watchProgress(
  connection: DuckDBConnection,
  onProgress: (done: number) => void,
  at: () => { step: number; of: number },
): () => void {
  let reported = 0;
  const timer = setInterval(() => {
    const { step, of } = at();
    const done = (step + Math.min(Math.max(connection.progress.percentage, 0), 100) / 100) / of;
    if (done <= reported) return;
    reported = done;
    onProgress(done);
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}

async function run(
  connection: DuckDBConnection,
  { transaction, watched, steps }: RunInput,
  onProgress: (done: number) => void,
): Promise<EngineRow[][]> {
  const rows: EngineRow[][] = [];
  const unwatch = watched
    ? watchProgress(connection, onProgress, () => ({ step: rows.length, of: steps.length }))
    : () => undefined;
  if (transaction === 'whole' || transaction === 'begin') await connection.run('begin');
  try {
    for (const { sql, values, needs } of steps) {
      if (needs !== undefined && !Number(rows[needs]?.[0]?.Count)) {
        rows.push([]);
        continue;
      }
      const reader = await connection.runAndReadAll(sql, values);
      rows.push(reader.getRowObjectsJS() as EngineRow[]);
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

function failureOf(error: unknown): Error {
  const failure = error as Error;
  const full = FULL.test(failure.message);
  const about: EngineFailure = { fromEngine: true, full, fatal: full || FATAL.test(failure.message) };
  return Object.assign(failure, about);
}

const INTERRUPT_MS = 20;

type Connections = ReadonlyMap<Lane, DuckDBConnection>;

/** Opens the facts, migrated, with a connection for each lane. */
async function openLanes(): Promise<{ instance: DuckDBInstance; connections: Connections }> {
  const [folder = '', memoryMb = '', ...readable] = process.argv.slice(2);
  const connections = new Map<Lane, DuckDBConnection>();
  const instance = await open(folder, Number(memoryMb), readable);
  for (const lane of LANES) connections.set(lane, await instance.connect());
  for (const connection of connections.values()) for (const sql of TELL_PROGRESS) await connection.run(sql);
  await connections.get('short')?.run(SHORT_SUMS);
  await migrate(connections.get('write') as DuckDBConnection);
  return { instance, connections };
}

function serve({ instance, connections }: { instance: DuckDBInstance; connections: Connections }): EngineCalls {
  const small = openBatchMerge(openRows(connections.get('write') as DuckDBConnection));
  const running = new Set<Promise<unknown>>();
  let closing = false;

  /**
   * Work that a close waits for. Once the engine closes, no further work is begun, or answered: its end is the answer.
   */
  function track<T>(start: () => Promise<T>): Promise<T> {
    if (closing) return new Promise(() => undefined);
    const work = start();
    running.add(work);
    return work
      .catch((error) => {
        throw failureOf(error);
      })
      .finally(() => running.delete(work));
  }

  /**
   * A running query would use what is closed here, and crash: so it is interrupted and awaited. An interrupt that
   * arrives before the query has begun, or between two statements, is lost, so it is repeated.
   */
  async function close(): Promise<void> {
    if (closing) return;
    closing = true;
    while (running.size > 0) {
      for (const connection of connections.values()) connection.interrupt();
      await Promise.race([Promise.allSettled(running), sleep(INTERRUPT_MS)]);
    }
    // The answers of what has just ended are sent first.
    await sleep(0);
    for (const connection of connections.values()) connection.closeSync();
    instance.closeSync();
    process.exit(0);
  }

  return {
    open: () => undefined,
    run: (input, onProgress) =>
      track(() =>
        run(connections.get(input.lane) as DuckDBConnection, input, onProgress).finally(() =>
          small.ran(input.steps, input.transaction),
        ),
      ),
    merge: (batch) => track(async () => (await small.merge(batch)).map((load) => ({ ...load }))),
    interrupt: (lane) => {
      if (!closing) connections.get(lane)?.interrupt();
    },
    close: () => void close(),
  };
}

// Ctrl-C in a terminal reaches the whole process group; the parent decides when the engine ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
// An exit would wait for a thread inside a query, and hold the file meanwhile: seconds or minutes. Committed data is on
// disk.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

// Calls wait until it is open. If it cannot be opened, the parent is answered why, and ends this process.
const calls: Partial<EngineCalls> = await openLanes().then(serve, (error) => ({
  open() {
    throw failureOf(error);
  },
}));
serveCalls(parentProcess(), calls as EngineCalls);

/**
 * Fills a data folder of any size: the service creates the folder, Parquet files fill the facts, and the service
 * computes the rest.
 */
import { cp, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { openDuckdbFacts } from '../../packages/service/src/facts/duckdb/duckdb.ts';
import { forgetSums } from '../../packages/service/src/ledger/sqlite/page-sums.ts';
import { addRestaurants, readRestaurants, TEMPLATE } from '../folders.ts';
import { startService } from '../service.ts';
import { filesOf, generateParquet, type Table, tablesOf } from './generate.ts';
import { CLOSEOUT_HOUR, reference, type Shape, TIME_ZONES } from './shape.ts';

/** What filling took and made. Times are seconds. */
export interface Filled {
  generateSeconds: number;
  insertSeconds: number;
  /** Computing the daily and labor rollups and order dates from the facts. */
  rebuildSeconds: number;
  rows: Record<Exclude<Table, 'lines'> | 'sheets' | 'labour_sheets' | 'menu_sheets', number> & { lines?: number };
  parquetBytes: number;
  /** Of the facts' one file, after a checkpoint. */
  factsBytes: number;
  /** Of the file with orders, checks and time entries, before lines and rollups; 0 where there are no lines. */
  bytesBeforeLines: number;
}

const HOUR_MS = 3_600_000;
const LEDGER = 'ledger.sqlite';

/** The ledger as it was when the facts were copied: neither starts beside a newer other. */
const ledgerCopy = (factsCopy: string): string => `${factsCopy}-${LEDGER}`;

/** Takes back what an earlier run loaded: the data folder is as it was filled. */
export async function restore(data: string, factsCopy: string): Promise<void> {
  await rm(join(data, 'facts'), { recursive: true });
  await cp(factsCopy, join(data, 'facts'), { recursive: true });
  const ledger = join(data, LEDGER);
  for (const end of ['-wal', '-shm']) await rm(`${ledger}${end}`, { force: true });
  forgetSums(ledger);
  await cp(ledgerCopy(factsCopy), ledger);
}

/** Seconds that some work took. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** A service makes the folder with its group and client, and the first restaurant with its names. */
async function makeFolder(data: string): Promise<void> {
  const service = await startService(data);
  try {
    const about = { name: 'Restaurant 1', timeZone: TIME_ZONES[1], closeoutHour: CLOSEOUT_HOUR };
    await service.call('PUT', `/restaurants/${TEMPLATE.guid}`, JSON.stringify(about));
    await service.call('PUT', `/restaurants/${TEMPLATE.guid}/reference`, JSON.stringify(reference()));
  } finally {
    await service.stop();
  }
}

/**
 * Inserts the Parquet files, names for every restaurant, and the number of the last load. No service may run. Returns
 * the bytes of the file before the lines.
 */
async function insertFacts(facts: string, parquet: string, shape: Shape, memoryMb: number): Promise<number> {
  const { restaurants, days } = shape;
  let beforeLines = 0;
  // One thread fills every row group. Two left a fifth of them short, and each checkpoint of a service then spent
  // seconds on joining a hundred of those.
  const options = { threads: '1', memory_limit: `${memoryMb}MB` };
  const instance = await DuckDBInstance.create(join(facts, 'facts.duckdb'), options);
  const connection = await instance.connect();
  try {
    for (const table of tablesOf(shape)) {
      if (table === 'lines') {
        await connection.run('checkpoint');
        beforeLines = (await stat(join(facts, 'facts.duckdb'))).size;
      }
      await connection.run(`insert into ${table} by name select * from read_parquet('${filesOf(table, parquet)}')`);
    }
    await connection.run(
      `insert into names by name select n.* replace (r.id::integer as restaurant_id)
         from range(2, ${restaurants + 1}) r(id), (select * from names where restaurant_id = 1) n`,
    );
    await connection.run(`update last_small_load set load_id = ${days}`);
    await connection.run('checkpoint');
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  return beforeLines;
}

async function rebuild(facts: string, memoryMb: number): Promise<void> {
  const opened = await openDuckdbFacts({ folder: facts, memoryMb });
  try {
    await opened.rebuild({ deadlineMs: 3 * HOUR_MS });
  } finally {
    await opened.close();
  }
}

async function countRows(facts: string, shape: Shape): Promise<Filled['rows']> {
  const instance = await DuckDBInstance.create(join(facts, 'facts.duckdb'), { access_mode: 'read_only' });
  const connection = await instance.connect();
  const tables = [...tablesOf(shape), 'sheets', 'labour_sheets', 'menu_sheets'] as const;
  const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
  const [row] = (await connection.runAndReadAll(`select ${counts.join(', ')}`)).getRowObjectsJS();
  connection.closeSync();
  instance.closeSync();
  return Object.fromEntries(tables.map((table) => [table, Number(row?.[table])])) as Filled['rows'];
}

async function bytesIn(folder: string): Promise<number> {
  const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Fills `data`, which must not exist yet, and copies its facts to `factsCopy`, for the engine alone, and its ledger
 * beside them. The Parquet files are in `parquet` meanwhile and are removed.
 */
export async function fill(
  shape: Shape,
  { data, factsCopy, parquet }: { data: string; factsCopy: string; parquet: string },
  memoryMb: number,
): Promise<Filled> {
  const facts = join(data, 'facts');
  await mkdir(parquet, { recursive: true });
  const generateSeconds = await seconds(() => generateParquet(shape, parquet));
  const parquetBytes = await bytesIn(parquet);
  await makeFolder(data);
  addRestaurants(data, shape.restaurants, TIME_ZONES);
  const made = readRestaurants(data).length;
  if (made !== shape.restaurants) throw new Error(`${made} restaurants`);
  let bytesBeforeLines = 0;
  const insertSeconds = await seconds(async () => {
    bytesBeforeLines = await insertFacts(facts, parquet, shape, memoryMb);
  });
  await rm(parquet, { recursive: true });
  const rebuildSeconds = await seconds(() => rebuild(facts, memoryMb));
  const rows = await countRows(facts, shape);
  const { size: factsBytes } = await stat(join(facts, 'facts.duckdb'));
  await cp(facts, factsCopy, { recursive: true });
  await cp(join(data, LEDGER), ledgerCopy(factsCopy));
  return { generateSeconds, insertSeconds, rebuildSeconds, rows, parquetBytes, factsBytes, bytesBeforeLines };
}

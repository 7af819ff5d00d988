/**
 * Orders of the demo with all their parts over HTTP, in bodies of some 5,000, beside PostgreSQL that copies the same
 * rows: at 1 and 10 M checks stored in both. `BENCH_BULK_MILLIONS=1` measures one of the sizes; filled folders stay in
 * `BENCH_KEEP`, from which the next run takes them.
 */
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { type PostgresCluster, startPostgres } from '../test/postgres.ts';
import { type Figure, figureOf, median, PAIRS } from './figures.ts';
import { readRestaurants } from './folders.ts';
import { INDEXES, ORDER_TABLES, TABLES, type Table } from './postgres-orders.ts';
import { restore } from './scale/fill.ts';
import { AT_ONCE, BODIES, type Body, makeBodies, perSecond, post } from './scale/ingest.ts';
import { filledFor, shapeOf } from './scale/lines.ts';
import { MEMORY_MB } from './scale/size.ts';
import { type BenchService, startService } from './service.ts';

const MILLIONS = (process.env.BENCH_BULK_MILLIONS ?? '1,10').split(',').map(Number);

/** As a guide to tuning for loads says; a commit is on disk when it is answered, as ours is. */
const SETTINGS = {
  shared_buffers: `${MEMORY_MB}MB`,
  maintenance_work_mem: '1GB',
  max_wal_size: '8GB',
  synchronous_commit: 'on',
};

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The columns of each table, in one order. */
async function tableColumns(postgres: PostgresCluster): Promise<Map<Table, string[]>> {
  const columns = new Map<Table, string[]>();
  for (const table of ORDER_TABLES) {
    const sql = `select column_name from information_schema.columns where table_name = ${quoted(table)} order by ordinal_position`;
    columns.set(table, (await postgres.run(sql)).trim().split('\n'));
  }
  return columns;
}

/** Copies what the folder has stored, and then makes the indexes. */
async function copyStored(postgres: PostgresCluster, facts: string): Promise<void> {
  await postgres.run(TABLES);
  const instance = await DuckDBInstance.create(facts, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    for (const [table, columns] of await tableColumns(postgres)) {
      const file = join(postgres.folder, `${table}.csv`);
      const list = columns.map((name) => `"${name}"`).join(', ');
      await connection.run(`copy (select ${list} from ${table}) to ${quoted(file)} (format csv, header false)`);
      await chmod(file, 0o644);
      await postgres.run(`copy ${table} (${list}) from ${quoted(file)} (format csv)`);
      await rm(file);
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  await postgres.run(INDEXES, 'vacuum analyze', 'checkpoint');
}

/** One transaction. */
async function copyBody(client: pg.Client, { copies }: Body): Promise<void> {
  const statements = copies.map(({ table, columns, file }) => {
    const list = columns.map((name) => `"${name}"`).join(', ');
    return `copy ${table} (${list}) from ${quoted(file)} (format csv)`;
  });
  await client.query(['begin', ...statements, 'commit'].join('; '));
}

async function measure(
  service: BenchService,
  data: string,
  postgres: PostgresCluster | undefined,
): Promise<Figure['pairs']> {
  const restaurants = readRestaurants(data);
  const clients = Array.from({ length: postgres ? AT_ONCE : 0 }, () => new pg.Client(postgres?.url()));
  for (const client of clients) await client.connect();
  const measurement = randomUUID();
  const pairs: Figure['pairs'] = [];
  try {
    // The first pair warms up. Which goes first changes from pair to pair.
    for (let run = 0; run <= PAIRS; run++) {
      const from = (run * BODIES) % Math.max(restaurants.length - BODIES, 1);
      const bodies = await makeBodies({
        folder: postgres?.folder ?? tmpdir(),
        restaurants: restaurants.slice(from, from + BODIES).map(({ guid, id }) => ({ guid, id })),
        run: `${measurement} ${run}`,
        shape: 'demo',
        tables: postgres !== undefined,
      });
      const ours = () => perSecond(bodies, (body) => post(service, body));
      const theirs = async () =>
        postgres ? await perSecond(bodies, (body, index) => copyBody(clients[index] as pg.Client, body)) : null;
      const pair =
        run % 2 === 0
          ? { ours: await ours(), limit: await theirs() }
          : await theirs().then(async (limit) => ({ ours: await ours(), limit }));
      for (const { file } of bodies.flatMap(({ copies }) => copies)) await rm(file);
      if (run > 0) pairs.push(pair);
    }
    return pairs;
  } finally {
    for (const client of clients) await client.end();
  }
}

async function measureSize(millions: number): Promise<Figure> {
  const keep = process.env.BENCH_KEEP;
  const root = keep ? join(keep, `lines-${millions}m`) : await mkdtemp(join(tmpdir(), 'daypart-bulk-'));
  const [data, factsCopy, parquet] = ['data', 'facts-copy', 'parquet'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  try {
    await mkdir(root, { recursive: true });
    await filledFor(shapeOf(millions), { data, factsCopy, parquet }, join(root, 'filled.json'));
    await restore(data, factsCopy);
    const postgres = await startPostgres(SETTINGS);
    try {
      if (postgres) await copyStored(postgres, join(factsCopy, 'facts.duckdb'));
      const service = await startService(data);
      try {
        const pairs = await measure(service, data, postgres);
        return figureOf(
          {
            figure: `orders of the demo over HTTP, ${millions} M checks stored, orders/s`,
            beside: 'PostgreSQL copying the same rows, one transaction a body',
            compared: 'ratio',
            goal: { at: 'least', value: 0.5 },
            note: `${BODIES} bodies, ${AT_ONCE} at once; ours ${pairs.map(({ ours }) => Math.round(ours)).join(', ')} orders/s, median ${Math.round(median(pairs.map(({ ours }) => ours)))}`,
          },
          pairs,
        );
      } finally {
        await service.stop();
      }
    } finally {
      await postgres?.close();
    }
  } finally {
    if (!keep) await rm(root, { recursive: true, force: true });
  }
}

export async function bulkLoad(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const millions of MILLIONS) figures.push(await measureSize(millions));
  return figures;
}

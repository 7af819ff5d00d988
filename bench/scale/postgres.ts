/** The facts as tables of rows in a throw-away PostgreSQL cluster. */
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '../../test/postgres.ts';
import type { Bare } from './bare.ts';
import { COPIED, DATED, type Elsewhere, INDEXES, reportSql, totalsSql } from './elsewhere.ts';
import { seconds } from './fill.ts';

const TYPES: Record<string, string> = {
  INTEGER: 'integer',
  BIGINT: 'bigint',
  TINYINT: 'smallint',
  UUID: 'uuid',
  VARCHAR: 'text',
  BOOLEAN: 'boolean',
};

/** Shared buffers are what our engine may use; the rest is what a guide to tuning for reports says. */
const settings = (memoryMb: number): Record<string, string> => ({
  shared_buffers: `${memoryMb}MB`,
  effective_cache_size: `${memoryMb * 2}MB`,
  work_mem: '256MB',
  maintenance_work_mem: '1GB',
  max_wal_size: '8GB',
  random_page_cost: '1.1',
  wal_level: 'minimal',
  max_wal_senders: '0',
});

/** Copies the facts of the bare engine's file. Undefined where PostgreSQL is not installed. */
export async function openPostgres(bare: Bare, memoryMb: number): Promise<Elsewhere | undefined> {
  const cluster = await startPostgres(settings(memoryMb));
  if (!cluster) return undefined;
  const { folder, data, run, close } = cluster;

  async function load(): Promise<void> {
    for (const table of COPIED) {
      const described = await bare.connection.runAndReadAll(`describe ${table}`);
      const columns = described
        .getRowObjectsJS()
        .map((row) => `${row.column_name} ${TYPES[String(row.column_type)] ?? 'text'}`);
      const file = join(folder, `${table}.csv`);
      await bare.connection.run(`copy ${table} to '${file}' (format csv, header false)`);
      await chmod(file, 0o644);
      await run(`create unlogged table ${table} (${columns.join(', ')})`, `copy ${table} from '${file}' (format csv)`);
      await rm(file);
    }
    for (const index of INDEXES) await run(index);
    await run('create index names_by_guid on names (kind, restaurant_id, guid)', 'vacuum analyze');
  }

  try {
    const loadSeconds = await seconds(load);
    const sizes = DATED.map((table) => `pg_total_relation_size('${table}')`).join(' + ');
    const out = join(data, 'report.csv');
    return {
      name: 'postgres',
      loadSeconds,
      bytes: Number(await run(`select ${sizes}`)),
      async report(question) {
        // The time that psql takes to start is not the server's.
        const printed = await run('\\timing on', `copy (${reportSql(question, 'false')}) to '${out}' (format csv)`);
        return Number(/Time: ([\d.]+) ms/.exec(printed)?.[1]);
      },
      async totals(question) {
        const [row = ''] = (await run(totalsSql(reportSql(question, 'false')))).split('\n');
        const [rows, netSalesAmount, ordersCount] = row.split('|').map(Number);
        return { rows: rows ?? 0, netSalesAmount: netSalesAmount ?? 0, ordersCount: ordersCount ?? 0 };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

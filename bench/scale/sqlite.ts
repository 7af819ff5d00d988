/** SQLite with the facts as tables of rows. */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Bare } from './bare.ts';
import { milliseconds } from './costs.ts';
import { COPIED, type Elsewhere, INDEXES, reportSql, totalsSql } from './elsewhere.ts';
import { seconds } from './fill.ts';

const TYPES: Record<string, string> = { VARCHAR: 'text', UUID: 'text' };

/** What SQLite can bind: it has no booleans. */
const bound = (value: unknown): string | number | bigint | null => {
  if (value === null || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string')
    return value;
  return typeof value === 'boolean' ? Number(value) : String(value);
};

async function copyTable(bare: Bare, database: DatabaseSync, table: string): Promise<void> {
  const described = (await bare.connection.runAndReadAll(`describe ${table}`)).getRowObjectsJS();
  const columns = described.map((row) => `${row.column_name} ${TYPES[String(row.column_type)] ?? 'integer'}`);
  database.exec(`create table ${table} (${columns.join(', ')})`);
  const insert = database.prepare(`insert into ${table} values (${columns.map(() => '?').join(', ')})`);
  database.exec('begin');
  const result = await bare.connection.stream(`select * from ${table}`);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) break;
    for (const row of chunk.getRows()) insert.run(...row.map(bound));
  }
  database.exec('commit');
}

/** Copies the facts of the bare engine's file. */
export async function openSqlite(bare: Bare, folder: string, memoryMb: number): Promise<Elsewhere> {
  const file = join(folder, 'facts.sqlite');
  const database = new DatabaseSync(file);
  database.exec(`pragma journal_mode = off; pragma synchronous = off; pragma temp_store = memory;
    pragma cache_size = -${memoryMb * 1024}`);
  const loadSeconds = await seconds(async () => {
    for (const table of COPIED) await copyTable(bare, database, table);
    for (const index of INDEXES) database.exec(index);
    database.exec('create index names_by_guid on names (kind, restaurant_id, guid); analyze');
  });
  const { size: bytes } = await stat(file);
  return {
    name: 'sqlite',
    loadSeconds,
    bytes,
    async report(question) {
      const took = await milliseconds(async () => {
        database.exec(`create temp table report as ${reportSql(question, '0')}`);
      });
      database.exec('drop table report');
      return took;
    },
    async totals(question) {
      const row = database.prepare(totalsSql(reportSql(question, '0'))).get();
      return {
        rows: Number(row?.rows),
        netSalesAmount: Number(row?.netSalesAmount),
        ordersCount: Number(row?.ordersCount),
      };
    },
    async close() {
      database.close();
      await rm(file, { force: true });
    },
  };
}

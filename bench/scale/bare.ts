/**
 * The bare engine: DuckDB over a copy of the facts, with the threads and the memory that the service gives it, and no
 * more.
 */
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { expressionsOf } from '../../packages/service/src/facts/duckdb/columns.ts';
import { CHECK_SQL } from '../../packages/service/src/facts/duckdb/families/check.ts';
import type { FamilySql } from '../../packages/service/src/facts/duckdb/families/family.ts';
import { FAMILY_SQL } from '../../packages/service/src/facts/duckdb/families/index.ts';
import { LABOR_SQL, laborRecords } from '../../packages/service/src/facts/duckdb/families/labor.ts';
import { MENU_SQL, menuRecords } from '../../packages/service/src/facts/duckdb/families/menu.ts';
import { FROM_RECORDS, METRICS_SQL, metricsRecords } from '../../packages/service/src/facts/duckdb/families/metrics.ts';
import { reportQuery } from '../../packages/service/src/facts/duckdb/gather.ts';
import { fragment } from '../../packages/service/src/facts/duckdb/steps.ts';
import type { Form } from '../../packages/service/src/facts/form.ts';
import type { GatherQuery } from '../../packages/service/src/facts/report.ts';
import { CHECK } from '../../packages/service/src/families/check.ts';

const CHECKS: Form = {
  format: 'json',
  kind: 'check',
  dialect: 'reference',
  names: false,
  groups: [],
  aggregate: 'DAY',
};

/** The service's own SQL, with sums by day straight from orders and time entries. */
const BARE_METRICS: FamilySql = {
  ...METRICS_SQL,
  records: (query, words) => metricsRecords(query, words, { days: FROM_RECORDS }),
};
const BARE_LABOR: FamilySql = {
  ...LABOR_SQL,
  records: (query, words) => laborRecords(query, words, FROM_RECORDS),
};
/** The lines of orders added up by one statement. */
const BARE_MENU: FamilySql = {
  ...MENU_SQL,
  records: (query, words) => menuRecords(query, words, '(select *, 1::bigint as kept from lines)'),
};
/** By hour and for checks the service reads the facts themselves: there the bare engine runs the same statement. */
function sqlOf({ kind, aggregate }: GatherQuery): FamilySql {
  if (kind === 'metrics' && aggregate === 'DAY') return BARE_METRICS;
  if (kind === 'menu') return BARE_MENU;
  return kind === 'labor' ? BARE_LABOR : FAMILY_SQL[kind as keyof typeof FAMILY_SQL];
}

export interface Bare {
  /** The report as Parquet. */
  report(query: GatherQuery, file: string): Promise<void>;
  /** The checks as JSON, as the wire has them. */
  checksJson(query: GatherQuery, file: string): Promise<void>;
  connection: DuckDBConnection;
  close(): void;
}

export async function openBare(factsCopy: string, memoryMb: number): Promise<Bare> {
  const options = { threads: '1', memory_limit: `${memoryMb}MB`, temp_directory: join(factsCopy, 'tmp') };
  const instance = await DuckDBInstance.create(join(factsCopy, 'facts.duckdb'), options);
  const connection = await instance.connect();

  return {
    async report(query, file) {
      const { sql, values } = reportQuery(sqlOf(query), query);
      await connection.run(`copy (${sql}) to $file (${fragment('snapshotOptions')})`, { ...values, file });
    },
    async checksJson(query, file) {
      const { sql, values } = reportQuery(CHECK_SQL, query);
      const columns = expressionsOf(CHECK, CHECKS).join(', ');
      await connection.run(`copy (select ${columns} from (${sql})) to $file (format json, array true)`, {
        ...values,
        file,
      });
    },
    connection,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

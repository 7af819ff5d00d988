/** The bare engine: DuckDB over a copy of the facts, with the threads and the memory that the service gives it, and no more. */
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { expressionsOf } from '../../packages/service/src/facts/columns.ts';
import type { Form, GatherQuery } from '../../packages/service/src/facts/facts.ts';
import { gatherSteps } from '../../packages/service/src/facts/steps.ts';
import { CHECK } from '../../packages/service/src/families/check/check.ts';
import { loadStatements } from '../../packages/service/src/sql.ts';

const BARE = loadStatements(new URL('./bare.sql', import.meta.url));
const GATHER = loadStatements(new URL('../../packages/service/src/facts/gather.sql', import.meta.url));

const CHECKS: Form = {
  ...{ format: 'json', kind: 'check', dialect: 'reference', names: false, groups: [], aggregate: 'DAY' },
};

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

  /** The one statement of the service's that makes the file, and its values. */
  function ownStatement(query: GatherQuery, file: string) {
    const [, copy] = gatherSteps(query, file);
    if (!copy) throw new Error('a gather has no such step');
    return { sql: copy.sql, values: copy.values ?? {} };
  }

  return {
    async report(query, file) {
      const { sql, values } = ownStatement(query, file);
      const byDay = query.kind === 'metrics' && query.aggregate === 'DAY';
      // By hour and for checks the service reads the facts themselves: there the bare engine runs the same statement.
      await connection.run(byDay ? [GATHER.scope, BARE.byDay, GATHER.rows].join('\n') : sql, values);
    },
    async checksJson(query, file) {
      const { sql, values } = ownStatement(query, file);
      const select = /^copy \(([\s\S]*)\) to \$file \([^)]*\);$/.exec(sql)?.[1];
      if (!select) throw new Error('the check statement is not one copy');
      const columns = expressionsOf(CHECK, CHECKS);
      await connection.run(
        `copy (select ${columns.join(', ')} from (${select})) to $file (format json, array true)`,
        values,
      );
    },
    connection,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

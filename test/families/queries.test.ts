/** Whatever a report asks for, the text that is composed for it is a valid statement of the engine. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { columnsOf, SUMMED_TABLES } from '../../packages/service/src/facts/clickhouse/tables.ts';
import { incompleteSteps, reportQuery } from '../../packages/service/src/facts/duckdb/gather.ts';
import { type EngineProcess, startEngine } from '../../packages/service/src/facts/duckdb/process.ts';
import type { Step } from '../../packages/service/src/facts/duckdb/protocol.ts';
import { changesSteps } from '../../packages/service/src/facts/duckdb/steps.ts';
import { type ComposedQuery, composedQueries } from './queries.ts';

describe('the queries that families compose', () => {
  let folder: string;
  let engine: EngineProcess;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-queries-'));
    engine = await startEngine({ folder, memoryMb: 256, readable: [] });
  });
  after(async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The plan of each step, as the engine writes it; `lead` are steps that precede them. */
  async function plans(steps: readonly Step[], lead: readonly Step[] = []): Promise<string[]> {
    const explained = steps.map(({ sql, values }) => ({ sql: `explain ${sql}`, ...(values ? { values } : {}) }));
    const rows = await engine.run(['short'], [...lead, ...explained], { deadlineMs: 60_000 });
    return rows.slice(lead.length).map(([row]) => String(row?.explain_value));
  }

  async function assertPlanned(queries: readonly ComposedQuery[], lead: readonly Step[] = []): Promise<void> {
    for (const { name, family, query } of queries) {
      const { sql, values } = reportQuery(family[1], query);
      const steps = [{ sql, values }, ...incompleteSteps(family, query, 100)];
      for (const plan of await plans(steps, lead).catch((cause) => assert.fail(`${name}: ${cause}`)))
        assert.match(plan, /─/, name);
    }
  }

  it('are statements of DuckDB, for every aggregation, grouping and size', async () => {
    const queries = composedQueries();
    assert.ok(queries.length > 60, `only ${queries.length}`);
    await assertPlanned(queries);
  });

  it('are statements of it over the sums that ClickHouse makes', async () => {
    const lead = SUMMED_TABLES.map((table) => {
      const columns = columnsOf(table).map(({ name, type }) => `${name} ${type}`);
      return { sql: `create or replace temp table ${table} (${columns.join(', ')})` };
    });
    await assertPlanned(
      composedQueries(true).filter(({ query }) => query.aggregate !== 'DAY' && query.startDate === query.endDate),
      lead,
    );
  });

  it('are so for the changes between two reports, too', async () => {
    const ungrouped = composedQueries().filter(({ query }) => query.aggregate === 'DAY' && query.groups.length === 0);
    for (const { name, family, query } of ungrouped) {
      const side = { restaurants: query.restaurants, snapshot: '1' };
      const compared = { ...query, before: side, after: side, limit: 10, offset: 0 };
      const steps = changesSteps(family, compared, 0, 1);
      assert.equal((await plans(steps)).length, family[0].changes.length, name);
    }
  });
});

/** Whatever a report asks for, the text that is composed for it is a valid statement of the engine. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DIALECTS } from '../../packages/service/src/contract/words.ts';
import { columnsOf, SUMMED_TABLES } from '../../packages/service/src/facts/clickhouse/tables.ts';
import { incompleteSteps, reportQuery } from '../../packages/service/src/facts/duckdb/gather.ts';
import { type EngineProcess, startEngine } from '../../packages/service/src/facts/duckdb/process.ts';
import type { Step } from '../../packages/service/src/facts/duckdb/protocol.ts';
import { changesSteps } from '../../packages/service/src/facts/duckdb/steps.ts';
import type { GatherQuery } from '../../packages/service/src/facts/report.ts';
import { columnsOf as columnsShown, type ReportFamily } from '../../packages/service/src/families/family.ts';
import { type ComposedQuery, composedQueries } from './queries.ts';

const DEADLINE = { deadlineMs: 60_000 };
const FOLDER = 'packages/service/src/facts/duckdb/families';

/**
 * The file with the query of a kind: its entry in the list of families, the import of that, and the `.sql` beside it.
 */
async function fileOf(kind: string): Promise<string> {
  const list = await readFile(new URL(`../../${FOLDER}/index.ts`, import.meta.url), 'utf8');
  const [, name = ''] = new RegExp(`^ {2}'?${kind}'?: (\\w+),$`, 'm').exec(list) ?? [];
  const [, file] = new RegExp(`^import {[^}]*\\b${name}\\b[^}]*} from '\\./(\\w+)\\.ts';$`, 'm').exec(list) ?? [];
  return `${FOLDER}/${file}.sql`;
}

/** The fields that a family declares and snapshots of the query have, in both dialects. */
const columnsStored = (family: ReportFamily, { groups, aggregate }: GatherQuery): string[] =>
  DIALECTS.flatMap((dialect) =>
    columnsShown(family, { dialect, groups, aggregate, names: true }).flatMap(({ stored, field }) =>
      stored ? [field] : [],
    ),
  );

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
    const rows = await engine.run(['short'], [...lead, ...explained], DEADLINE);
    return rows.slice(lead.length).map(([row]) => String(row?.explain_value));
  }

  async function assertPlanned(queries: readonly ComposedQuery[], lead: readonly Step[] = []): Promise<void> {
    for (const { name, family, query } of queries) {
      const { sql, values } = reportQuery(family[1], query);
      const steps = [{ sql, values }, ...incompleteSteps(family, query, 100)];
      for (const plan of await plans(steps, lead).catch((cause) => assert.fail(`${name}: ${cause}`)))
        assert.match(plan, /─/, name);
      const described =
        (await engine.run(['short'], [...lead, { sql: `describe ${sql}`, values }], DEADLINE)).at(-1) ?? [];
      const selected = new Set(described.map((row) => row.column_name));
      const lacking = [...new Set(columnsStored(family[0], query))].filter((field) => !selected.has(field));
      assert.deepEqual(lacking, [], `${name}: ${await fileOf(query.kind)} selects no column for ${lacking.join(', ')}`);
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

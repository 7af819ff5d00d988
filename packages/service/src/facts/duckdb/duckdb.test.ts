import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { factsConformance, mergeLines, orderFact, recordsOf } from '../../../../../test/conformance/facts.ts';
import { factsBatchMergeConformance } from '../../../../../test/conformance/facts-batch-merge.ts';
import { factsFormsConformance } from '../../../../../test/conformance/facts-forms.ts';
import { factsHistoryConformance } from '../../../../../test/conformance/facts-history.ts';
import { factsIncompleteConformance } from '../../../../../test/conformance/facts-incomplete.ts';
import { factsLaborConformance } from '../../../../../test/conformance/facts-labor.ts';
import { factsLoadedConformance } from '../../../../../test/conformance/facts-loaded.ts';
import { factsRecordsConformance } from '../../../../../test/conformance/facts-records.ts';
import { factsRefundsConformance } from '../../../../../test/conformance/facts-refunds.ts';
import { openDuckdb, reopenDuckdb } from '../../../../../test/conformance/open-duckdb.ts';

factsConformance('duckdb, loads in files', openDuckdb);
factsFormsConformance('duckdb', openDuckdb);
factsBatchMergeConformance('duckdb', openDuckdb);
for (const conform of [
  factsConformance,
  factsLoadedConformance,
  factsLaborConformance,
  factsRecordsConformance,
  factsRefundsConformance,
  factsIncompleteConformance,
])
  conform('duckdb, loads in lines', () => openDuckdb('lines'));
factsHistoryConformance('duckdb, loads in lines', () => openDuckdb('lines'), reopenDuckdb);

describe('the engine', () => {
  it('merges nothing until a copy, and what goes with it, has ended; reports continue', async () => {
    const opened = await openDuckdb();
    try {
      await mergeLines(opened, 1, { orders: [orderFact()] });
      let merging: Promise<unknown> | undefined;
      let merged = false;

      await opened.facts.backup(join(opened.folder, 'copy'), async () => {
        merging = mergeLines(opened, 1, { orders: [orderFact()] }).then(() => {
          merged = true;
        });
        assert.equal((await recordsOf(opened, 1))[0]?.ordersCount, 1);
        await setTimeout(200);
        assert.equal(merged, false);
      });

      await merging;
      assert.equal((await recordsOf(opened, 1))[0]?.ordersCount, 2);
    } finally {
      await opened.close();
    }
  });

  it('cannot touch files outside the folders it was given', async () => {
    const opened = await openDuckdb();
    try {
      const outside = join(tmpdir(), `daypart-outside-${process.pid}.parquet`);
      const query = {
        kind: 'check' as const,
        restaurants: [],
        startDate: 20260101,
        endDate: 20260102,
        aggregate: 'DAY' as const,
        groups: [],
      };
      await assert.rejects(opened.facts.gather(query, outside, { deadlineMs: 5000 }), /Permission|denied|disabled/i);
    } finally {
      await opened.close();
    }
  });

  it('has the schema of the checked-in snapshot', async () => {
    const opened = await openDuckdb();
    try {
      await opened.facts.close();
      const instance = await DuckDBInstance.create(join(opened.folder, 'facts', 'facts.duckdb'));
      const connection = await instance.connect();
      const reader = await connection.runAndReadAll(`select sql from (
           select table_name as name, sql from duckdb_tables()
           union all select view_name, sql from duckdb_views() where not internal
           union all select function_name, 'CREATE MACRO ' || function_name || '(' || array_to_string(parameters, ', ') || ') AS '
             || macro_definition || ';' from duckdb_functions() where function_type = 'macro' and not internal
         ) order by name`);
      const schema = reader.getRowObjectsJS().map((row) => String(row.sql));
      connection.closeSync();
      instance.closeSync();
      const snapshot = await readFile(new URL('./schema.sql', import.meta.url), 'utf8');
      assert.equal(`${schema.join('\n\n')}\n`, snapshot);
    } finally {
      await rm(opened.folder, { recursive: true, force: true });
    }
  });
});

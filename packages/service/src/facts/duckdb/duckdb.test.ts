import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
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
import { EngineGone, EngineTimeout } from '../errors.ts';
import type { GatherQuery } from '../report.ts';

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

/** Whether all threads of a child that was killed have ended; it has not been waited for. */
const hasEnded = (pid: number): boolean =>
  /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) && readdirSync(`/proc/${pid}/task`).length === 1;

describe('the engine', () => {
  it('times out while it hangs, and works again', async () => {
    const opened = await openDuckdb();
    try {
      process.kill(opened.facts.enginePid(), 'SIGSTOP');

      await assert.rejects(opened.facts.ping(100), EngineTimeout);

      process.kill(opened.facts.enginePid(), 'SIGCONT');
      await opened.facts.ping(10_000);
    } finally {
      await opened.close();
    }
  });

  it('fails one call at most after its end, also while nothing was said of it', async () => {
    const opened = await openDuckdb();
    try {
      const pid = opened.facts.enginePid();
      process.kill(pid, 'SIGKILL');
      // No event is handled meanwhile. The channel closes with the last thread.
      for (let ended = false; !ended; ) ended = hasEnded(pid);

      await opened.facts.ping(10_000).catch((error) => assert.ok(error instanceof EngineGone, String(error)));
      await opened.facts.ping(10_000);

      assert.notEqual(opened.facts.enginePid(), pid);
    } finally {
      await opened.close();
    }
  });

  it('fails what is under way when it is killed, comes back, and has everything that was acknowledged', async () => {
    const opened = await openDuckdb();
    try {
      await mergeLines(opened, 1, { orders: [orderFact()] });
      const pid = opened.facts.enginePid();
      process.kill(pid, 'SIGSTOP');
      const lost = recordsOf(opened, 1);
      const called = assert.rejects(lost, EngineGone);
      // The call is with the engine once a second one, on another lane, has timed out.
      await assert.rejects(opened.facts.ping(100), EngineTimeout);
      process.kill(pid, 'SIGKILL');

      await called;

      assert.equal((await recordsOf(opened, 1))[0]?.ordersCount, 1);
      assert.notEqual(opened.facts.enginePid(), pid);
    } finally {
      await opened.close();
    }
  });

  it('has no copy of a file that another engine opened meanwhile, and merges continue', async () => {
    const opened = await openDuckdb();
    try {
      await mergeLines(opened, 1, { orders: [orderFact()] });

      const copied = opened.facts.backup(join(opened.folder, 'copy'), async () => {
        process.kill(opened.facts.enginePid(), 'SIGKILL');
        await opened.facts.ping(10_000).catch(() => opened.facts.ping(10_000));
      });

      await assert.rejects(copied, EngineGone);
      await mergeLines(opened, 1, { orders: [orderFact()] });
      assert.equal((await recordsOf(opened, 1))[0]?.ordersCount, 2);
    } finally {
      await opened.close();
    }
  });

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

  it('stops a gather that is cancelled', async () => {
    const opened = await openDuckdb();
    try {
      process.kill(opened.facts.enginePid(), 'SIGSTOP');
      const off = new AbortController();
      const query: GatherQuery = {
        kind: 'metrics',
        restaurants: [],
        startDate: 20260101,
        endDate: 20260102,
        aggregate: 'DAY',
        groups: [],
      };
      const bounds = { deadlineMs: 60_000, signal: off.signal };
      const gather = opened.facts.gather(query, join(opened.folder, 'x.parquet'), bounds);
      off.abort();
      await assert.rejects(gather, EngineGone);
      process.kill(opened.facts.enginePid(), 'SIGCONT');
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

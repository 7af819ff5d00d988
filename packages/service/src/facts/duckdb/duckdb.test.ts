import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import {
  checkFact,
  factsConformance,
  mergeLines,
  type OpenedFacts,
  orderFact,
  recordsOf,
} from '../../../../../test/conformance/facts.ts';
import { factsFormsConformance } from '../../../../../test/conformance/facts-forms.ts';
import { factsHistoryConformance } from '../../../../../test/conformance/facts-history.ts';
import { factsIncompleteConformance } from '../../../../../test/conformance/facts-incomplete.ts';
import { factsLaborConformance } from '../../../../../test/conformance/facts-labor.ts';
import { factsLoadedConformance } from '../../../../../test/conformance/facts-loaded.ts';
import { factsRefundsConformance } from '../../../../../test/conformance/facts-refunds.ts';
import { factsTogetherConformance } from '../../../../../test/conformance/facts-together.ts';
import { EngineGone, EngineTimeout } from '../bounds.ts';
import type { GatherQuery } from '../report.ts';
import { type DuckdbFacts, openDuckdbFacts } from './duckdb.ts';
import { factsFolder } from './place.ts';

async function open(spools: 'files' | 'lines' = 'files'): Promise<OpenedFacts & { facts: DuckdbFacts }> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
  const facts = await openDuckdbFacts({ folder: join(folder, 'facts'), memoryMb: 512, readable: [folder] });
  return {
    facts,
    folder,
    spools,
    close: async () => {
      await facts.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

for (const spools of ['files', 'lines'] as const) factsConformance(`duckdb, loads in ${spools}`, () => open(spools));
for (const spools of ['files', 'lines'] as const)
  factsLoadedConformance(`duckdb, loads in ${spools}`, () => open(spools));
for (const spools of ['files', 'lines'] as const)
  factsLaborConformance(`duckdb, loads in ${spools}`, () => open(spools));
for (const spools of ['files', 'lines'] as const)
  factsRefundsConformance(`duckdb, loads in ${spools}`, () => open(spools));
factsFormsConformance('duckdb', open);
for (const spools of ['files', 'lines'] as const)
  factsIncompleteConformance(`duckdb, loads in ${spools}`, () => open(spools));
factsTogetherConformance('duckdb', open);
for (const spools of ['files', 'lines'] as const)
  factsHistoryConformance(
    `duckdb, loads in ${spools}`,
    () => open(spools),
    (folder) => openDuckdbFacts({ folder: factsFolder(folder), memoryMb: 512, readable: [tmpdir()] }),
  );

/** Whether all threads of a child that was killed have ended; it has not been waited for. */
const hasEnded = (pid: number): boolean =>
  /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) && readdirSync(`/proc/${pid}/task`).length === 1;

describe('the engine', () => {
  it('times out while it hangs, and works again', async () => {
    const opened = await open();
    try {
      process.kill(opened.facts.enginePid(), 'SIGSTOP');

      await assert.rejects(opened.facts.ping(100), EngineTimeout);

      process.kill(opened.facts.enginePid(), 'SIGCONT');
      await opened.facts.ping(10_000);
    } finally {
      await opened.close();
    }
  });

  it('is killed and started again when it does not even answer an interrupt', async () => {
    const opened = await open();
    try {
      const pid = opened.facts.enginePid();
      process.kill(pid, 'SIGSTOP');
      await assert.rejects(opened.facts.ping(50), EngineTimeout);

      await opened.facts.ping(20_000);

      assert.notEqual(opened.facts.enginePid(), pid);
    } finally {
      await opened.close();
    }
  });

  it('fails one call at most after its end, also while nothing was said of it', async () => {
    const opened = await open();
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
    const opened = await open();
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

  it('loses nothing acknowledged over kills between and during merges', async () => {
    const opened = await open();
    try {
      let acknowledged = 0;
      for (let round = 0; round < 5; round++) {
        await mergeLines(opened, 1, { orders: [orderFact()] });
        acknowledged++;
        const racing = mergeLines(opened, 1, { orders: [orderFact()] });
        const killed = setTimeout(round * 3).then(() => process.kill(opened.facts.enginePid(), 'SIGKILL'));
        await racing.then(
          () => acknowledged++,
          (error) => assert.ok(error instanceof EngineGone, String(error)),
        );
        await killed;
        // The first call after the kill may still reach the process that ends.
        await opened.facts.ping(10_000).catch(() => opened.facts.ping(10_000));
      }
      const orders = Number((await recordsOf(opened, 1))[0]?.ordersCount);
      // A merge that was interrupted after its commit may be stored too: it was neither acknowledged nor refused.
      assert.ok(orders >= acknowledged && orders <= 10, `${orders} of ${acknowledged}`);
    } finally {
      await opened.close();
    }
  });

  for (const [name, spools, loads] of [
    // So many that one half waits in the engine while the other is merged.
    ['of loads that were merged together', 'lines', 40],
    ['of loads with files', 'medium', 5],
  ] as const)
    it(`loses nothing acknowledged ${name} over kills`, async () => {
      const opened = { ...(await open()), spools };
      try {
        const acknowledged = new Set<string>();
        for (let round = 0; round < 8; round++) {
          let isKilled = false;
          const racing = Array.from({ length: loads }, async (_, i) => {
            while (!isKilled) {
              const order = orderFact();
              await mergeLines(opened, 1 + (i % 5), { orders: [order], checks: [checkFact(order)] }).then(
                () => acknowledged.add(order.order_guid),
                (error) => assert.ok(error instanceof EngineGone, String(error)),
              );
            }
          });
          await setTimeout(round * 20);
          isKilled = true;
          process.kill(opened.facts.enginePid(), 'SIGKILL');
          await Promise.all(racing);
          await opened.facts.ping(10_000).catch(() => opened.facts.ping(10_000));
        }
        const last = orderFact();
        await mergeLines(opened, 1, { orders: [last], checks: [checkFact(last)] });

        const kept = await Promise.all([1, 2, 3, 4, 5].map((id) => recordsOf(opened, id, { kind: 'check' })));
        const guids = new Set(kept.flat().map(({ orderGuid }) => orderGuid));
        assert.deepEqual(
          [...acknowledged, last.order_guid].filter((guid) => !guids.has(guid)),
          [],
        );
        assert.deepEqual(await opened.facts.verify({ deadlineMs: 20_000 }), []);
      } finally {
        await opened.close();
      }
    });

  it('has no copy of a file that another engine opened meanwhile, and merges continue', async () => {
    const opened = await open();
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
    const opened = await open();
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

  it('copies what was merged while a gather still reads what was there before', async () => {
    const opened = await open();
    try {
      await mergeLines(opened, 1, { orders: [orderFact()] });
      // Its transaction is the longest that there is: the copies fall into it.
      const reading = opened.facts.verify({ deadlineMs: 60_000 });
      let copies = 0;
      let done = false;
      void reading.finally(() => {
        done = true;
      });
      do {
        await mergeLines(opened, 1, { orders: [orderFact()] });
        await rm(join(opened.folder, 'copy'), { recursive: true, force: true });
        await opened.facts.backup(join(opened.folder, 'copy'), async () => undefined);
        copies++;
      } while (!done);
      assert.deepEqual(await reading, []);

      const copy = await openDuckdbFacts({
        folder: factsFolder(join(opened.folder, 'copy')),
        memoryMb: 512,
        readable: [opened.folder],
      });
      assert.equal((await recordsOf({ facts: copy, folder: opened.folder }, 1))[0]?.ordersCount, 1 + copies);
      await copy.close();
    } finally {
      await opened.close();
    }
  });

  it('lets go of its file when its service is killed in the middle of a query that would take for ever', async () => {
    const opened = await open();
    await opened.facts.close();
    const url = new URL('./process.ts', import.meta.url).href;
    const options = { folder: join(opened.folder, 'facts'), memoryMb: 512, readable: [] };
    const sql = 'select sum(a.range * b.range) from range(100000000) a, range(100000000) b';
    const program = `
      import { startEngine } from ${JSON.stringify(url)};
      const engine = await startEngine(${JSON.stringify(options)});
      process.stdout.write(String(engine.pid()));
      engine.run(['long'], [{ sql: ${JSON.stringify(sql)} }], { deadlineMs: 3600000 }).catch(() => {});
      await engine.run(['quick'], [{ sql: 'select 1' }], { deadlineMs: 60000 });
      process.kill(process.pid, 'SIGKILL');`;
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', program];
    const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let engine = '';
    service.stdout.on('data', (piece: Buffer) => {
      engine += piece;
    });
    try {
      const [, signal] = await once(service, 'exit');
      assert.equal(signal, 'SIGKILL');
      // The file is locked while the engine of the killed service lives, and nothing but its end unlocks it.
      const facts = await openDuckdbFacts(options);
      await facts.close();
    } finally {
      try {
        process.kill(Number(engine), 'SIGKILL');
      } catch {
        // It has ended, as it should.
      }
      await rm(opened.folder, { recursive: true, force: true });
    }
  });

  it('stops a gather that is cancelled', async () => {
    const opened = await open();
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
    const opened = await open();
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
    const opened = await open();
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

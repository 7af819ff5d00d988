/**
 * The engine of the embedded facts, which hangs or is killed, again and again: what was acknowledged is there, once.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openDuckdbFacts } from '../../packages/service/src/facts/duckdb/duckdb.ts';
import { factsFolder } from '../../packages/service/src/facts/duckdb/place.ts';
import { EngineGone, EngineTimeout } from '../../packages/service/src/facts/errors.ts';
import type { GatherQuery } from '../../packages/service/src/facts/report.ts';
import { checkFact, mergeLines, orderFact, recordsOf } from '../conformance/facts.ts';
import { openDuckdb } from '../conformance/open-duckdb.ts';

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

  it('is killed and started again when it does not even answer an interrupt', async () => {
    const opened = await openDuckdb();
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

  it('loses nothing acknowledged over kills between and during merges', async () => {
    const opened = await openDuckdb();
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
      const opened = { ...(await openDuckdb()), spools };
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

  it('copies what was merged while a gather still reads what was there before', async () => {
    const opened = await openDuckdb();
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
    const opened = await openDuckdb();
    await opened.facts.close();
    const url = new URL('../../packages/service/src/facts/duckdb/process.ts', import.meta.url).href;
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
});

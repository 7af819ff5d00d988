import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { EngineGone } from './facts.ts';
import { startEngine } from './process.ts';
import { LANES } from './protocol.ts';

describe('the process of the engine', () => {
  it('has none of the secrets that the service was started with', async (t) => {
    const secrets = {
      DAYPART_BOOTSTRAP_CLIENT: 'a:secret-1:g',
      AWS_SECRET_ACCESS_KEY: 'secret-2',
      OTEL_HEADERS: 'secret-3',
    };
    for (const [name, value] of Object.entries(secrets)) process.env[name] = value;
    const folder = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
    const engine = await startEngine({ folder, memoryMb: 256, readable: [] });
    t.after(async () => {
      for (const name of Object.keys(secrets)) delete process.env[name];
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    });

    const environment = await readFile(`/proc/${engine.pid()}/environ`, 'utf8');

    assert.match(environment, /UV_THREADPOOL_SIZE=/);
    assert.doesNotMatch(environment, /secret-|DAYPART|AWS/);
  });
});

describe('the lanes of the engine', () => {
  it('interrupts a running query that is called off, and its lane is free', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
    const engine = await startEngine({ folder, memoryMb: 512, readable: [] });
    try {
      const pid = engine.pid();
      const off = new AbortController();
      const sql = 'select sum(a.range * b.range) from range(1000000) a, range(1000000) b';
      const running = engine.run(['long'], [{ sql }], { deadlineMs: 60_000, signal: off.signal });
      await setTimeout(200);

      off.abort();
      await assert.rejects(running, EngineGone);
      await engine.run(['long'], [{ sql: 'select 1' }], { deadlineMs: 60_000 });

      // It was not killed for that, as an engine is that does not answer an interrupt.
      assert.equal(engine.pid(), pid);
    } finally {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('works in every lane at once, and still reads files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
    const engine = await startEngine({ folder, memoryMb: 512, readable: [] });
    try {
      const off = new AbortController();
      const sql = 'select sum(a.range * b.range) from range(1000000) a, range(1000000) b';
      const others = LANES.filter((lane) => lane !== 'quick').map((lane) =>
        assert.rejects(engine.run([lane], [{ sql }], { deadlineMs: 60_000, signal: off.signal }), EngineGone),
      );

      await engine.run(['quick'], [{ sql: `copy (select 1) to '${join(folder, 'x.json')}'` }], { deadlineMs: 10_000 });

      off.abort();
      await Promise.all(others);
    } finally {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('gives way with every thread: a low nice value, or the idle class', {
    skip: process.platform !== 'linux',
  }, async () => {
    /** Nice value and scheduling class of each thread: fields 19 and 41 of proc(5)'s stat, where 5 is SCHED_IDLE. */
    async function threadsOf(pid: number): Promise<string[]> {
      const ids = await readdir(`/proc/${pid}/task`);
      const stats = await Promise.all(ids.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, 'utf8')));
      const fields = stats.map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' '));
      return [...new Set(fields.map((field) => `${field[16]} ${field[38]}`))];
    }
    for (const [priority, expected] of [
      ['low', '15 0'],
      ['idle', '15 5'],
    ] as const) {
      const folder = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
      const engine = await startEngine({ folder, memoryMb: 512, priority, readable: [] });
      try {
        let found = await threadsOf(engine.pid());
        for (let tries = 0; tries < 200 && found.join() !== expected; tries++) {
          await setTimeout(20);
          found = await threadsOf(engine.pid());
        }
        assert.deepEqual(found, [expected]);
      } finally {
        await engine.close();
        await rm(folder, { recursive: true, force: true });
      }
    }
  });
});

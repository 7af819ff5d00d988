import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { EngineGone } from '../facts.ts';
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
});

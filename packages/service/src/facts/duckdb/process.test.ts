import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectPeer } from '../../threads/calls.ts';
import { processPeer } from '../../threads/peers.ts';
import { EngineGone, EngineTimeout } from '../errors.ts';
import { startEngine } from './process.ts';
import { type EngineCalls, LANES, type Lane } from './protocol.ts';

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

describe('the files of the engine', () => {
  it('are those of the service, whatever a statement sets', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
    const engine = await startEngine({ folder, memoryMb: 256, readable: [] });
    t.after(async () => {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    });
    const statements = [
      "select * from read_text('/etc/passwd')",
      "copy (select 1) to '/tmp/daypart-not-written.csv'",
      'set enable_external_access = true',
      "set allowed_directories = ['/']",
      "set allowed_paths = ['/etc/passwd']",
      "set temp_directory = '/tmp'",
      "attach '/tmp/daypart-not-written.duckdb' as other",
    ];
    for (const sql of statements) {
      await assert.rejects(
        engine.run(['write'], [{ sql }], { deadlineMs: 60_000 }),
        /Permission Error|external access|Cannot/i,
        sql,
      );
    }
  });
});

/** A query of minutes. */
const LONG = 'select sum(a.range * b.range) from range(1000000) a, range(1000000) b';

describe('closing the engine', () => {
  it('interrupts what runs, waits for it, and ends with exit code 0', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
    t.after(async () => await rm(folder, { recursive: true, force: true }));
    const file = fileURLToPath(new URL('./engine.ts', import.meta.url));
    // A query that uses what is freed under it crashes in some of its runs only.
    for (let round = 0; round < 3; round++) {
      const engine = fork(file, [folder, '256'], { serialization: 'advanced', env: { UV_THREADPOOL_SIZE: '8' } });
      t.after(() => engine.kill('SIGKILL'));
      const calls = connectPeer<EngineCalls>(processPeer(engine, 'the engine'));
      await calls.call('open', null);
      const lanes: Lane[] = ['short', 'long', 'render'];
      for (const lane of lanes) {
        calls.call('run', { lane, transaction: 'none', watched: false, steps: [{ sql: LONG }] }).catch(() => undefined);
      }
      const ended = once(engine, 'exit');
      calls.send('close', null);
      assert.deepEqual(await ended, [0, null]);
    }
  });
});

describe('the lanes of the engine', () => {
  it('interrupts a running query that is cancelled, and its lane is free', async () => {
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

describe('a transaction in the lane for large loads', () => {
  const CREATE = { sql: 'create table one (a integer)' };
  const INSERT = { sql: 'insert into one values (1)' };

  async function open(t: TestContext) {
    const folder = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
    const engine = await startEngine({ folder, memoryMb: 512, readable: [] });
    t.after(async () => {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    });
    await engine.run(['write'], [CREATE], { deadlineMs: 60_000 });
    const count = async (): Promise<unknown> =>
      (await engine.run(['quick'], [{ sql: 'select count(*)::int as n from one' }], { deadlineMs: 60_000 }))[0]?.[0]?.n;
    return { engine, count };
  }

  it('is committed once nothing runs in the write lane', async (t) => {
    const { engine, count } = await open(t);
    let beside: Promise<unknown> | undefined;

    await engine.hold('write', async (run) => {
      beside = engine.writeBeside({ steps: [INSERT], last: [] }, { deadlineMs: 60_000 });
      await run([INSERT]);
      await setTimeout(100);
      assert.equal(await count(), 1);
    });
    await beside;

    assert.equal(await count(), 2);
  });

  it('keeps nothing when it is not wanted any more before it is committed', async (t) => {
    const { engine, count } = await open(t);

    await engine.hold('write', async () => {
      await assert.rejects(engine.writeBeside({ steps: [INSERT], last: [] }, { deadlineMs: 200 }), EngineTimeout);
    });
    await engine.withoutLarge(async () => assert.equal(await count(), 0));
  });

  it('fails and keeps nothing when the engine ends before it is committed', async (t) => {
    const { engine, count } = await open(t);
    let beside: Promise<unknown> | undefined;

    await engine.hold('write', async () => {
      beside = assert.rejects(engine.writeBeside({ steps: [INSERT], last: [] }, { deadlineMs: 60_000 }), EngineGone);
      await setTimeout(100);
      process.kill(engine.pid(), 'SIGKILL');
      while (engine.restarts() === 0) await setTimeout(10);
    });
    await beside;

    assert.equal(await count(), 0);
  });
});

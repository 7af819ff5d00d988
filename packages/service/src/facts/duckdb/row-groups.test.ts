import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type EngineProcess, startEngine } from './process.ts';
import { openRowGroups } from './row-groups.ts';

const BOUNDS = { deadlineMs: 60_000 };
/** A quarter of what `openRowGroups` waits for by default. */
const IDLE_MS = 5000;
/** They are joined long before. */
const MOST_TRIES = 1000;

/** An engine with a table of three short row groups, and a row in the journal. */
async function openShort(t: TestContext): Promise<{ engine: EngineProcess; folder: string }> {
  const folder = await mkdtemp(`${tmpdir()}/daypart-facts-`);
  const engine = await startEngine({ folder, memoryMb: 256, readable: [] });
  t.after(async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });
  await engine.run(['write'], [{ sql: 'create table numbers (value integer)' }], BOUNDS);
  for (let group = 0; group < 3; group++)
    await engine.run(['write'], [{ sql: `insert into numbers values (${group})` }, { sql: 'checkpoint' }], BOUNDS);
  await engine.run(['write'], [{ sql: 'insert into numbers values (3)' }], BOUNDS);
  return { engine, folder };
}

async function rowGroups(engine: EngineProcess): Promise<number> {
  const sql = "select count(distinct row_group_id)::integer as count from pragma_storage_info('numbers')";
  // Not in a lane of reports, beside which nothing is joined.
  const [rows] = await engine.run(['write'], [{ sql }], BOUNDS);
  return Number(rows?.[0]?.count);
}

/** Resolves when the engine has done what was asked of it before. */
async function settle(engine: EngineProcess): Promise<void> {
  for (let turn = 0; turn < 8; turn++) {
    await setImmediate();
    await engine.withoutLarge(() => engine.hold('write', async (run) => void (await run([{ sql: 'select 1' }]))));
  }
}

/** Resolves once they are joined; `tick` lets time pass. */
async function untilJoined(engine: EngineProcess, tick = (): void => undefined): Promise<void> {
  for (let tries = 0; (await rowGroups(engine)) > 2; tries++) {
    assert.ok(tries < MOST_TRIES, 'they are not joined');
    tick();
    await setImmediate();
  }
}

describe('row groups', () => {
  it('are joined after a pause without loads, and not by checkpoints of commits', async (t) => {
    const { engine, folder } = await openShort(t);
    assert.equal(await rowGroups(engine), 4);
    const joining = openRowGroups(engine, folder, { idleMs: 1, journalBytes: 1 });

    joining.begun();
    joining.ended();
    await untilJoined(engine);

    // What the next commits write is not joined again.
    const groups = await rowGroups(engine);
    await settle(engine);
    await engine.run(['write'], [{ sql: 'insert into numbers values (4)' }, { sql: 'checkpoint' }], BOUNDS);
    assert.equal(await rowGroups(engine), groups + 1);
  });

  it('are left as they are while a load is under way, with a short journal, and once it is stopped', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { engine, folder } = await openShort(t);
    const short = openRowGroups(engine, folder);
    const busy = openRowGroups(engine, folder, { journalBytes: 1 });
    const stopped = openRowGroups(engine, folder, { journalBytes: 1 });

    for (const one of [short, busy, stopped]) {
      one.begun();
      one.ended();
    }
    busy.begun();
    stopped.stop();
    t.mock.timers.tick(IDLE_MS);
    await settle(engine);

    assert.equal(await rowGroups(engine), 4);

    busy.ended();
    t.mock.timers.tick(IDLE_MS);
    await untilJoined(engine, () => t.mock.timers.tick(IDLE_MS));
  });

  it('are joined once no report is read, whose transaction would keep the checkpoint from joining', async (t) => {
    const { engine, folder } = await openShort(t);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const joining = openRowGroups(engine, folder, { journalBytes: 1 });
    const reading = Promise.withResolvers<void>();
    const read = engine.hold('long', () => reading.promise);

    joining.begun();
    joining.ended();
    t.mock.timers.tick(IDLE_MS);
    await settle(engine);
    assert.equal(await rowGroups(engine), 4);

    reading.resolve();
    await read;
    t.mock.timers.tick(IDLE_MS);
    await untilJoined(engine, () => t.mock.timers.tick(IDLE_MS));
  });

  it('are joined though loads never pause, once that is overdue', async (t) => {
    const { engine, folder } = await openShort(t);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const joining = openRowGroups(engine, folder, { overdueMs: 10 * IDLE_MS, journalBytes: 1 });
    joining.begun();
    for (let half = 0; half < 20; half++) {
      assert.equal(await rowGroups(engine), 4);
      joining.begun();
      joining.ended();
      t.mock.timers.tick(IDLE_MS / 2);
      await settle(engine);
    }

    await untilJoined(engine, () => t.mock.timers.tick(IDLE_MS));
  });

  it('are joined with a short journal too, after a checkpoint of a commit', async (t) => {
    const { engine, folder } = await openShort(t);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const joining = openRowGroups(engine, folder);
    const load = async (step: string): Promise<void> => {
      joining.begun();
      await engine.run(['write'], [{ sql: step }], BOUNDS);
      joining.ended();
      t.mock.timers.tick(IDLE_MS);
      await settle(engine);
    };

    await load('checkpoint');
    assert.equal(await rowGroups(engine), 4);
    await load('insert into numbers values (4)');

    await untilJoined(engine, () => t.mock.timers.tick(IDLE_MS));
  });

  it('leave the engine as it was when a checkpoint is refused', async (t) => {
    const { engine, folder } = await openShort(t);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const joining = openRowGroups(engine, folder, { journalBytes: 1 });
    const opened = [{ sql: 'begin' }, { sql: 'insert into numbers values (5)' }];
    // Another transaction writes, in a lane that is not meant for it.
    await engine.hold('large', async (run) => void (await run(opened)));

    joining.begun();
    joining.ended();
    t.mock.timers.tick(IDLE_MS);
    await settle(engine);

    await engine.hold('large', async (run) => void (await run([{ sql: 'commit' }])));
    const sql = "select current_setting('max_vacuum_tasks')::integer as most";
    const [rows] = await engine.run(['quick'], [{ sql }], BOUNDS);
    assert.equal(Number(rows?.[0]?.most), 0);
    assert.ok((await rowGroups(engine)) >= 4);
  });
});

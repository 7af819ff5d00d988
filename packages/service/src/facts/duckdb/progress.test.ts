import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startEngine } from './process.ts';

describe('a call to the engine that is watched', () => {
  it('reports how much is done while it runs, and only if it is watched', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'daypart-progress-'));
    const engine = await startEngine({ folder, memoryMb: 1024, readable: [] });
    const work = 'select count(distinct hash(range)) from range(6000000)';
    const told: number[] = [];
    const bounds = { deadlineMs: 60_000 };

    await engine.run(['quick'], [{ sql: 'create table many as select range as a from range(4000000)' }], bounds);
    const steps = [{ sql: 'select 1' }, { sql: 'select count(distinct hash(a)) from many' }];
    await engine.run(['long'], steps, { ...bounds, onProgress: (done) => told.push(done) });
    await engine.run(['long'], [{ sql: work }], bounds);

    assert.ok(told.length > 0 && told.every((done) => done > 0 && done <= 1), String(told));
    assert.ok(
      told.some((done) => done > 0.5),
      String(told),
    );
    assert.deepEqual(
      told,
      [...told].sort((a, b) => a - b),
    );
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });
});

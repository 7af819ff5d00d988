import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Priority } from '../../nice.ts';
import { EngineGone } from '../errors.ts';
import { type EngineProcess, startEngine } from './process.ts';
import { createStarvation } from './starved.ts';

/** Nice value and scheduling class of each thread: fields 19 and 41 of proc(5)'s stat, where 5 is SCHED_IDLE. */
async function threadsOf(pid: number): Promise<string[]> {
  const ids = await readdir(`/proc/${pid}/task`);
  const stats = await Promise.all(ids.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, 'utf8')));
  const fields = stats.map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' '));
  return [...new Set(fields.map((field) => `${field[16]} ${field[38]}`))];
}

/** Waits until all threads of the engine are as expected. */
async function awaitThreads(engine: EngineProcess, expected: string): Promise<void> {
  let found = await threadsOf(engine.pid());
  for (let tries = 0; tries < 1000 && found.join() !== expected; tries++) {
    await setTimeout(20);
    found = await threadsOf(engine.pid());
  }
  assert.deepEqual(found, [expected]);
}

async function withEngine(priority: Priority, work: (engine: EngineProcess) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
  const engine = await startEngine({ folder, memoryMb: 512, priority, readable: [] });
  try {
    await work(engine);
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether this process may take a thread of nice 15 out of the idle class again. */
function mayReturn(): boolean {
  try {
    execFileSync('nice', ['-n', '15', 'chrt', '--idle', '0', 'chrt', '--other', '0', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const linux = process.platform === 'linux';
const LOW = '15 0';
const IDLE = '15 5';

describe("the engine's priority", { skip: !linux }, () => {
  it('is a low nice value, or the idle class, of every thread', async () => {
    await withEngine('low', (engine) => awaitThreads(engine, LOW));
    await withEngine('idle', (engine) => awaitThreads(engine, IDLE));
  });

  it('is by default the idle class if a process may leave it again, otherwise low', () =>
    withEngine('auto', (engine) => awaitThreads(engine, mayReturn() ? IDLE : LOW)));

  it('leaves the idle class when other programs keep every core busy', { skip: linux && !mayReturn() }, () =>
    withEngine('auto', async (engine) => {
      await awaitThreads(engine, IDLE);
      const off = new AbortController();
      const busy: ChildProcess[] = [];
      try {
        for (let core = 0; core < availableParallelism(); core++) {
          busy.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
        }
        const sql = 'select sum(a.range * b.range) from range(1000000) a, range(1000000) b';
        const work = assert.rejects(
          engine.run(['long'], [{ sql }], { deadlineMs: 60_000, signal: off.signal }),
          EngineGone,
        );
        await awaitThreads(engine, LOW);
        off.abort();
        await work;
      } finally {
        off.abort();
        for (const child of busy) {
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          await ended;
        }
      }
    }),
  );
});

describe('starving', () => {
  const look = (at: number, cpuMs: number, runnable = true) => ({ at, cpuMs, runnable });

  it('is to be runnable at three looks in a row with less than 5 % of a core between them', () => {
    const starves = createStarvation();
    assert.deepEqual([look(0, 0), look(400, 10), look(800, 20)].map(starves), [false, false, true]);
  });

  it('is not to sleep, nor to wait for a burst, nor to run a little', () => {
    for (const looks of [
      [look(0, 0), look(400, 0, false), look(800, 0), look(1200, 0), look(1600, 100)],
      [look(0, 0), look(400, 0), look(800, 50), look(1200, 50), look(1600, 100)],
      [look(0, 0, false), look(400, 0, false), look(800, 0, false)],
    ]) {
      const starves = createStarvation();
      assert.deepEqual(new Set(looks.map(starves)), new Set([false]));
    }
  });
});

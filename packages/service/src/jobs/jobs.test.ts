import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { type Queue, startRunner } from './jobs.ts';

const NEVER_MS = 3_600_000;

/** A queue in memory whose jobs run until they are ended or aborted, at most `most` at once. */
function createQueue(most: number, waiting: number[]) {
  const ends = new Map<number, () => void>();
  const claimed: number[] = [];
  const aborted: number[] = [];
  const errors: unknown[] = [];
  let widest = 0;
  let fault: Error | undefined;
  const queue: Queue<number> = {
    async *claims(running) {
      while (running().length < most) {
        await setImmediate();
        if (fault) throw fault;
        const job = waiting.shift();
        if (job === undefined) return;
        claimed.push(job);
        yield [job];
        widest = Math.max(widest, running().length);
      }
    },
    run: (job, abort) =>
      new Promise((resolve) => {
        const end = (): void => {
          ends.delete(job);
          resolve();
        };
        ends.set(job, end);
        abort.signal.addEventListener('abort', () => {
          aborted.push(job);
          end();
        });
      }),
    tickMs: NEVER_MS,
    onError: (error) => errors.push(error),
  };
  return {
    queue,
    waiting,
    ends,
    claimed,
    aborted,
    errors,
    widest: () => widest,
    fail: (error: Error | undefined) => {
      fault = error;
    },
  };
}

/** Until every claim that a wake began has ended. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn++) await setImmediate();
}

function setup(t: TestContext, most: number, waiting: number[], more: Partial<Queue<number>> = {}) {
  const made = createQueue(most, waiting);
  const runner = startRunner({ ...made.queue, ...more });
  t.after(() => runner.stop());
  return { ...made, runner };
}

describe('the runner of a queue', () => {
  it('claims what waits when it starts, as many as may run, and the next when one has ended', async (t) => {
    const { claimed, ends } = setup(t, 2, [1, 2, 3]);
    await settle();
    assert.deepEqual(claimed, [1, 2]);

    ends.get(1)?.();
    await settle();

    assert.deepEqual(claimed, [1, 2, 3]);
  });

  it('claims added jobs when it is woken, also while it is claiming', async (t) => {
    const { claimed, waiting, runner } = setup(t, 10, []);
    waiting.push(1);
    runner.wake();
    await settle();
    assert.deepEqual(claimed, [1]);

    runner.wake();
    await setImmediate();
    waiting.push(2);
    runner.wake();
    await settle();

    assert.deepEqual(claimed, [1, 2]);
  });

  it('claims at every tick without being woken, after what the tick does', async (t) => {
    const steps: string[] = [];
    const onTick = async (): Promise<void> => void steps.push('tick');
    const { claimed, waiting } = setup(t, 1, [], { tickMs: 5, onTick });
    await settle();
    waiting.push(7);

    while (claimed.length === 0) await setTimeout(5);

    assert.deepEqual(claimed, [7]);
    assert.ok(steps.length >= 2);
  });

  it('looks again after a claim that threw', async (t) => {
    const { claimed, errors, fail, runner } = setup(t, 1, [1]);
    fail(new Error('the disk is full'));
    await settle();
    assert.deepEqual([claimed, errors.length], [[], 1]);

    fail(undefined);
    runner.wake();
    await settle();

    assert.deepEqual(claimed, [1]);
  });

  it('aborts the job that is named and no other, and resolves when it has ended', async (t) => {
    const { aborted, ends, runner } = setup(t, 3, [1, 2, 3]);
    await settle();

    await runner.abort((job) => job === 2);

    assert.deepEqual(aborted, [2]);
    assert.deepEqual([...ends.keys()], [1, 3]);
  });

  it('aborts everything when it stops, also what a claim under way still brings in, and claims nothing after that', async (t) => {
    const { aborted, claimed, waiting, ends, runner } = setup(t, 3, [1, 2, 3, 4]);

    await runner.stop();
    runner.wake();
    waiting.push(5);
    await settle();

    assert.deepEqual(aborted, claimed);
    assert.equal(ends.size, 0);
    assert.ok(!claimed.includes(5));
  });

  it('runs every job once and never more at once than allowed, in any order of arrival', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), jobs: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ kind: fc.constant('end' as const), place: fc.nat(5) }),
      fc.record({ kind: fc.constant('abort' as const), place: fc.nat(5) }),
      fc.record({ kind: fc.constant('turns' as const), turns: fc.nat(4) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 20 }), async (most, steps) => {
        const { queue, waiting, ends, claimed, widest } = createQueue(most, []);
        const runner = startRunner(queue);
        let last = 0;
        try {
          for (const one of steps) {
            if (one.kind === 'add') {
              for (let job = 0; job < one.jobs; job++) waiting.push(++last);
              runner.wake();
            } else if (one.kind === 'turns') {
              for (let turn = 0; turn < one.turns; turn++) await setImmediate();
            } else {
              const job = [...ends.keys()][one.place];
              if (one.kind === 'end') ends.get(job ?? 0)?.();
              else await runner.abort((running) => running === job);
            }
          }
          while (ends.size > 0 || waiting.length > 0) {
            for (const end of [...ends.values()]) end();
            await setImmediate();
          }
          assert.deepEqual(
            claimed,
            Array.from({ length: last }, (_, index) => index + 1),
          );
          assert.ok(widest() <= most);
        } finally {
          await runner.stop();
        }
      }),
      { numRuns: 200 },
    );
  });
});

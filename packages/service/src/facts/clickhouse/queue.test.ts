import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FactsBusy } from '../errors.ts';
import type { LoadKind } from '../load.ts';
import { createQueue, type Waiting } from './queue.ts';

const LATER = Number.POSITIVE_INFINITY;
const LONG_AGO = Number.NEGATIVE_INFINITY;

/** A small load that waits, and the errors that it was rejected with. */
function waitingLoad(restaurant: number, more: Partial<Waiting> & { kind?: LoadKind; characters?: number } = {}) {
  const { kind = 'orders', characters = 1, ...own } = more;
  const rejected: unknown[] = [];
  const load: Waiting = {
    restaurant,
    turn: '',
    added: LONG_AGO,
    from: 0,
    until: LATER,
    load: { spool: { kind, records: '', parts: {} }, characters },
    alone: async () => true,
    resolve: () => undefined,
    reject: (error) => rejected.push(error),
    ...own,
  };
  return { load, rejected };
}

function queueOf(...loads: ReturnType<typeof waitingLoad>[]) {
  const queue = createQueue();
  for (const { load } of loads) queue.add(load);
  return queue;
}
const restaurantsOf = (loads: readonly Waiting[]): number[] => loads.map(({ restaurant }) => restaurant);

describe('the queue of loads', () => {
  it('takes loads of one kind together, and holds their restaurants until the group is done', () => {
    const later = waitingLoad(3, { kind: 'shifts' });
    const queue = queueOf(waitingLoad(1), waitingLoad(1), waitingLoad(2, { kind: 'shifts' }), waitingLoad(3), later);
    assert.deepEqual(restaurantsOf(queue.take()), [1, 1, 3]);
    assert.deepEqual(restaurantsOf(queue.take()), [2]);
    assert.deepEqual(queue.take(), []);
    assert.equal(queue.isEmpty(), false);
  });

  it('takes no more together than a megabyte, and a load with files alone', () => {
    const large = 1024 * 1024;
    const queue = queueOf(waitingLoad(1, { characters: large }), waitingLoad(2), waitingLoad(3, { load: undefined }));
    assert.deepEqual([queue.take(), queue.take(), queue.take()].map(restaurantsOf), [[1], [2], [3]]);
  });

  it('merges loads that arrive while a small group is in progress with the next loads of its clients', () => {
    let now = 0;
    const queue = createQueue(() => now);
    const add = (restaurant: number): void => queue.add(waitingLoad(restaurant, { added: now }).load);
    add(1);
    const first = queue.take();
    assert.deepEqual(restaurantsOf(first), [1], 'nothing is in progress');
    add(2);
    assert.deepEqual(queue.take(), []);
    now = 80;
    queue.done(first, []);
    add(1);
    assert.deepEqual(queue.take(), [], 'the restaurant of the last group rests');
    now = 140;
    assert.deepEqual(restaurantsOf(queue.take()), [2, 1]);
  });

  it('waits for the clients of a small group for a quarter of its time, and a quarter of a second at most', () => {
    for (const [took, wait] of [
      [800, 200],
      [20_000, 250],
    ] as const) {
      let now = 0;
      const queue = createQueue(() => now);
      const add = (restaurant: number): void => queue.add(waitingLoad(restaurant, { added: now }).load);
      add(1);
      const first = queue.take();
      now = took;
      queue.done(first, []);
      add(2);
      now = took + wait - 1;
      assert.deepEqual(queue.take(), []);
      add(1);
      now = took + wait;
      assert.deepEqual(restaurantsOf(queue.take()), [2, 1]);
    }
  });

  it('lets a small load wait for a group in progress for a second at most', () => {
    let now = 0;
    const queue = createQueue(() => now);
    for (const restaurant of [1, 2]) {
      queue.add(waitingLoad(restaurant, { added: now }).load);
      if (restaurant === 1) queue.take();
    }
    now = 999;
    assert.deepEqual(queue.take(), []);
    now = 1000;
    assert.deepEqual(restaurantsOf(queue.take()), [2]);
  });

  it('leaves no small load waiting beside files or loads of another kind, nor one whose group is full', () => {
    const files = queueOf(waitingLoad(1, { characters: LATER }), waitingLoad(2, { added: LATER }));
    assert.deepEqual([files.take(), files.take()].map(restaurantsOf), [[1], [2]]);
    const kinds = queueOf(waitingLoad(1, { added: LATER }), waitingLoad(2, { added: LATER, kind: 'shifts' }));
    assert.deepEqual([kinds.take(), kinds.take()].map(restaurantsOf), [[1], [2]]);
    const large = { added: LATER, characters: 600 * 1024 };
    const full = queueOf(waitingLoad(1, { added: LATER }));
    full.take();
    for (const restaurant of [2, 3]) full.add(waitingLoad(restaurant, large).load);
    assert.deepEqual([full.take(), full.take()].map(restaurantsOf), [[2], []]);
  });

  it('gives the turn to the caller that has waited longest for one', () => {
    const large = 1024 * 1024;
    const queue = queueOf(
      ...[1, 2].map((restaurant) => waitingLoad(restaurant, { turn: 'busy', characters: large })),
      waitingLoad(3, { turn: 'quiet', characters: large }),
    );
    assert.deepEqual([queue.take(), queue.take(), queue.take()].map(restaurantsOf), [[1], [3], [2]]);
  });

  it('lets a load wait again whose restaurant another node holds, and rejects it when its time is up', () => {
    const [held, late] = [waitingLoad(1), waitingLoad(2, { until: 0 })];
    const queue = queueOf(held, late);
    const taken = queue.take();
    queue.done(taken, taken);
    assert.deepEqual(held.rejected, []);
    assert.ok(late.rejected[0] instanceof FactsBusy);
    // The restaurant is left to the other node for a while.
    assert.deepEqual(queue.take(), []);
    assert.equal(queue.isEmpty(), false);
    queue.close();
    assert.equal(held.rejected.length, 1);
  });
});

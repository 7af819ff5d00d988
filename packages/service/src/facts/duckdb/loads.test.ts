import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Merged, SpoolFiles, SpoolLines } from '../load.ts';
import { createLoads } from './loads.ts';

const LOAD: SpoolLines = { kind: 'orders', records: '{}', parts: {} };
const LARGE: SpoolFiles = { kind: 'orders', folder: '', bytes: 2 ** 40 };
const MERGED: Merged = { accepted: 1, unchanged: 0, load: 1, days: [] };

/** Loads in front of an engine whose merges end when the test says so. */
function openQueue() {
  const merges: { restaurants: number[]; isBeside?: boolean; end: () => void }[] = [];
  const merge = createLoads({
    together: (_kind, loads, isBeside) =>
      new Promise((resolve) => {
        const end = (): void => resolve(loads.map(() => MERGED));
        merges.push({ restaurants: loads.map(({ restaurant }) => restaurant), isBeside, end });
      }),
    alone: async () => MERGED,
    beside: (restaurant) =>
      new Promise((resolve) => merges.push({ restaurants: [restaurant], end: () => resolve(MERGED) })),
  });
  /** The next merge that begins. */
  async function begun(): Promise<(typeof merges)[number]> {
    for (;;) {
      const next = merges.shift();
      if (next) return next;
      await setImmediate();
    }
  }
  return {
    merge: (restaurant: number, spool: SpoolLines | SpoolFiles = LOAD) => merge(restaurant, spool),
    begun,
    count: () => merges.length,
  };
}

describe('loads in front of the engine', () => {
  it('are merged together with those that come while the last merge runs', async () => {
    const { merge, begun } = openQueue();
    const first = merge(1);
    const one = await begun();
    const others = [merge(2), merge(3)];
    one.end();
    await first;
    const two = await begun();
    two.end();
    await Promise.all(others);

    assert.deepEqual([one.restaurants, two.restaurants], [[1], [2, 3]]);
  });

  it('wait for those that were just answered, up to a quarter of the time of the merge', async () => {
    const { merge, begun } = openQueue();
    const first = merge(1);
    const one = await begun();
    const pair = [merge(2), merge(3)];
    one.end();
    await first;
    const two = await begun();
    // So long that the two have time to come again.
    await new Promise((resolve) => setTimeout(resolve, 400));
    two.end();
    await Promise.all(pair);
    const again = [merge(2)];
    await setImmediate();
    again.push(merge(3));
    const three = await begun();
    three.end();
    await Promise.all(again);
    // Nobody else comes: it is merged all the same.
    const alone = merge(4);
    const four = await begun();
    four.end();
    await alone;

    assert.deepEqual(
      [two, three, four].map(({ restaurants }) => restaurants),
      [[2, 3], [2, 3], [4]],
    );
  });

  it('are merged by halves if many are in progress, so that one half is read while the other is merged', async () => {
    const { merge, begun } = openQueue();
    const first = merge(0);
    const one = await begun();
    const all = Array.from({ length: 40 }, (_, i) => merge(i + 1));
    one.end();
    await first;
    const two = await begun();
    // So long that half of them have time to come again.
    await new Promise((resolve) => setTimeout(resolve, 400));
    two.end();
    await Promise.all(all);
    const half = Array.from({ length: 20 }, (_, i) => merge(i + 1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const others = Array.from({ length: 20 }, (_, i) => merge(i + 21));
    const three = await begun();
    three.end();
    await Promise.all(half);
    const four = await begun();
    four.end();
    await Promise.all(others);

    assert.deepEqual(
      [two, three, four].map(({ restaurants }) => restaurants.length),
      [40, 20, 20],
    );
  });

  it('are merged while a large one is, but for those of its restaurant, which come before the next large one', async () => {
    const { merge, begun, count } = openQueue();
    const large = [merge(1, LARGE), merge(1, LARGE)];
    const one = await begun();
    const held = merge(1);
    const other = merge(2);
    const two = await begun();
    two.end();
    await other;
    await setImmediate();
    assert.equal(count(), 0, 'nothing of its restaurant is merged meanwhile');
    one.end();
    await large[0];
    const three = await begun();
    three.end();
    await held;
    const four = await begun();
    four.end();
    await large[1];

    assert.deepEqual(
      [two, three, four].map(({ restaurants, isBeside }) => [restaurants, isBeside]),
      [
        [[2], true],
        [[1], false],
        [[1], undefined],
      ],
    );
  });
});

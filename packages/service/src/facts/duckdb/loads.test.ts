import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Merged, SpoolFiles, SpoolLines } from '../load.ts';
import { createLoads } from './loads.ts';

const LOAD: SpoolLines = { kind: 'orders', records: '{}', parts: {} };
const LARGE: SpoolFiles = { kind: 'orders', folder: '', bytes: 2 ** 40 };
const MERGED: Merged = { accepted: 1, unchanged: 0, load: 1, days: [] };

const FILES: SpoolFiles = { kind: 'orders', folder: '', bytes: 1 };

interface Begun {
  restaurants: number[];
  records?: string[];
  isBeside?: boolean;
  end(): void;
  fail?(error: Error): void;
}

/** Loads in front of an engine whose merges end when the test says so. */
function openQueue() {
  const merges: Begun[] = [];
  const merge = createLoads({
    batch: (_kind, loads, isBeside) =>
      new Promise((resolve, fail) => {
        const end = (): void => resolve(loads.map(() => MERGED));
        const records = loads.map(({ spool }) => spool.records);
        merges.push({ restaurants: loads.map(({ restaurant }) => restaurant), records, isBeside, end, fail });
      }),
    alone: (restaurant) =>
      new Promise((resolve) => merges.push({ restaurants: [restaurant], end: () => resolve(MERGED) })),
    large: (restaurant) =>
      new Promise((resolve) => merges.push({ restaurants: [restaurant], end: () => resolve(MERGED) })),
  });
  /** The next merge that begins. */
  async function begun(): Promise<Begun> {
    for (;;) {
      const next = merges.shift();
      if (next) return next;
      await setImmediate();
    }
  }
  const add = (restaurant: number, spool: SpoolLines | SpoolFiles = LOAD) => merge(restaurant, spool);
  /** Adds a load of each of so many restaurants. */
  const addMany = (count: number, first = 1) => Array.from({ length: count }, (_, i) => add(first + i));
  return {
    merge: add,
    addMany,
    begun,
    /** Begins the merge of a half, of restaurants 1 to 20; the other half, 20 or more, is to come. */
    async half() {
      const first = add(0);
      const one = await begun();
      const all = addMany(40);
      one.end();
      await first;
      const two = await begun();
      two.end();
      await Promise.all(all);
      const loads = addMany(20);
      return { loads, merge: await begun() };
    },
    /** The merges that have begun once everything else has had its turn. */
    async count() {
      for (let turn = 0; turn < 10; turn++) await setImmediate();
      return merges.length;
    },
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

  it('of one owner are merged together by kind, in whatever order the kinds come', async () => {
    const { merge, begun } = openQueue();
    const first = merge(1);
    const one = await begun();
    const others = Promise.all(
      [2, 3, 4].flatMap((restaurant) => [merge(restaurant), merge(restaurant, { ...LOAD, kind: 'shifts' })]),
    );
    one.end();
    await first;
    const merges: number[][] = [];
    while (merges.flat().length < 6) {
      const next = await begun();
      merges.push(next.restaurants);
      next.end();
    }
    await others;

    assert.deepEqual(merges, [
      [2, 3, 4],
      [2, 3, 4],
    ]);
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

  it('are posted by halves while the half before is merged, at most one ahead', async () => {
    const { half, addMany, begun, count } = openQueue();
    const one = await half();
    const others = addMany(20, 21);
    const two = await begun();
    const more = addMany(40, 41);
    assert.equal(await count(), 0, 'two are in the engine');
    one.merge.end();
    await Promise.all(one.loads);
    const three = await begun();
    two.end();
    await Promise.all(others);
    three.end();
    await Promise.all(more);

    assert.deepEqual(
      [one.merge, two, three].map(({ restaurants }) => [restaurants.length, restaurants[0]]),
      [
        [20, 1],
        [20, 21],
        [40, 41],
      ],
    );
  });

  it('are not posted ahead before a half has come', async () => {
    const { half, addMany, begun, count } = openQueue();
    const one = await half();
    const others = addMany(10, 21);
    assert.equal(await count(), 0);
    one.merge.end();
    await Promise.all(one.loads);
    const two = await begun();
    two.end();
    await Promise.all(others);
  });

  it('are not posted ahead while few are in progress', async () => {
    const { addMany, begun, count } = openQueue();
    let last = addMany(4);
    for (let turn = 0; turn < 4; turn++) {
      const one = await begun();
      const next = addMany(4);
      assert.equal(await count(), 0);
      one.end();
      await Promise.all(last.slice(0, one.restaurants.length));
      last = [...last.slice(one.restaurants.length), ...next];
    }
    while (last.length > 0) {
      const one = await begun();
      one.end();
      await Promise.all(last.splice(0, one.restaurants.length));
    }
  });

  it('are not posted ahead of a large one that waits, but while it is merged', async () => {
    const { half, merge, addMany, begun, count } = openQueue();
    const one = await half();
    const large = [merge(99, LARGE), merge(98, LARGE)];
    const others = addMany(20, 21);
    assert.equal(await count(), 0);
    one.merge.end();
    await Promise.all(one.loads);
    const [beside, two] = [await begun(), await begun()];
    const more = addMany(20, 41);
    const three = await begun();
    two.end();
    three.end();
    await Promise.all([...others, ...more]);
    beside.end();
    await large[0];
    const last = await begun();
    last.end();
    await large[1];

    assert.deepEqual(
      [one.merge, beside, two, three, last].map(({ restaurants, isBeside }) => [restaurants[0], isBeside]),
      [
        [1, false],
        [99, undefined],
        [21, true],
        [41, true],
        [98, undefined],
      ],
    );
  });

  for (const [name, spool] of [
    ['a large one', LARGE],
    ['one with files', FILES],
  ] as const)
    it(`that were posted ahead are merged before ${name} that came later`, async () => {
      const { half, merge, addMany, begun, count } = openQueue();
      const one = await half();
      const others = addMany(20, 21);
      const two = await begun();
      const later = merge(99, spool);
      one.merge.end();
      await Promise.all(one.loads);
      assert.equal(await count(), 0);
      two.end();
      await Promise.all(others);
      const three = await begun();
      three.end();
      await later;

      assert.deepEqual(three.restaurants, [99]);
    });

  it('are not posted ahead of one with files', async () => {
    const { half, merge, addMany, begun, count } = openQueue();
    const one = await half();
    const files = merge(99, FILES);
    const others = addMany(20, 21);
    assert.equal(await count(), 0);
    one.merge.end();
    await Promise.all(one.loads);
    const alone = await begun();
    assert.equal(await count(), 0);
    alone.end();
    await files;
    const two = await begun();
    two.end();
    await Promise.all(others);

    assert.deepEqual([alone.restaurants, two.restaurants.length], [[99], 20]);
  });

  it('fail without those of the merge that was posted behind theirs', async () => {
    const { half, addMany, begun } = openQueue();
    const one = await half();
    const others = addMany(20, 21);
    const two = await begun();
    const outcomes = Promise.allSettled(one.loads);
    const settle = ({ restaurants, end, fail }: Begun): void =>
      restaurants.includes(13) ? fail?.(new Error('it does not fit')) : end();
    settle(one.merge);
    // 20 are split into 10, 5, 2 and 1, twice each.
    for (let merge = 0; merge < 8; merge++) settle(await begun());
    const failed = (await outcomes).map(({ status }, index) => status === 'rejected' && index + 1).filter(Boolean);
    two.end();
    await Promise.all(others);

    assert.deepEqual(failed, [13]);
  });

  it('of one restaurant are merged in the order in which they came', async () => {
    const { half, merge, begun } = openQueue();
    const one = await half();
    const names = Array.from({ length: 60 }, (_, i) => String(i));
    const loads = names.map((records) => merge(7, { ...LOAD, records }));
    const order: string[] = [];
    let behind = await begun();
    one.merge.end();
    while (order.length < names.length) {
      order.push(...(behind.records ?? []));
      behind.end();
      if (order.length < names.length) behind = await begun();
    }
    await Promise.all([...one.loads, ...loads]);

    assert.deepEqual(order, names);
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
    assert.equal(await count(), 0, 'nothing of its restaurant is merged meanwhile');
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

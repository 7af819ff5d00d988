import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openLanes } from './lanes.ts';

/** Takes the write lane for callers, and notes the order in which they got it. */
function openTurns() {
  const lanes = openLanes();
  const order: string[] = [];
  const take = async (name: string, shares = false): Promise<() => void> => {
    const { free } = await lanes.take(['write'], shares);
    order.push(name);
    return free;
  };
  return { take, order, lanes };
}

describe('the lanes of the engine', () => {
  it('are shared by those that allow it, and free after the last of them', async () => {
    const { take, order, lanes } = openTurns();
    const one = await take('one', true);
    const two = await take('two', true);
    const other = take('other');
    one();
    await setImmediate();
    assert.deepEqual(order, ['one', 'two']);
    two();
    (await other)();

    assert.deepEqual([order, [...lanes.held()]], [['one', 'two', 'other'], []]);
  });

  it('are not shared with one that holds it alone', async () => {
    const { take, order } = openTurns();
    const alone = await take('alone');
    const shared = take('shared', true);
    await setImmediate();
    assert.deepEqual(order, ['alone']);
    alone();
    (await shared)();
  });

  it('are not shared further while somebody waits for the lane', async () => {
    const { take, order } = openTurns();
    const one = await take('one', true);
    const other = take('other');
    const [two, three] = [take('two', true), take('three', true)];
    await setImmediate();
    assert.deepEqual(order, ['one']);
    one();
    const free = await other;
    await setImmediate();
    assert.deepEqual(order, ['one', 'other']);
    free();
    const both = await Promise.all([two, three]);

    assert.deepEqual(order, ['one', 'other', 'two', 'three']);
    for (const end of both) end();
  });
});

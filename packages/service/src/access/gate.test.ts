import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createGate } from './gate.ts';

describe('a gate', () => {
  it('lets a number work and a number wait in their order, and refuses the rest', async () => {
    const gate = createGate({ atOnce: 2, waiting: 2 });
    const ends: (() => void)[] = [];
    const begun: number[] = [];
    const work = (name: number) =>
      gate(async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      });

    const all = [work(0), work(1), work(2), work(3), work(4)];
    await setImmediate();
    assert.deepEqual(begun, [0, 1]);
    assert.equal(all[4], undefined);
    ends[1]?.();
    await setImmediate();
    assert.deepEqual(begun, [0, 1, 2]);
    const late = work(5);
    ends[0]?.();
    ends[2]?.();
    await setImmediate();
    assert.deepEqual(begun, [0, 1, 2, 3, 5]);
    for (const end of ends) end();

    assert.deepEqual(await Promise.all([...all.slice(0, 4), late]), [0, 1, 2, 3, 5]);
  });

  it('is left by work that fails', async () => {
    const gate = createGate({ atOnce: 1, waiting: 1 });
    const failing = gate(async () => {
      throw new Error('no');
    });
    const next = gate(async () => 'yes');

    await assert.rejects(failing ?? Promise.resolve(), /no/);
    assert.equal(await next, 'yes');
  });
});

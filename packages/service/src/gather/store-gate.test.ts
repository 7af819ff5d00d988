import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createStoreGate } from './store-gate.ts';

/** A gate of two stores, of which one may be unavailable. */
function gateOf() {
  const opened = Promise.withResolvers<void>();
  const world = { isAway: false, pings: 0, elapsed: 0 };
  const facts = {
    async ping() {
      world.pings++;
      if (world.isAway) throw new Error('refused');
    },
  };
  const results = { ping: async () => undefined };
  const gate = createStoreGate({ facts, results, onOpen: opened.resolve }, () => world.elapsed, 5);
  return { gate, world, opened: opened.promise };
}

describe('the gate of a worker', () => {
  it('remains open if the stores answer', async () => {
    const { gate, world } = gateOf();
    assert.deepEqual([await gate.check(), await gate.check()], [true, true]);
    assert.deepEqual([gate.most(), world.pings], [16, 2]);
  });

  it('is closed until the stores answer, and then admits one more report each second', async (t) => {
    const { gate, world, opened } = gateOf();
    t.after(() => gate.stop());
    world.isAway = true;

    assert.deepEqual(await Promise.all([gate.check(), gate.check()]), [false, false]);
    assert.deepEqual([gate.most(), world.pings], [0, 1]);
    while (world.pings < 3) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.deepEqual([gate.most(), await gate.check()], [0, false]);

    world.isAway = false;
    await opened;
    assert.equal(gate.most(), 1);
    world.elapsed = 2500;
    assert.equal(gate.most(), 3);
    world.elapsed = 60_000;
    assert.equal(gate.most(), 16);
    assert.equal(await gate.check(), true);
  });

  it('pings no more once the worker stops', async () => {
    const { gate, world } = gateOf();
    world.isAway = true;
    await gate.check();
    gate.stop();
    const { pings } = world;
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(world.pings <= pings + 1);
  });
});

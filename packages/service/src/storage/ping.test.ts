import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pingStore } from './ping.ts';

describe('a ping of a store', () => {
  it('resolves if the store answers, which gets the deadline', async () => {
    const deadlines: number[] = [];
    await pingStore({ ping: async (deadlineMs) => void deadlines.push(deadlineMs) });
    assert.deepEqual(deadlines, [2000]);
  });

  it('rejects with the error of the store', async () => {
    await assert.rejects(pingStore({ ping: async () => Promise.reject(new Error('refused')) }), { message: 'refused' });
  });

  it('rejects if there is no answer within the deadline', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const pinged = pingStore({ ping: () => new Promise(() => undefined) });
    t.mock.timers.tick(2000);
    await assert.rejects(pinged, { message: 'late' });
  });
});

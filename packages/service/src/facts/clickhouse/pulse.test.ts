import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FactsGone } from '../errors.ts';
import { watchPulse } from './pulse.ts';

const PING_MS = 5;
/** Longer than any test waits; ended by its signal. */
const never = (silent: AbortSignal) => sleep(60_000, 'answered', { signal: silent });

describe('the pulse of the facts server', () => {
  it('ends calls of a server that says nothing, and refuses others until it answers a ping', async (t) => {
    const frozen = Promise.withResolvers<boolean>();
    let answered = Promise.withResolvers<void>();
    let pings = 0;
    const pulse = watchPulse(() => {
      pings++;
      if (pings > 1) answered.resolve();
      return pings === 1 ? frozen.promise : Promise.resolve(true);
    }, PING_MS);
    t.after(() => pulse.stop());

    await assert.rejects(pulse.during(never), FactsGone);
    assert.equal(pings, 1);
    await assert.rejects(
      pulse.during(async () => 'answered'),
      FactsGone,
    );
    answered = Promise.withResolvers<void>();
    frozen.resolve(false);
    await answered.promise;
    await sleep(0);
    assert.equal(await pulse.during(async () => 'answered'), 'answered');
  });

  it('leaves long calls alone while pings are answered, and throws what they throw', async (t) => {
    let pings = 0;
    const enough = Promise.withResolvers<void>();
    const pulse = watchPulse(async () => {
      if (++pings === 30) enough.resolve();
      return true;
    }, PING_MS);
    t.after(() => pulse.stop());
    const silent = await pulse.during(async (signal) => {
      await enough.promise;
      return signal.aborted;
    });
    assert.equal(silent, false);
    await assert.rejects(
      pulse.during(async () => Promise.reject(new Error('refused'))),
      /refused/,
    );
  });
});

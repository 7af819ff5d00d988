import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bounded } from './bounded.ts';

const ERRORS = { late: () => new Error('too late'), cancelled: () => new Error('cancelled') };

describe('bounded work', () => {
  it('returns its result, and throws its error', async () => {
    assert.equal(await bounded(async () => 7, { deadlineMs: 60_000 }, ERRORS), 7);
    await assert.rejects(
      bounded(() => Promise.reject(new Error('of its own')), { deadlineMs: 60_000 }, ERRORS),
      /of its own/,
    );
  });

  it('is aborted at its deadline and by its signal, and nobody waits for it', async () => {
    const reasons: unknown[] = [];
    const endless = (signal: AbortSignal): Promise<never> => {
      signal.addEventListener('abort', () => reasons.push(signal.reason.message));
      return new Promise(() => undefined);
    };
    const leaving = new AbortController();

    await assert.rejects(bounded(endless, { deadlineMs: 1, signal: leaving.signal }, ERRORS), /too late/);
    const cancelled = assert.rejects(
      bounded(endless, { deadlineMs: 60_000, signal: leaving.signal }, ERRORS),
      /cancelled/,
    );
    leaving.abort();
    await cancelled;

    assert.deepEqual(reasons, ['too late', 'cancelled']);
  });

  it('is given an aborted signal if it was cancelled before', async () => {
    const work = async (signal: AbortSignal): Promise<void> => assert.ok(signal.aborted);

    await assert.rejects(bounded(work, { deadlineMs: 60_000, signal: AbortSignal.abort() }, ERRORS), /cancelled/);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createShare } from './share.ts';

/** Work that ends on request; `stopped` says whether it was cancelled. */
function work() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const begun: AbortSignal[] = [];
  const start = (signal: AbortSignal): Promise<string> => {
    begun.push(signal);
    signal.addEventListener('abort', () => resolve('called off'));
    return promise;
  };
  return { start, begun, end: resolve };
}

describe('shared work', () => {
  it('is done once for all callers while it runs, and again afterwards', async () => {
    const share = createShare<string>();
    const { start, begun, end } = work();

    const both = [share('a', start), share('a', start)];
    end('done');

    assert.deepEqual(await Promise.all(both), ['done', 'done']);
    assert.equal(begun.length, 1);
    await share('a', start);
    assert.equal(begun.length, 2);
  });

  it('continues while any caller waits, and is cancelled when the last has left', async () => {
    const share = createShare<string>();
    const { start, begun } = work();
    const [one, other] = [new AbortController(), new AbortController()];
    const both = [share('a', start, one.signal), share('a', start, other.signal)];

    one.abort();
    await assert.rejects(both[0] as Promise<string>, { name: 'AbortError' });
    assert.equal(begun[0]?.aborted, false);
    other.abort();
    await assert.rejects(both[1] as Promise<string>, { name: 'AbortError' });

    assert.equal(begun[0]?.aborted, true);
  });

  it('that was cancelled is not joined by the next caller', async () => {
    const share = createShare<string>();
    const [first, second] = [work(), work()];
    const leaving = new AbortController();
    const left = share('a', first.start, leaving.signal);
    leaving.abort();

    const again = share('a', second.start);
    second.end('done');

    await assert.rejects(left);
    assert.equal(await again, 'done');
  });

  it('that a caller still waits for is not cancelled', async () => {
    const share = createShare<string>();
    const { start, begun, end } = work();
    const leaving = new AbortController();
    const staying = share('a', start);
    const left = share('a', start, leaving.signal);

    leaving.abort();
    await assert.rejects(left);
    await setImmediate();
    end('done');

    assert.equal(begun[0]?.aborted, false);
    assert.equal(await staying, 'done');
  });

  it('that fails rejects for all callers, and is tried again by the next', async () => {
    const share = createShare<string>();
    let tries = 0;
    const failing = async (): Promise<string> => {
      if (++tries === 1) throw new Error('no');
      return 'yes';
    };

    const both = await Promise.allSettled([share('a', failing), share('a', failing)]);

    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await share('a', failing), 'yes');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHosts } from './hosts.ts';

const { signal } = new AbortController();
const failed = (code: string): Error => Object.assign(new Error(code), { code });
const isAway = (error: unknown): boolean => /^E/.test(String((error as { code?: string }).code));

/** Three hosts, of which each call fails with its error, if it has one; and which were called. */
function hostsOf(errors: Record<string, Error>) {
  const called: string[] = [];
  const hosts = createHosts(['a', 'b', 'c'], isAway);
  const call = (mayRepeat: boolean): Promise<string> =>
    hosts.call(
      async (name) => {
        called.push(name);
        const error = errors[name];
        if (error) throw error;
        return name;
      },
      { mayRepeat, signal },
    );
  return { call, called, errors };
}

describe('hosts', () => {
  it('are called in their order, the next one if there was no connection', async () => {
    const { call, called, errors } = hostsOf({ a: failed('ECONNREFUSED'), b: failed('ENOTFOUND') });
    assert.equal(await call(false), 'c');
    assert.deepEqual(called.splice(0), ['a', 'b', 'c']);
    // For a while those that failed come last.
    assert.equal(await call(false), 'c');
    assert.deepEqual(called.splice(0), ['c']);
    errors.c = failed('ECONNREFUSED');
    delete errors.b;
    assert.equal(await call(false), 'b');
    assert.deepEqual(called, ['c', 'a', 'b']);
  });

  it('are sent nothing a second time that may have been carried out, unless it only reads', async () => {
    const broken = hostsOf({ a: failed('ECONNRESET') });
    await assert.rejects(broken.call(false), /ECONNRESET/);
    assert.deepEqual(broken.called, ['a']);
    assert.equal(await hostsOf({ a: failed('ECONNRESET') }).call(true), 'b');
  });

  it('return the error of a wrong call, and the error of the last host if all are unavailable', async () => {
    const wrong = hostsOf({ a: failed('syntax') });
    await assert.rejects(wrong.call(true), /syntax/);
    assert.deepEqual(wrong.called, ['a']);
    const away = { a: failed('ECONNREFUSED'), b: failed('ECONNREFUSED'), c: failed('EPIPE') };
    await assert.rejects(hostsOf(away).call(true), /EPIPE/);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPrefer } from './wait.ts';

describe('Prefer', () => {
  it('holds as long as asked, at most 30 s, and not at all for respond-async', () => {
    assert.deepEqual(readPrefer(undefined, 5), { seconds: 5 });
    assert.deepEqual(readPrefer('wait=0', 5), { seconds: 0, applied: 'wait=0' });
    assert.deepEqual(readPrefer('wait = 12', 5), { seconds: 12, applied: 'wait=12' });
    assert.deepEqual(readPrefer('Wait="7"', 5), { seconds: 7, applied: 'wait=7' });
    assert.deepEqual(readPrefer('wait=600', 5), { seconds: 30, applied: 'wait=30' });
    assert.deepEqual(readPrefer('wait=999999999999999999999', 5), { seconds: 30, applied: 'wait=30' });
    assert.deepEqual(readPrefer('respond-async', 5), { seconds: 0, applied: 'respond-async' });
    assert.deepEqual(readPrefer('respond-async, wait=10', 5), { seconds: 10, applied: 'wait=10' });
    assert.deepEqual(readPrefer('return=minimal, wait=x', 5), { seconds: 5 });
  });

  it('takes the first of two, and ignores what belongs to another preference or is in quotes', () => {
    assert.deepEqual(readPrefer(['wait=3', 'wait=9'], 5), { seconds: 3, applied: 'wait=3' });
    assert.deepEqual(readPrefer('wait=x, wait=9', 5), { seconds: 5 });
    assert.deepEqual(readPrefer('foo; wait=9, respond-async; bar', 5), { seconds: 0, applied: 'respond-async' });
    assert.deepEqual(readPrefer('foo="a, wait=9; b\\", wait=8", WAIT=2', 5), { seconds: 2, applied: 'wait=2' });
    assert.deepEqual(readPrefer('respond-async="", foo="wait=1', 5), { seconds: 0, applied: 'respond-async' });
    assert.deepEqual(readPrefer('respond-async=no', 5), { seconds: 5 });
  });
});

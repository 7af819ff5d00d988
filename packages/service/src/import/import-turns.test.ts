import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createImportTurns } from './import-turns.ts';

/** Turns whose works end by `endAll`; `begun` has those that began, in their order. */
function recorded(waiting: number) {
  const turns = createImportTurns(waiting);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (name: string, signal = new AbortController().signal) =>
    turns(name[0] ?? '', signal, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    });
  const endAll = async (): Promise<void> => {
    await setImmediate();
    for (let at = 0; at < ends.length; at++) {
      ends[at]?.();
      await setImmediate();
    }
  };
  return { ask, begun, endAll };
}

describe('the turns of imports', () => {
  it('go round the groups, one at a time, and each group has a queue of its own', async () => {
    const { ask, begun, endAll } = recorded(3);
    const requested = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2'].map((name) => ask(name));
    assert.deepEqual(
      requested.map((one) => one !== undefined),
      [true, true, true, true, false, true, true, true],
      'the fourth that waits of a group is refused, and no other group is',
    );
    await setImmediate();
    assert.deepEqual(begun, ['a1']);
    await endAll();
    assert.deepEqual(begun, ['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'a4']);
    assert.deepEqual(await Promise.all(requested), ['a1', 'a2', 'a3', 'a4', undefined, 'b1', 'c1', 'b2']);
    const later = ask('a6');
    await endAll();
    assert.equal(await later, 'a6', 'after all have ended the next begins');
  });

  it('pass over a caller that has left, whose place is free again, and do not stop at a failure', async () => {
    const { ask, begun, endAll } = recorded(1);
    const left = new AbortController();
    const first = ask('a1');
    const gone = ask('a2', left.signal);
    left.abort(new Error('left'));
    await assert.rejects(gone ?? Promise.resolve(), /left/);
    const third = ask('a3');
    await assert.rejects(ask('b1', left.signal) ?? Promise.resolve(), /left/);
    await endAll();
    assert.deepEqual(await Promise.all([first, third]), ['a1', 'a3']);
    assert.deepEqual(begun, ['a1', 'a3']);

    const turns = createImportTurns(1);
    const { signal } = new AbortController();
    const failing = turns('a', signal, () => Promise.reject(new Error('no')));
    const next = turns('b', signal, async () => 'yes');
    await assert.rejects(failing ?? Promise.resolve(), /no/);
    assert.equal(await next, 'yes');
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTrigger } from './trigger.ts';

it('figures are read again after a load, and during one that has no pause', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
  const readAt: number[] = [];
  const { note } = createTrigger(() => void readAt.push((Date.now() - 1_000_000) / 1000));
  const pass = (seconds: number): void => {
    for (let half = 0; half < 2 * seconds; half++) t.mock.timers.tick(500);
  };
  note();
  pass(5);
  assert.deepEqual(readAt, [2]);

  for (let second = 5; second < 65; second++) {
    note();
    pass(1);
  }
  assert.deepEqual(readAt, [2, 20, 35, 50, 65]);
});

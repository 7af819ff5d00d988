import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClock } from './clock.ts';

test('the clock of the stand-in stops where it is until it is moved, and never goes back', () => {
  let outside = 5000;
  const clock = createClock({ at: 1000, outside: () => outside });

  outside += 60_000;
  assert.equal(clock.now(), 1000);
  clock.advance(250);
  assert.equal(clock.now(), 1250);
  assert.throws(() => clock.advance(-1), RangeError);
  assert.throws(() => clock.run(-1), RangeError);
});

test('it runs at a speed that may change, also while the clock outside goes back', () => {
  let outside = 0;
  const clock = createClock({ at: 0, speed: 60, outside: () => outside });

  outside = 1000;
  assert.equal(clock.now(), 60_000);
  outside = 500;
  assert.equal(clock.now(), 60_000);
  outside = 1000;
  clock.run(0);
  outside = 9000;
  assert.equal(clock.now(), 60_000);
  clock.run(1);
  outside = 9001;
  assert.deepEqual([clock.now(), clock.speed], [60_001, 1]);
});

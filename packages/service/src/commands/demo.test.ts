import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { it } from 'node:test';
import { progressLine } from './demo.ts';

it('the progress of the demo is a line for each tenth, and nothing where no orders are to be loaded', () => {
  let printed = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      printed += chunk;
      done();
    },
  });
  progressLine({ stderr })(0, 0);
  assert.equal(printed, '');

  const progress = progressLine({ stderr });
  for (let done = 1000; done <= 4000; done++) progress(done, 4000);

  const lines = printed.trimEnd().split('\n');
  assert.equal(lines.length, 9);
  assert.equal(lines.at(-1), 'Loading sample restaurants: 100 % (4,000 orders)');
});

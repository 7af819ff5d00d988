/** Law: reading what has changed loses nothing, in many runs. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runsThatLose } from './changing-list.ts';

it('the tail loses nothing in 5,000 runs', async () => {
  assert.equal(await runsThatLose({}, 5000), 0);
});

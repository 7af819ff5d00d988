/** Many restaurants in one connection: none waits until everything of the others is read. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { manyRestaurants } from '../upstream/caller.ts';
import { openLiveRig } from './live-rig.ts';
import { isReadOnce, longestDue } from './longest-due.ts';

const RESTAURANTS = 60;
/** One call for each of them, at the usual pace of eight a second. */
const ROUND_SECONDS = RESTAURANTS / 8;

it('reads the orders of each restaurant in turn while all are read for the first time, and then', async (t) => {
  const live = await openLiveRig({ restaurants: manyRestaurants(RESTAURANTS), backfillDays: 0, days: 1 });
  t.after(() => live.close());
  const first = await longestDue(live, () => isReadOnce(live));
  const until = live.rig.now() + 10 * 60_000;
  const later = await longestDue(live, async () => live.rig.now() >= until);
  for (const seconds of [first, later])
    assert.ok(seconds > 0 && seconds <= ROUND_SECONDS, `orders were read ${seconds} s after they were due`);
});

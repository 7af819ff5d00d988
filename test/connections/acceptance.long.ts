/** Hours of trade over HTTP while calls fail and the node is killed every ten minutes: the laws of connections hold. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { small } from '../upstream/caller.ts';
import { passDisturbed } from './disturbed.ts';
import { settle } from './laws.ts';
import { openLiveRig } from './live-rig.ts';

const TEN_MINUTES_MS = 10 * 60_000;
const MOST_LAG_SECONDS = 300;

it('a connection loses nothing while calls fail and nodes are killed, and is five minutes behind at most', async (t) => {
  const live = await openLiveRig({ restaurants: [small(0), small(5)], backfillDays: 1, days: 4 });
  t.after(() => live.close());
  const { rig, guids } = live;
  await live.pass(async () => (await rig.member(guids[1])).backfillDone !== null);
  const { lags, faulty, kills } = await passDisturbed(live, { hours: 4, killMs: TEN_MINUTES_MS });
  await settle(rig, ['metrics', 'check', 'labor', 'menu'], guids);

  assert.ok(faulty > 0 && kills > 20, `${faulty} calls failed, ${kills} nodes were killed`);
  const late = lags.filter((seconds) => seconds > MOST_LAG_SECONDS).length;
  assert.ok(late <= lags.length / 100, `${late} of ${lags.length} times it was further behind`);
});

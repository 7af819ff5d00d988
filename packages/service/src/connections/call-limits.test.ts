import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stretchOf } from './call-limits.ts';
import { toast } from './sources/toast/toast.ts';

const of = (restaurants: number, perSecond: number | null = null, pollSeconds = 120): number =>
  stretchOf(toast, { restaurants, pollSeconds, perSecond });

it('few restaurants are asked as often as the settings say, many so that half of the calls are left', () => {
  assert.equal(of(1), 1);
  assert.equal(of(370), 1);
  const periods = [120, toast.timeEntries?.everySeconds ?? 0, toast.menus?.everySeconds ?? 0];
  for (const [restaurants, perSecond] of [
    [2000, 8],
    [1000, 1],
    [500, 4],
  ] as const) {
    const calls = periods.reduce((sum, seconds) => sum + restaurants / (seconds * of(restaurants, perSecond)), 0);
    assert.ok(Math.abs(calls - perSecond / 2) < 1e-9, `${calls} calls a second of ${perSecond}`);
  }
  assert.ok(of(2000) > of(2000, null, 3600));
});

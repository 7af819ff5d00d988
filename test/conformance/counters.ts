/** What every form of the counters must do. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CountedWindow, Counters } from '../../packages/service/src/access/counters.ts';

/** 2026-03-20 00:00 UTC: a day, an hour, a minute and a second begin. */
const MIDNIGHT = Date.UTC(2026, 2, 20);

const second = (quota: number): CountedWindow => ({ name: 'second', unit: 'second', quota, seconds: 1 });
const minute = (quota: number): CountedWindow => ({ name: 'minute', unit: 'minute', quota, seconds: 60 });

export function counterConformance(
  name: string,
  withCounters: (work: (counters: Counters) => Promise<void>) => Promise<void>,
): void {
  describe(`counters: ${name}`, () => {
    it('count down, and refuse what is over', () =>
      withCounters(async (counters) => {
        const windows = [second(2)];

        const counts = [];
        for (let i = 0; i < 3; i++) counts.push(await counters.take('a', windows, MIDNIGHT));

        assert.deepEqual(counts, [
          { taken: true, left: [1] },
          { taken: true, left: [0] },
          { taken: false, left: [0] },
        ]);
      }));

    it('begin again with the window, which is aligned to the clock and not to the first call', () =>
      withCounters(async (counters) => {
        const windows = [second(1)];
        await counters.take('a', windows, MIDNIGHT + 999);

        const [sooner, later] = [
          await counters.left('a', windows, MIDNIGHT + 999),
          await counters.take('a', windows, MIDNIGHT + 1000),
        ];

        assert.deepEqual([sooner, later], [[0], { taken: true, left: [0] }]);
      }));

    it('count in all windows or in none', () =>
      withCounters(async (counters) => {
        const windows = [second(1), minute(3)];
        await counters.take('a', windows, MIDNIGHT);

        const refused = [
          await counters.take('a', windows, MIDNIGHT),
          await counters.take('a', windows, MIDNIGHT),
          await counters.take('a', windows, MIDNIGHT),
        ];

        assert.deepEqual(refused, Array(3).fill({ taken: false, left: [0, 2] }));
        assert.deepEqual(await counters.take('a', windows, MIDNIGHT + 1000), { taken: true, left: [0, 1] });
      }));

    it('refuse by any of the windows', () =>
      withCounters(async (counters) => {
        const windows = [second(5), minute(1)];
        await counters.take('a', windows, MIDNIGHT);

        const later = await counters.take('a', windows, MIDNIGHT + 59_999);

        assert.deepEqual(later, { taken: false, left: [5, 0] });
      }));

    it('keep keys and windows of other names apart', () =>
      withCounters(async (counters) => {
        await counters.take('a', [second(1)], MIDNIGHT);

        const other = [
          await counters.left('b', [second(1)], MIDNIGHT),
          await counters.left('a', [{ ...second(1), name: 'another' }], MIDNIGHT),
        ];

        assert.deepEqual(other, [[1], [1]]);
      }));

    it('count nothing when asked what is left', () =>
      withCounters(async (counters) => {
        for (let i = 0; i < 3; i++) await counters.left('a', [second(2)], MIDNIGHT);

        assert.deepEqual(await counters.left('a', [second(2)], MIDNIGHT), [2]);
      }));

    it('let as many of many calls at once pass as there is room for', () =>
      withCounters(async (counters) => {
        const windows = [second(7), minute(100)];

        const counts = await Promise.all(
          Array.from({ length: 50 }, async () => await counters.take('a', windows, MIDNIGHT)),
        );

        assert.equal(counts.filter(({ taken }) => taken).length, 7);
        assert.deepEqual(await counters.left('a', windows, MIDNIGHT), [0, 93]);
      }));

    it('give nothing back when the clock is set back', () =>
      withCounters(async (counters) => {
        await counters.take('a', [second(1)], MIDNIGHT);

        assert.equal((await counters.take('a', [second(1)], MIDNIGHT - 500)).taken, false);
        assert.equal((await counters.take('a', [second(1)], MIDNIGHT)).taken, false);
      }));
  });
}

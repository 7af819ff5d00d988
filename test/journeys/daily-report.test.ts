import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lastClosedDate } from '../../packages/service/src/daily-report.ts';
import { BISTRO, putRestaurant, startJourney } from './service.ts';

const SECOND = 'b1500000-0000-4000-8000-000000000002';
const DAY_MS = 86_400_000;

describe('the daily report', () => {
  it('is created once for each date that all restaurants have closed, and for no group without restaurants', async (t) => {
    // The journey's clock is at 2026-03-20 18:00 UTC.
    const running = await startJourney({ dailyReport: true });
    t.after(() => running.stop());
    const token = await running.login('g');
    const stranger = await running.login('h');
    await putRestaurant(running, token, BISTRO);
    await putRestaurant(running, token, SECOND, { name: 'Tokyo', timeZone: 'Asia/Tokyo', closeoutHour: 4 });
    const list = async (by: string) => {
      const { body } = await running.call('GET', '/reports?client=daily-report', { token: by });
      return body.reports.map(({ request }: { request: unknown }) => request);
    };
    const asked = (date: string) => ({ method: 'POST', path: '/metrics/day', body: { startBusinessDate: date } });

    /** The service looks for due reports when it starts, and stops after it has looked. */
    const recheck = async () => {
      await running.restart();
      await running.restart();
    };

    for (let looks = 0; looks < 2; looks++) {
      await recheck();
      assert.deepEqual(await list(token), [asked('20260319')]);
      assert.deepEqual(await list(stranger), []);
    }
    running.advance(DAY_MS);
    await recheck();
    assert.deepEqual(await list(token), [asked('20260320'), asked('20260319')]);
  });

  it('waits for the restaurant that closes last, and leaves out those that are not in use', () => {
    const at = Date.UTC(2026, 2, 20, 9);
    const restaurant = (timeZone: string, more: object = {}) =>
      ({ timeZone, closeoutHour: 4, active: true, archived: false, testMode: false, ...more }) as never;

    // 05:00 in New York, 02:00 in Los Angeles, where the 19th is not closed yet.
    assert.equal(lastClosedDate([restaurant('America/New_York')], at), 20260319);
    const both = [restaurant('America/New_York'), restaurant('America/Los_Angeles')];
    assert.equal(lastClosedDate(both, at), 20260318);
    const unused = restaurant('America/Los_Angeles', { archived: true });
    assert.equal(lastClosedDate([restaurant('America/New_York'), unused], at), 20260319);
    assert.equal(lastClosedDate([unused], at), undefined);
  });
});

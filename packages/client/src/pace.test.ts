import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPace } from './pace.ts';
import { CHECKS } from './resources/checks.ts';
import { METRICS } from './resources/metrics.ts';

/** The family and range of a create's path. */
const createOf = (path: string) => {
  const [, root, range = 'custom'] = path.split('/');
  return [root === 'check' ? CHECKS : METRICS, range] as const;
};

const MINUTE = 60_000;
/** docs/contract.md#rate-limits: calls in a window, of each kind of create. */
const LIMITS: [RegExp, [number, number][]][] = [
  [
    /^\/metrics\/(day|week)$/,
    [
      [10, MINUTE],
      [60, 60 * MINUTE],
    ],
  ],
  [/^\/metrics(\/(month|year))?$/, [[10, 60 * MINUTE]]],
  [
    /^\/check/,
    [
      [5, MINUTE],
      [60, 24 * 60 * MINUTE],
    ],
  ],
];
const paths = fc.constantFrom(
  '/metrics',
  '/metrics/day',
  '/metrics/week',
  '/metrics/month',
  '/metrics/year',
  '/check/day',
);

describe('the pace of creates', () => {
  it('stays within the limits of the live system if answers do not state limits', () => {
    const drawn = fc.array(fc.record({ path: paths, idleMs: fc.nat(5000) }), {
      minLength: 1,
      maxLength: 200,
      size: 'max',
    });
    const check = (calls: { path: string; idleMs: number }[]): void => {
      let now = 1e12;
      const pace = createPace(() => now);
      const sent: { path: string; at: number }[] = [];
      for (const { path, idleMs } of calls) {
        now += idleMs;
        now += pace.waitMs(...createOf(path));
        sent.push({ path, at: now });
        pace.note(...createOf(path), new Headers());
      }
      for (const [pattern, windows] of LIMITS) {
        const times = sent.filter(({ path }) => pattern.test(path)).map(({ at }) => at);
        for (const [most, window] of windows) {
          for (const [index, at] of times.entries()) {
            const later = times[index + most];
            assert.ok(later === undefined || later - at >= window, `${most + 1} within ${window} ms`);
          }
        }
      }
    };
    fc.assert(fc.property(drawn, check), { numRuns: Number(process.env.LAWS ?? 200) });
  });

  it('is not held up by a service that has no limits, which says where the report is', () => {
    const pace = createPace(() => 1e12);
    const location = 'http://localhost:8080/v1/metrics/6a1e8bb0-0000-4000-8000-000000000001';

    for (let call = 0; call < 100; call++) pace.note(METRICS, 'day', new Headers({ location }));

    assert.deepEqual([pace.waitMs(METRICS, 'day'), pace.waitMs(METRICS, 'week')], [0, 0]);
  });

  it('goes by what the service says of its limits, as soon as it says it', () => {
    let now = 1e12;
    const pace = createPace(() => now);
    const told = (text: string) => pace.note(METRICS, 'day', new Headers({ ratelimit: text }));

    for (let call = 0; call < 50; call++) told('"minute";r=50;t=3, "hour";r=550;t=2000');
    const withRoom = pace.waitMs(METRICS, 'week');
    told('"minute";r=0;t=3, "hour";r=549;t=2000');
    const spent = pace.waitMs(METRICS, 'week');
    const other = pace.waitMs(CHECKS, 'day');
    now += 3000;

    assert.deepEqual([withRoom, spent, other, pace.waitMs(METRICS, 'day')], [0, 3000, 0, 0]);
  });
});

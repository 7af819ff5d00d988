import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LAWS } from '../../../../test/laws/laws.ts';
import { spreadOverHours } from './hours-worked.ts';
import { largestRemainder } from './money.ts';

const NEW_YORK = 'America/New_York';
/** Hours worked, in thousandths, by clock hour. */
const spread = (from: string, to: string, timeZone: string, microHours: number) =>
  spreadOverHours(
    { inAt: Date.parse(from), outAt: Date.parse(to), microHours, payCents: microHours / 10_000 },
    timeZone,
  ).map(({ hour, micro_hours, pay_cents }) => [hour, micro_hours / 1000, pay_cents]);

describe('a time entry over clock hours', () => {
  it('gives each hour its part, the odd units to the largest rests, the earlier first', () => {
    assert.deepEqual(largestRemainder(100, [1, 1, 1]), [34, 33, 33]);
    assert.deepEqual(largestRemainder(-100, [1, 1, 1]), [-34, -33, -33]);
    assert.deepEqual(largestRemainder(5, [1, 3, 6]), [1, 1, 3]);
    assert.deepEqual(largestRemainder(0, [2, 3]), [0, 0]);
  });

  it('gives the same parts in numbers and, if a product is too large for them, in big integers', () => {
    const weights = fc.array(fc.nat(1000), { minLength: 1, maxLength: 12 }).filter((all) => all.some((one) => one > 0));
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), weights, (total, small) => {
        const parts = largestRemainder(total, small);
        // Only what the weights are to each other counts.
        const large = small.map((weight) => weight * 2 ** 38);

        assert.deepEqual(parts, largestRemainder(total, large));
        assert.equal(
          parts.reduce((sum, one) => sum + one, 0),
          total,
        );
      }),
      { numRuns: LAWS * 20 },
    );
  });

  it('goes over midnight and over the closeout hour as the clock does', () => {
    assert.deepEqual(spread('2026-03-11T03:30:00Z', '2026-03-11T05:15:00Z', NEW_YORK, 1_750_000), [
      [23, 500, 50],
      [0, 1000, 100],
      [1, 250, 25],
    ]);
  });

  it('leaves out the hour that spring skips, and gives the one that autumn repeats both', () => {
    assert.deepEqual(spread('2026-03-08T06:30:00Z', '2026-03-08T07:30:00Z', NEW_YORK, 1_000_000), [
      [1, 500, 50],
      [3, 500, 50],
    ]);
    assert.deepEqual(spread('2026-11-01T04:30:00Z', '2026-11-01T07:30:00Z', NEW_YORK, 3_000_000), [
      [0, 500, 50],
      [1, 2000, 200],
      [2, 500, 50],
    ]);
  });

  it('knows clocks that change by half an hour, and zones that are not on whole hours', () => {
    // Lord Howe goes from 2:00 back to 1:30 at 15:00 UTC.
    assert.deepEqual(spread('2026-04-04T14:30:00Z', '2026-04-04T16:00:00Z', 'Australia/Lord_Howe', 1_500_000), [
      [1, 1000, 100],
      [2, 500, 50],
    ]);
    assert.deepEqual(spread('2026-03-10T03:00:00Z', '2026-03-10T04:00:00Z', 'Asia/Kathmandu', 1_000_000), [
      [8, 250, 25],
      [9, 750, 75],
    ]);
  });

  it('gives an entry without length, one that ends before it begins and one of more than 31 days to its first hour', () => {
    for (const out of ['2026-03-10T16:20:00Z', '2026-03-10T15:00:00Z', '2026-05-10T16:20:00Z']) {
      assert.deepEqual(spread('2026-03-10T16:20:00Z', out, NEW_YORK, 8_000_000), [[12, 8000, 800]], out);
    }
  });
});

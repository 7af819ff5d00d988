import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readCents, readMicroHours } from './money.ts';

/** The decimal text, shifted and rounded half away from zero, by characters. */
function byText(value: number, places: number): number {
  const [mantissa = '', exponent = '0'] = Math.abs(value).toString().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${'0'.repeat(400)}${whole}${fraction}${'0'.repeat(40)}`;
  const end = 400 + whole.length + Number(exponent) + places;
  const kept = BigInt(digits.slice(0, end)) + (Number(digits[end]) >= 5 ? 1n : 0n);
  return Number(value < 0 ? -kept : kept);
}

describe('money', () => {
  it('is rounded half away from zero, from the shortest decimal text', () => {
    const cases = [
      [1.005, 101],
      [-1.005, -101],
      [0.285, 29],
      [2.675, 268],
      [1.0049999, 100],
      [-0.001, 0],
      [1e-7, 0],
      [0.1 + 0.2, 30],
      [99_999_999_999.99, 9_999_999_999_999],
      [0, 0],
    ];
    for (const [value, cents] of cases) assert.equal(readCents(value), cents, String(value));
    assert.ok(Object.is(readCents(-0.001), 0));
  });

  it('is nothing but a number of a sensible size', () => {
    for (const value of ['1', null, undefined, Number.NaN, Infinity, 1e12, -1e21, true, {}]) {
      assert.equal(readCents(value), undefined);
    }
  });

  it('is what its text says, for any number', () => {
    const amounts = fc.oneof(
      fc.double({ min: -1e11, max: 1e11, noNaN: true }),
      fc.integer({ min: -1e9, max: 1e9 }).map((n) => n / 1000),
      fc.integer({ min: -1e6, max: 1e6 }).map((n) => n / 200),
      fc.double({ min: -1, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(amounts, (value) => readCents(value) === byText(value, 2) + 0),
      { numRuns: 20_000 },
    );
  });

  it('has its like in hours, as micro-hours', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e5, noNaN: true }), (value) => readMicroHours(value) === byText(value, 6)),
      { numRuns: 5000 },
    );
    assert.equal(readMicroHours(7.3333333), 7_333_333);
    assert.equal(readMicroHours(2e9), undefined);
  });
});

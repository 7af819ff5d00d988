import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { LAWS } from '../../../../test/laws/laws.ts';
import { readCents, readMicroHours } from './money.ts';

/** Rounds the shortest decimal text of a number to places, half away from zero, with whole numbers only. */
function byText(value: number, places: number): bigint {
  const [mantissa = '', exponent = '0'] = String(Math.abs(value)).split('e');
  const [before = '', after = ''] = mantissa.split('.');
  const digits = BigInt(before + after);
  const shift = Number(exponent) - after.length + places;
  const scaled =
    shift >= 0 ? digits * 10n ** BigInt(shift) : (digits * 2n + 10n ** BigInt(-shift)) / (2n * 10n ** BigInt(-shift));
  return value < 0 ? -scaled : scaled;
}

const amounts = fc.oneof(
  fc.double({ min: -1e11, max: 1e11, noNaN: true }),
  fc.double({ min: -1000, max: 1000, noNaN: true }),
  fc.double({ min: -1e-5, max: 1e-5, noNaN: true }),
  // On and beside the halves of a cent and of a micro-hour.
  fc.tuple(fc.integer({ min: -2e9, max: 2e9 }), fc.constantFrom(1e3, 1e7, 2e3)).map(([half, by]) => half / by),
  fc.integer({ min: -1e11, max: 1e11 }).map((whole) => whole + 0.005),
);

test('an amount is rounded half away from zero from its shortest decimal text', () => {
  const read = [1.005, -1.005, 2.675, 0.004999999999999999, 8.345, 0.005, -0.004, 1e-7, 99999999999.985].map(readCents);

  assert.deepEqual(read, [101, -101, 268, 0, 835, 1, 0, 0, 9999999999999]);
});

test('what is not a number within the bounds is no amount', () => {
  for (const value of ['1', null, undefined, {}, [], true, 1n, Number.NaN, Number.POSITIVE_INFINITY, 1e21, 1.0001e11]) {
    assert.equal(readCents(value), undefined);
    assert.equal(readMicroHours(value), undefined);
  }
});

test('cents are those of exact decimal arithmetic', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      const cents = readCents(amount);
      if (Math.abs(amount) > 1e11) assert.equal(cents, undefined);
      else assert.deepEqual(cents, Number(byText(amount, 2)) + 0);
    }),
    { numRuns: LAWS * 20 },
  );
});

test('micro-hours are those of exact decimal arithmetic', () => {
  fc.assert(
    fc.property(amounts, (hours) => {
      const micro = readMicroHours(hours);
      if (Math.abs(hours) > 1e9) assert.equal(micro, undefined);
      else assert.deepEqual(micro, Number(byText(hours, 6)) + 0);
    }),
    { numRuns: LAWS * 20 },
  );
});

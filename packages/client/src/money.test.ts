import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { cents, formatCents } from './money.ts';

const LAWS = Number(process.env.LAWS ?? 200);

/** Every size of amount, not only the largest. */
const safeCents = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer(),
  fc.integer({ min: -100_000, max: 100_000 }),
  fc.integer({ min: 2 ** 51 - 1e6, max: 2 ** 53 - 1 }),
  // Where the product of a double and 100 is half a cent off.
  fc.integer({ min: 2 ** 45 * 100, max: 2 ** 45 * 128 }),
);

/** The text of cents as an amount, by whole numbers alone. */
function textOf(whole: number): string {
  const size = BigInt(whole) < 0n ? -BigInt(whole) : BigInt(whole);
  return `${whole < 0 ? '-' : ''}${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
}

test('an amount is the cents that its text says, as text and as a number, however large', () => {
  fc.assert(
    fc.property(safeCents, (whole) => {
      const text = textOf(whole);
      const short = text.replace(/\.?0{1,2}$/, '');

      assert.equal(cents(text), whole + 0);
      assert.equal(cents(short), whole + 0);
      assert.equal(formatCents(whole), whole === 0 ? '0.00' : text);
      if (Math.abs(Number(text)) < 2 ** 46) assert.equal(cents(Number(text)), whole + 0);
      else assert.throws(() => cents(Number(text)), TypeError);
    }),
    { numRuns: LAWS },
  );
});

test('amounts with more than two decimals, and what is no amount, are refused', () => {
  const refused: unknown[] = [
    0.1 + 0.2,
    1.005,
    0.001,
    1e-7,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '1.005',
    '12.500',
    '1,234.50',
    '$12',
    '12.',
    '.5',
    '+1',
    '1e3',
    '0x10',
    ' 12',
    '',
    '-',
    '90071992547409.92',
    '9'.repeat(400),
    null,
    undefined,
    true,
    {},
  ];

  for (const amount of refused) {
    assert.throws(() => cents(amount as number), {
      name: 'TypeError',
      message: /is no amount with at most two decimals \(add cents, not amounts\)$/,
    });
  }
});

test('a number is read when it is the double of an amount with two decimals, and only then', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.integer({ min: -1e8, max: 1e8 }), (any, whole) => {
      const near = Math.round(any * 100);
      if (near / 100 === any) assert.equal(cents(any), near + 0);
      else assert.throws(() => cents(any), TypeError);

      const amount = whole / 100;
      const neighbour = amount + (amount === 0 ? Number.MIN_VALUE : Math.abs(amount) * 2 ** -52);
      assert.equal(cents(amount), whole + 0);
      assert.throws(() => cents(neighbour), TypeError);
    }),
    { numRuns: LAWS },
  );
});

test('zero has no sign, and cents that are not whole are refused', () => {
  assert.ok(Object.is(cents(-0), 0));
  assert.ok(Object.is(cents('-0.00'), 0));
  assert.equal(formatCents(-0), '0.00');
  assert.equal(formatCents(-5), '-0.05');
  assert.equal(formatCents(-123450), '-1234.50');
  for (const size of [1.5, Number.NaN, 2 ** 53]) assert.throws(() => formatCents(size), TypeError);
});

/** The law of money: it is read from decimal text once, and whole cents from then on. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { entryFacts } from '../../packages/service/src/ingest/entry.ts';
import { orderFacts } from '../../packages/service/src/ingest/order.ts';
import { LAWS } from './laws.ts';
import { add, quotient, textDigits } from './naive-decimal.ts';

const PLACE = { timeZone: 'UTC', closeoutHour: 4, overtimeMultiplier: 1.5 };
const GUID = '0a000000-0000-4000-8000-000000000001';

/** The text of a JSON number with at most 15 digits, which a double gives back as they are, and a value below 1e10. */
const amountText: fc.Arbitrary<string> = fc
  .record({
    negative: fc.boolean(),
    whole: fc.oneof(fc.nat(9_999_999), fc.nat(999), fc.constant(0)),
    // Halves of a cent and their neighbours are what rounding is about.
    fraction: fc.oneof(
      fc.stringMatching(/^\d{0,8}$/),
      fc.stringMatching(/^\d\d[45]\d{0,5}$/),
      fc.stringMatching(/^\d\d(49999|50000|5)$/),
    ),
    exponent: fc.constantFrom('', '', '', 'e0', 'E+2', 'e-3', 'e-1'),
  })
  .map(({ negative, whole, fraction, exponent }) => {
    return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}${exponent}`;
  });

/** The facts of an order whose one check has these amounts, read from JSON text. */
function readCharges(amounts: string[]) {
  const charges = amounts.map((amount) => `{"chargeAmount":${amount}}`).join(',');
  const check = `{"guid":"${GUID}","paymentStatus":"CLOSED","appliedServiceCharges":[${charges}]}`;
  const text = `{"guid":"${GUID}","openedDate":"2026-03-08T12:00:00Z","checks":[${check}]}`;
  const facts = orderFacts(JSON.parse(text), 0, PLACE);
  assert.ok('order' in facts);
  return facts.order;
}

test('an amount of JSON text is rounded to cents half away from zero, by its decimal digits', () => {
  fc.assert(
    fc.property(amountText, (amount) => {
      assert.equal(BigInt(readCharges([amount]).gross_cents), textDigits(amount, 2));
    }),
    { numRuns: LAWS },
  );
});

test('a sum is that of its rounded parts, whatever the order of the parts', () => {
  fc.assert(
    fc.property(fc.array(amountText, { maxLength: 30 }), (amounts) => {
      const sum = add(amounts.map((amount) => textDigits(amount, 2)));
      assert.equal(BigInt(readCharges(amounts).gross_cents), sum);
      assert.equal(BigInt(readCharges(amounts.toReversed()).gross_cents), sum);
    }),
    { numRuns: LAWS },
  );
});

test('pay is hours times wage times multiplier in exact decimals, rounded to cents once', () => {
  const hours = fc.nat(100_000_000).map((micro) => micro / 1_000_000);
  const wage = fc.integer({ min: -100, max: 99_999 }).map((cents) => cents / 100);
  const multiplier = fc.integer({ min: 1_000_000, max: 5_000_000 }).map((micro) => micro / 1_000_000);
  fc.assert(
    fc.property(hours, hours, wage, multiplier, (regularHours, overtimeHours, hourlyWage, overtimeMultiplier) => {
      const worked = { guid: GUID, inDate: '2026-03-08T12:00:00Z', regularHours, overtimeHours, hourlyWage };
      const fact = entryFacts(worked, 0, { ...PLACE, overtimeMultiplier });
      assert.ok('pay_cents' in fact);

      const micro = (value: number): bigint => textDigits(String(value), 6);
      const weighed = micro(regularHours) * 1_000_000n + micro(overtimeHours) * micro(overtimeMultiplier);
      const exact = quotient(weighed * textDigits(String(hourlyWage), 2), 1_000_000_000_000n);
      assert.equal(BigInt(fact.pay_cents), exact);
    }),
    { numRuns: LAWS },
  );
});

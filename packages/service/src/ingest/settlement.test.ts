import assert from 'node:assert/strict';
import test from 'node:test';
import type { SettlementFact } from '../facts/settlement.ts';
import { settlementFacts } from './settlement.ts';
import type { Rejected } from './source.ts';

const BISTRO = { timeZone: 'America/New_York' };
const PAYMENT = '0a000000-0000-4000-8000-0000000000a1';

/** 48.00 with a fee of 1.39, paid at 12:31:05 in New York. */
const payment = {
  kind: 'PAYMENT',
  paymentGuid: PAYMENT.toUpperCase(),
  amount: 48,
  feeAmount: 1.39,
  paidDateTime: '2026-03-10T16:31:05.999Z',
};
const settlement = {
  guid: '0A000000-0000-4000-8000-000000000001',
  settledDate: 20260311,
  transactions: [payment, { kind: 'REFUND', amount: 5, withholdingAmount: 0.5 }],
  adjustments: [{ name: 'Terminal rent', amount: 10 }],
};

const read = (changes: object): SettlementFact | Rejected => settlementFacts({ ...settlement, ...changes }, 3, BISTRO);

test('a settlement is its date, its status, its sums and the payments that it names', () => {
  assert.deepEqual(read({ modifiedDate: '2026-03-11T10:00:00Z' }), {
    seq: 3,
    settlement_guid: '0a000000-0000-4000-8000-000000000001',
    settled_date: 20260311,
    modified_at: Date.UTC(2026, 2, 11, 10),
    deleted: false,
    status: 'SENT',
    transaction_count: 1,
    payment_cents: 4800,
    refund_cents: 500,
    fee_cents: 139,
    withheld_cents: 1050,
    transactions: [
      {
        payment_guid: PAYMENT,
        refund: false,
        paid_at: Date.UTC(2026, 2, 10, 16, 31, 5, 999),
        paid_local: Date.UTC(2026, 2, 10, 12, 31, 5),
      },
      { payment_guid: null, refund: true, paid_at: null, paid_local: null },
    ],
  });
});

test('a given transactionCount replaces the count of payments', () => {
  const fact = read({ transactionCount: 19, status: 'CAPTURED', settledDate: '2026-03-12' });

  assert.ok('settlement_guid' in fact);
  assert.deepEqual([fact.transaction_count, fact.status, fact.settled_date], [19, 'CAPTURED', 20260312]);
});

test('unknown words are noted: a status counts as NONE, a transaction nowhere', () => {
  const unknown: { pointer: string; message: string }[] = [];
  const transactions = [payment, { kind: 'CHARGEBACK', amount: 7, feeAmount: 15 }, { kind: 'refund', amount: 5 }];

  const fact = settlementFacts(
    { ...settlement, status: 'In-Transit', transactions, adjustments: [] },
    0,
    BISTRO,
    unknown,
  );

  assert.ok('settlement_guid' in fact);
  assert.deepEqual(
    [fact.status, fact.transaction_count, fact.payment_cents, fact.refund_cents, fact.fee_cents],
    ['NONE', 1, 4800, 500, 139],
  );
  assert.equal(fact.transactions.length, 2);
  assert.deepEqual(unknown, [
    { pointer: '/status', message: 'status IN_TRANSIT is unknown and counts as NONE' },
    { pointer: '/transactions/1/kind', message: 'kind CHARGEBACK is unknown and counts nowhere' },
  ]);
  const sent = read({ status: 'sent' });
  assert.equal('status' in sent && sent.status, 'SENT');
});

test('of a deleted settlement only its guid and its modifiedDate are read', () => {
  const fact = read({ deleted: true, settledDate: 'soon', transactions: 'none' });

  assert.ok('settlement_guid' in fact);
  assert.deepEqual([fact.deleted, fact.settled_date, fact.payment_cents, fact.transactions], [true, 0, 0, []]);
});

test('a settlement that cannot be read is rejected with a pointer to the value', () => {
  const transactions = (changes: object): object => ({ transactions: [payment, { ...payment, ...changes }] });
  const cases: [string, object][] = [
    ['/guid', { guid: 'S1' }],
    ['/settledDate', { settledDate: undefined }],
    ['/settledDate', { settledDate: 20260231 }],
    ['/status', { status: 1 }],
    ['/modifiedDate', { modifiedDate: 20260311 }],
    ['/deleted', { deleted: 'no' }],
    ['/transactions', { transactions: {} }],
    ['/transactions/0', { transactions: [1] }],
    ['/transactions/1/kind', transactions({ kind: undefined })],
    ['/transactions/1/kind', transactions({ kind: true })],
    ['/transactions/1/amount', transactions({ amount: undefined })],
    ['/transactions/1/amount', transactions({ amount: 0 })],
    ['/transactions/1/amount', transactions({ kind: 'REFUND', amount: -5 })],
    ['/transactions/1/amount', transactions({ amount: '48.00' })],
    ['/transactions/1/feeAmount', transactions({ feeAmount: '1.39' })],
    ['/transactions/1/withholdingAmount', transactions({ withholdingAmount: true })],
    ['/transactions/1/paymentGuid', transactions({ paymentGuid: 'P1' })],
    ['/transactions/1/paidDateTime', transactions({ paidDateTime: '2026-03-10 12:31:05' })],
    ['/adjustments/0/amount', { adjustments: [{ name: 'Rent' }] }],
    ['/adjustments/0/name', { adjustments: [{ name: 1, amount: 1 }] }],
    ['/transactionCount', { transactionCount: 1.5 }],
    ['/transactionCount', { transactionCount: -1 }],
  ];
  for (const [pointer, changes] of cases) {
    const rejected = read(changes);
    assert.ok('pointer' in rejected, JSON.stringify(changes));
    assert.equal(rejected.pointer, pointer);
  }
});

/** One settlement of card payments as a fact: docs/loading.md#settlements. A pure function. */

import { wallSecond } from '../contract/clock.ts';
import { readBusinessDate } from '../contract/dates.ts';
import { readGuid } from '../contract/words.ts';
import type { SettledTransaction, SettlementFact, SettlementStatus } from '../facts/settlement.ts';
import {
  flag,
  instant,
  listedWord,
  listOf,
  maybeCents,
  objectAt,
  ownGuid,
  type ReadAt,
  type Rejected,
  Rejection,
  readRecord,
  type Source,
  sum,
  type UnknownWord,
  unknownWord,
  versionDate,
  word,
} from './source.ts';

const STATUSES: readonly SettlementStatus[] = ['CAPTURED', 'SENT', 'NONE'];
const MOST_TRANSACTIONS = 1_000_000_000;

interface SettlementPlace extends ReadAt {
  timeZone: string;
}

/**
 * The fact of one settlement, whose place in the body is `seq`; or why it cannot be read. Unknown words are added to
 * `unknown`.
 */
export function settlementFacts(
  settlement: unknown,
  seq: number,
  place: SettlementPlace,
  unknown: UnknownWord[] = [],
): SettlementFact | Rejected {
  return readRecord(settlement, (source) => readSettlement(source, seq, { ...place, unknown }));
}

interface Reading extends SettlementPlace {
  unknown: UnknownWord[];
}

function readSettlement(source: Source, seq: number, reading: Reading): SettlementFact {
  const fact: SettlementFact = {
    seq,
    settlement_guid: ownGuid(source.guid, ''),
    settled_date: 0,
    ...versionDate(source, reading),
    deleted: flag(source.deleted, '', 'deleted'),
    status: 'SENT',
    transaction_count: 0,
    payment_cents: 0,
    refund_cents: 0,
    fee_cents: 0,
    withheld_cents: 0,
    transactions: [],
  };
  // As with orders, properties of a deleted one are not read.
  if (fact.deleted) return fact;
  fact.settled_date = readSettledDate(source.settledDate);
  fact.status = readStatus(source.status, reading.unknown);
  const transactions = listOf(source.transactions, '', 'transactions');
  for (let i = 0; i < transactions.length; i++) {
    readTransaction(objectAt(transactions[i], `/transactions/${i}`), `/transactions/${i}`, reading, fact);
  }
  const adjustments = listOf(source.adjustments, '', 'adjustments');
  for (let i = 0; i < adjustments.length; i++) {
    const at = `/adjustments/${i}`;
    const adjustment = objectAt(adjustments[i], at);
    word(adjustment.name, at, 'name');
    fact.withheld_cents = sum(fact.withheld_cents, requiredCents(adjustment.amount, at, 'amount'), '/adjustments');
  }
  const payments = fact.transactions.filter(({ refund }) => !refund).length;
  fact.transaction_count = readCount(source.transactionCount) ?? payments;
  return fact;
}

function readSettledDate(value: unknown): number {
  const date = readBusinessDate(value);
  if (date === undefined) throw new Rejection('/settledDate', 'settledDate must be a calendar date written yyyyMMdd');
  return date;
}

/** An unknown word counts as NONE, the least final: nothing says that the money was sent. */
function readStatus(value: unknown, unknown: UnknownWord[]): SettlementStatus {
  const text = listedWord(value, '', 'status') ?? 'SENT';
  const status = STATUSES.find((known) => known === text);
  if (!status) unknown.push(unknownWord('', 'status', text, 'as NONE'));
  return status ?? 'NONE';
}

function requiredCents(value: unknown, at: string, name: string): number {
  const cents = maybeCents(value, at, name);
  if (cents === undefined) throw new Rejection(`${at}/${name}`, `${name} is required`);
  return cents;
}

/** Adds one transaction to the sums and the list of its settlement. */
function readTransaction(transaction: Source, at: string, { timeZone, unknown }: Reading, fact: SettlementFact): void {
  const { paymentGuid } = transaction;
  const kind = listedWord(transaction.kind, at, 'kind');
  if (kind === null) throw new Rejection(`${at}/kind`, 'kind is required: PAYMENT or REFUND');
  const refund = kind === 'REFUND';
  const amount = requiredCents(transaction.amount, at, 'amount');
  if (amount <= 0) throw new Rejection(`${at}/amount`, 'amount must be more than 0, of a refund too');
  const fee = maybeCents(transaction.feeAmount, at, 'feeAmount') ?? 0;
  const withheld = maybeCents(transaction.withholdingAmount, at, 'withholdingAmount') ?? 0;
  const paidAt = instant(transaction.paidDateTime, at, 'paidDateTime');
  const guid = paymentGuid === undefined || paymentGuid === null ? null : readGuid(paymentGuid);
  if (guid === undefined) throw new Rejection(`${at}/paymentGuid`, 'paymentGuid must be a UUID');
  if (!refund && kind !== 'PAYMENT') {
    // Nothing says whether it adds to the deposit or takes from it.
    unknown.push(unknownWord(at, 'kind', kind, 'nowhere'));
    return;
  }
  if (refund) fact.refund_cents = sum(fact.refund_cents, amount, '/transactions');
  else fact.payment_cents = sum(fact.payment_cents, amount, '/transactions');
  fact.fee_cents = sum(fact.fee_cents, fee, '/transactions');
  fact.withheld_cents = sum(fact.withheld_cents, withheld, '/transactions');
  const read: SettledTransaction = {
    payment_guid: guid,
    refund,
    paid_at: paidAt ?? null,
    paid_local: paidAt === undefined ? null : wallSecond(paidAt, timeZone),
  };
  fact.transactions.push(read);
}

/** The number of payments, from a source that has only sums. */
function readCount(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MOST_TRANSACTIONS) {
    throw new Rejection('/transactionCount', `transactionCount must be a whole number from 0 to ${MOST_TRANSACTIONS}`);
  }
  return value + 0;
}

/**
 * A second implementation of docs/metrics.md#payouts and #card-payments, for the laws alone, straight from the source
 * objects. Amounts are BigInt cents.
 */
import { isGone, isValid, type Json, list, listed, type NaiveRestaurant, newestVersions } from './naive.ts';
import { businessDateOf, instantOf, wallText } from './naive-clock.ts';
import { cents } from './naive-decimal.ts';

const BRANDS: Record<string, string> = { VISA: 'Visa', MASTERCARD: 'Mastercard', AMEX: 'AMEX', DISCOVER: 'Discover' };

export interface NaivePayment {
  guid: string;
  orderGuid: string;
  checkGuid: string;
  salesDate: string;
  captured: boolean;
  paidAt: number;
  opened: string;
  paid: string;
  brand: string | null;
  type: string;
  total: bigint;
  tip: bigint;
  gratuity: bigint;
  refund: bigint;
  fee: bigint;
  withheld: bigint;
}

/** Cents of a total in proportion to weights: one cent after another goes to who is furthest below its exact share. */
function shares(total: bigint, weights: bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  const size = total < 0n ? -total : total;
  const given = weights.map((weight) => (size * weight) / whole);
  const left = weights.map((weight) => (size * weight) % whole);
  for (let rest = size - given.reduce((sum, one) => sum + one, 0n); rest > 0n; rest--) {
    const index = left.reduce((best, one, at) => (one > (left[best] ?? 0n) ? at : best), 0);
    given[index] = (given[index] ?? 0n) + 1n;
    left[index] = -1n;
  }
  return given.map((one) => (total < 0n ? -one : one));
}

function gratuities(check: Json, payments: Json[]): bigint[] {
  const charged = list(check.appliedServiceCharges)
    .filter((charge) => charge.gratuity)
    .reduce((sum, charge) => sum + cents(charge.chargeAmount), 0n);
  const weights = payments.map((payment) => (cents(payment.amount) > 0n ? cents(payment.amount) : 0n));
  const spread = weights.some((weight) => weight > 0n) ? shares(charged, weights) : weights.map(() => 0n);
  return payments.map((payment, index) =>
    payment.gratuityAmount == null ? (spread[index] ?? 0n) : cents(payment.gratuityAmount),
  );
}

/** The card payments of orders that are neither voided nor denied. */
export function naivePayments(orders: Json[], place: NaiveRestaurant): NaivePayment[] {
  const payments: NaivePayment[] = [];
  for (const order of newestVersions(orders)) {
    if (isGone(order) || order.excessFood) continue;
    for (const check of list(order.checks)) {
      if (check.deleted) continue;
      const own = list(check.payments).filter(isValid);
      const gratuity = gratuities(check, own);
      for (const [at, payment] of own.entries()) {
        if (listed(payment.type) !== 'CREDIT' || !payment.paidDate) continue;
        const paidAt = instantOf(payment.paidDate);
        payments.push({
          guid: payment.guid,
          orderGuid: order.guid,
          checkGuid: check.guid,
          salesDate: payment.paidBusinessDate ? String(payment.paidBusinessDate) : businessDateOf(paidAt, place),
          captured: ['', 'CAPTURED'].includes(listed(payment.paymentStatus)),
          paidAt,
          opened: wallText(instantOf(order.openedDate), place.timeZone),
          paid: wallText(paidAt, place.timeZone),
          brand: payment.cardType ? (BRANDS[listed(payment.cardType)] ?? payment.cardType) : null,
          type: { CREDIT: 'Credit', DEBIT: 'Debit' }[listed(payment.cardClass)] ?? 'UNSPECIFIED CARD',
          total: cents(payment.amount) + cents(payment.tipAmount),
          tip: cents(payment.tipAmount),
          gratuity: gratuity[at] ?? 0n,
          refund: cents(payment.refund?.refundAmount) + cents(payment.refund?.tipRefundAmount),
          fee: cents(payment.originalProcessingFee),
          withheld: cents(payment.mcaRepaymentAmount),
        });
      }
    }
  }
  return payments.sort((a, b) => a.paidAt - b.paidAt || (a.guid < b.guid ? -1 : 1));
}

const sum = <T>(of: T[], amount: (one: T) => bigint): bigint => of.reduce((all, one) => all + amount(one), 0n);
const amounts = (payment: bigint, refund: bigint, fee: bigint, withheld: bigint) => ({
  paymentAmount: Number(payment) / 100,
  refundAmount: Number(refund) / 100,
  totalFeeAmount: Number(fee) / 100,
  withholdingAmount: Number(withheld) / 100,
  payoutAmount: Number(payment - refund - fee - withheld) / 100,
});
const sorted = (texts: string[]): string[] => [...new Set(texts)].sort();

/** The settlements that are not deleted. */
const deposits = (settlements: Json[]): Json[] => newestVersions(settlements).filter(({ deleted }) => !deleted);

/** The records without those of the restaurant. */
export const naiveSalesDates = (payments: NaivePayment[], settlements: Json[]): Json[] =>
  sorted(payments.filter(({ captured }) => captured).map(({ salesDate }) => salesDate)).map((salesDate) => {
    const own = payments.filter((one) => one.captured && one.salesDate === salesDate);
    const names = ({ paymentGuid }: Json): boolean => own.some(({ guid }) => guid === paymentGuid);
    return {
      salesDate,
      settledDates: sorted(
        deposits(settlements)
          .filter(({ transactions }) => list(transactions).some(names))
          .map(({ settledDate }) => String(settledDate)),
      ),
      transactionCount: own.length,
      ...amounts(
        sum(own, ({ total }) => total),
        sum(own, ({ refund }) => refund),
        sum(own, ({ fee }) => fee),
        sum(own, ({ withheld }) => withheld),
      ),
    };
  });

export const naiveRows = (payments: NaivePayment[], settlements: Json[]): Json[] =>
  payments
    .filter(({ captured }) => captured)
    .map((one) => {
      const dates = deposits(settlements)
        .filter(({ transactions }) =>
          list(transactions).some(({ kind, paymentGuid }) => kind === 'PAYMENT' && paymentGuid === one.guid),
        )
        .map(({ settledDate }) => String(settledDate));
      return {
        orderGuid: one.orderGuid,
        checkGuid: one.checkGuid,
        paymentGuid: one.guid,
        settledDate: sorted(dates)[0] ?? null,
        orderOpenDateTime: one.opened,
        paidDateTime: one.paid,
        paymentCardBrand: one.brand,
        paymentCardType: one.type,
        tipAmount: Number(one.tip) / 100,
        gratuityAmount: Number(one.gratuity) / 100,
        paymentSubtotal: Number(one.total - one.tip - one.gratuity) / 100,
        paymentTotal: Number(one.total) / 100,
      };
    });

export const naiveGuests = (payments: NaivePayment[]): Json[] =>
  sorted(payments.map(({ salesDate }) => salesDate)).flatMap((paymentDate) =>
    payments
      .filter(({ salesDate }) => salesDate === paymentDate)
      .map(({ orderGuid, guid }) => ({ paymentDate, orderGuid, paymentGuid: guid, cardFingerprint: null })),
  );

export const naivePayouts = (payments: NaivePayment[], settlements: Json[], place: NaiveRestaurant): Json[] => {
  const all = deposits(settlements);
  return sorted(all.map(({ settledDate }) => String(settledDate))).map((settledDate) => {
    const own = all.filter((one) => String(one.settledDate) === settledDate);
    const transactions = own.flatMap((one) => list(one.transactions));
    const paid = transactions.filter(({ kind }) => kind === 'PAYMENT');
    const refunds = transactions.filter(({ kind }) => kind === 'REFUND');
    const times = paid
      .flatMap(({ paidDateTime, paymentGuid }) => {
        if (paidDateTime) return [instantOf(paidDateTime)];
        return payments.filter(({ guid }) => guid === paymentGuid).map(({ paidAt }) => paidAt);
      })
      .sort((a, b) => a - b);
    const shown = (at: number | undefined) => (at === undefined ? null : wallText(at, place.timeZone));
    const statuses = own.map(({ status }) => status ?? 'SENT');
    const adjusted = own.flatMap((one) => list(one.adjustments));
    return {
      settledDate,
      salesPeriodStartDateTime: shown(times[0]),
      salesPeriodEndDateTime: shown(times.at(-1)),
      transactionCount: own.reduce(
        (count, one) =>
          count + (one.transactionCount ?? list(one.transactions).filter(({ kind }) => kind === 'PAYMENT').length),
        0,
      ),
      ...amounts(
        sum(paid, ({ amount }) => cents(amount)),
        sum(refunds, ({ amount }) => cents(amount)),
        sum(transactions, ({ feeAmount }) => cents(feeAmount)),
        sum(transactions, ({ withholdingAmount }) => cents(withholdingAmount)) +
          sum(adjusted, ({ amount }) => cents(amount)),
      ),
      payoutStatus: ['NONE', 'CAPTURED', 'SENT'].find((status) => statuses.includes(status)),
    };
  });
};

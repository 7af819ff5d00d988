/** The deposits of the demo's card payments. */
import { addDays } from '../contract/dates.ts';
import { createRandom } from './random.ts';
import type { SourceOrder, SourcePayment } from './shapes.ts';

interface SourceSettlement {
  guid: string;
  /** YYYYMMDD. */
  settledDate: number;
  status: 'CAPTURED' | 'SENT';
  transactions: {
    kind: 'PAYMENT' | 'REFUND';
    paymentGuid: string;
    amount: number;
    feeAmount?: number | null;
    paidDateTime?: string;
  }[];
}

/** The day after the sales; the Monday after a weekend. */
function settledDateOf(date: number): number {
  const next = addDays(date, 1);
  const text = String(next).replace(/^(\d{4})(\d\d)/, '$1-$2-');
  const day = new Date(`${text}T00:00:00Z`).getUTCDay();
  return day === 6 ? addDays(next, 2) : day === 0 ? addDays(next, 1) : next;
}

const addMoney = (one: number, other: number): number => Math.round((one + other) * 100) / 100;

/** The settlement of a business date of a restaurant; nothing if it is settled after `lastDate`. */
export function demoSettlement(
  restaurantGuid: string,
  date: number,
  orders: readonly SourceOrder[],
  lastDate: number,
): SourceSettlement | undefined {
  const settledDate = settledDateOf(date);
  if (settledDate > lastDate) return undefined;
  const payments = orders
    .filter(({ deleted, excessFood }) => !deleted && !excessFood)
    .flatMap(({ checks }) => checks.flatMap(({ payments: own }) => own))
    .filter(({ type, paymentStatus }) => type === 'CREDIT' && paymentStatus === 'CAPTURED');
  const paid = payments.map((payment) => ({
    kind: 'PAYMENT' as const,
    paymentGuid: payment.guid,
    amount: addMoney(payment.amount, payment.tipAmount),
    feeAmount: payment.originalProcessingFee,
    paidDateTime: payment.paidDate,
  }));
  const refunded = payments.flatMap(({ guid, refund }: SourcePayment) => {
    const amount = refund ? addMoney(refund.refundAmount, refund.tipRefundAmount) : 0;
    return amount > 0 ? [{ kind: 'REFUND' as const, paymentGuid: guid, amount }] : [];
  });
  return {
    guid: createRandom(`settlement ${restaurantGuid} ${date}`).guid(),
    settledDate,
    status: settledDate === lastDate ? 'CAPTURED' : 'SENT',
    transactions: [...paid, ...refunded],
  };
}

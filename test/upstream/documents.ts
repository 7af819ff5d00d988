/**
 * The documents that the stand-in serves: those of the sample restaurants, with the further properties of the public
 * reference (doc.toasttab.com/openapi/orders, …/openapi/labor). Amounts are numbers in currency units, times as in
 * `stamp`.
 */
import type { DemoCheck, SourceEntry, SourceOrder, SourcePayment } from '../../packages/service/src/demo/shapes.ts';

export type ApprovalStatus = 'NEEDS_APPROVAL' | 'APPROVED' | 'NOT_APPROVED' | 'FUTURE';

export interface Customer {
  guid: string;
  firstName: string;
  lastName: string;
  phone: string;
  email: string;
}

export interface PaymentDocument extends Omit<SourcePayment, 'refund'> {
  entityType: 'OrderPayment';
  last4Digits: string | null;
  cardPaymentId: string | null;
  /** YYYYMMDD. */
  paidBusinessDate: number;
  refund: (NonNullable<SourcePayment['refund']> & { refundBusinessDate: number }) | null;
}

export interface CheckDocument extends Omit<DemoCheck, 'payments'> {
  entityType: 'Check';
  deletedDate: string;
  customer: Customer | null;
  payments: PaymentDocument[];
}

export interface OrderDocument extends Omit<SourceOrder, 'checks'> {
  entityType: 'Order';
  externalId: null;
  createdDate: string;
  /** Only of scheduled orders. */
  promisedDate: string | null;
  /** 1970 unless the order is deleted. */
  deletedDate: string;
  approvalStatus: ApprovalStatus;
  createdInTestMode: boolean;
  deliveryInfo: { address1: string; city: string; state: string; zipCode: string } | null;
  checks: CheckDocument[];
}

export interface EntryDocument extends Omit<SourceEntry, 'regularPay' | 'overtimePay'> {
  entityType: 'TimeEntry';
  createdDate: string;
  deletedDate: string | null;
  autoClockedOut: boolean;
  shiftReference: null;
  breaks: [];
  declaredCashTips: number | null;
}

/**
 * Words that only guests, their addresses and their cards have: a program that reads orders can be searched for them.
 */
export const GUEST_MARKS = ['Quillfeather', 'guests.example', '555-0142', 'cp-quill'] as const;

/** What orders have as `deletedDate` while they are not deleted. */
export const NOT_DELETED = '1970-01-01T00:00:00.000+0000';

/** A document through its life. */
export interface Life<Document> {
  guid: string;
  /** When it is created, and each change of it, ascending; ms since 1970 UTC. */
  moments: number[];
  /** YYYYMMDD. */
  businessDate: number;
  /** The document as it is at an instant, which is not before the first moment. */
  at(now: number): Document;
}

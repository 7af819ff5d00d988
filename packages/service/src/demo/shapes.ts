/** The source objects that the demo generates (docs/metrics.md#source-data). Amounts are numbers in currency units. */

/** A percentage of an amount, in cents. */
export const percentOf = (cents: number, percent: number): number => Math.round((cents * percent) / 100);

export interface SourceRef {
  guid: string;
  name?: string;
}
export interface SourceDiscount {
  guid: string;
  name: string;
  discountAmount: number;
  nonTaxDiscountAmount: number | null;
  processingState: 'APPLIED' | 'VOID' | 'PENDING_VOID' | null;
}
export interface SourceSelection {
  guid: string;
  displayName: string;
  /** Null for gift cards. */
  item: SourceRef | null;
  itemGroup: SourceRef | null;
  quantity: number;
  preDiscountPrice: number;
  price: number;
  tax: number;
  voided: boolean;
  deferred: boolean;
  selectionType: string;
  appliedDiscounts: SourceDiscount[];
  refundDetails: { refundAmount: number; taxRefundAmount: number } | null;
  modifiers: SourceModifier[];
}
export interface SourceModifier {
  guid: string;
  displayName: string;
  /** Null for free text. */
  item: SourceRef | null;
  selectionType: 'NONE' | 'SPECIAL_REQUEST';
  quantity: number;
  preDiscountPrice: number;
  price: number;
  voided: boolean;
}
export interface SourceCharge {
  guid: string;
  name: string;
  chargeAmount: number;
  gratuity: boolean;
  serviceChargeCategory: 'SERVICE_CHARGE' | 'FUNDRAISING_CAMPAIGN';
  refundDetails: { refundAmount: number } | null;
}
export interface SourcePayment {
  guid: string;
  type: 'CASH' | 'CREDIT' | 'GIFTCARD' | 'OTHER';
  /** Only for cards, as are the fees, which are known once the payment is captured. */
  cardType: string | null;
  cardClass: 'CREDIT' | 'DEBIT' | null;
  originalProcessingFee: number | null;
  amount: number;
  tipAmount: number;
  paidDate: string;
  refundStatus: 'NONE' | 'PARTIAL' | 'FULL';
  refund: { refundAmount: number; tipRefundAmount: number; refundDate: string } | null;
  paymentStatus: 'CAPTURED' | 'AUTHORIZED' | 'VOIDED' | null;
}
export interface DemoCheck {
  guid: string;
  displayNumber: string;
  openedDate: string;
  modifiedDate: string;
  paidDate: string | null;
  closedDate: string | null;
  voided: boolean;
  deleted: boolean;
  amount: number;
  taxAmount: number;
  totalAmount: number;
  paymentStatus: 'OPEN' | 'PAID' | 'CLOSED';
  selections: SourceSelection[];
  payments: SourcePayment[];
  appliedDiscounts: SourceDiscount[];
  appliedServiceCharges: SourceCharge[];
}
export interface SourceOrder {
  guid: string;
  openedDate: string;
  modifiedDate: string;
  paidDate: string | null;
  closedDate: string | null;
  businessDate: number;
  numberOfGuests: number | null;
  voided: boolean;
  deleted: boolean;
  excessFood: boolean;
  source: string | null;
  displayNumber: string;
  diningOption: SourceRef | null;
  revenueCenter: SourceRef | null;
  server: { guid: string; firstName?: string; lastName?: string } | null;
  checks: DemoCheck[];
}
export interface SourceEntry {
  guid: string;
  employeeReference: { guid: string };
  jobReference: { guid: string } | null;
  inDate: string;
  outDate: string | null;
  businessDate: string;
  regularHours: number;
  overtimeHours: number;
  /** Null for a salary. */
  hourlyWage: number | null;
  regularPay?: number;
  overtimePay?: number;
  deleted: boolean;
  modifiedDate: string;
}

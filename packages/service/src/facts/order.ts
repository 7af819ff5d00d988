/** Orders as facts: a line of `orders.ndjson`, and of the files of their parts. */
import type { CardPaymentFact } from './card-payment.ts';
import type { LineFact } from './line.ts';
import type { RefundFact } from './refund.ts';
import type { VersionDate } from './version-date.ts';

/**
 * The parts of an order that have rows of their own, each in a table of its name. A version of an order has its own
 * rows of every part, which are replaced together with it.
 */
export const ORDER_PARTS = ['checks', 'lines', 'card_payments', 'refunds'] as const satisfies (keyof PartFacts)[];

export type OrderPart = (typeof ORDER_PARTS)[number];

/** The parts whose rows have business dates of their own. Those of other parts have the date of their order. */
const DATED_PARTS: ReadonlySet<string> = new Set<OrderPart>(['refunds']);

/**
 * The column of a part, or of orders, that has the business date of the order: a version and its parts are found by it.
 */
export const orderDateOf = (table: string): 'order_date' | 'business_date' =>
  DATED_PARTS.has(table) ? 'order_date' : 'business_date';

/**
 * A line of the file of each part. Order, its business date (`orderDateOf`) and opened time of a stored row are those
 * of its order.
 */
export interface PartFacts {
  checks: CheckFact;
  lines: LineFact;
  card_payments: CardPaymentFact;
  refunds: RefundFact;
}

/** Bits of `details` of an order: the details that were read when it was loaded. */
export const DETAILS = { items: 1, payments: 2 } as const;

/**
 * `details` of an order that was deleted by its GUID: it lacks none, and one bit more distinguishes it from waste,
 * which has lines.
 */
export const DELETED_DETAILS = DETAILS.items + DETAILS.payments + 4;

/**
 * How an order counts in the metrics (docs/metrics.md#what-counts): `excluded` is deleted or waste, stored so that an
 * older copy cannot restore it.
 */
export type OrderStatus = 'counted' | 'voided' | 'excluded';

/** One line of `orders.ndjson`. Every property is always written; null if there is no value. */
export interface OrderFact extends VersionDate {
  /** 0-based place in the body: of two equal versions the later wins. */
  seq: number;
  order_guid: string;
  business_date: number;
  /** Local hour of the order's opened time, 0 to 23. */
  business_hour: number;
  opened_at: number;
  status: OrderStatus;
  /** The sum of its `DETAILS`, or `DELETED_DETAILS`; 0 for orders loaded by a version that read none of them. */
  details: number;
  dining_guid: string | null;
  dining_name: string | null;
  revenue_guid: string | null;
  revenue_name: string | null;
  /** Normalised (docs/metrics.md#sales-metrics), null if missing. */
  source: string | null;
  /** 0 unless counted. */
  guests: number;
  /** Whether it counts and has a live check that is not CLOSED. */
  open: boolean;
  /** voidOrdersCount of docs/metrics.md#sales-metrics; false when excluded. */
  has_void: boolean;
  has_discount: boolean;
  void_cents: number;
  /** Sums over live checks; 0 unless counted. */
  gross_cents: number;
  discount_cents: number;
  /**
   * Refunds that count on the order's date; those of other dates, and how they differ from the order's hour, are in
   * `refunds`.
   */
  refund_cents: number;
}

/**
 * One line of `checks.ndjson`: docs/metrics.md#check-records. Checks that check reports do not list are not written.
 */
export interface CheckFact {
  /** The `seq` of its order. */
  seq: number;
  order_guid: string;
  check_guid: string;
  business_date: number;
  /** When the order was opened, milliseconds since 1970 UTC. */
  opened_at: number;
  order_number: number | null;
  check_number: number | null;
  paid_at: number | null;
  modified_at: number | null;
  status: string | null;
  voided: boolean;
  dining_guid: string | null;
  dining_name: string | null;
  revenue_guid: string | null;
  revenue_name: string | null;
  server_guid: string | null;
  /** First and last name, if the order has them. */
  server_name: string | null;
  total_cents: number;
  discount_cents: number;
  tax_cents: number;
  tip_cents: number;
  gratuity_cents: number;
  refund_cents: number;
  /**
   * The check's contribution to its order, on the order's date; those of all checks add up to the order's sums. Sales
   * are 0 unless it is live.
   */
  void_cents: number;
  sales_gross_cents: number;
  sales_discount_cents: number;
  sales_refund_cents: number;
}

/**
 * The properties of a stored order that deleting it requires; null details are those of an order that was loaded with
 * none.
 */
export type StoredOrder = Pick<
  OrderFact,
  'business_date' | 'business_hour' | 'opened_at' | 'modified_at' | 'status'
> & {
  details: OrderFact['details'] | null;
  /** Null for an order that was loaded with none. */
  modified_nanos: number | null;
};

/** A listed check, as it is read with its parts. */
export interface StoredCheck {
  check: Pick<
    CheckFact,
    'order_guid' | 'check_guid' | 'business_date' | 'order_number' | 'check_number' | 'paid_at' | 'voided'
  > &
    Pick<
      CheckFact,
      'total_cents' | 'discount_cents' | 'tax_cents' | 'tip_cents' | 'gratuity_cents' | 'refund_cents'
    > & { status: string };
  /** Refunds of all dates are in `refund_cents`. Sold items first, then modifiers, by name. */
  items: (Pick<LineFact, 'modifier' | 'item_guid' | 'item_name' | 'group_name' | 'menu_name' | 'quantity'> &
    Pick<LineFact, 'gross_cents' | 'discount_cents' | 'refund_cents' | 'void_cents'>)[];
  /** The captured ones, by time and GUID. */
  payments: (Pick<CardPaymentFact, 'payment_guid' | 'paid_at' | 'card_brand' | 'total_cents' | 'tip_cents'> &
    Pick<CardPaymentFact, 'gratuity_cents' | 'refund_cents'> & { card_type: string })[];
  /** What the check takes from the net sales of each date. */
  refunds: Pick<RefundFact, 'business_date' | 'refund_cents'>[];
}

/** Orders as facts: a line of `orders.ndjson`, and of the files of their parts. */
import type { CardPaymentFact } from './card-payment.ts';
import type { LineFact } from './line.ts';

/**
 * The parts of an order that have rows of their own, each with a table of its name. A version of an order brings its rows of
 * every part, and takes them along when it is replaced.
 */
export const ORDER_PARTS = ['checks', 'lines', 'card_payments'] as const satisfies (keyof PartFacts)[];

export type OrderPart = (typeof ORDER_PARTS)[number];

/** A line of the file of each part. Order, business date and opened time of a stored row are those of its order. */
export interface PartFacts {
  checks: CheckFact;
  lines: LineFact;
  card_payments: CardPaymentFact;
}

/** Bits of `details` of an order: which of its details the load that brought it has read. */
export const DETAILS = { items: 1, payments: 2 } as const;

/** What an order is to the metrics (docs/metrics.md#what-counts): `excluded` is deleted or waste, kept so that an older copy cannot bring it back. */
export type OrderStatus = 'counted' | 'voided' | 'excluded';

/** One line of `orders.ndjson`. Every property is always written; null where there is none. */
export interface OrderFact {
  /** 0-based place in the body: the later of two equal versions wins. */
  seq: number;
  order_guid: string;
  business_date: number;
  /** Local clock hour of the order's opened time, 0 to 23. */
  business_hour: number;
  opened_at: number;
  /** 0 where the order has no modifiedDate: any dated version is newer. */
  modified_at: number;
  status: OrderStatus;
  /** The sum of its `DETAILS`; 0 for orders loaded by a version that read none of them. */
  details: number;
  dining_guid: string | null;
  dining_name: string | null;
  revenue_guid: string | null;
  revenue_name: string | null;
  /** Normalised (docs/metrics.md#sales-metrics), null if missing. */
  source: string | null;
  /** 0 unless counted. */
  guests: number;
  /** Counted, and with a live check that is not CLOSED. */
  open: boolean;
  /** voidOrdersCount of docs/metrics.md#sales-metrics; false when excluded. */
  has_void: boolean;
  has_discount: boolean;
  void_cents: number;
  /** Sums over live checks; 0 unless counted. */
  gross_cents: number;
  discount_cents: number;
  refund_cents: number;
}

/** One line of `checks.ndjson`: docs/metrics.md#check-records. Checks that the report does not list are not written. */
export interface CheckFact {
  /** The `seq` of its order. */
  seq: number;
  order_guid: string;
  check_guid: string;
  business_date: number;
  /** The order's. */
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
  /** First and last name where the order carries them. */
  server_name: string | null;
  total_cents: number;
  discount_cents: number;
  tax_cents: number;
  tip_cents: number;
  gratuity_cents: number;
  refund_cents: number;
  /** What the check adds to its order: over all checks they sum up to the order's. Sales are 0 unless it is live. */
  void_cents: number;
  sales_gross_cents: number;
  sales_discount_cents: number;
  sales_refund_cents: number;
}

/** What of a stored order a later version of it must know. */
export type StoredOrder = Pick<OrderFact, 'business_date' | 'business_hour' | 'opened_at' | 'modified_at' | 'status'>;

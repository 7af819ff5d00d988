/** What is asked for and what comes back. Names are those of the wire (reference dialect); both dialects are read into them. */
import type { GroupsOf, Has } from './asked.ts';
import type { BusinessDate } from './dates.ts';

export type TimeRange = 'day' | 'week' | 'month' | 'year';
export type GroupBy = 'REVENUE_CENTER' | 'DINING_OPTION' | 'ORDER_SOURCE';
/** The forms of a report that a Daypart service has; the live system has JSON alone. */
export type Format = 'json' | 'ndjson' | 'csv' | 'parquet';

/** Which restaurants a report is about: all active ones of the group unless said otherwise. */
export interface Restaurants {
  restaurantIds?: readonly string[] | undefined;
  /** All but these. Not together with `restaurantIds`. */
  excludedRestaurantIds?: readonly string[] | undefined;
  /** Only restaurants that are inactive now. */
  onlyInactiveRestaurants?: boolean | undefined;
}

export interface MetricsAsk extends Restaurants {
  /** day is one date, week at most 7, month at most 31, year and custom at most 366; both ends count. */
  range: TimeRange | 'custom';
  /** First business date. */
  start: BusinessDate;
  /** Last business date; may be left out for a day. */
  end?: BusinessDate | undefined;
  /** At most two. */
  groupBy?: readonly GroupBy[] | undefined;
  /** HOUR for at most 31 dates, for one on the live system, which has no DAYPART. */
  aggregateBy?: 'DAY' | 'HOUR' | 'DAYPART' | undefined;
  /** Rows carry `restaurantName`. */
  fetchRestaurantNames?: boolean | undefined;
}

export interface CheckAsk extends Restaurants {
  /** The live system has day alone. */
  range: TimeRange;
  start: BusinessDate;
  end?: BusinessDate | undefined;
  fetchRestaurantNames?: boolean | undefined;
}

/** Payouts and payments. The live system has payments by day alone. */
export interface PayoutAsk extends Restaurants {
  range: 'day' | 'week' | 'month';
  start: BusinessDate;
  end?: BusinessDate | undefined;
}

export interface GuestPaymentAsk extends Restaurants {
  range: 'day' | 'week';
  start: BusinessDate;
  end?: BusinessDate | undefined;
}

/** The figures of a metrics record. Money is in currency units with at most two decimals: see `cents`. */
export interface MetricsFigures {
  restaurantGuid: string;
  /** YYYYMMDD, the restaurant's own. */
  businessDate: string;
  guestCount: number;
  voidOrdersCount: number;
  discountOrderCount: number;
  ordersCount: number;
  openOrderCount: number;
  closedOrderCount: number;
  netSalesAmount: number;
  grossSalesAmount: number;
  discountAmount: number;
  voidOrdersAmount: number;
  refundAmount: number;
  avgOrderValue: number;
  /** Decimal strings with two decimals. Over groups the same hours and pay stand on every row: see `totals`. */
  hourlyJobTotalHours: string;
  hourlyJobTotalPay: string;
  /** Null where no hours were worked. */
  hourlyJobSalesPerLaborHour: string | null;
}

type Group<A, G> = Has<GroupsOf<A>, G> extends true ? string : Has<GroupsOf<A>, G> extends false ? null : string | null;
type Hour<A> = A extends { aggregateBy: 'HOUR' }
  ? string
  : A extends { aggregateBy?: infer T }
    ? [T] extends ['DAY' | 'DAYPART' | undefined]
      ? null
      : string | null
    : null;
/** `daypart` is there where it was asked for. */
type DaypartOf<A> = A extends { aggregateBy: 'DAYPART' } ? { daypart: string } : { daypart?: string };
/** `restaurantName` is there where it was asked for. */
export type Named<A> = A extends { fetchRestaurantNames: true }
  ? { restaurantName: string }
  : { restaurantName?: string };

/** A sales metrics record of what was asked for: a group that was not asked for is null. */
export type MetricsRecord<A = MetricsAsk> = MetricsFigures & {
  revenueCenter: Group<A, 'REVENUE_CENTER'>;
  diningOption: Group<A, 'DINING_OPTION'>;
  orderSource: Group<A, 'ORDER_SOURCE'>;
  /** "0" … "23"; null unless asked for by HOUR. */
  businessHour: Hour<A>;
} & DaypartOf<A> &
  Named<A>;

/** The figures of a check. Amounts are in currency units with at most two decimals: see `cents`. */
export interface CheckFigures {
  restaurantGuid: string;
  /** Null where the display number is not a whole number. */
  orderNumber: number | null;
  orderGuid: string;
  checkNumber: number | null;
  checkGuid: string;
  /** YYYYMMDD, the business date. */
  orderOpenDate: string;
  /** UTC, ISO 8601; null while unpaid. */
  checkPaidDateTime: string | null;
  checkModifiedDateTime: string | null;
  /** OPEN, PAID, CLOSED, and what a service may add. */
  checkStatus: 'OPEN' | 'PAID' | 'CLOSED' | (string & {});
  checkVoidedStatus: boolean;
  diningOption: string;
  revenueCenter: string;
  serverName: string | null;
  checkTotalAmount: number;
  checkDiscountAmount: number;
  checkTaxAmount: number;
  checkTipAmount: number;
  checkGratuityAmount: number;
  checkRefundAmount: number;
}
export type CheckRecord<A = CheckAsk> = CheckFigures & Named<A>;

/** The restaurant of a record whose names are there in any case. */
export interface OfRestaurant {
  restaurantGuid: string;
  restaurantName: string;
  restaurantLocationName: string | null;
  /** Empty where the restaurant has none. */
  restaurantLocationCode: string;
}

/** What was paid out. Amounts are in currency units with at most two decimals: see `cents`. */
export interface PayoutFigures {
  /** Payments, without refunds. */
  transactionCount: number;
  paymentAmount: number;
  refundAmount: number;
  totalFeeAmount: number;
  withholdingAmount: number;
  /** Payments less refunds, fees and withholdings. */
  payoutAmount: number;
}

/** The payouts of a restaurant on a settled date. */
export interface PayoutRecord extends OfRestaurant, PayoutFigures {
  /** YYYYMMDD. */
  settledDate: string;
  /** Local times of the restaurant, `2026-03-10 12:31:05`; null where no payment with a time is in it. */
  salesPeriodStartDateTime: string | null;
  salesPeriodEndDateTime: string | null;
  payoutStatus: 'CAPTURED' | 'SENT' | 'NONE' | (string & {});
}

/** The card payments of a restaurant on a sales date. */
export interface PayoutSalesDateRecord extends OfRestaurant, PayoutFigures {
  /** YYYYMMDD. */
  salesDate: string;
  /** Ascending, each once; empty while unknown. */
  settledDates: string[];
}

/** A card payment. Amounts are in currency units with at most two decimals: see `cents`. */
export interface PayoutPaymentRecord extends OfRestaurant {
  orderGuid: string;
  checkGuid: string;
  paymentGuid: string;
  /** YYYYMMDD; null while unknown. */
  settledDate: string | null;
  /** Local times of the restaurant, `2026-03-10 12:31:05`. The live system has no order times. */
  orderOpenDateTime: string | null;
  paidDateTime: string;
  /** `Visa`, `Mastercard`, `AMEX`, `Discover`, or as the source has it. */
  paymentCardBrand: string | null;
  paymentCardType: 'Credit' | 'Debit' | 'UNSPECIFIED CARD' | (string & {});
  tipAmount: number;
  gratuityAmount: number;
  /** The total less tip and gratuity. */
  paymentSubtotal: number;
  paymentTotal: number;
}

/** A card payment of a guest. It has no name, mail, phone or card number. */
export interface GuestPaymentRecord extends OfRestaurant {
  /** YYYYMMDD. */
  paymentDate: string;
  orderGuid: string;
  paymentGuid: string;
  /** A UUID that is the same for a card in all restaurants of a management group; null where it is not known. */
  cardFingerprint: string | null;
}

export interface Restaurant {
  restaurantGuid: string;
  restaurantName: string;
  active: boolean;
  testMode: boolean;
  archived: boolean;
  /** ISO 4217, null for none; undefined where the service does not tell, such as the live system. */
  currencyCode?: string | null | undefined;
}

/** What the rows of one currency add up to: `currencyCode`, and sums by the names and types of the fields in the rows. */
export interface ControlTotals {
  currencyCode: string | null;
  [field: string]: number | string | null;
}

/** What totals can be made by, as far as the report has it. */
export type TotalsBy =
  | 'restaurant'
  | 'businessDate'
  | 'weekday'
  | 'businessHour'
  | 'diningOption'
  | 'revenueCenter'
  | 'orderSource'
  | (string & {});

/** What of a report is added up. */
export interface TotalsQuery {
  /** At most three; none adds up the whole report. */
  by?: readonly TotalsBy[] | undefined;
  /** The figures of each row, by their names; all without it. */
  fields?: readonly string[] | undefined;
  /** Only rows of dates from this one on, and up to that one: YYYYMMDD. */
  from?: string | undefined;
  to?: string | undefined;
  /** Only rows of dates of this weekday: 1 for Monday to 7 for Sunday. */
  weekday?: number | undefined;
}

/** Rows of a report added up: the keys of `by`, and figures by the names and types of the fields in the rows, made of one currency. */
export interface TotalsRow {
  /** ISO 4217, null for none. */
  currencyCode: string | null;
  /** How many rows of the report were added up. */
  rows: number;
  /** Null where a figure cannot be split so, as labour by a group, or has no value. */
  [field: string]: number | string | null;
}

export interface ReportTotals {
  reportRequestGuid: string;
  asOf: string | null;
  by: string[];
  rows: TotalsRow[];
}

/** A finished report. */
export interface Report<Row> {
  guid: string;
  /** The time of the snapshot that the rows were computed from, UTC ISO 8601; null where the service does not say. */
  asOf: string | null;
  /**
   * How many restaurants and dates lack items or payments, because their orders were loaded before these were kept: figures of them are too
   * low. 0 where the service says of none; `reports.status(guid)` lists them as `incomplete`.
   */
  incomplete: number;
  rows: Row[];
}

/** One look at a report. */
export type Retrieval<Row> =
  | ({ ready: true } & Report<Row>)
  /** `retryAfterMs` is when to look again; null where the service does not say. */
  | { ready: false; guid: string; reportStatus: string; retryAfterMs: number | null };

/** Where a call stands. A state that a later version adds means: still waiting. */
export interface Progress {
  state: 'creating' | 'waiting' | 'reading';
  /** Null until it is created. A 409 makes a new one. */
  guid: string | null;
  /** 1 for the first reportRequestGuid. */
  attempt: number;
  /** Milliseconds since the call began. */
  elapsedMs: number;
  /** Milliseconds until the next look; null where it is under way. */
  nextMs: number | null;
}

export interface CallOptions {
  /** Ends the call; what is thrown is its reason. */
  signal?: AbortSignal | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Creates with the same key and the same ask answer the same reportRequestGuid for 24 hours; a new key unless given. */
  idempotencyKey?: string | undefined;
}

export interface WaitOptions extends CallOptions {
  /** Longest time for all of the call, in milliseconds; 15 minutes unless said otherwise. */
  timeoutMs?: number | undefined;
  /** New reportRequestGuids that are asked for after a 409; 2 unless said otherwise. */
  maxNewGuids?: number | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** How the rows of a report are read that was asked for before. */
export interface RowsOptions extends WaitOptions {
  /** Whether they have `restaurantName`. Where a report is asked for, the ask says so. */
  fetchRestaurantNames?: boolean | undefined;
}

/** GET /reports/{guid} of a Daypart service. */
export interface ReportStatus {
  reportRequestGuid: string;
  kind: 'metrics' | 'check' | 'payout' | 'payout-payments' | 'payout-sales-date' | 'guest-payments' | (string & {});
  /** Of the client that asked for it. */
  clientId?: string | undefined;
  request: Record<string, unknown>;
  status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'EXPIRED' | (string & {});
  rows: number | null;
  bytes: number | null;
  createdAt: string;
  completedAt: string | null;
  expiresAt: string | null;
  asOf: string | null;
  /** One entry a currency; null until it is completed. */
  controlTotals?: ControlTotals[] | null | undefined;
  /** Of reports that need items or payments: where they are missing; the first 1,000 restaurants and dates. */
  incomplete?: { restaurantGuid: string; businessDate: string; missing: string }[] | null | undefined;
  failure: unknown;
  [more: string]: unknown;
}

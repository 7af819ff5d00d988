/** Report requests: what was requested, the state, and the result. */

import type { ReportDayparts } from '../contract/dayparts.ts';
import type { CurrencyTotals, Incomplete } from '../contract/report-outcome.ts';
import type { Cause } from '../contract/trace.ts';
import type { Aggregate, Dialect, Span } from '../contract/words.ts';
import type { KeyUse } from './idempotency-key.ts';
import type { ReportFailure } from './lease.ts';

/** The states of a report request; ARCHITECTURE.md draws how one follows from another. */
export type ReportState =
  /** It waits for a worker: new, returned by one that stopped, or because a lease expired. */
  | 'queued'
  /** A worker holds its lease and works at an attempt. */
  | 'gathering'
  /** Its files are published, and can be retrieved until it expires. */
  | 'completed'
  /** Its request cannot be met, or its attempts are used up; `failure` says why. */
  | 'failed'
  /** Its time is over and its files are removed; the row is kept for a while. */
  | 'expired'
  /** A caller cancelled or discarded it, and its files are removed. */
  | 'cancelled';

/** Short reports may be gathered beside long ones, and never wait behind them. */
export type ReportLane = 'short' | 'long';

/** What a report covers, resolved when it was requested. */
export interface ReportPlan {
  span: Span;
  /** YYYYMMDD integers, inclusive. */
  startDate: number;
  endDate: number;
  aggregate: Aggregate;
  /** In the order that the family defines. */
  groups: string[];
  /** Ledger ids of the restaurants. */
  restaurantIds: number[];
  /** `later`: the JSON is rendered when it is first retrieved instead of before the report is completed. */
  forms?: 'later';
}

export interface ReportRequest {
  guid: string;
  group: string;
  clientId: string;
  kind: string;
  plan: ReportPlan;
  /** The POST that created it; the path has no base. Shown as `replacement`. */
  request: { path: string; body: unknown };
  /** The dialect of the client that requested it: the form that is rendered at gather time. */
  dialect: Dialect;
  /** Expected time for gathering and rendering, in milliseconds. Decides the lane. */
  cost: number;
  lane: ReportLane;
  state: ReportState;
  /**
   * How many attempts have begun; 0 while queued for the first time. A completed report's files are those of this
   * attempt.
   */
  attempt: number;
  worker: string | null;
  leaseUntil: number | null;
  createdAt: number;
  queuedAt: number;
  completedAt: number | null;
  expiresAt: number;
  asOf: number | null;
  rows: number | null;
  /** Size of the JSON rendered at gather time; null if it is rendered later. */
  bytes: number | null;
  /**
   * The snapshot of the facts from which the rows were computed; opaque to all but the facts. Null, like the totals, if
   * an older version made the report.
   */
  snapshot: string | null;
  /** Control totals, one entry per currency. */
  totals: CurrencyTotals[] | null;
  /** What is missing in its rows; null if nothing is, or if an older version made the report. */
  incomplete: Incomplete | null;
  /** Only for a completed report by daypart; null for others. */
  dayparts: ReportDayparts | null;
  /** SHA-256, base64, by file name, of files made with the report. Null if an older version made the report. */
  digests: Record<string, string> | null;
  failure: ReportFailure | null;
  /** The call that requested it. Null if an older version made the report. */
  cause: Cause | null;
}

/** Selects a page of a group's reports; filters that are absent do not apply. */
export interface ReportPage {
  limit: number;
  /** Reports that are due to expire at this instant count as expired. */
  now: number;
  /** The last report of the previous page. */
  after?: Pick<ReportRequest, 'createdAt' | 'guid'> | undefined;
  kind?: string | undefined;
  clientId?: string | undefined;
  states?: ReportState[] | undefined;
}

/**
 * How long a report that a service queues is left to that service's worker, in milliseconds, if it has one: its client
 * is likely to retrieve it from the same service, and the workers of others would search for it in vain.
 */
export const OWN_MS = 100;

export interface ReportLedger {
  /**
   * Adds it in state `queued`, together with the use of an idempotency key. If the key is already in use (as of
   * `createdAt`), adds nothing and returns that use. `queuedBy` is the worker of this service: a ledger that services
   * share leaves the report to it for `OWN_MS`.
   */
  addReport(
    report: Pick<
      ReportRequest,
      | 'guid'
      | 'group'
      | 'clientId'
      | 'kind'
      | 'plan'
      | 'request'
      | 'dialect'
      | 'cost'
      | 'lane'
      | 'createdAt'
      | 'expiresAt'
    > &
      Partial<Pick<ReportRequest, 'cause'>> & { queuedBy?: string | undefined },
    use?: KeyUse,
  ): Promise<KeyUse | undefined>;
  /**
   * On a ledger that services share, without a change that another made within the last second if its notification is
   * still to come.
   */
  report(guid: string): Promise<ReportRequest | undefined>;
  /** The report with every change that any service has committed. */
  currentReport(guid: string): Promise<ReportRequest | undefined>;
  /** Newest first; reports created at the same instant by descending GUID. */
  reportsOf(group: string, page: ReportPage): Promise<ReportRequest[]>;
  /** queued, gathering, completed, failed → cancelled. False when it was in none of these states. */
  cancelReport(guid: string): Promise<boolean>;
  /**
   * completed, failed, cancelled, queued → expired once `expiresAt` has passed. Returns those, so that their files are
   * removed.
   */
  expireReports(now: number): Promise<{ guid: string; attempt: number }[]>;
  /** Deletes expired requests whose `expiresAt` is before the instant. */
  forgetReports(expiredBefore: number): Promise<number>;
  /** The states of those that exist, in no order. */
  reportStates(guids: string[]): Promise<Pick<ReportRequest, 'guid' | 'state' | 'attempt'>[]>;
}

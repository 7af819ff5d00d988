/** Report requests: what was asked, in which state it is, and what came of it. */

import type { ReportDayparts } from '../contract/dayparts.ts';
import type { Incomplete } from '../contract/incomplete.ts';
import type { CurrencyTotals } from '../contract/totals.ts';
import type { Cause } from '../contract/trace.ts';
import type { Aggregate, Dialect, Span } from '../contract/words.ts';
import type { KeyUse } from './idempotency-key.ts';
import type { ReportFailure } from './lease.ts';

export type ReportState = 'queued' | 'gathering' | 'completed' | 'failed' | 'expired' | 'cancelled';

/** What is short may be gathered beside what is long, never behind it. */
export type ReportLane = 'short' | 'long';

/** What a report is made of, resolved when it was asked for. */
export interface ReportPlan {
  span: Span;
  /** YYYYMMDD integers, both ends count. */
  startDate: number;
  endDate: number;
  aggregate: Aggregate;
  /** In the order of its family. */
  groups: string[];
  /** Ledger ids of the restaurants, resolved at creation. */
  restaurantIds: number[];
  /** `later`: its JSON is rendered when it is first retrieved, and not before the report is completed. */
  forms?: 'later';
}

export interface ReportRequest {
  guid: string;
  group: string;
  clientId: string;
  kind: string;
  plan: ReportPlan;
  /** The POST that made it, without the base: what `replacement` shows. */
  asked: { path: string; body: unknown };
  /** The dialect of the client that asked: which form is rendered at gather time. */
  dialect: Dialect;
  /** What gathering and rendering is expected to take, in milliseconds. Decides the lane. */
  cost: number;
  lane: ReportLane;
  state: ReportState;
  /** Attempts begun, 0 while queued for the first time. A completed report's files are those of this attempt. */
  attempt: number;
  worker: string | null;
  leaseUntil: number | null;
  createdAt: number;
  queuedAt: number;
  completedAt: number | null;
  expiresAt: number;
  asOf: number | null;
  rows: number | null;
  /** Of the JSON that was rendered with it; null where that is rendered later. */
  bytes: number | null;
  /** Of the facts that the rows were computed from: only they can read it. Null, as the totals, of a report made before they were kept. */
  snapshot: string | null;
  /** Control totals, one entry a currency. */
  totals: CurrencyTotals[] | null;
  /** What its rows are missing; null where nothing is, and of a report made before it was kept. */
  incomplete: Incomplete | null;
  /** Of a completed report by daypart; null of others. */
  dayparts: ReportDayparts | null;
  /** The SHA-256, in base64, of files that were made with the report, by name. Null of one made before they were kept. */
  digests: Record<string, string> | null;
  failure: ReportFailure | null;
  /** The call that asked for it. Null of a report made before it was kept. */
  cause: Cause | null;
}

/** A page of a group's reports; those left out are not asked for. */
export interface ReportPage {
  limit: number;
  /** Whatever should have expired by then counts as expired. */
  now: number;
  /** The last of the page before. */
  after?: Pick<ReportRequest, 'createdAt' | 'guid'> | undefined;
  kind?: string | undefined;
  clientId?: string | undefined;
  states?: ReportState[] | undefined;
}

export interface ReportLedger {
  /**
   * Adds it in state `queued`, together with the use of a key. If the key was used before, answers that use
   * (as of `createdAt`); then nothing was added.
   */
  addReport(
    report: Pick<
      ReportRequest,
      | 'guid'
      | 'group'
      | 'clientId'
      | 'kind'
      | 'plan'
      | 'asked'
      | 'dialect'
      | 'cost'
      | 'lane'
      | 'createdAt'
      | 'expiresAt'
    > &
      Partial<Pick<ReportRequest, 'cause'>>,
    use?: KeyUse,
  ): Promise<KeyUse | undefined>;
  report(guid: string): Promise<ReportRequest | undefined>;
  /** Newest first; of equally new ones the higher GUID. */
  reportsOf(group: string, page: ReportPage): Promise<ReportRequest[]>;
  /** queued, gathering, completed, failed → cancelled. False when it was in none of them. */
  cancelReport(guid: string): Promise<boolean>;
  /** completed, failed, cancelled, queued → expired once `expiresAt` has passed. Answers guid and attempt of those, to remove their files. */
  expireReports(now: number): Promise<{ guid: string; attempt: number }[]>;
  /** Forgets expired requests whose `expiresAt` is before the instant. */
  forgetReports(expiredBefore: number): Promise<number>;
  /** Of those that are known, in no order. */
  reportStates(guids: string[]): Promise<Pick<ReportRequest, 'guid' | 'state' | 'attempt'>[]>;
}

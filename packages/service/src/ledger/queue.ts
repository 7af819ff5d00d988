/** The queue of reports, and how long recent reports took. */
import type { Aggregate, Span } from '../contract/words.ts';
import type { ReportRequest, ReportState } from './report.ts';

/** The size of a report, from which its duration is estimated. */
export interface ReportSize {
  kind: string;
  span: Span;
  aggregate: Aggregate;
  /** YYYYMMDD integers, inclusive. */
  startDate: number;
  endDate: number;
  /** How many restaurants. */
  restaurants: number;
}

/** A report that waits for its turn. */
export type QueuedReport = ReportSize & Pick<ReportRequest, 'guid' | 'group' | 'lane'>;

export interface QueueLedger {
  /** How long the most recently completed reports took to gather, newest first. */
  gatherTimes(limit: number): Promise<(ReportSize & { ms: number })[]>;
  /** Oldest first. */
  queuedReports(limit: number): Promise<QueuedReport[]>;
  /** How many are in each state. */
  reportCounts(): Promise<Partial<Record<ReportState, number>>>;
  /** When the report that has waited longest was queued; null when none is queued. */
  oldestQueuedAt(): Promise<number | null>;
}

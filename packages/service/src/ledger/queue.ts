/** What is known of the reports that wait, and how long those before them took. */
import type { Aggregate, Span } from '../contract/words.ts';
import type { ReportRequest, ReportState } from './report.ts';

/** What the time of a report is estimated from. */
export interface ReportSize {
  kind: string;
  span: Span;
  aggregate: Aggregate;
  /** YYYYMMDD integers, both ends count. */
  startDate: number;
  endDate: number;
  /** How many. */
  restaurants: number;
}

/** One that waits for its turn. */
export type QueuedReport = ReportSize & Pick<ReportRequest, 'guid' | 'group' | 'lane'>;

export interface QueueLedger {
  /** How long the reports that were completed last took to gather, newest first. */
  gatherTimes(limit: number): Promise<(ReportSize & { ms: number })[]>;
  /** Oldest first. */
  queuedReports(limit: number): Promise<QueuedReport[]>;
  /** How many are in each state. */
  reportCounts(): Promise<Partial<Record<ReportState, number>>>;
  /** When the one that has waited longest was queued; null when none is. */
  oldestQueuedAt(): Promise<number | null>;
}

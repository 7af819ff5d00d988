/** Who gathers a report: a worker claims it, extends its lease, and ends it. */

import type { ReportDayparts } from '../contract/dayparts.ts';
import type { Incomplete } from '../contract/incomplete.ts';
import type { CurrencyTotals } from '../contract/totals.ts';
import type { ProblemCode } from '../problems.ts';
import type { KeptForm } from './form.ts';
import type { ReportLane, ReportRequest } from './report.ts';

/** Why a report failed, as its readers see it. */
export interface ReportFailure {
  code: ProblemCode;
  message: string;
}

export interface LeaseLedger {
  /**
   * queued → gathering; one winner. Attempt counts up. Of the groups that wait, the one with the fewest gathering comes
   * first, then the one whose last claim is the longest ago; its oldest. The `short` lane takes short ones only, the
   * `long` lane (when left out) both. Undefined when nothing is queued for it.
   */
  claimReport(worker: string, now: number, leaseUntil: number, lane?: ReportLane): Promise<ReportRequest | undefined>;
  /** False when the worker no longer holds the report. The same for the three that follow. */
  extendLease(guid: string, worker: string, attempt: number, leaseUntil: number): Promise<boolean>;
  /** gathering → completed, publishing the attempt's files. Its client's webhook is to be called from then on; so for every step to `failed`. */
  completeReport(
    guid: string,
    worker: string,
    attempt: number,
    done: {
      now: number;
      asOf: number;
      rows: number;
      /** Of the JSON; null where it is rendered later. */
      bytes: number | null;
      /** Of the facts that the rows were computed from. */
      snapshot: string;
      totals: CurrencyTotals[];
      /** Left out where nothing is missing. */
      incomplete?: Incomplete | null;
      /** Of a report by daypart. */
      dayparts?: ReportDayparts | undefined;
      /** The forms to publish with it: added in the same transaction. */
      forms?: KeptForm[];
    },
  ): Promise<boolean>;
  /** gathering → failed. */
  failReport(guid: string, worker: string, attempt: number, now: number, failure: ReportFailure): Promise<boolean>;
  /** gathering → queued, without waiting for the lease. `counts: false` gives the attempt back (a clean stop). */
  releaseReport(guid: string, worker: string, attempt: number, counts: boolean): Promise<boolean>;
  /**
   * gathering → queued for leases that ran out; → failed with `failure` when `attempts` are used up.
   * Answers the GUIDs that failed.
   */
  reclaimReports(now: number, attempts: number, failure: ReportFailure): Promise<string[]>;
  /**
   * Takes back everything that is gathering, whatever its lease, for the one who holds the data folder alone: who held
   * these is gone. → queued in its old place, → failed when `attempts` are used up. Webhook calls that were under way are
   * due at once. Answers the GUIDs that failed, and how many reports and calls were taken back.
   */
  reclaimOrphans(
    now: number,
    attempts: number,
    failure: ReportFailure,
  ): Promise<{ failed: string[]; requeued: number; deliveries: number }>;
}

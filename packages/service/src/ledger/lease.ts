/** Leases: a worker claims a report, extends its lease while it gathers, and completes or fails it. */

import type { ReportDayparts } from '../contract/dayparts.ts';
import type { ProblemCode } from '../contract/problems.ts';
import type { CurrencyTotals, Incomplete } from '../contract/report-outcome.ts';
import type { KeptForm } from './form.ts';
import type { ReportLane, ReportRequest } from './report.ts';

/** Why a report failed, as shown to those who read it. */
export interface ReportFailure {
  code: ProblemCode;
  message: string;
}

/** How many more reports a lane takes: up to so many, as long as those before cost less than `ms` together. */
export interface Room {
  reports: number;
  ms: number;
}

/** Whether a lane with this room takes another report after these. */
export const hasRoom = ({ reports, ms }: Room, claimed: readonly Pick<ReportRequest, 'cost'>[]): boolean =>
  claimed.length < reports && claimed.reduce((sum, { cost }) => sum + cost, 0) < ms;

export interface LeaseLedger {
  /**
   * queued → gathering, for the short lane, then for the long lane; only one worker gets a report. Increments
   * `attempt`. Among the groups that wait, the one with the fewest reports gathering comes first, then the one whose
   * last claim is longest ago; within a group, its oldest report. The `short` lane takes short reports only, the `long`
   * lane both. Returns fewer reports than there is room for when no more are queued for the lane.
   */
  claimReports(
    worker: string,
    now: number,
    leaseUntil: number,
    room: Record<ReportLane, Room>,
  ): Promise<Record<ReportLane, ReportRequest[]>>;
  /** The reports that a worker has claimed and not ended, each with the attempt that it claimed. */
  heldReports(worker: string): Promise<{ guid: string; attempt: number }[]>;
  /** False when the worker no longer holds the report; the same holds for the next three methods. */
  extendLease(guid: string, worker: string, attempt: number, leaseUntil: number): Promise<boolean>;
  /**
   * gathering → completed, publishing the attempt's files. Adds the call of the client's webhook, as does every step to
   * `failed`.
   */
  completeReport(
    guid: string,
    worker: string,
    attempt: number,
    done: {
      now: number;
      asOf: number;
      rows: number;
      /** Size of the JSON; null if it is rendered later. */
      bytes: number | null;
      /** The snapshot of the facts from which the rows were computed. */
      snapshot: string;
      totals: CurrencyTotals[];
      /** Absent if nothing is missing. */
      incomplete?: Incomplete | null;
      /** Only for a report by daypart. */
      dayparts?: ReportDayparts | undefined;
      /** Forms to publish with the report, added in the same transaction. */
      forms?: KeptForm[];
    },
  ): Promise<boolean>;
  /** gathering → failed. */
  failReport(guid: string, worker: string, attempt: number, now: number, failure: ReportFailure): Promise<boolean>;
  /**
   * gathering → queued, without waiting for the lease to expire. With `counts: false` the attempt is not counted (a
   * clean stop).
   */
  releaseReport(guid: string, worker: string, attempt: number, counts: boolean): Promise<boolean>;
  /**
   * gathering → queued for reports whose lease has expired; → failed with `failure` if they have used up `attempts`.
   * Returns the GUIDs of those that failed.
   */
  reclaimReports(now: number, attempts: number, failure: ReportFailure): Promise<string[]>;
  /**
   * Takes back everything that is gathering, whatever its lease, for a service that holds the data folder alone: the
   * previous holder no longer runs. → queued in its old place, → failed if `attempts` are used up. Of more than one
   * report in each lane most had not begun, so the attempt of none counts. Webhook calls that were in progress are due
   * immediately. Returns the GUIDs of the reports that failed and of those that were taken back, and how many calls
   * were.
   */
  reclaimOrphans(
    now: number,
    attempts: number,
    failure: ReportFailure,
  ): Promise<{ failed: string[]; requeued: string[]; deliveries: number }>;
}

/** Leases: how a worker claims and ends a report, and what happens to the report when the worker has died: rows, statements, methods. */
import { hasRoom, type LeaseLedger, type Room } from '../lease.ts';
import type { ReportLane } from '../report.ts';
import type { Statements } from './statements.ts';

/** An attempt, as long as the worker still holds it. */
interface Held {
  guid: string;
  worker: string;
  attempt: number;
}

export interface LeaseQueries {
  countWaiting(of: { now: number; most: number }): { lane: ReportLane; reports: number }[];
  nextReport(of: { now: number; lane: ReportLane }): { guid: string } | undefined;
  heldReports(of: { worker: string }): { guid: string; attempt: number }[];
  extendLease(of: Held & { leaseUntil: number }): number;
  completeReport(
    of: Held & {
      now: number;
      asOf: number;
      rows: number;
      bytes: number;
      snapshot: string;
      totals: string;
      incomplete: string | null;
      dayparts: string | null;
    },
  ): number;
  failReport(of: Held & { now: number; failure: string }): number;
  releaseReport(of: Held & { givenBack: number }): number;
  failReclaimed(of: { until: number; now: number; attempts: number; failure: string }): { guid: string }[];
  requeueReclaimed(of: { now: number; attempts: number }): number;
  requeueOrphans(): number;
}

/** How many to count in each group before reports are claimed: more are not taken. */
export const mostClaimed = ({ short, long }: Record<ReportLane, Room>): number => short.reports + long.reports;

/** How many of the reports that wait, rows of `countWaiting`, each lane may claim: 0 where it has no room. */
export function claimable(
  rows: ReturnType<LeaseQueries['countWaiting']>,
  room: Record<ReportLane, Room>,
): Record<ReportLane, number> {
  const [all, short] = [rows, rows.filter(({ lane }) => lane === 'short')].map((some) =>
    some.reduce((sum, { reports }) => sum + reports, 0),
  );
  return { short: hasRoom(room.short, []) ? (short ?? 0) : 0, long: hasRoom(room.long, []) ? (all ?? 0) : 0 };
}

/** What `completeReport` writes. */
export function completedValues(
  held: Held,
  { totals, incomplete, dayparts, bytes, forms: _forms, ...done }: Parameters<LeaseLedger['completeReport']>[3],
): Parameters<LeaseQueries['completeReport']>[0] {
  return {
    ...held,
    ...done,
    // The column is not null for a completed report; 0 stands for null, since no JSON has 0 bytes.
    bytes: bytes ?? 0,
    totals: JSON.stringify(totals),
    incomplete: incomplete ? JSON.stringify(incomplete) : null,
    dayparts: dayparts ? JSON.stringify(dayparts) : null,
  };
}

/** The methods that are one statement in every form of the ledger, by whether they change anything. */
export function leaseMethods(sql: Statements<LeaseQueries>) {
  const reads = {
    async heldReports(worker) {
      return (await sql.heldReports({ worker })).map(({ guid, attempt }) => ({ guid, attempt }));
    },
  } satisfies Partial<LeaseLedger>;
  const changes = {
    async extendLease(guid, worker, attempt, leaseUntil) {
      return (await sql.extendLease({ guid, worker, attempt, leaseUntil })) === 1;
    },
    async releaseReport(guid, worker, attempt, counts) {
      return (await sql.releaseReport({ guid, worker, attempt, givenBack: counts ? 0 : 1 })) === 1;
    },
  } satisfies Partial<LeaseLedger>;
  return { reads, changes };
}

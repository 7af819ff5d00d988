/** One report, as a worker with room for one claims it. */
import type { LeaseLedger } from '../../packages/service/src/ledger/lease.ts';
import type { ReportLane, ReportRequest } from '../../packages/service/src/ledger/report.ts';

/** Claims one report for the lane. Undefined where nothing is queued for it. */
export async function claimOne(
  ledger: LeaseLedger,
  worker: string,
  now: number,
  leaseUntil: number,
  lane: ReportLane = 'long',
): Promise<ReportRequest | undefined> {
  const none = { reports: 0, ms: 0 };
  const room = { short: none, long: none, [lane]: { reports: 1, ms: 1 } };
  return (await ledger.claimReports(worker, now, leaseUntil, room))[lane][0];
}

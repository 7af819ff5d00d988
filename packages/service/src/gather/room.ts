/** How many reports a worker claims at once. */
import type { Room } from '../ledger/lease.ts';
import type { ReportLane, ReportRequest } from '../ledger/report.ts';

/** Short reports are claimed first. */
export const LANES = ['short', 'long'] as const satisfies ReportLane[];
/**
 * How many reports of a lane are claimed at once, as long as those claimed before cost less than `ms` together. While
 * one short report is computed, others are flushed to disk or recorded in the ledger, which is half of the time of
 * each. Long ones would only hold leases without being worked on.
 */
const AT_ONCE: Record<ReportLane, { reports: number; ms: number }> = {
  short: { reports: 16, ms: 50 },
  long: { reports: 1, ms: 1 },
};

/** A report that this worker has claimed. */
export interface Claimed {
  report: ReportRequest;
  lane: ReportLane;
}

/** How many more reports a lane may claim, and how much they may cost; at most `most` are in progress. */
function roomIn(lane: ReportLane, claimed: readonly Claimed[], most: number): Room {
  const { reports, ms } = AT_ONCE[lane];
  const own = claimed.filter((one) => one.lane === lane);
  return {
    reports: Math.max(0, Math.min(reports, most) - own.length),
    ms: own.reduce((left, { report }) => left - report.cost, ms),
  };
}

const FULL: Room = { reports: 0, ms: 0 };

/**
 * The room for further claims: at most `most` reports of a lane are in progress, with `oneByOne` one, and none of a
 * lane in `emptied` is claimed.
 */
export function roomOf(
  running: readonly Claimed[],
  { most, emptied, oneByOne }: { most: number; emptied: ReadonlySet<ReportLane>; oneByOne: boolean },
): Record<ReportLane, Room> {
  const roomFor = (lane: ReportLane): Room =>
    emptied.has(lane) ? FULL : roomIn(lane, running, oneByOne ? Math.min(most, 1) : most);
  return { short: roomFor('short'), long: roomFor('long') };
}

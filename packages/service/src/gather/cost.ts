/** What a report is expected to cost, and the lane that follows from it. */
import { datesIn } from '../contract/dates.ts';
import type { ReportKind } from '../contract/words.ts';
import type { ReportLane, ReportPlan } from '../ledger/ledger.ts';

/**
 * Microseconds of the engine for one date of one restaurant with 100 to 250 orders, gathered and rendered, as measured
 * over 73,000 of them: what costs is the rows that come out. Metrics by the number of groups.
 */
const MICROSECONDS = { DAY: [7, 25, 60], HOUR: [50, 130, 240], check: 1200 } as const;
/** A report that is expected to take longer than this is long: it is what a short one may have to wait for. */
const SHORT_MS = 300;

/** Milliseconds, whole. */
export function costOf(kind: ReportKind, plan: ReportPlan): number {
  const each = kind === 'check' ? MICROSECONDS.check : (MICROSECONDS[plan.aggregate][plan.groups.length] ?? 0);
  return Math.ceil((plan.restaurantIds.length * datesIn(plan.startDate, plan.endDate) * each) / 1000);
}

export const laneOf = (cost: number): ReportLane => (cost <= SHORT_MS ? 'short' : 'long');

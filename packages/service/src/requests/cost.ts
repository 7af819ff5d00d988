/** The expected cost of a report, and the lane that follows from it. */
import { datesIn } from '../contract/dates.ts';
import type { ReportFamily } from '../families/family.ts';
import type { ReportLane, ReportPlan } from '../ledger/report.ts';

/** A report that is expected to take longer than this counts as long, so that short reports do not wait behind it. */
const SHORT_MS = 300;

/** Expected milliseconds, an integer. */
export function costOf(family: ReportFamily, plan: ReportPlan): number {
  return Math.ceil((plan.restaurantIds.length * datesIn(plan.startDate, plan.endDate) * family.cost(plan)) / 1000);
}

export const laneOf = (cost: number): ReportLane => (cost <= SHORT_MS ? 'short' : 'long');

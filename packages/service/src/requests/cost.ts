/** What a report is expected to cost, and the lane that follows from it. */
import { datesIn } from '../contract/dates.ts';
import type { ReportFamily } from '../families/family.ts';
import type { ReportLane, ReportPlan } from '../ledger/report.ts';

/** A report that is expected to take longer than this is long: it is what a short one may have to wait for. */
const SHORT_MS = 300;

/** Milliseconds, whole. */
export function costOf(family: ReportFamily, plan: ReportPlan): number {
  return Math.ceil((plan.restaurantIds.length * datesIn(plan.startDate, plan.endDate) * family.cost(plan)) / 1000);
}

export const laneOf = (cost: number): ReportLane => (cost <= SHORT_MS ? 'short' : 'long');

/** Reports of checks. */
import { type CheckAsk, type CheckRecord, checkRecord, spanDays } from '@daypart/client';
import type { Period } from '../model/period.ts';
import { stepsOf } from './client.ts';
import { type Answer, askReport, type Reading, readRows } from './question.ts';

export type Check = CheckRecord;

/** A check report has no custom range: the name of the shortest range that covers the dates. */
function askOf({ start, end }: Period, restaurantIds: string[]): CheckAsk {
  const days = spanDays({ start, end });
  if (days === 1) return { range: 'day', start, restaurantIds };
  return { range: days <= 7 ? 'week' : days <= 31 ? 'month' : 'year', start, end, restaurantIds };
}

const CHECKS = stepsOf<CheckAsk>('/check', false);

/** The checks of restaurants in the period. */
export function readChecks(period: Period, restaurantIds: string[], reading: Reading): Promise<Answer<Check>> {
  const read = (guid: string) => readRows(CHECKS, guid, checkRecord, reading);
  return askReport(CHECKS, '/check', askOf(period, restaurantIds), read);
}

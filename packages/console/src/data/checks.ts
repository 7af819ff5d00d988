/** Reports of checks. */
import { type CheckAsk, type CheckRecord, checkRecord } from '@daypart/client';
import type { Period } from '../model/period.ts';
import { stepsOf } from './client.ts';
import { askOf } from './exported.ts';
import { type Answer, askReport, type Reading, readRows } from './question.ts';

export type Check = CheckRecord;

const CHECKS = stepsOf<CheckAsk>('/check', false);

/** The checks of restaurants in the period. */
export function readChecks(period: Period, restaurantIds: string[], reading: Reading): Promise<Answer<Check>> {
  const read = (guid: string) => readRows(CHECKS, guid, checkRecord, reading);
  return askReport(CHECKS, '/check', askOf(period, restaurantIds), read);
}

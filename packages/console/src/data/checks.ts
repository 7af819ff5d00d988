/** Reports of checks, and single checks with their parts. */
import { type CheckAsk, type CheckRecord, checkRecord, NotFoundError, type StoredCheck } from '@daypart/client';
import type { Period } from '../model/period.ts';
import { daypart, stepsOf } from './client.ts';
import { askOf } from './exported.ts';
import { type Answer, askReport, type ReportReading, readRows } from './question.ts';

export type Check = CheckRecord;

const CHECKS = stepsOf<CheckAsk>('/check', false);

/** The checks of restaurants in the period. */
export function readChecks(period: Period, restaurantIds: string[], reading: ReportReading): Promise<Answer<Check>> {
  const read = (guid: string) => readRows(CHECKS, guid, checkRecord, reading);
  return askReport(CHECKS, '/check', askOf(period, restaurantIds), read);
}

/** A check with its items, card payments and refunds; null if it is no longer one that reports list. */
export async function readCheck(
  guid: string,
  checkGuid: string,
  { signal }: ReportReading,
): Promise<StoredCheck | null> {
  try {
    return await daypart.request('GET', `/restaurants/${guid}/checks/${checkGuid}`, { signal });
  } catch (error) {
    if (error instanceof NotFoundError && error.code === 'check_not_found') return null;
    throw error;
  }
}

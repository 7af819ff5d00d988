/** Checks. */
import { checkRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { CheckAsk, CheckRecord } from '../types.ts';
import type { Family, FamilyTypes, HistoryAsk } from './family.ts';
import { DAY_MS, MINUTE_MS } from './windows.ts';

export interface CheckTypes extends FamilyTypes {
  ask: CheckAsk;
  row: CheckRecord<this['asked']>;
}
export type CheckHistoryAsk = HistoryAsk<CheckAsk>;
/** Reports of checks. */
export type CheckResource = ReportResource<CheckTypes>;

export const CHECKS: Family<CheckTypes> = {
  path: '/check',
  dates: { start: 'startBusinessDate', end: 'endBusinessDate' },
  groups: false,
  read: checkRecord,
  // The live system has day alone.
  historyRange: 'day',
  limitOf: () => 'check',
  knownLimits: {
    check: [
      [5, MINUTE_MS],
      [60, DAY_MS],
    ],
  },
};

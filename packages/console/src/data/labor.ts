/** Sums of labour reports: hours and cost by restaurant, job or employee. */
import type { AddableLabor, LaborAsk, LaborGroup } from '@daypart/client';
import type { Worker } from '../model/people.ts';
import type { Period } from '../model/period.ts';
import { stepsOf } from './client.ts';
import { type Answer, askReport, type ReportReading, readTotals } from './question.ts';

/** A sum in one currency. Amounts are in currency units; hours have at most three decimals. */
export interface LaborTotal extends AddableLabor, Worker {
  currencyCode: string | null;
}

const LABOR = stepsOf<LaborAsk>('/labor', true);

/**
 * Sums of the labour of a period by one or two fields; `group` if the fields are jobs or employees, `only` if they are
 * of one restaurant.
 */
export function readLabor(
  { start, end }: Period,
  group: LaborGroup | undefined,
  by: string[],
  reading: ReportReading,
  only?: string,
): Promise<Answer<LaborTotal>> {
  const restaurantIds = only ? [only] : [];
  const ask: LaborAsk = {
    range: start === end ? 'day' : 'custom',
    start,
    end,
    groupBy: group ? [group] : [],
    restaurantIds,
  };
  const read = (guid: string) => readTotals<LaborTotal>(guid, { by }, reading);
  return askReport(LABOR, '/labor', ask, read, { forms: 'later' });
}

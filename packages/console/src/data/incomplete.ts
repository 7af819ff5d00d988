/**
 * Incomplete reports: some of their orders were loaded by a version that did not store items or payments, or dates are
 * still to be read from the point of sale.
 */
import { daypart } from './client.ts';
import { type Load, useLoad } from './load.ts';

/** A business date of a restaurant without the details that a report needs. */
export interface IncompleteDay {
  restaurantGuid: string;
  businessDate: string;
  missing: 'items' | 'payments' | 'still_reading';
}

/** The first 1,000 incomplete dates of a report; sends no request without a GUID. */
export const useIncomplete = (guid: string | undefined): Load<IncompleteDay[]> =>
  useLoad(guid && `incomplete ${guid}`, async ({ signal }) => {
    const report = await daypart.reports.status(guid ?? '', { signal });
    return (report.incomplete ?? []) as IncompleteDay[];
  });

/** Reports that cannot say everything: their orders were loaded before items or payments were kept. */
import { daypart } from './client.ts';
import { type Load, useLoad } from './load.ts';

/** A business date of a restaurant without the details that a report is made of. */
export interface IncompleteDay {
  restaurantGuid: string;
  businessDate: string;
  missing: 'items' | 'payments';
}

/** The first 1,000 dates that are incomplete in a report; nothing is asked while there is no GUID. */
export const useIncomplete = (guid: string | undefined): Load<IncompleteDay[]> =>
  useLoad(guid && `incomplete ${guid}`, async ({ signal }) => {
    const report = await daypart.reports.status(guid ?? '', { signal });
    return (report.incomplete ?? []) as IncompleteDay[];
  });

/** Requests a report again if it failed or has expired. */
import { type Daypart, NotFoundError, ReportFailedError, type WaitOptions } from '@daypart/client';
import type { Single } from './source.ts';
import type { Row } from './tables/row.ts';
import type { Table } from './tables/table.ts';

/** How many new GUIDs are requested after a 409. */
const MOST_NEW = 2;

/** The GUID of a report, which is replaced if the report failed or has expired. */
export interface RenewableGuid {
  /** The current GUID. */
  guid(): Promise<string>;
  /** Whether a new GUID may help after the error: then the next `guid()` returns a new one. */
  renew(error: unknown): boolean;
}

/** `remembered` is the GUID of an earlier run, which may have expired since. */
export function openRenewable(single: Single, remembered?: string): RenewableGuid {
  let guid = remembered;
  let renewals = 0;
  return {
    guid: async () => (guid ??= await single.guid()),
    renew(error) {
      const stale = error instanceof NotFoundError && guid !== undefined && guid === remembered;
      if (!single.fresh || (!stale && !(error instanceof ReportFailedError && renewals < MOST_NEW))) return false;
      renewals++;
      guid = undefined;
      return true;
    },
  };
}

export interface StartedReport {
  guid: string;
  /** When the rows were computed, UTC ISO 8601; null if the service does not say. */
  asOf: string | null;
}

/** The rows of the report. `onStart` is called before the first row, or at the end of a report without rows. */
export async function* renewedRows(
  client: Daypart,
  { table, renewable }: { table: Table; renewable: RenewableGuid },
  names: boolean,
  options: WaitOptions,
  onStart: (report: StartedReport) => void,
): AsyncGenerator<Row> {
  for (let rowCount = 0; ; ) {
    const guid = await renewable.guid();
    const rows = table.reports(client).rows(guid, { ...options, fetchRestaurantNames: names });
    try {
      for await (const row of rows) {
        if (rowCount++ === 0) onStart({ guid, asOf: rows.asOf });
        yield row;
      }
      if (rowCount === 0) onStart({ guid, asOf: rows.asOf });
      return;
    } catch (error) {
      if (rowCount > 0 || !renewable.renew(error)) throw error;
    }
  }
}

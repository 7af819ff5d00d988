/** A report that could not be made, or has expired, is asked for again. */
import { type Daypart, NotFoundError, ReportFailedError, type WaitOptions } from '@daypart/client';
import type { Single } from './source.ts';
import type { Row, Table } from './tables/table.ts';

/** New GUIDs that are asked for after a 409. */
const MOST_NEW = 2;

/** A report whose GUID can be had anew. */
export interface Turns {
  /** The GUID that counts now. */
  guid(): Promise<string>;
  /** Whether the error is of a kind that a new GUID may mend; the next `guid()` is another then. */
  renew(error: unknown): boolean;
}

/** `remembered` is the GUID of an earlier run, which may have expired since. */
export function takeTurns(single: Single, remembered?: string): Turns {
  let guid = remembered;
  let turns = 0;
  return {
    guid: async () => (guid ??= await single.guid()),
    renew(error) {
      const stale = error instanceof NotFoundError && guid !== undefined && guid === remembered;
      if (!single.fresh || (!stale && !(error instanceof ReportFailedError && turns < MOST_NEW))) return false;
      turns++;
      guid = undefined;
      return true;
    },
  };
}

export interface Begun {
  guid: string;
  /** When the rows were computed, UTC ISO 8601; null where the service does not say. */
  asOf: string | null;
}

/** The rows of the report whose GUID counts. `begun` is told of it before the first, or at the end where there is none. */
export async function* steadyRows(
  client: Daypart,
  { table, turns }: { table: Table; turns: Turns },
  names: boolean,
  options: WaitOptions,
  begun: (what: Begun) => void,
): AsyncGenerator<Row> {
  for (let given = 0; ; ) {
    const guid = await turns.guid();
    const rows = table.reports(client).rows(guid, { ...options, fetchRestaurantNames: names });
    try {
      for await (const row of rows) {
        if (given++ === 0) begun({ guid, asOf: rows.asOf });
        yield row;
      }
      if (given === 0) begun({ guid, asOf: rows.asOf });
      return;
    } catch (error) {
      if (given > 0 || !turns.renew(error)) throw error;
    }
  }
}

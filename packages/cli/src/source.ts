/** Where a report's rows come from: a new report, an existing one, or a long span in parts. */
import {
  type Daypart,
  DaypartError,
  type Format,
  InvalidRequestError,
  type Layout,
  type TimeRange,
  type WaitOptions,
} from '@daypart/client';
import { CommandError, EXIT } from './command-error.ts';
import type { ReportQuery } from './report-query.ts';
import type { Part, Table, TableEntry } from './tables/table.ts';

/** One report. */
export interface Single {
  table: Table;
  /** Its GUID; creates it if it is new. */
  guid(): Promise<string>;
  /** Whether `guid` creates a new report each time, so that one that failed can be requested again. */
  fresh: boolean;
}

/** A long span. */
export interface Parts {
  table: Table;
  /** `cursor` continues after the part that gave it. */
  parts(names: boolean, options: WaitOptions, cursor?: string): AsyncIterable<Part>;
}

export interface Restaurants {
  restaurantIds: string[];
  excludedRestaurantIds: string[];
}

/** What a service answers to a range that it does not have. */
const NO_SUCH_RANGE = [404, 405];

const noSuchRange = (error: unknown): boolean =>
  error instanceof DaypartError && NO_SUCH_RANGE.includes(error.status ?? 0);

/**
 * Some services, such as the live system, have hours of one date at a time, and refuse those of several in words of
 * their own.
 */
const hoursRefused = ({ hourly, range }: Pick<ReportQuery, 'hourly' | 'range'>, error: unknown): boolean =>
  hourly && range !== 'day' && (error instanceof InvalidRequestError || noSuchRange(error));

/** A report to request, or its parts if no range is long enough or the service does not have the range. */
export async function sourceOf(
  client: Daypart,
  query: ReportQuery,
  restaurants: Restaurants,
  signal: AbortSignal,
): Promise<Single | Parts> {
  const { table, range, span } = query;
  if (range === null) return partsOf(client, query, restaurants);
  const request = { ...queryOf(query, restaurants), start: span.start, end: span.end, range };
  const create = (): Promise<string> => table.reports(client).create(request, { signal });
  let first: string | undefined;
  try {
    first = await create();
  } catch (error) {
    if (hoursRefused(query, error)) return partsOf(client, query, restaurants, 'day');
    if (table.onlyRange !== undefined && range !== table.onlyRange && noSuchRange(error))
      return partsOf(client, query, restaurants, table.onlyRange);
    throw error;
  }
  return {
    table,
    fresh: true,
    async guid() {
      const guid = first ?? (await create());
      first = undefined;
      return guid;
    },
  };
}

/** The body of a create besides its dates. */
const queryOf = ({ groupBy, hourly, daypart, inactive }: ReportQuery, restaurants: Restaurants) => ({
  ...restaurants,
  ...(inactive ? { onlyInactiveRestaurants: true } : {}),
  ...(groupBy.length > 0 ? { groupBy } : {}),
  ...(hourly ? { aggregateBy: 'HOUR' } : daypart ? { aggregateBy: 'DAYPART' } : {}),
});

function partsOf(client: Daypart, query: ReportQuery, restaurants: Restaurants, only?: TimeRange): Parts {
  const { table, span, hourly } = query;
  // A month is the longest that has hours.
  const wanted = only ?? (hourly ? 'month' : table.partRange);
  async function* parts(names: boolean, options: WaitOptions, cursor?: string): AsyncGenerator<Part> {
    const walk = (range: TimeRange | 'custom'): AsyncIterable<Part> =>
      table
        .reports(client)
        .history(
          { ...queryOf(query, restaurants), from: span.start, to: span.end, range, fetchRestaurantNames: names },
          { ...options, ...(cursor ? { cursor } : {}) },
        );
    let begun = false;
    try {
      for await (const part of walk(wanted)) {
        begun = true;
        yield part;
      }
    } catch (error) {
      if (!begun && hoursRefused({ hourly, range: wanted === 'day' ? 'day' : null }, error)) {
        yield* walk('day');
        return;
      }
      const { onlyRange } = table;
      if (begun || onlyRange === undefined || wanted === onlyRange || !noSuchRange(error)) throw error;
      yield* walk(onlyRange);
    }
  }
  return { table, parts };
}

/** A report that was requested before. */
export const existing = (guid: string, table: Table): Single => ({ table, fresh: false, guid: async () => guid });

/** The table of a report that was requested before. Throws NotFoundError where there is no such report. */
export async function tableOf(
  client: Daypart,
  guid: string,
  entries: readonly TableEntry[],
  signal: AbortSignal,
): Promise<Table> {
  const tables = await Promise.all(entries.map((entry) => entry.load()));
  const kind = await kindOf(client, guid, signal);
  if (kind !== undefined) {
    const table = new Map(tables.map((one) => [one.kind, one])).get(kind);
    if (table) return table;
    throw new CommandError(EXIT.failed, `this version shows no reports of the kind ${kind}`, 'A newer version may.');
  }
  // A service without GET /reports: the family that has the report is tried.
  let missing: unknown;
  for (const table of tables) {
    try {
      await table.reports(client).retrieve(guid, {}, { signal });
      return table;
    } catch (error) {
      if (!(error instanceof DaypartError) || error.status !== 404) throw error;
      missing ??= error;
    }
  }
  throw missing;
}

/** The kind that the service says; undefined where it does not know the report or has no such operation. */
async function kindOf(client: Daypart, guid: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await client.reports.status(guid, { signal })).kind;
  } catch (error) {
    if (error instanceof DaypartError && error.status === 404) return undefined;
    throw error;
  }
}

/** The report in a form, unread, once it is there. */
export function openReport(
  client: Daypart,
  table: Table,
  guid: string,
  query: { format?: Format; layout?: Layout; names: boolean; headers?: Record<string, string> },
  options: WaitOptions,
): Promise<Response> {
  const { names, ...rest } = query;
  // In the layout for people they are the default.
  const fetchRestaurantNames = names || (query.layout === 'people' ? false : undefined);
  return table.reports(client).open(guid, { ...rest, fetchRestaurantNames }, options);
}

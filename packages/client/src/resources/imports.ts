/** Imports of nightly export folders by the service itself (a Daypart service has them; the live system does not). */

import type { Core } from '../core.ts';
import { type BusinessDate, businessDate } from '../dates.ts';
import type { CallOptions } from '../types.ts';

/** A note about a row, or about the whole file if `line` is null. */
export interface ImportLine {
  line: number | null;
  message: string;
}

export interface ImportFile {
  file: string;
  state: 'read' | 'missing' | 'not read';
  /** Rows whose values were loaded. */
  read: number;
  /** The first 1,000. */
  skipped: ImportLine[];
  /** All that were skipped; imports by earlier versions of the service have no counts. */
  skippedCount?: number;
  /** The first 1,000. */
  notRead: ImportLine[];
  notReadCount?: number;
}

/** What was read of a date. */
export interface ImportDay {
  /** YYYYMMDD, as a number. */
  date: number;
  /** Orders and time entries that are loaded now. */
  orders: number;
  timeEntries: number;
  /** How many of both were stored before, as they are; missing in imports of earlier versions of the service. */
  unchanged?: number;
  /** Why nothing of the date was loaded, or not all of it; null if all was. */
  problem: string | null;
  /** The date is loaded with `forceDate` or `forceLocation`: its files are of other dates, or of several locations. */
  refusal?: 'date' | 'location' | null;
  files: ImportFile[];
  /**
   * What does not add up: how many orders and time entries are concerned, the places of the first ones, and the
   * difference in currency units.
   */
  notices: { message: string; orders: number; timeEntries?: number; first: string[]; amount: number }[];
  [more: string]: unknown;
}

export interface ImportMenus {
  file: string;
  /** YYYYMMDD, as a number. */
  date: number;
  state: 'loaded' | 'older' | 'not read' | 'not loaded';
  message: string | null;
  menus: number;
  groups: number;
  items: number;
  /** Menus, groups and items that are not stored, because they or all above them have no GUID or no name. */
  skipped?: number;
}

/** What `daypart import --json` prints. */
export interface ImportReport {
  dryRun: boolean;
  restaurantGuid: string;
  days: ImportDay[];
  notTried: number[];
  /** Whether every row of every file was read and loaded. */
  complete: boolean;
  /** Figures that the export does not contain, and why: on every date (`dates` null), or on some. */
  cannotGive: { figure: string; why: string; dates: number[] | null }[];
  /** The menus of the newest menu export; null without one. */
  menus: ImportMenus | null;
}

/** An import that the service keeps for 30 days. */
export interface ListedImport {
  importId: string;
  /** YYYYMMDD. */
  businessDate: string;
  /** UTC ISO 8601. */
  at: string;
  restaurantGuid: string;
  clientId: string;
  report: ImportReport;
}

export interface ImportsResource {
  /**
   * POST /restaurants/{guid}/exports/{date}: the files of one date, by their names, at most 32 MiB together. Importing
   * a date again replaces it, so it is safe to repeat.
   */
  add(
    restaurantGuid: string,
    date: BusinessDate,
    files: Iterable<readonly [name: string, file: Blob]>,
    options?: CallOptions & {
      /** Read and check everything, load nothing. */
      dryRun?: boolean | undefined;
      /** Renamed columns, as JSON. */
      columns?: string | undefined;
      /** Load the files although they are of other dates. */
      forceDate?: boolean | undefined;
      /** Load the files although they are of several locations. */
      forceLocation?: boolean | undefined;
      /** In milliseconds; 30 minutes by default. */
      timeoutMs?: number | undefined;
    },
  ): Promise<ImportReport>;
  /** GET /imports: the last 200 of the last 30 days, newest first. */
  list(query?: { restaurantGuid?: string | undefined }, options?: CallOptions): Promise<ListedImport[]>;
}

const LONGEST_MS = 30 * 60_000;

/** The imports of a client's service. */
export function importsOf({ request }: Pick<Core, 'request'>): ImportsResource {
  return {
    async add(restaurantGuid, date, files, options = {}) {
      const { dryRun, forceDate, forceLocation, columns, timeoutMs = LONGEST_MS, ...call } = options;
      const body = new FormData();
      if (columns !== undefined) body.append('columns', columns);
      for (const [name, file] of files) body.append('files', file, name);
      const path = `/restaurants/${encodeURIComponent(restaurantGuid)}/exports/${businessDate(date)}`;
      const flags = Object.entries({ dryRun, forceDate, forceLocation }).flatMap(([name, on]) =>
        on ? [`${name}=true`] : [],
      );
      return request('POST', flags.length > 0 ? `${path}?${flags.join('&')}` : path, { ...call, body, timeoutMs });
    },
    list: ({ restaurantGuid } = {}, options) =>
      request(
        'GET',
        restaurantGuid ? `/imports?restaurant=${encodeURIComponent(restaurantGuid)}` : '/imports',
        options,
      ),
  };
}

/**
 * Joins the files of a nightly export into orders and time entries, and loads them. This file runs an import day by
 * day; each day is read completely before anything of it is loaded.
 */
import type { Spool } from '../facts/load.ts';
import { guidsOf } from '../ingest/guids.ts';
import type { LoadAnswer } from '../ingest/load.ts';
import { isOutOfFiles } from '../storage/disk-fault.ts';
import type { Force, Refusal } from './belonging.ts';
import { type Day, readDay } from './day.ts';
import type { FoundFolders, StrayFolder } from './day-folder.ts';
import type { Destination } from './destination.ts';
import type { FileReport } from './file-tally.ts';
import { type Gap, NEVER } from './gaps.ts';
import { skipRows, stopOrder } from './join.ts';
import type { Mapping } from './mapping.ts';
import { importMenus, type MenusReport, newestMenuExport } from './menu-export.ts';
import type { Notice } from './notices.ts';

export interface DayReport {
  /** YYYYMMDD. */
  date: number;
  folder: string;
  /** Orders and time entries of the day that are stored now. */
  orders: number;
  timeEntries: number;
  /** How many of both were stored before, as they are. */
  unchanged: number;
  /** Why nothing of the day was loaded, or not everything; null if all was. */
  problem: string | null;
  /**
   * Of what the day would be loaded with `Force`, null if it is no matter of that: it is of other dates, or of several
   * locations.
   */
  refusal: Refusal['kind'] | null;
  files: FileReport[];
  /** Files in the folder that are ignored. */
  others: string[];
  notices: Notice[];
}

export interface ImportReport {
  restaurantGuid: string;
  days: DayReport[];
  /** Dates that were not tried because an earlier load failed. */
  notTried: number[];
  /** Folders with files of an export that are not named by a date: nothing in them was read. */
  foldersNotRead: StrayFolder[];
  /**
   * Whether every row of every file in every folder, and the menus, were read and loaded, or skipped as a repetition.
   */
  complete: boolean;
  /** Figures that are missing: on every date (`dates` null), or on some. */
  cannotGive: (Gap & { dates: number[] | null })[];
  /** The menus of the newest folder that has a menu export; null if none has. */
  menus: MenusReport | null;
}

/** A figure that is missing on a date. */
export interface DayGap {
  gap: Gap;
  /** YYYYMMDD. */
  date: number;
}

interface ImportOptions {
  mapping: Mapping;
  force: Force;
  /** Called when a day is done. */
  progress: (done: number, total: number, date: number) => void;
}

/** Imports days, oldest first. Problems are in the report; it stops at the first day that the destination refuses. */
export async function importDays(
  found: FoundFolders,
  destination: Destination,
  { mapping, force, progress }: ImportOptions,
): Promise<ImportReport> {
  const { days: folders } = found;
  const { timeZone, restaurantNames, connectedFrom } = destination;
  const guidOf = guidsOf(destination.restaurantGuid);
  const menuExport = await newestMenuExport(folders);
  let menus: MenusReport | null = null;
  const days: DayReport[] = [];
  const gaps: DayGap[] = [];
  const earlier = new Set<string>();
  let isTaken = true;
  for (const folder of folders) {
    if (!isTaken) break;
    const day = await readDay(folder, { timeZone, mapping, guidOf, earlier, restaurantNames, connectedFrom, force });
    // Before the day itself is loaded, because whether the menus are outdated depends on what was loaded earlier.
    if (menuExport?.date === folder.date) menus = await importMenus(menuExport, destination, day.refusal !== undefined);
    const counts = { orders: 0, timeEntries: 0, unchanged: 0 };
    let hasOrders = false;
    try {
      const orders = await loadOrders(day, destination);
      counts.orders = orders.accepted + orders.unchanged;
      counts.unchanged = orders.unchanged;
      hasOrders = true;
      const entries = await loadEntries(day, destination);
      counts.timeEntries = entries.accepted + entries.unchanged;
      counts.unchanged += entries.unchanged;
    } catch (error) {
      // It is over soon, and importing again replaces what was loaded.
      if (isOutOfFiles(error)) throw error;
      isTaken = false;
      noteUnloaded(day, hasOrders, error as Error);
    }
    // A day that is not loaded has no figures, so none can be missing.
    if (day.problem === undefined) for (const gap of day.gaps) gaps.push({ gap, date: folder.date });
    days.push({
      date: folder.date,
      folder: folder.path,
      ...counts,
      problem: day.problem ?? null,
      refusal: day.refusal?.kind ?? null,
      files: day.fileReports(),
      others: day.others,
      notices: day.notices,
    });
    for (const { draft } of day.orders) earlier.add(draft.id);
    progress(days.length, folders.length, folder.date);
  }
  return reportOf(found, destination.restaurantGuid, { days, gaps, menus });
}

/** The report of an import that tried these days, the first of those found; `gaps` are of the days that were loaded. */
export const reportOf = (
  found: FoundFolders,
  restaurantGuid: string,
  { days, gaps, menus }: { days: DayReport[]; gaps: readonly DayGap[]; menus: MenusReport | null },
): ImportReport => ({
  restaurantGuid,
  days,
  notTried: found.days.slice(days.length).map(({ date }) => date),
  foldersNotRead: found.strays,
  complete: found.strays.length === 0 && days.every(isComplete) && (menus === null || menus.message === null),
  cannotGive: [
    ...NEVER.map((gap) => ({ ...gap, dates: null })),
    ...gatherGaps(gaps, days.filter(({ problem }) => problem === null).length),
  ],
  menus,
});

const isComplete = ({ problem, files }: DayReport): boolean =>
  problem === null && files.every(({ notRead }) => notRead.length === 0);

/** Notes the rows of a day that were read but not loaded because the destination refused them. */
function noteUnloaded(day: Day, hasOrders: boolean, error: Error): void {
  const what = hasOrders ? 'its orders are loaded, its time entries not' : 'none of it is loaded';
  day.problem = `${what}: ${error.message}`;
  if (!hasOrders) for (const { draft } of day.orders) skipRows(draft);
  for (const { row } of day.entries) day.tallies.TimeEntries.skip(row.line, 'it is not loaded');
}

/** Loads all orders of a day in one load. Rejected orders are noted in the tallies. */
async function loadOrders(day: Day, destination: Destination): Promise<LoadAnswer> {
  const { orders } = day;
  const answer = await loadAll('orders', orders, destination);
  noteUnlisted(day, 'orders', answer);
  for (const { index, pointer, message } of answer.rejected) {
    const order = orders[index];
    if (order) stopOrder(order.draft, `${message} (${pointer})`);
  }
  return answer;
}

async function loadEntries(day: Day, destination: Destination): Promise<LoadAnswer> {
  const { entries, tallies } = day;
  const answer = await loadAll('shifts', entries, destination);
  noteUnlisted(day, 'time entries', answer);
  for (const { index, pointer, message } of answer.rejected) {
    const entry = entries[index];
    if (entry) tallies.TimeEntries.refuse(entry.row.line, `${message} (${pointer})`);
  }
  return answer;
}

/**
 * An answer lists the first 1,000 rejected records; if there are more, the day is not complete and its problem says so.
 */
function noteUnlisted(day: Day, what: string, { rejected, rejectedCount }: LoadAnswer): void {
  const unlisted = rejectedCount - rejected.length;
  if (unlisted > 0) day.problem ??= `${unlisted} more ${what} were rejected than the files below list`;
}

async function loadAll(
  kind: Spool['kind'],
  records: readonly { source: object }[],
  destination: Destination,
): Promise<LoadAnswer> {
  if (records.length === 0) return { accepted: 0, unchanged: 0, rejected: [], rejectedCount: 0 };
  return await destination.load(
    kind,
    records.map(({ source }) => source),
  );
}

/** One entry per gap, with its dates unless it applies to all of the days. */
function gatherGaps(gaps: readonly DayGap[], days: number): ImportReport['cannotGive'] {
  const gathered = new Map<string, Gap & { dates: number[] }>();
  for (const { gap, date } of gaps) {
    const one = gathered.get(gap.why) ?? { ...gap, dates: [] };
    one.dates.push(date);
    gathered.set(gap.why, one);
  }
  return [...gathered.values()].map(({ dates, ...gap }) => ({ ...gap, dates: dates.length === days ? null : dates }));
}

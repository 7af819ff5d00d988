/** Runs an import: days one after another, each read whole before anything of it is loaded. */
import type { Spool } from '../facts/load.ts';
import type { LoadAnswer } from '../ingest/load.ts';
import { type Day, readDay } from './day.ts';
import type { DayFolder } from './day-folder.ts';
import type { Destination } from './destination.ts';
import type { FileReport } from './file-tally.ts';
import { type Gap, NEVER } from './gaps.ts';
import { guidsOf } from './guids.ts';
import { skipRows, stopOrder } from './join.ts';
import type { Mapping } from './mapping.ts';
import { importMenus, type MenusReport } from './menu-export.ts';
import type { Notice } from './notices.ts';

export interface DayReport {
  /** YYYYMMDD. */
  date: number;
  folder: string;
  /** Orders and time entries that are current now. */
  orders: number;
  timeEntries: number;
  /** Why nothing of the day was loaded, or not all of it; null where nothing hindered. */
  problem: string | null;
  files: FileReport[];
  /** Files of the folder that nothing is read of. */
  others: string[];
  notices: Notice[];
}

export interface ImportReport {
  restaurantGuid: string;
  days: DayReport[];
  /** Dates that were not tried any more because the loading failed. */
  notTried: number[];
  /** Whether every row of every file, and the menus, were read and loaded, or left out as a repetition. */
  complete: boolean;
  /** Figures that cannot be given: of every date (`dates` null), or of some. */
  cannotGive: (Gap & { dates: number[] | null })[];
  /** The menus of the newest folder that has a menu export; null where none has. */
  menus: MenusReport | null;
}

export interface ImportOptions {
  mapping: Mapping;
  /** Called when a day is done. */
  progress: (done: number, total: number, date: number) => void;
}

/** Imports days, oldest first. What hinders is in the report; it stops at the first day that the destination does not take. */
export async function importDays(
  folders: readonly DayFolder[],
  destination: Destination,
  { mapping, progress }: ImportOptions,
): Promise<ImportReport> {
  const guidOf = guidsOf(destination.restaurantGuid);
  // Before the days, because whether menus are outdated depends on what was loaded before.
  const menus = await importMenus(folders, destination);
  const days: DayReport[] = [];
  const gaps: { gap: Gap; date: number }[] = [];
  let isTaken = true;
  for (const folder of folders) {
    if (!isTaken) break;
    const day = await readDay(folder, { timeZone: destination.timeZone, mapping, guidOf });
    const counts = { orders: 0, timeEntries: 0 };
    let hasOrders = false;
    try {
      counts.orders = await loadOrders(day, destination);
      hasOrders = true;
      counts.timeEntries = await loadEntries(day, destination);
    } catch (error) {
      isTaken = false;
      noteUnloaded(day, hasOrders, error as Error);
    }
    // Of a day that is not loaded there are no figures to lack any.
    if (day.problem === undefined) for (const gap of day.gaps) gaps.push({ gap, date: folder.date });
    days.push({
      date: folder.date,
      folder: folder.path,
      ...counts,
      problem: day.problem ?? null,
      files: day.fileReports(),
      others: day.others,
      notices: day.notices,
    });
    progress(days.length, folders.length, folder.date);
  }
  return {
    restaurantGuid: destination.restaurantGuid,
    days,
    notTried: folders.slice(days.length).map(({ date }) => date),
    complete: isWhole(days, menus),
    cannotGive: gapsOfDays(gaps, days),
    menus,
  };
}

/** What can never be given, and what cannot be given of the days that were loaded. */
export const gapsOfDays = (
  gaps: readonly { gap: Gap; date: number }[],
  days: readonly Pick<DayReport, 'problem'>[],
): ImportReport['cannotGive'] => [
  ...NEVER.map((gap) => ({ ...gap, dates: null })),
  ...gatherGaps(gaps, days.filter(({ problem }) => problem === null).length),
];

/** Whether every row of every file that is there, and the menus, were read and loaded. */
export const isWhole = (days: readonly DayReport[], menus: MenusReport | null): boolean =>
  days.every(isComplete) && (menus === null || menus.message === null);

const isComplete = ({ problem, files }: DayReport): boolean =>
  problem === null && files.every(({ notRead }) => notRead.length === 0);

/** What was read of a day, and is not loaded because the destination did not take it. */
function noteUnloaded(day: Day, hasOrders: boolean, error: Error): void {
  const what = hasOrders ? 'its orders are loaded, its time entries not' : 'none of it is loaded';
  day.problem = `${what}: ${error.message}`;
  if (!hasOrders) for (const { draft } of day.orders) skipRows(draft);
  for (const { row } of day.entries) day.tallies.TimeEntries.skip(row.line, 'it is not loaded');
}

/** All of a day's orders in one load. What the load rejects goes to the tallies. */
async function loadOrders(day: Day, destination: Destination): Promise<number> {
  const { orders } = day;
  const answer = await loadAll('orders', orders, destination);
  noteUnlisted(day, 'orders', answer);
  for (const { index, pointer, message } of answer.rejected) {
    const order = orders[index];
    if (order) stopOrder(order.draft, `${message} (${pointer})`);
  }
  return answer.accepted;
}

async function loadEntries(day: Day, destination: Destination): Promise<number> {
  const { entries, tallies } = day;
  const answer = await loadAll('shifts', entries, destination);
  noteUnlisted(day, 'time entries', answer);
  for (const { index, pointer, message } of answer.rejected) {
    const entry = entries[index];
    if (entry) tallies.TimeEntries.refuse(entry.row.line, `${message} (${pointer})`);
  }
  return answer.accepted;
}

/** An answer lists the first 1,000 records that were rejected: a day with more is not complete, and says so. */
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

/** One entry a gap, with its dates unless it is there on all of the days. */
function gatherGaps(gaps: readonly { gap: Gap; date: number }[], days: number): ImportReport['cannotGive'] {
  const gathered = new Map<string, Gap & { dates: number[] }>();
  for (const { gap, date } of gaps) {
    const one = gathered.get(gap.why) ?? { ...gap, dates: [] };
    one.dates.push(date);
    gathered.set(gap.why, one);
  }
  return [...gathered.values()].map(({ dates, ...gap }) => ({ ...gap, dates: dates.length === days ? null : dates }));
}

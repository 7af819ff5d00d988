/** Dropped folders of nightly exports: their dates, and the files of each date. */
import { readDate } from './dates.ts';

/** A file with its path below the dropped folder. */
export interface Dropped<F> {
  path: string;
  size: number;
  file: F;
}

export interface ExportDay<F> {
  /** YYYYMMDD, the name of the folder. */
  date: string;
  files: Dropped<F>[];
  /** Files that an export may have and this one does not have. */
  missing: string[];
  bytes: number;
}

/** The files of an export that are read. */
const EXPORT_FILES = [
  'OrderDetails.csv',
  'CheckDetails.csv',
  'PaymentDetails.csv',
  'ItemSelectionDetails.csv',
  'ModifiersSelectionDetails.csv',
  'TimeEntries.csv',
];
/** Menu files are read if the folder has them; most exports are complete without them. */
const MENU_EXPORT = /^menuexport.*\.json$/;

const isRead = (name: string): boolean =>
  MENU_EXPORT.test(name) || EXPORT_FILES.some((known) => known.toLowerCase() === name);

const DAY = /^\d{8}$/;
const isDay = (name: string): boolean => DAY.test(name) && readDate(name) !== undefined;

/** Folders that archive tools and systems make beside those of people. */
const SYSTEM = /^(__MACOSX|@eaDir|\$RECYCLE\.BIN|\.Trash.*)$/i;

export interface FoundExports<F> {
  /** Oldest first, without files that are not part of an export. */
  days: ExportDay<F>[];
  /** Dates with two folders. */
  twice: string[];
  /** Folders with files of an export that are not named by a date, as paths: they are not sent. */
  strays: string[];
}

/**
 * The days in the dropped folders. The files of a day are in a folder named by it; folders inside it are not read, as
 * by `daypart import`.
 */
export function findDays<F>(dropped: Dropped<F>[]): FoundExports<F> {
  const folders = new Map<string, Map<string, Dropped<F>[]>>();
  const strays = new Set<string>();
  for (const one of dropped) {
    const parts = one.path.split('/');
    const name = parts.at(-1)?.toLowerCase() ?? '';
    const above = parts.slice(0, -1);
    if (!isRead(name) || above.some((part) => SYSTEM.test(part))) continue;
    const folder = above.join('/');
    const at = above.findIndex(isDay);
    const date = above[at];
    if (date === undefined && folder !== '' && !MENU_EXPORT.test(name)) strays.add(folder);
    if (date === undefined || at < above.length - 1) continue;
    const ofDate = folders.get(date) ?? new Map<string, Dropped<F>[]>();
    ofDate.set(folder, [...(ofDate.get(folder) ?? []), one]);
    folders.set(date, ofDate);
  }
  const days = [...folders].map(([date, byFolder]) => {
    const files = [...byFolder.values()].flat();
    const names = files.map(({ path }) => path.split('/').at(-1)?.toLowerCase());
    return {
      date,
      files,
      missing: EXPORT_FILES.filter((known) => !names.includes(known.toLowerCase())),
      bytes: files.reduce((sum, { size }) => sum + size, 0),
    };
  });
  days.sort((a, b) => (a.date < b.date ? -1 : 1));
  return {
    days,
    twice: days.filter(({ date }) => (folders.get(date)?.size ?? 0) > 1).map(({ date }) => date),
    strays: [...strays].sort(),
  };
}

/** Dropped folders of nightly exports: their dates, and the files of each date. */

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
export const EXPORT_FILES = [
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

/**
 * The days in the dropped folders, oldest first, without files that are not part of an export. `twice` are dates with two
 * folders.
 */
export function findDays<F>(dropped: Dropped<F>[]): { days: ExportDay<F>[]; twice: string[] } {
  const folders = new Map<string, Map<string, Dropped<F>[]>>();
  for (const one of dropped) {
    const parts = one.path.split('/');
    const name = parts.at(-1)?.toLowerCase() ?? '';
    const at = parts.findLastIndex((part, index) => DAY.test(part) && index < parts.length - 1);
    const date = parts[at];
    if (date === undefined || !isRead(name)) continue;
    const folder = parts.slice(0, at + 1).join('/');
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
  days.sort((one, other) => (one.date < other.date ? -1 : 1));
  return { days, twice: days.filter(({ date }) => (folders.get(date)?.size ?? 0) > 1).map(({ date }) => date) };
}

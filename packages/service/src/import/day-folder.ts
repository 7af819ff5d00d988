/** Finds the folders of days, and the files in each. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { readBusinessDate } from '../contract/dates.ts';
import { FILE_NAMES, type FileName } from './file-columns.ts';

export interface DayFolder {
  /** YYYYMMDD, from the folder's name. */
  date: number;
  path: string;
}

/** Why a folder tree cannot be imported at all. */
export class FolderProblem extends Error {
  override readonly name = 'FolderProblem';
}

/**
 * The folder itself if its name is YYYYMMDD, otherwise all folders below it that have such names, oldest day first. Folders inside
 * a day's folder are not searched. Throws FolderProblem if there is none, or two of the same day.
 */
export async function findDays(root: string): Promise<DayFolder[]> {
  const path = resolve(root);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new FolderProblem(`there is no folder ${root}`);
  const days: DayFolder[] = [];
  await collect(path, days);
  if (days.length === 0) throw new FolderProblem(`no folder named YYYYMMDD, as the export names a day, is in ${root}`);
  days.sort((a, b) => a.date - b.date);
  for (const [i, day] of days.entries()) {
    const next = days[i + 1];
    // Most likely two locations: they would not replace each other, and both would count as one restaurant.
    if (next?.date === day.date) {
      throw new FolderProblem(
        `${day.path} and ${next.path} are of the same day; import the folders of one restaurant at a time`,
      );
    }
  }
  return days;
}

/** `above` are the folders in which it is, without symbolic links: a link to one of them is not followed. */
async function collect(path: string, days: DayFolder[], above: readonly string[] = []): Promise<void> {
  const name = basename(path);
  const date = /^\d{8}$/.test(name) ? readBusinessDate(name) : undefined;
  if (date !== undefined) {
    days.push({ date, path });
    return;
  }
  const inside = [...above, await realpath(path)];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    if (entry.isDirectory() || (entry.isSymbolicLink() && (await isFolderBelow(below, inside))))
      await collect(below, days, inside);
  }
}

/** Whether a symbolic link leads to a folder that is none of those. */
async function isFolderBelow(link: string, above: readonly string[]): Promise<boolean> {
  const target = await realpath(link).catch(() => undefined);
  return target !== undefined && !above.includes(target) && (await stat(target)).isDirectory();
}

export interface DayFiles {
  /** The paths of the export's files that exist; names are compared case-insensitively. */
  files: Partial<Record<FileName, string>>;
  /** The path of the menu export; of several, the first by name. */
  menus: string | undefined;
  /** Files in the folder that are ignored. */
  others: string[];
  /** Files that exist twice, in different case. */
  doubled: FileName[];
}

/** `MenuExport_<location>.json`; newer exports have `MenuExportV2_<location>.json` beside it, which sorts first. */
const MENU_EXPORT = /^MenuExport.*\.json$/i;

/** The files of a day by what they are, with those that are unknown or there twice. */
export async function findFiles(day: DayFolder): Promise<DayFiles> {
  const found: DayFiles = { files: {}, menus: undefined, others: [], doubled: [] };
  const entries = await readdir(day.path, { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.isDirectory()) continue;
    if (MENU_EXPORT.test(entry.name) && found.menus === undefined) {
      found.menus = join(day.path, entry.name);
      continue;
    }
    const name = FILE_NAMES.find((known) => `${known}.csv`.toLowerCase() === entry.name.toLowerCase());
    if (name === undefined) found.others.push(entry.name);
    else if (found.files[name] !== undefined) found.doubled.push(name);
    else found.files[name] = join(day.path, entry.name);
  }
  return found;
}

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

/** A folder with files of an export whose date its name does not say. */
export interface StrayFolder {
  folder: string;
  /** What is wrong with its name, and what to do. */
  message: string;
}

export interface FoundFolders {
  /** Oldest first. */
  days: DayFolder[];
  /** Folders that are not imported, by path. */
  strays: StrayFolder[];
}

/**
 * What operating systems, archive tools and file servers put beside the files of people: resource forks, caches and
 * bins. It is no part of an export, whatever its name begins like.
 */
const SYSTEM_NAME =
  /^(\._.*|__MACOSX|\.DS_Store|\.AppleDouble|\.Spotlight-V100|\.fseventsd|\.Trash(es|-\d+)?|@eaDir|#recycle|\$RECYCLE\.BIN|System Volume Information|(eh)?thumbs\.db|desktop\.ini|Icon\r)$/i;

/** Whether a file or folder has the name of something that the system keeps there. */
const isSystemName = (name: string): boolean => SYSTEM_NAME.test(name);

/**
 * The folder itself if its name is YYYYMMDD, otherwise all folders below it that have such names. Folders inside a
 * day's folder, and those of the system, are not searched. Throws FolderProblem if there is none, or two of the same
 * day.
 */
export async function findDays(root: string): Promise<FoundFolders> {
  const path = resolve(root);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new FolderProblem(`there is no folder ${root}`);
  const found: FoundFolders = { days: [], strays: [] };
  await collect(path, found);
  const { days, strays } = found;
  if (days.length === 0) throw new FolderProblem(noDays(root, strays));
  strays.sort((a, b) => (a.folder < b.folder ? -1 : 1));
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
  return found;
}

function noDays(root: string, [stray]: readonly StrayFolder[]): string {
  const none = `no folder named YYYYMMDD, as the export names a day, is in ${root}`;
  return stray ? `${none}; ${stray.folder} has files of an export, but ${stray.message}` : none;
}

const DAY_NAME = /^\d{8}$/;
const dayOf = (name: string): number | undefined => (DAY_NAME.test(name) ? readBusinessDate(name) : undefined);

/** `above` are the folders in which it is, without symbolic links: a link to one of them is not followed. */
async function collect(path: string, { days, strays }: FoundFolders, above: readonly string[] = []): Promise<void> {
  const name = basename(path);
  const date = dayOf(name);
  const entries = await readdir(path, { withFileTypes: true });
  const own = entries.filter((entry) => !isSystemName(entry.name));
  if (date !== undefined) {
    // A folder of resource forks alone is the shadow of one that was unpacked elsewhere.
    if (own.length > 0 || entries.length === 0) days.push({ date, path });
    return;
  }
  if (own.some((entry) => !entry.isDirectory() && fileNamed(entry.name) !== undefined)) {
    const wrong = DAY_NAME.test(name) ? `${name} is not an existing date` : 'its name is not a date, YYYYMMDD';
    strays.push({ folder: path, message: `${wrong}: name it by the business date of its files, then import it` });
  }
  const inside = [...above, await realpath(path)];
  for (const entry of own) {
    const below = join(path, entry.name);
    if (entry.isDirectory() || (entry.isSymbolicLink() && (await isFolderBelow(below, inside))))
      await collect(below, { days, strays }, inside);
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

/** The file of an export that has this name, in any case. */
const fileNamed = (name: string): FileName | undefined =>
  FILE_NAMES.find((known) => `${known}.csv`.toLowerCase() === name.toLowerCase());

/** Names that are safe as names of files on this machine. */
export const SAFE_FILE_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._()-]{0,99}$/u;

/** Whether an import reads a file of this name. */
export const isExportFile = (name: string): boolean =>
  SAFE_FILE_NAME.test(name) && (fileNamed(name) !== undefined || MENU_EXPORT.test(name));

/** The files of a day by what they are, with those that are unknown or there twice. */
export async function findFiles(day: DayFolder): Promise<DayFiles> {
  const found: DayFiles = { files: {}, menus: undefined, others: [], doubled: [] };
  const entries = await readdir(day.path, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory() || isSystemName(entry.name)) continue;
    if (MENU_EXPORT.test(entry.name) && found.menus === undefined) {
      found.menus = join(day.path, entry.name);
      continue;
    }
    const name = fileNamed(entry.name);
    if (name === undefined) found.others.push(entry.name);
    else if (found.files[name] !== undefined) found.doubled.push(name);
    else found.files[name] = join(day.path, entry.name);
  }
  return found;
}

/** The menus of an export: the newest `MenuExport*.json` of the folders, with the GUIDs of the POS. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Problem } from '../contract/problems.ts';
import { countMenus, type MenuCounts } from '../facts/reference.ts';
import { LARGEST_LISTS, readLists } from '../ingest/lists.ts';
import type { ReadMenus } from '../ingest/menus.ts';
import { type DayFolder, findFiles } from './day-folder.ts';
import type { Destination } from './destination.ts';

/** The result for the menus of an export. */
export interface MenusReport extends MenuCounts {
  /**
   * Menus, groups and items of the file that are not stored, because they or all above them have no GUID or no name.
   */
  skipped?: number;
  /** The file's name in its folder. */
  file: string;
  /** YYYYMMDD: the date of its folder. */
  date: number;
  /** `older`: orders or time entries of a later date are loaded, so the stored menus remain. */
  state: 'loaded' | 'older' | 'not read' | 'not loaded';
  /** Why the file was not read, or the menus were not loaded; null otherwise. */
  message: string | null;
}

/**
 * Loads the menus of a menu export, unless its day is refused: they may be of another restaurant. Problems are in the
 * report.
 */
export async function importMenus(
  { path, date }: MenuExport,
  destination: Destination,
  isRefused: boolean,
): Promise<MenusReport> {
  const report = { file: basename(path), date, menus: 0, groups: 0, items: 0, skipped: 0, message: null };
  if (isRefused) return { ...report, state: 'not loaded', message: 'nothing of its day is loaded' };
  let read: ReadMenus;
  try {
    read = await readMenuExport(path);
  } catch (error) {
    return { ...report, state: 'not read', message: (error as Error).message };
  }
  try {
    const { menus, skipped } = read;
    const isLoaded = await destination.putMenus(menus, date);
    return { ...report, ...countMenus(menus), skipped, state: isLoaded ? 'loaded' : 'older' };
  } catch (error) {
    return { ...report, state: 'not loaded', message: (error as Error).message };
  }
}

/** A menu export, and the date of its folder. */
export interface MenuExport {
  path: string;
  date: number;
}

/** The file whose menus an import loads: only the newest, because menus are replaced as a whole. */
export async function newestMenuExport(folders: readonly DayFolder[]): Promise<MenuExport | undefined> {
  for (const folder of folders.toReversed()) {
    const { menus } = await findFiles(folder);
    if (menus !== undefined) return { path: menus, date: folder.date };
  }
  return undefined;
}

/** Reads a file as PUT /restaurants/{guid}/menus reads its body. */
async function readMenuExport(path: string): Promise<ReadMenus> {
  const largest = LARGEST_LISTS.menus;
  if ((await stat(path)).size > largest) throw new Error(`it is larger than ${largest / 2 ** 20} MiB`);
  try {
    return await readLists({ lists: 'menus' }, createReadStream(path));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Error(error.code === 'invalid_json' ? 'it is not JSON' : error.message, { cause: error });
  }
}

/** The menus of an export: the newest `MenuExport*.json` of the folders, with the GUIDs of the POS. */
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { countMenus, type Menu, type MenuCounts } from '../facts/menus.ts';
import { Problem } from '../http/problems.ts';
import { menusBody } from '../restaurants/menus.ts';
import { type DayFolder, findFiles } from './day-folder.ts';
import type { Destination } from './destination.ts';

/** The same limit as PUT /restaurants/{guid}/menus. */
const LARGEST_BYTES = 32 * 1024 * 1024;

/** The result for the menus of an export. */
export interface MenusReport extends MenuCounts {
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
 * Loads the menus of the newest folder that has a menu export; null if none has. Only the newest is read, because menus are
 * replaced as a whole. Problems are in the report.
 */
export async function importMenus(
  folders: readonly DayFolder[],
  destination: Destination,
): Promise<MenusReport | null> {
  const found = await newestMenuExport(folders);
  if (!found) return null;
  const { path, date } = found;
  const report = { file: basename(path), date, menus: 0, groups: 0, items: 0, message: null };
  let menus: Menu[];
  try {
    menus = await readMenuExport(path);
  } catch (error) {
    return { ...report, state: 'not read', message: (error as Error).message };
  }
  try {
    const isLoaded = await destination.putMenus(menus, date);
    return { ...report, ...countMenus(menus), state: isLoaded ? 'loaded' : 'older' };
  } catch (error) {
    return { ...report, state: 'not loaded', message: (error as Error).message };
  }
}

/** The file whose menus an import loads. */
export async function newestMenuExport(
  folders: readonly DayFolder[],
): Promise<{ path: string; date: number } | undefined> {
  for (const folder of folders.toReversed()) {
    const { menus } = await findFiles(folder);
    if (menus !== undefined) return { path: menus, date: folder.date };
  }
  return undefined;
}

async function readMenuExport(path: string): Promise<Menu[]> {
  if ((await stat(path)).size > LARGEST_BYTES) throw new Error(`it is larger than ${LARGEST_BYTES / 2 ** 20} MiB`);
  let body: unknown;
  try {
    body = JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new Error('it is not JSON', { cause });
  }
  try {
    return menusBody.read(body);
  } catch (error) {
    throw error instanceof Problem ? new Error(error.message, { cause: error }) : error;
  }
}

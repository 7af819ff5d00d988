/** `daypart import --upload`: the service reads the files itself, as it does for uploads from the console. */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { type Daypart, importsOf } from '@daypart/client';
import { type DayFolder, findFiles } from '../import/day-folder.ts';
import { type Gap, NEVER } from '../import/gaps.ts';
import { type DayReport, gapsOfDays, type ImportReport, isWhole } from '../import/import-days.ts';
import { newestMenuExport } from '../import/menu-export.ts';

export interface UploadOptions {
  dryRun: boolean;
  /** Renamed columns, as JSON. */
  columns: string | undefined;
  /** Called when a day is done. */
  progress: (done: number, total: number, date: number) => void;
}

/** Sends days one after another; stops at the first that the service refuses, which the report names. */
export async function uploadDays(
  folders: readonly DayFolder[],
  { client, restaurantGuid }: { client: Daypart; restaurantGuid: string },
  { dryRun, columns, progress }: UploadOptions,
): Promise<ImportReport> {
  const imports = importsOf(client);
  const days: DayReport[] = [];
  const gaps: { gap: Gap; date: number }[] = [];
  const menuExport = await newestMenuExport(folders);
  let menus: ImportReport['menus'] = null;
  let isTaken = true;
  for (const folder of folders) {
    if (!isTaken) break;
    const { date, path } = folder;
    try {
      const { files, others } = await filesOf(folder, menuExport?.path);
      const answer = await imports.add(restaurantGuid, String(date), files, { dryRun, columns });
      const { days: read, cannotGive, menus: taken } = answer;
      menus = taken ?? menus;
      days.push(...read.map(({ unchanged = 0, ...day }) => ({ ...day, unchanged, folder: path, others })));
      const isLoaded = read.every(({ problem }) => problem === null);
      for (const { dates: _, ...gap } of isLoaded ? cannotGive : [])
        if (!NEVER.some(({ why }) => why === gap.why)) gaps.push({ gap, date });
    } catch (error) {
      isTaken = false;
      const problem = `none of it is loaded: ${(error as Error).message}`;
      days.push({
        ...{ date, folder: path, orders: 0, timeEntries: 0, unchanged: 0, problem },
        ...{ files: [], others: [], notices: [] },
      });
    }
    progress(days.length, folders.length, date);
  }
  return {
    restaurantGuid,
    days,
    notTried: folders.slice(days.length).map(({ date }) => date),
    complete: isWhole(days, menus),
    cannotGive: gapsOfDays(gaps, days),
    menus,
  };
}

/** The files of a day to send; its menu export only if it is the one that the import loads. */
async function filesOf(folder: DayFolder, menus?: string): Promise<{ files: [string, Blob][]; others: string[] }> {
  const { files, others, doubled, menus: own } = await findFiles(folder);
  if (doubled.length > 0) throw new Error(`${doubled.join(', ')} is there twice, in different case`);
  const paths = [...Object.values(files), ...(own !== undefined && own === menus ? [own] : [])];
  return {
    files: await Promise.all(
      paths.map(async (path): Promise<[string, Blob]> => [basename(path), await openAsBlob(path)]),
    ),
    others,
  };
}

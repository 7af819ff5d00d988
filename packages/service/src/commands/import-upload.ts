/** `daypart import --upload`: the service reads the files itself, as it does for uploads from the console. */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { type Daypart, type ImportDay, importsOf } from '@daypart/client';
import type { Force } from '../import/belonging.ts';
import { type DayFolder, type FoundFolders, findFiles } from '../import/day-folder.ts';
import { type Gap, NEVER } from '../import/gaps.ts';
import { type DayReport, gapsOfDays, type ImportReport, isWhole } from '../import/import-days.ts';
import { newestMenuExport } from '../import/menu-export.ts';

export interface UploadOptions {
  dryRun: boolean;
  /** Renamed columns, as JSON. */
  columns: string | undefined;
  force: Force;
  /** Called when a day is done. */
  progress: (done: number, total: number, date: number) => void;
}

/** Sends days one after another; stops at the first that the service refuses, which the report names. */
export async function uploadDays(
  { days: folders, strays }: FoundFolders,
  { client, restaurantGuid }: { client: Daypart; restaurantGuid: string },
  { dryRun, columns, force, progress }: UploadOptions,
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
      const answer = await imports.add(restaurantGuid, String(date), files, {
        ...{ dryRun, columns, forceDate: force.date, forceLocation: force.location },
      });
      const { days: read, cannotGive, menus: taken } = answer;
      menus = taken ?? menus;
      days.push(...read.map((day) => ({ ...dayOf(day), folder: path, others })));
      const isLoaded = read.every(({ problem }) => problem === null);
      for (const { dates: _, ...gap } of isLoaded ? cannotGive : [])
        if (!NEVER.some(({ why }) => why === gap.why)) gaps.push({ gap, date });
    } catch (error) {
      isTaken = false;
      const problem = `none of it is loaded: ${(error as Error).message}`;
      days.push({
        ...{ date, folder: path, orders: 0, timeEntries: 0, unchanged: 0, problem, refusal: null },
        ...{ files: [], others: [], notices: [] },
      });
    }
    progress(days.length, folders.length, date);
  }
  return {
    restaurantGuid,
    days,
    notTried: folders.slice(days.length).map(({ date }) => date),
    foldersNotRead: strays,
    complete: isWhole(days, menus, strays),
    cannotGive: gapsOfDays(gaps, days),
    menus,
  };
}

/** The report of a date; an earlier version of the service does not count what it does not list. */
const dayOf = ({
  files,
  notices,
  unchanged = 0,
  refusal = null,
  ...day
}: ImportDay): Omit<DayReport, 'folder' | 'others'> => ({
  ...day,
  unchanged,
  refusal,
  files: files.map((file) => ({
    skippedCount: file.skipped.length,
    notReadCount: file.notRead.length,
    ...file,
  })),
  notices: notices.map((notice) => ({ timeEntries: 0, ...notice })),
});

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

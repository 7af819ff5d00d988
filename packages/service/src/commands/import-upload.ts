/**
 * `daypart import` into a running service: sends the files of each day, which the service reads as it does those of the
 * console.
 */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import {
  type Daypart,
  DaypartError,
  type ImportDay,
  importsOf,
  type ImportReport as ServiceReport,
} from '@daypart/client';
import type { Force } from '../import/belonging.ts';
import { NO_FILE } from '../import/day.ts';
import { type DayFiles, type DayFolder, type FoundFolders, findFiles } from '../import/day-folder.ts';
import { NEVER } from '../import/gaps.ts';
import { type DayGap, type DayReport, type ImportReport, reportOf } from '../import/import.ts';
import { newestMenuExport } from '../import/menu-export.ts';

/** A restaurant of a running service. */
export interface ServiceTarget {
  client: Daypart;
  restaurantGuid: string;
}

interface UploadOptions {
  dryRun: boolean;
  /** Renamed columns, as JSON. */
  columns: string | undefined;
  force: Force;
  /** Called when a day is done. */
  progress: (done: number, total: number, date: number) => void;
}

/** Why one day is not loaded; the days after it are sent all the same. */
class DayProblem extends Error {
  override readonly name = 'DayProblem';
}

/**
 * Sends days one after another. Problems are in the report; it stops at the first that makes the next days pointless.
 */
export async function uploadDays(
  found: FoundFolders,
  target: ServiceTarget,
  options: UploadOptions,
): Promise<ImportReport> {
  const { days: folders } = found;
  const days: DayReport[] = [];
  const gaps: DayGap[] = [];
  const menuExport = await newestMenuExport(folders);
  let menus: ImportReport['menus'] = null;
  let isTaken = true;
  for (const folder of folders) {
    if (!isTaken) break;
    const { date, path } = folder;
    const found = await findFiles(folder);
    try {
      const { days: read, cannotGive, menus: taken } = await sendDay(date, found, menuExport?.path, target, options);
      menus = taken ?? menus;
      days.push(...read.map((day) => ({ ...dayOf(day), folder: path, others: found.others })));
      const isLoaded = read.every(({ problem }) => problem === null);
      for (const { dates: _, ...gap } of isLoaded ? cannotGive : [])
        if (!NEVER.some(({ why }) => why === gap.why)) gaps.push({ gap, date });
    } catch (error) {
      isTaken = error instanceof DayProblem;
      days.push(notTaken(folder, `none of it is loaded: ${(error as Error).message}`));
    }
    options.progress(days.length, folders.length, date);
  }
  return reportOf(found, target.restaurantGuid, { days, gaps, menus });
}

/** Sends the files of a day, and its menu export only if it is `menuExport`, the one that the import loads. */
async function sendDay(
  date: number,
  { files, doubled, menus }: DayFiles,
  menuExport: string | undefined,
  { client, restaurantGuid }: ServiceTarget,
  { dryRun, columns, force }: UploadOptions,
): Promise<ServiceReport> {
  if (doubled.length > 0)
    throw new DayProblem(`${doubled.join(', ')} exists twice, with different capitalisation; remove one of the two`);
  const paths = [...Object.values(files), ...(menus !== undefined && menus === menuExport ? [menus] : [])];
  if (paths.length === 0) throw new DayProblem(NO_FILE);
  const sent = await Promise.all(
    paths.map(async (path): Promise<[string, Blob]> => [basename(path), await openAsBlob(path)]),
  );
  const query = { dryRun, columns, forceDate: force.date, forceLocation: force.location };
  try {
    return await importsOf(client).add(restaurantGuid, String(date), sent, query);
  } catch (error) {
    throw explained(
      error,
      sent.reduce((sum, [, { size }]) => sum + size, 0),
    );
  }
}

/** Refusals of an operation that an earlier version of the service lacks, or of a parameter of it. */
const OF_EARLIER_VERSIONS = ['route_not_found', 'unknown_parameter'];

/** The error with what to do about it, if it is one that only this command can explain. */
function explained(error: unknown, bytes: number): unknown {
  if (!(error instanceof DaypartError)) return error;
  const { message, status, code = '' } = error;
  if (status === 413)
    return new DayProblem(
      `${message} Its files have ${(bytes / 2 ** 20).toFixed(1)} MiB. Import this day into the data folder, with --data while the service is stopped`,
    );
  // A file whose name the service does not take.
  if (code === 'invalid_body') return new DayProblem(message);
  if (OF_EARLIER_VERSIONS.includes(code))
    return new Error(`${message} The service is an earlier version: upgrade it, or import with daypart of its version`);
  return error;
}

/** The report of a day of which no file was read. */
const notTaken = ({ date, path }: DayFolder, problem: string): DayReport => ({
  date,
  folder: path,
  orders: 0,
  timeEntries: 0,
  unchanged: 0,
  problem,
  refusal: null,
  files: [],
  others: [],
  notices: [],
});

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

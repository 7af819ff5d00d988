/** `daypart import`: loads the nightly export folders of a restaurant. */
import { readFile } from 'node:fs/promises';
import { shownJson, UsageError } from '@daypart/cli';
import { openSpinner } from '@daypart/cli/connect';
import { readConfig } from '../config/config.ts';
import type { Force } from '../import/belonging.ts';
import { FolderProblem, type FoundFolders, findDays } from '../import/day-folder.ts';
import { type ImportOptions, type ImportReport, importDays } from '../import/import-days.ts';
import { type Mapping, NO_MAPPING, readMapping } from '../import/mapping.ts';
import { reportLines } from '../import/report-lines.ts';
import { openTarget, openUploadTarget, type Target } from './import-target.ts';
import { uploadDays } from './import-upload.ts';
import { readCommand } from './read.ts';

/**
 * Runs `daypart import FOLDER --restaurant NAME`; `args` are those after `import`. Throws UsageError on misuse; after printing the
 * report, Error if anything was not read.
 */
export async function importCommand(args: string[], out: (line: string) => void): Promise<void> {
  const given = readCommand('import', args);
  const { settings, value } = given;
  const [folder] = given.words;
  if (folder === undefined) throw new UsageError('import needs a folder: a day of the export, or a tree of days');
  const restaurant = value('restaurant');
  if (restaurant === undefined) throw new UsageError('import needs --restaurant, a name or a GUID');
  const config = readConfig(settings, undefined, { logLevel: 'warn' });
  const columns = value('columns');
  const mapping = columns === undefined ? undefined : await readColumns(columns);
  const found = await findDays(folder).catch((error: Error) => {
    throw error instanceof FolderProblem ? new UsageError(error.message) : error;
  });

  const isDryRun = given.has('dry-run');
  const force: Force = { date: given.has('force-date'), location: given.has('force-location') };
  const bar = openBar(found.days.length);
  let report: ImportReport;
  try {
    report = given.has('upload')
      ? await uploadDays(found, await openUploadTarget(given, config, restaurant), {
          ...{ dryRun: isDryRun, columns: mapping?.text, force, progress: bar.show },
        })
      : await loadDays(found, await openTarget(given, config, restaurant, isDryRun), {
          ...{ mapping: mapping?.mapping ?? NO_MAPPING, force, progress: bar.show },
        });
  } finally {
    bar.stop();
  }
  if (given.has('json')) out(shownJson(JSON.stringify({ dryRun: isDryRun, ...report }, null, 2)));
  else for (const line of reportLines(report, isDryRun)) out(line);
  if (!report.complete) throw new Error('not everything was read; the report says what');
}

async function loadDays(found: FoundFolders, target: Target, options: ImportOptions): Promise<ImportReport> {
  try {
    return await importDays(found, target.destination, options);
  } finally {
    await target.close();
  }
}

async function readColumns(path: string): Promise<{ text: string; mapping: Mapping }> {
  try {
    const text = await readFile(path, 'utf8');
    return { text, mapping: readMapping(text) };
  } catch (error) {
    throw new UsageError(`--columns ${path}: ${(error as Error).message}`);
  }
}

const BAR = 24;

/** A progress bar on standard error if that is a terminal, from before the first day on; nothing otherwise. */
function openBar(total: number): { show(done: number, total: number, date: number): void; stop(): void } {
  if (!process.stderr.isTTY) return { show: () => undefined, stop: () => undefined };
  const lineOf = (done: number, last: string): string => {
    const filled = Math.round((done / total) * BAR);
    return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${done} of ${total} day${total === 1 ? '' : 's'}${last}`;
  };
  const spinner = openSpinner(lineOf(0, ''), process.stderr);
  return { show: (done, _total, date) => spinner.say(lineOf(done, `, ${date} is done`)), stop: spinner.stop };
}

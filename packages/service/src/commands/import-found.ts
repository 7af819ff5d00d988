/** What `daypart import` does once its words are read: loads the days that it found, and prints the report. */
import type { Effects, ParsedArguments } from '@daypart/cli';
import { openSpinner } from '@daypart/cli/connect';
import { shownJson } from '@daypart/client/text';
import type { Config } from '../config/config.ts';
import type { Force } from '../import/belonging.ts';
import type { FoundFolders } from '../import/day-folder.ts';
import { type ImportReport, importDays } from '../import/import.ts';
import { type Mapping, NO_MAPPING } from '../import/mapping.ts';
import { reportLines } from '../import/report-lines.ts';
import { namesService, openFolder, openService } from './import-target.ts';
import { uploadDays } from './import-upload.ts';

/** Renamed columns, as given and as read. */
export interface RenamedColumns {
  text: string;
  mapping: Mapping;
}

interface Asked {
  parsed: ParsedArguments;
  config: Config;
  /** A name or a GUID. */
  restaurant: string;
  columns: RenamedColumns | undefined;
}

/** Throws UsageError if the target is not as named; after printing the report, Error if anything was not read. */
export async function importFound(
  found: FoundFolders,
  { parsed, config, restaurant, columns }: Asked,
  out: (line: string) => void,
  effects: Effects,
): Promise<void> {
  const isDryRun = parsed.has('dry-run');
  const force: Force = { date: parsed.has('force-date'), location: parsed.has('force-location') };
  const bar = openBar(found.days.length, effects);
  let report: ImportReport;
  try {
    if (await namesService(parsed, config, effects)) {
      const target = await openService(parsed, restaurant, effects);
      const options = { dryRun: isDryRun, columns: columns?.text, force, progress: bar.show };
      report = await uploadDays(found, target, options);
    } else {
      const target = await openFolder(config, { restaurant, isDryRun }, effects);
      const options = { mapping: columns?.mapping ?? NO_MAPPING, force, progress: bar.show };
      report = await importDays(found, target.destination, options).finally(target.close);
    }
  } finally {
    bar.stop();
  }
  if (parsed.has('json')) out(shownJson(JSON.stringify({ dryRun: isDryRun, ...report }, null, 2)));
  else for (const line of reportLines(report, isDryRun)) out(line);
  if (!report.complete) throw new Error('not everything was read; the report says what');
}

const BAR = 24;

/** A progress bar on standard error if that is a terminal, from before the first day on; nothing otherwise. */
function openBar(
  total: number,
  { stderr, env }: Effects,
): { show(done: number, total: number, date: number): void; stop(): void } {
  if (!stderr.isTTY) return { show: () => undefined, stop: () => undefined };
  const lineOf = (done: number, last: string): string => {
    const filled = Math.round((done / total) * BAR);
    return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${done} of ${total} day${total === 1 ? '' : 's'}${last}`;
  };
  const spinner = openSpinner(lineOf(0, ''), stderr, env);
  return { show: (done, _total, date) => spinner.say(lineOf(done, `, ${date} is done`)), stop: spinner.stop };
}

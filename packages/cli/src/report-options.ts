/** The options of a report's output: its format, its file, its timeout. */
import type { Daypart, Format, WaitOptions } from '@daypart/client';
import type { ParsedArguments } from './arguments.ts';
import { type Bounds, readBounds } from './bounds.ts';
import type { Currencies } from './currencies.ts';
import { UsageError } from './exit.ts';
import { FORMS } from './flags.ts';
import type { PartialFile } from './partial-file.ts';
import type { Spinner } from './progress.ts';
import type { Terminal } from './terminal.ts';

export interface ReportOptions {
  form: 'table' | Format;
  output: string | undefined;
  force: boolean;
  names: boolean;
  /** Dates as 2026-03-10 instead of 20260310. */
  isoDates: boolean;
  /** CSV and Parquet with names and currencies first, and GUIDs last. */
  isPeople: boolean;
  all: boolean;
  bounds: Bounds;
}

/** Whether only a service can make the form, which is no text. */
export const isBinary = (form: ReportOptions['form']): form is 'parquet' | 'xlsx' =>
  form === 'parquet' || form === 'xlsx';

/** Throws UsageError for flags that cannot be combined. */
export function readReportOptions(args: ParsedArguments, { out, signal }: Terminal): ReportOptions {
  const text = args.value('output');
  const output = text === '-' ? undefined : text;
  const ending = FORMS.find((form) => output?.toLowerCase().endsWith(`.${form}`));
  const stated = args.value('format') as ReportOptions['form'] | undefined;
  const form = stated ?? ending ?? (output === undefined && out.isTTY ? 'table' : 'json');
  if (output !== undefined && stated === undefined && ending === undefined)
    throw new UsageError(
      `--output ${output}: the form is named by its ending, ${FORMS.map((one) => `.${one}`).join(', ')}, or by --format`,
    );
  if (args.has('force') && text === undefined) throw new UsageError('--force goes with --output');
  if (args.has('names') && args.has('no-names')) throw new UsageError('--names or --no-names, not both');
  if (isBinary(form) && output === undefined && out.isTTY)
    throw new UsageError(`${form} is not for a terminal; keep it with --output FILE`);
  const raw = args.has('raw');
  if (raw && form === 'table') throw new UsageError('--raw goes with csv, json, ndjson and parquet, not with a table');
  if (raw && form === 'xlsx') throw new UsageError('xlsx is always for people: without --raw');
  if (args.has('iso-dates') && (raw || isBinary(form)))
    throw new UsageError(raw ? '--raw or --iso-dates, not both' : '--iso-dates goes with csv, json and ndjson');
  // A file of columns is for people by default; piped output is for programs.
  const inFile = !raw && output !== undefined && (form === 'csv' || form === 'parquet');
  const isBook = form === 'xlsx';
  const names = args.has('names') || ((form === 'table' || inFile || isBook) && !args.has('no-names'));
  const isPeople = inFile || isBook || (form === 'csv' && !raw && (names || args.has('iso-dates')));
  const isoDates = args.has('iso-dates') || (isPeople && form === 'csv');
  const rest = { force: args.has('force'), all: args.has('all'), bounds: readBounds(args, signal) };
  return { form, output, names, isoDates, isPeople, ...rest };
}

interface ReportTitle {
  /** Identifies the download: a later run finds the partial file by it. */
  what: string;
  dates?: string | undefined;
  splits?: string | undefined;
}

/** What a report's download begins with. */
export interface DownloadStart {
  client: Daypart;
  title: ReportTitle;
  options: ReportOptions;
  terminal: Terminal;
}

/** The settings of a report's download that has begun. */
export interface DownloadContext extends DownloadStart {
  spinner: Spinner;
  part: PartialFile | undefined;
  waitOptions: WaitOptions & { signal: AbortSignal };
  /** The current currencies, requested at the first call only. */
  currencies(): Promise<Currencies>;
}

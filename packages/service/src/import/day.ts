/** Reads one day's folder into source records, and notes what happened to each row. Loads nothing. */
import { readFile } from 'node:fs/promises';
import type { GuidOf } from '../ingest/guids.ts';
import { type Force, judgeBelonging, type Refusal } from './belonging.ts';
import { type CsvTable, FileProblem, readTable } from './csv-table.ts';
import { type DayFolder, findFiles } from './day-folder.ts';
import { type Columns, FILE_NAMES, FILES, type FileName } from './file-columns.ts';
import { createTally, type FileReport, type Tally } from './file-tally.ts';
import { type Gap, gapsOf } from './gaps.ts';
import { type Draft, joinDay, LostRow, type OrderTables, type Tallies } from './join.ts';
import { roundedFiles } from './lost-digits.ts';
import type { Mapping } from './mapping.ts';
import { createNotices, type Notice } from './notices.ts';
import type { Context } from './source-checks.ts';
import { type EntryRecord, sourceEntries } from './source-entries.ts';
import { sourceOrder } from './source-orders.ts';

/** The problem of a day without files. */
export const NO_FILE = 'no file of an export is in the folder';

interface ImportDayOptions {
  timeZone: string;
  mapping: Mapping;
  guidOf: GuidOf;
  /** The Order Ids of folders that were loaded before this one. */
  earlier: ReadonlySet<string>;
  /** The name and the location name of the restaurant. */
  restaurantNames: readonly string[];
  /** As of `Destination`. */
  connectedFrom?: number | undefined;
  force: Force;
}

interface OrderRecord {
  draft: Draft;
  source: Record<string, unknown>;
}

export interface Day {
  /** Empty if the day cannot be read. */
  orders: OrderRecord[];
  entries: EntryRecord[];
  tallies: Tallies;
  /** Files in the folder that are ignored. */
  others: string[];
  /** Why nothing of the day can be loaded. */
  problem: string | undefined;
  /** Why the day is refused although it can be read. */
  refusal: Refusal | undefined;
  /** The reports of the files; call it after all rows have been handled. */
  fileReports(): FileReport[];
  notices: Notice[];
  gaps: Gap[];
}

/** Of all files of a day. A busy day of one restaurant has some 15,000. */
const MOST_ROWS = 500_000;
const EXPORT_AGAIN = 'Export the day again, and import the files as they are';

const rowsIn = (tables: Partial<Record<FileName, CsvTable<Columns>>>): number =>
  Object.values(tables).reduce((sum, { rows }) => sum + rows.length, 0);

/** The tables of a day. */
export type Tables = OrderTables & { TimeEntries?: CsvTable<(typeof FILES)['TimeEntries']> };

/** Reads a whole day. If one file cannot be read, nothing of the day is loaded. */
export async function readDay(folder: DayFolder, options: ImportDayOptions): Promise<Day> {
  const { files, others, doubled } = await findFiles(folder);
  const tallies = Object.fromEntries(FILE_NAMES.map((file) => [file, createTally(file)])) as Record<FileName, Tally>;
  const tables: Partial<Record<FileName, CsvTable<Columns>>> = {};
  const broken = new Set<FileName>();
  const refuse = (file: FileName, error: unknown): void => {
    if (!(error instanceof FileProblem)) throw error;
    broken.add(file);
    tallies[file].refuse(error.line, error.message);
  };
  for (const file of FILE_NAMES) {
    const path = files[file];
    if (path === undefined) continue;
    try {
      if (doubled.includes(file)) throw new FileProblem('exists twice, with different capitalization');
      const { timeZone, mapping } = options;
      const mostRows = MOST_ROWS - rowsIn(tables);
      tables[file] = readTable<Columns>(await readFile(path), FILES[file], mapping[file], { timeZone, mostRows });
    } catch (error) {
      refuse(file, error);
    }
  }

  const ids = FILE_NAMES.flatMap((file) => (tables[file] ? [[file, tables[file].ids] as const] : []));
  for (const [file, message] of roundedFiles(new Map(ids)))
    refuse(file, new FileProblem(`${message}. ${EXPORT_AGAIN}`));

  const day: Day = {
    orders: [],
    entries: [],
    tallies,
    others,
    problem: undefined,
    refusal: undefined,
    notices: [],
    gaps: gapsOf(tables),
    fileReports: () =>
      FILE_NAMES.map((file) => {
        const state = files[file] === undefined ? 'missing' : broken.has(file) ? 'not read' : 'read';
        return tallies[file].report(state, tables[file]?.rows.length ?? 0);
      }),
  };
  if (broken.size === 0) readRecords(folder, options, tables as Tables, day, refuse);
  if (broken.size > 0) day.problem = `${[...broken].map((file) => `${file}.csv`).join(', ')} cannot be read`;
  else if (Object.keys(tables).length === 0) day.problem = NO_FILE;
  else day.problem = day.refusal?.message;
  if (day.problem !== undefined) {
    day.orders = [];
    day.entries = [];
    day.notices = [];
    for (const file of FILE_NAMES) {
      for (const { line } of tables[file]?.rows ?? []) tallies[file].skip(line, 'of a day that is not loaded');
    }
  }
  return day;
}

function readRecords(
  folder: DayFolder,
  { timeZone, guidOf, earlier, restaurantNames, connectedFrom, force }: ImportDayOptions,
  tables: Tables,
  day: Day,
  refuse: (file: FileName, error: unknown) => void,
): void {
  const notices = createNotices();
  const context: Context = { date: folder.date, guidOf, tables, notices };
  try {
    for (const draft of joinDay(tables, day.tallies)) {
      const source = sourceOrder(draft, context, timeZone);
      if (!source) continue;
      day.orders.push({ draft, source });
      if (earlier.has(draft.id)) notices.add('earlier', draft, 0);
    }
  } catch (error) {
    if (!(error instanceof LostRow)) throw error;
    refuse(error.file, error);
  }
  if (tables.TimeEntries) {
    day.entries = sourceEntries(tables.TimeEntries, day.tallies.TimeEntries, folder.date, guidOf);
  }
  const drafts = day.orders.map(({ draft }) => draft);
  const belonging = judgeBelonging(
    { date: folder.date, timeZone, restaurantNames, connectedFrom, drafts, entries: day.entries, tables },
    force,
  );
  day.notices = [...notices.list(), ...belonging.notices];
  day.refusal = belonging.refusal;
}

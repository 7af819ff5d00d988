/** Reads a CSV file as rows of values, each with the line on which it begins. */
import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { CellProblem } from './cell-values.ts';
import { type Columns, type FileColumn, plainHeader, type Values } from './file-columns.ts';
import { noIds, type SeenIds, seeId } from './lost-digits.ts';

export interface CsvRow<C extends Columns> {
  /** 1-based; the header is on the first line. */
  line: number;
  values: Values<C>;
  /** What is wrong with the row, its first fault; undefined if it can be read. */
  problem: string | undefined;
  /** Whether it has as many cells as the header: a row that was cut off may end within an id. */
  isWhole: boolean;
  /** The cells, verbatim: rows with the same text are repetitions. */
  text: string;
}

export interface CsvTable<C extends Columns> {
  rows: CsvRow<C>[];
  /** The columns that the file has. */
  has: ReadonlySet<keyof C>;
  /** What its ids look like. */
  ids: SeenIds;
}

/** Why a file as a whole cannot be read. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
  readonly line: number | null;
  constructor(message: string, line: number | null = null) {
    super(message);
    this.line = line;
  }
}

interface Line {
  line: number;
  cells: string[];
}

/** A file is not read further once it has this many rows and more than 99 % of them cannot be read. */
const ENOUGH_ROWS = 10_000;
const ONE_IN = 100;

/**
 * Reads a file's rows, at most `mostRows` of them. `renamed` maps our headers to the operator's. Throws FileProblem if
 * the file is not CSV with the required columns, if nearly none of its rows can be read, or if there are more.
 */
export function readTable<C extends Columns>(
  bytes: Buffer,
  columns: C,
  renamed: ReadonlyMap<string, string>,
  { timeZone, mostRows = Number.POSITIVE_INFINITY }: { timeZone: string; mostRows?: number },
): CsvTable<C> {
  if (!isUtf8(bytes) || bytes.includes(0)) throw new FileProblem('is not text in UTF-8');
  const ids = noIds();
  const rows: CsvRow<C>[] = [];
  let header: { width: number; places: Map<keyof C, number> } | undefined;
  let bad: CsvRow<C> | undefined;
  let good = 0;
  readLines(bytes, (line) => {
    if (header === undefined) {
      header = { width: line.cells.length, places: findColumns(line, columns, renamed) };
      return;
    }
    if (rows.length === mostRows) throw new FileProblem(`has more rows than a day can have`, line.line);
    const row = readRow(line, header.width, columns, { places: header.places, timeZone, ids });
    rows.push(row);
    if (row.problem === undefined) good++;
    else bad ??= row;
    if (bad && rows.length >= ENOUGH_ROWS && good * ONE_IN < rows.length)
      throw new FileProblem(
        `${rows.length - good} of its first ${rows.length} rows cannot be read; the first: ${bad.problem}`,
        bad.line,
      );
  });
  if (header === undefined) throw new FileProblem('is empty: it has no header');
  return { rows, has: new Set(header.places.keys()), ids };
}

/** Calls `take` with every line that is not blank, one after another: a file of short lines would fill the memory. */
function readLines(bytes: Buffer, take: (line: Line) => void): void {
  const lineAt = lineCounter(bytes);
  let end = 0;
  try {
    parse(bytes, {
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      // A row with too few or too many cells is a bad row, not a bad file; the same goes for a quote inside a cell
      // (`12" pizza`).
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record(record: string[], { bytes: read }) {
        const cells = record.map((cell) => cell.trim());
        const line = lineAt(end);
        end = read;
        // Spreadsheets leave rows that contain only commas.
        if (!cells.some((cell) => cell !== '')) return undefined;
        take({ line, cells });
        return undefined;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new FileProblem(`is not CSV: ${error.message}`);
  }
}

/** Returns a function that finds, for increasing offsets, the line on which the next non-empty line begins. */
function lineCounter(bytes: Buffer): (offset: number) => number {
  let line = 1;
  let at = 0;
  const isEnd = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d;
  return (offset) => {
    for (; at < bytes.length && (at < offset || isEnd(bytes[at])); at++) {
      if (bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a)) line++;
    }
    return line;
  };
}

/** The place of each column: under the operator's name, its own, or an alias, in this order. */
function findColumns<C extends Columns>(
  { line, cells }: Line,
  columns: C,
  renamed: ReadonlyMap<string, string>,
): Map<keyof C, number> {
  const headers = cells.map(plainHeader);
  const places = new Map<keyof C, number>();
  const missing: string[] = [];
  for (const [key, column] of Object.entries(columns)) {
    const name = namesOf(column, renamed).find((candidate) => headers.includes(candidate));
    if (name === undefined) {
      if (column.needed !== 'no') missing.push(column.header);
      continue;
    }
    const index = headers.indexOf(name);
    if (headers.lastIndexOf(name) !== index) throw new FileProblem(`has two columns ${cells[index]}`, line);
    places.set(key, index);
  }
  if (missing.length === 0) return places;
  // Spreadsheets of countries with decimal commas save files so; their amounts would be refused as well.
  const [only = '', ...others] = cells;
  const mark = others.length === 0 && [';', '\t'].find((one) => only.includes(one));
  if (mark) throw new FileProblem(`has ${mark === ';' ? 'semicolons' : 'tabs'} between its columns, not commas`, line);
  const many = missing.length > 1;
  throw new FileProblem(
    `has no column ${missing.join(', ')}, without which it cannot be read; where ${many ? 'they have' : 'it has'} another name, give it with --columns`,
    line,
  );
}

function namesOf(column: FileColumn<unknown>, renamed: ReadonlyMap<string, string>): string[] {
  const own = plainHeader(column.header);
  const theirs = renamed.get(own);
  return [...(theirs === undefined ? [] : [theirs]), own, ...column.aliases.map(plainHeader)];
}

function readRow<C extends Columns>(
  { line, cells }: Line,
  width: number,
  columns: C,
  { places, timeZone, ids }: { places: ReadonlyMap<keyof C, number>; timeZone: string; ids: SeenIds },
): CsvRow<C> {
  const values: Record<string, unknown> = {};
  const isWhole = cells.length === width;
  let problem = isWhole ? undefined : `the row has ${cells.length} cells, the header ${width}`;
  for (const [key, column] of Object.entries(columns)) {
    const index = places.get(key);
    const cell = index === undefined ? '' : (cells[index] ?? '');
    if (cell === '') {
      if (column.needed === 'cell') problem ??= `${column.header} is empty`;
      continue;
    }
    if (column.isId) seeId(ids, cell);
    try {
      values[key] = column.read(cell, timeZone);
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error;
      problem ??= `${column.header} ${error.message}`;
    }
  }
  return { line, values: values as Values<C>, problem, isWhole, text: JSON.stringify(cells) };
}

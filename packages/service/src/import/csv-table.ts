/** Reads a CSV file as rows of values, each with the line on which it begins. */
import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { CellProblem } from './cell-values.ts';
import { type Columns, type FileColumn, plainHeader, type Values } from './file-columns.ts';

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

/**
 * Reads a file's rows. `renamed` maps our headers to the operator's. Throws FileProblem if the file is not CSV with
 * the required columns.
 */
export function readTable<C extends Columns>(
  bytes: Buffer,
  columns: C,
  renamed: ReadonlyMap<string, string>,
  timeZone: string,
): CsvTable<C> {
  if (!isUtf8(bytes) || bytes.includes(0)) throw new FileProblem('is not text in UTF-8');
  const [header, ...lines] = splitLines(bytes);
  if (header === undefined) throw new FileProblem('is empty: it has no header');
  const places = findColumns(header, columns, renamed);
  const rows = lines.map((line) => readRow(line, header.cells.length, columns, places, timeZone));
  return { rows, has: new Set(places.keys()) };
}

function splitLines(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  const lineAt = lineCounter(bytes);
  let end = 0;
  try {
    /** `read`: the number of bytes up to the end of the record. */
    const found: { record: string[]; read: number }[] = [];
    parse(bytes, {
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      // A row with too few or too many cells is a bad row, not a bad file; the same goes for a quote inside a cell (`12" pizza`).
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record(record: string[], { bytes: read }) {
        found.push({ record, read });
        return undefined;
      },
    });
    for (const { record, read } of found) {
      const cells = record.map((cell) => cell.trim());
      const line = lineAt(end);
      end = read;
      // Spreadsheets leave rows that contain only commas.
      if (cells.some((cell) => cell !== '')) lines.push({ line, cells });
    }
  } catch (error) {
    throw new FileProblem(`is not CSV: ${(error as Error).message}`, lines.at(-1)?.line ?? null);
  }
  return lines;
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
    const place = headers.indexOf(name);
    if (headers.lastIndexOf(name) !== place) throw new FileProblem(`has two columns ${cells[place]}`, line);
    places.set(key, place);
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
  places: ReadonlyMap<keyof C, number>,
  timeZone: string,
): CsvRow<C> {
  const values: Record<string, unknown> = {};
  const isWhole = cells.length === width;
  let problem = isWhole ? undefined : `the row has ${cells.length} cells, the header ${width}`;
  for (const [key, column] of Object.entries(columns)) {
    const place = places.get(key);
    const cell = place === undefined ? '' : (cells[place] ?? '');
    if (cell === '') {
      if (column.needed === 'cell') problem ??= `${column.header} is empty`;
      continue;
    }
    try {
      values[key] = column.read(cell, timeZone);
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error;
      problem ??= `${column.header} ${error.message}`;
    }
  }
  return { line, values: values as Values<C>, problem, isWhole, text: JSON.stringify(cells) };
}

/** What happened to the rows of one file. */
import type { FileName } from './file-columns.ts';

export interface RowNote {
  /** 1-based; null for the file as a whole. */
  line: number | null;
  message: string;
}

export interface FileReport {
  /** The file's name in the folder, or its expected name if it is missing. */
  file: string;
  state: 'read' | 'missing' | 'not read';
  /** Rows whose values were loaded. */
  read: number;
  /** Rows that could be read but were skipped, and why. */
  skipped: RowNote[];
  /** Rows, or the file, that could not be read. */
  notRead: RowNote[];
}

/** Keeps the first note for each row of a file. */
export interface Tally {
  file: FileName;
  skip(line: number, message: string): void;
  refuse(line: number | null, message: string): void;
  report(state: FileReport['state'], rows: number): FileReport;
}

export function createTally(file: FileName): Tally {
  const skipped = new Map<number, string>();
  const notRead = new Map<number | null, string>();
  return {
    file,
    skip(line, message) {
      if (!notRead.has(line) && !skipped.has(line)) skipped.set(line, message);
    },
    refuse(line, message) {
      if (line !== null) skipped.delete(line);
      if (!notRead.has(line)) notRead.set(line, message);
    },
    report(state, rows) {
      const refused = [...notRead.keys()].filter((line) => line !== null).length;
      return {
        file: `${file}.csv`,
        state,
        read: state === 'read' ? rows - skipped.size - refused : 0,
        skipped: list(skipped),
        notRead: list(notRead),
      };
    },
  };
}

function list(notes: ReadonlyMap<number | null, string>): RowNote[] {
  return [...notes].map(([line, message]) => ({ line, message })).sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

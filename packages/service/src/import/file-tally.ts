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
  /** The first 1,000 rows that could be read but were skipped, and why. */
  skipped: RowNote[];
  /** How many were skipped, listed or not. */
  skippedCount: number;
  /** The first 1,000 rows that could not be read, or the file. */
  notRead: RowNote[];
  /** How many could not be read, listed or not. */
  notReadCount: number;
}

/** How many rows of each kind a report lists: when all were listed, 5 MB of bad rows got an answer of 106 MB. */
const MOST_LISTED = 1000;
/** A message may repeat a header or a cell of any length. */
const LONGEST_MESSAGE = 500;
const UNLISTED = '';

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
      // All are counted; the messages of those that are not listed are not kept.
      if (!notRead.has(line))
        notRead.set(line, notRead.size < MOST_LISTED ? message.slice(0, LONGEST_MESSAGE) : UNLISTED);
    },
    report(state, rows) {
      const refused = [...notRead.keys()].filter((line) => line !== null).length;
      return {
        file: `${file}.csv`,
        state,
        read: state === 'read' ? rows - skipped.size - refused : 0,
        skipped: listedNotes(skipped),
        skippedCount: skipped.size,
        notRead: listedNotes(notRead),
        notReadCount: notRead.size,
      };
    },
  };
}

function listedNotes(notes: ReadonlyMap<number | null, string>): RowNote[] {
  const listed: RowNote[] = [];
  for (const [line, message] of notes) {
    if (listed.length === MOST_LISTED) break;
    if (message !== UNLISTED) listed.push({ line, message });
  }
  return listed.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

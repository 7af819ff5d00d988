/**
 * Work on whole files in a helper process with low priority, so that clients are answered meanwhile: compressing,
 * hashing and syncing to disk.
 */

import type { Workbook } from './workbook.ts';

/** The content encodings in which a form is stored. */
export type Coding = 'gzip' | 'br' | 'zstd';

export interface FileBounds {
  /** Milliseconds, including the wait for other files, until the work is aborted with a FileWorkError. */
  deadlineMs: number;
  signal?: AbortSignal;
}

/** The length in bytes of what was read or written, and the SHA-256 of those bytes in base64. */
export interface FileDigest {
  bytes: number;
  sha256: string;
}

/** The deadline passed, the work was aborted, or the helper process ended. No file is left behind. */
export class FileWorkError extends Error {
  override readonly name = 'FileWorkError';
}

export interface Files {
  /**
   * Writes a compressed copy; returns its length and digest. Throws FileWorkError, or the error of a file with its
   * code.
   */
  compress(file: string, copy: { coding: Coding; to: string }, bounds: FileBounds): Promise<FileDigest>;
  /** Writes a workbook from a file with its rows (workbook.ts). Throws like `compress`. */
  workbook(
    rows: { file: string; count: number },
    book: { workbook: Workbook; to: string },
    bounds: FileBounds,
  ): Promise<void>;
  /** The length and SHA-256 of a file. Throws like `compress`. */
  digest(file: string, bounds: FileBounds): Promise<FileDigest>;
  /** The process id of the helper, for monitoring; undefined while there is none. */
  pid(): number | undefined;
  /** Aborts running work and ends the helper. */
  close(): Promise<void>;
}

/** One file to read, and the compressed copy to write, if any. */
export interface FileOrder {
  file: string;
  copy?: { coding: Coding; to: string };
}

/** A file with the rows of a workbook, and the workbook to write. */
interface WorkbookOrder {
  rows: { file: string; count: number };
  book: { workbook: Workbook; to: string };
}

/** What the helper process may be called for. */
export type HelperCalls = {
  /** Reads a file, and writes the copy, if any. */
  handle(order: FileOrder): Promise<FileDigest>;
  workbook(order: WorkbookOrder): Promise<void>;
};

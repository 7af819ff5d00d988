/**
 * The results: immutable files of reports. An attempt writes under its own number; only the ledger's step to
 * `completed` publishes it, so a worker that lost its lease can change nothing that is read.
 */
import type { Writable } from 'node:stream';

export interface ResultFile {
  bytes: number;
  /** When it was written, in whatever is finest: a file that was made again has another. */
  madeAt: string;
  /** Differs once the file was written to or replaced, as far as the system can tell. */
  version: string;
  /**
   * Writes the bytes from `start` to `end` (both count), everything by default, at the pace of the reader, and resolves
   * when all are handed over; `to` is not ended. Throws when the reader goes away or the file cannot be read.
   */
  copy(to: Writable, range?: { start: number; end: number }): Promise<void>;
  read(): Promise<Buffer>;
}

/** The files of attempts at reports. */
export interface ResultFiles {
  /** A path on this machine where the engine may write the file before it is kept. Unique each time. */
  scratch(name: string): Promise<string>;
  /** Keeps a scratch file under the name, whole; a file that is already there stays, the scratch file goes. */
  keep(guid: string, attempt: number, name: string, scratch: string): Promise<{ bytes: number }>;
  /** Resolves when what was kept of the attempt under these names would survive a power cut. */
  settle(guid: string, attempt: number, names: string[]): Promise<void>;
  /** The kept file, or undefined. */
  open(guid: string, attempt: number, name: string): Promise<ResultFile | undefined>;
  /** A path from which the engine can read the kept file. */
  local(guid: string, attempt: number, name: string): Promise<string>;
  /** Removes files of one attempt, by name. Not an error when they are not there. */
  discard(guid: string, attempt: number, names: string[]): Promise<void>;
  /** Removes every file of the report, or of one attempt at it. Not an error when there are none. */
  remove(guid: string, attempt?: number): Promise<void>;
}

export interface Results extends ResultFiles {
  /** The GUIDs that files are kept of, in no order; one that is removed or added meanwhile may be among them or not. */
  reports(): AsyncIterable<string>;
  /**
   * Copies the id and the files of these attempts to their place in a folder elsewhere on this machine; nothing of those that have
   * none. Throws what `signal` is aborted with.
   */
  backup(reports: { guid: string; attempt: number }[], folder: string, signal: AbortSignal): Promise<void>;
  /** The id of the data folder that they belong to; undefined before they were told. */
  identity(): Promise<string | undefined>;
  /** Survives a power cut when resolved. */
  identify(id: string): Promise<void>;
  /** Removes scratch files of an earlier run. */
  sweep(): Promise<void>;
  /** Throws when nothing can be written. */
  ping(): Promise<void>;
}

/**
 * The results: the immutable files of reports. Each is kept under a key of its own, and the ledger's row of a form says by which
 * key it is found: a file that no row names is read by nobody. An attempt's rows are added by the ledger's step to `completed`,
 * so a worker that lost its lease can change nothing that is read.
 */
import type { Writable } from 'node:stream';
import type { KeptForm, ReportForm } from '../ledger/form.ts';

export interface ResultFile {
  bytes: number;
  /** Of the form's row: a form that was made again has another. */
  key: string;
  /**
   * Writes the bytes from `start` to `end` (both count), everything by default, at the pace of the reader, and resolves
   * when all are handed over; `to` is not ended. `onOpen` is called once the bytes can be read, before the first is written:
   * what throws before that has written nothing. Throws when the reader goes away or the file cannot be read.
   */
  copy(to: Writable, range?: { start: number; end: number }, onOpen?: () => void): Promise<void>;
  read(): Promise<Buffer>;
}

/** A scratch file to keep. */
export interface NewFile {
  name: string;
  scratch: string;
  /** Its SHA-256 in base64, where that is known. */
  sha256?: string | undefined;
  /** Else, whether its digest is worth waiting for. A store that reads every byte anyway answers it in any case. */
  digest: boolean;
}

/** The files of attempts at reports. */
export interface ResultFiles {
  /** A path on this machine where the engine may write the file before it is kept. Unique each time. */
  scratch(name: string): Promise<string>;
  /**
   * Keeps scratch files of an attempt, whole, each under a new key, in their order; the scratch files are gone then. What was kept
   * would survive a power cut when it resolves.
   */
  keep(guid: string, attempt: number, files: NewFile[]): Promise<KeptForm[]>;
  /** The file of a form. Undefined if it is gone, `damaged` if it is not, or may not be, what was stored. */
  open(form: ReportForm): Promise<ResultFile | 'damaged' | undefined>;
  /** A path from which the engine can read the file of a form that was opened, for a minute at least. */
  local(form: ReportForm): Promise<string>;
  /** Removes the files of these forms. Not an error when they are not there. */
  discard(forms: ReportForm[]): Promise<void>;
  /** Removes every file of the report, of whose forms these are all. Not an error when there are none. */
  remove(guid: string, forms: ReportForm[]): Promise<void>;
  /**
   * A file kept by a version whose forms had no rows, as the row that it gets. Undefined where there is none, or not with the
   * digest (base64) that it was kept with; `isKnown` says whether there was one to compare with.
   */
  older(
    guid: string,
    attempt: number,
    name: string,
    digest: string | undefined,
  ): Promise<{ form: KeptForm; isKnown: boolean } | undefined>;
}

export interface Results extends ResultFiles {
  /**
   * The GUIDs of reports that may have files in no row, in no order; one that is removed or added meanwhile may be among them or
   * not. None in a store that removes such files by itself.
   */
  reports(): AsyncIterable<string>;
  /**
   * Copies the id and the files of these attempts to their place in a folder elsewhere on this machine; nothing of those that have
   * none. Throws what `signal` is aborted with, and an Error with a sentence where the store is backed up by other means.
   */
  backup(reports: { guid: string; attempt: number }[], folder: string, signal: AbortSignal): Promise<void>;
  /** The id of the installation that they belong to; undefined before they were given one. */
  identity(): Promise<string | undefined>;
  /** Survives a power cut when resolved. */
  identify(id: string): Promise<void>;
  /** Removes scratch files of an earlier run. */
  sweep(): Promise<void>;
  /** Throws when nothing can be written. */
  ping(): Promise<void>;
}

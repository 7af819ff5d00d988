/**
 * The results: the immutable files of reports, in a folder (`folder/`) or a bucket (`s3/`). Each file has its own key,
 * and the ledger's row of a form has the key under which it is found: a file without a row is never read. An attempt's
 * rows are added by the ledger's step to `completed`, so a worker that lost its lease cannot change what is read.
 */
import type { Writable } from 'node:stream';
import type { KeptForm, ReportForm } from '../ledger/form.ts';

export interface ResultFile {
  bytes: number;
  /** The key in the form's row: a form that was made again has another. */
  key: string;
  /**
   * Writes the bytes from `start` to `end` (inclusive), everything by default, at the reader's pace, and resolves when
   * all have been written; does not end `to`. `onOpen` is called once the bytes can be read, before the first is
   * written: if it throws before that, nothing was written. Throws if the reader disconnects or the file cannot be
   * read.
   */
  copy(to: Writable, range?: { start: number; end: number }, onOpen?: () => void): Promise<void>;
  read(): Promise<Buffer>;
}

/** A small file to keep, whose bytes are known. */
export interface NewContent {
  name: string;
  content: Buffer;
}

/** A scratch file to keep. */
export interface ScratchFile {
  name: string;
  scratch: string;
  /** Its SHA-256 in base64, if known. */
  sha256?: string | undefined;
  /** Whether to compute its digest if it is not known. A store that reads every byte anyway always does. */
  digest: boolean;
}

/** A file to keep. */
export type NewFile = ScratchFile | NewContent;

/** The files of attempts at reports. */
export interface ResultFiles {
  /** A path on this machine where the engine may write the file before it is kept. Unique for each call. */
  scratch(name: string): Promise<string>;
  /**
   * Keeps complete files of an attempt, each under a new key, in order; scratch files are gone then. Once it resolves,
   * the files survive a power failure.
   */
  keep(guid: string, attempt: number, files: NewFile[]): Promise<KeptForm[]>;
  /**
   * The file of a form. Undefined if it does not exist, `damaged` if it differs, or may differ, from what was stored.
   */
  open(form: ReportForm): Promise<ResultFile | 'damaged' | undefined>;
  /** A path from which the engine can read the file of an opened form, for at least a minute. */
  local(form: ReportForm): Promise<string>;
  /** Removes the files of these forms. Not an error if they do not exist. */
  discard(forms: ReportForm[]): Promise<void>;
  /** Removes every file of the report; `forms` must be all of its forms. Not an error if there are none. */
  remove(guid: string, forms: ReportForm[]): Promise<void>;
  /**
   * A file kept by a version that stored no rows for forms, as the row for it. Undefined if it does not exist, or its
   * digest differs from the one (base64) with which it was kept; `isKnown` says whether there was one to compare with.
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
   * The GUIDs of reports that may have files without rows, in no order; a report added or removed meanwhile may or may
   * not be included. Empty in a store that removes such files itself.
   */
  reports(): AsyncIterable<string>;
  /**
   * Copies the id and the files of these attempts to their place in another folder on this machine; skips those that
   * have none. Throws the reason of an aborted `signal`, and an Error with a sentence if the store is backed up by
   * other means.
   */
  backup(reports: { guid: string; attempt: number }[], folder: string, signal: AbortSignal): Promise<void>;
  /** The id of the installation; undefined before `identify`. */
  identity(): Promise<string | undefined>;
  /** Stores the id; survives a power failure when resolved. */
  identify(id: string): Promise<void>;
  /** Removes scratch files of an earlier run. */
  sweep(): Promise<void>;
  /** Throws if nothing can be written. */
  ping(): Promise<void>;
}

/**
 * The files of reports cannot be reached, or the store did not answer in time. Nothing is lost: stored files are
 * available again when the store is.
 */
export class ResultsGone extends Error {
  override readonly name = 'ResultsGone';
  constructor(cause: unknown) {
    super(`the results are unavailable: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`, {
      cause,
    });
  }
}

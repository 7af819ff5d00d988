/** What the event loop and the thread that reads bodies send each other. */
import type { FieldError, ProblemCode } from '../contract/problems.ts';
import type { Lists, ListsKind, ListsQuery } from './lists.ts';
import type { OwnedQuery, Read } from './read.ts';

/**
 * So many pieces are reported as taken together, half of those that fit in the window. Reporting each one woke the
 * event loop for every 14 orders.
 */
export const TAKEN_TOGETHER = 4;

/** What to read: a load, or lists. */
export type ReaderQuery = OwnedQuery | ListsQuery;
export type ReaderResult = Read | Lists[ListsKind];

/** A part of a body, by the id of the body. */
export type Piece =
  /** Its position in the window, which is not overwritten before the piece is taken. */
  | { id: number; kind: 'piece'; start: number; length: number }
  | { id: number; kind: 'end' }
  /** The body ended early: nothing in it is stored. */
  | { id: number; kind: 'break' };

/** A body that was refused: a Problem as data. */
interface RefusedBody {
  code: ProblemCode;
  message: string;
  errors: FieldError[] | undefined;
}

export interface ReaderBody {
  id: number;
  query: ReaderQuery;
  window: SharedArrayBuffer;
}

/** What the thread may be called for. */
export type ReaderCalls = {
  /**
   * Reads a body, whose pieces follow. The note says that TAKEN_TOGETHER pieces were read, and there is room for as
   * many others.
   */
  read(body: ReaderBody, onTaken: (nothing: null) => void): Promise<{ read: ReaderResult } | { refused: RefusedBody }>;
  /** Takes the next part of a body; parts of a body that was refused are dropped. */
  take(piece: Piece): void;
};

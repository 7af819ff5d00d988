/** The messages between the event loop and the thread that reads bodies. */
import type { FieldError, ProblemCode } from '../http/problems.ts';
import type { Lists, ListsKind, ListsQuery } from './lists.ts';
import type { OwnedQuery, Read } from './read.ts';

/**
 * So many pieces are reported as taken together, half of those that fit in the window. Reporting each one woke the event loop for every
 * 14 orders.
 */
export const TAKEN_TOGETHER = 4;

/** What to read: a load, or lists. */
export type ReaderQuery = OwnedQuery | ListsQuery;
export type ReaderResult = Read | Lists[ListsKind];

export type ToReader =
  | { id: number; kind: 'begin'; query: ReaderQuery; window: SharedArrayBuffer }
  /** The place of the piece in the window, which is not overwritten before the piece is taken. */
  | { id: number; kind: 'piece'; start: number; length: number }
  | { id: number; kind: 'end' }
  /** The body ended early: nothing in it is stored. */
  | { id: number; kind: 'break' };

export type FromReader =
  /** TAKEN_TOGETHER pieces have been read, and there is room for as many others. */
  | { id: number; kind: 'taken' }
  | { id: number; kind: 'done'; read: ReaderResult }
  | { id: number; kind: 'refused'; code: ProblemCode; message: string; errors: FieldError[] | undefined }
  | { id: number; kind: 'failed'; message: string; code: unknown; stack: string | undefined };

/** What passes between the service and its engine process. Data passes as files; this is statements and counts. */

import type { Together } from './versions.ts';

export type Value = string | number | boolean | null;

export interface Step {
  sql: string;
  values?: Record<string, Value>;
  /** The place of an earlier statement that changed or made rows: without any, this one is left out and answers none. */
  needs?: number;
  /** It changes what is kept: it runs in the write lane. */
  changes?: boolean;
  /** By table: which of its rows are enough for the step, as a condition that every engine understands. */
  only?: Readonly<Record<string, string>>;
}

/** Lanes are connections: work in one does not delay the others. */
export const LANES = ['short', 'long', 'write', 'quick', 'render'] as const;
export type Lane = (typeof LANES)[number];

export type ToEngine =
  | { kind: 'run'; id: number; lane: Lane; transaction: boolean; watched: boolean; steps: Step[] }
  /** Small loads, in the write lane. Done with a row for each, a `Merged`. */
  | { kind: 'merge'; id: number; together: Together }
  | { kind: 'interrupt'; lane: Lane }
  | { kind: 'close' };

export type Row = Record<string, unknown>;

/** What a call is answered. */
export type EngineAnswer =
  /** The rows of every step. */
  | { kind: 'done'; id: number; rows: Row[][] }
  /** How much of a watched call is done, 0 to 1; every step counts the same. */
  | { kind: 'progress'; id: number; done: number }
  | { kind: 'failed'; id: number; message: string; fatal: boolean; full: boolean };

export type FromEngine = { kind: 'ready' } | { kind: 'refused'; message: string; full: boolean } | EngineAnswer;

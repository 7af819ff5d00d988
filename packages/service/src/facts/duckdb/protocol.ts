/** Messages between the service and its engine process: statements and counts; data is exchanged through files. */

import type { Together } from './versions.ts';

export type Value = string | number | boolean | null;

export interface Step {
  sql: string;
  values?: Record<string, Value>;
  /** The index of an earlier statement: if that one changed or returned no rows, this one is skipped and returns none. */
  needs?: number;
  /** It changes stored data, so it runs in a lane that writes. */
  changes?: boolean;
  /** By table: a condition, in SQL of every engine, for the rows that suffice for the step. */
  only?: Readonly<Record<string, string>>;
}

/** Lanes are connections: work in one does not delay the others. `large` is for the merge of a large load while others are written in `write`. */
export const LANES = ['short', 'long', 'write', 'large', 'quick', 'render'] as const;
export type Lane = (typeof LANES)[number];

/** Which part of a transaction a call is: all of it, or its statements, or its end. */
export type Transaction = 'none' | 'whole' | 'begin' | 'commit' | 'rollback';

export type ToEngine =
  | { kind: 'run'; id: number; lane: Lane; transaction: Transaction; watched: boolean; steps: Step[] }
  /** Small loads, in the write lane. Done with a row for each, a `Merged`. */
  | { kind: 'merge'; id: number; together: Together }
  | { kind: 'interrupt'; lane: Lane }
  | { kind: 'close' };

export type Row = Record<string, unknown>;

/** The answer to a call. */
export type EngineAnswer =
  /** The rows of every step. */
  | { kind: 'done'; id: number; rows: Row[][] }
  /** The progress of a call, 0 to 1; every step counts the same. */
  | { kind: 'progress'; id: number; done: number }
  | { kind: 'failed'; id: number; message: string; fatal: boolean; full: boolean };

export type FromEngine = { kind: 'ready' } | { kind: 'refused'; message: string; full: boolean } | EngineAnswer;

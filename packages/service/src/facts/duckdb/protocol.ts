/** What the service calls its engine process for: statements and counts; data is exchanged through files. */

import type { LoadBatch } from './versions.ts';

export type Value = string | number | boolean | null;

export interface Step {
  sql: string;
  values?: Record<string, Value>;
  /**
   * The index of an earlier statement: if that one changed or returned no rows, this one is skipped and returns none.
   */
  needs?: number;
  /** It changes stored data, so it runs in a lane that writes. */
  changes?: boolean;
  /** By table: a condition, in SQL of every engine, for the rows that suffice for the step. */
  only?: Readonly<Record<string, string>>;
}

/**
 * Lanes are connections: work in one does not delay the others. `large` is for the merge of a large load while others
 * are written in `write`.
 */
export const LANES = ['short', 'long', 'write', 'large', 'quick', 'render'] as const;
export type Lane = (typeof LANES)[number];

/** Which part of a transaction a call is: all of it, or its statements, or its end. */
export type Transaction = 'none' | 'whole' | 'begin' | 'commit' | 'rollback';

export type EngineRow = Record<string, unknown>;

export interface RunInput {
  lane: Lane;
  transaction: Transaction;
  /** Whether the progress is wanted. */
  watched: boolean;
  steps: Step[];
}

export type EngineCalls = {
  /** Resolves when the facts are open. */
  open(nothing: null): void;
  /** Returns the rows of every step. The notes are the progress, 0 to 1; every step counts the same. */
  run(input: RunInput, onProgress: (done: number) => void): Promise<EngineRow[][]>;
  /** Merges small loads, in the write lane; returns a `Merged` for each. */
  merge(batch: LoadBatch): Promise<EngineRow[]>;
  /** Interrupts what runs in the lane at this moment. */
  interrupt(lane: Lane): void;
  /** Interrupts everything and ends the process. */
  close(nothing: null): void;
};

/** What an error of the engine's process says besides its message. */
export interface EngineFailure {
  /** Marked, because only its text says what it is about (storage/disk-fault.ts). */
  fromEngine: true;
  /** The disk is full. */
  full: boolean;
  /** The engine refuses all further calls. */
  fatal: boolean;
}

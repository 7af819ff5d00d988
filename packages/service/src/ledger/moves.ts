/** What other services that use the same ledger change, as far as anybody here waits for it. */
import type { ReportState } from './report.ts';

export type Move =
  /** A report was added, or moved to a state or to another attempt. `group` is left out where its name is very long. */
  | { kind: 'report'; guid: string; state: ReportState; group: string | undefined }
  /** How far the attempt at a report has come that another service gathers: 0 to 1. */
  | { kind: 'progress'; guid: string; attempt: number; done: number }
  | ({ kind: 'load' } & LoadMove)
  /** A webhook delivery was added. */
  | { kind: 'delivery' }
  /** A task was added, begun or ended. */
  | { kind: 'task' }
  /** Changes may have been missed: the connection to the ledger was lost. */
  | { kind: 'missed' };

/** A load that has changed something on these dates (YYYYMMDD integers). */
export interface LoadMove {
  restaurantGuid: string;
  group: string;
  /** As its path names it: one word. */
  loadKind: string;
  dates: readonly number[];
}

export interface MoveLedger {
  /**
   * Whether other services use the ledger at the same time. What is under way in it may then be theirs, and is taken back only
   * when its lease has run out.
   */
  readonly shared: boolean;
  /**
   * Calls back with what other services change, in the order of their commits, until what it answers is called. A hint: one
   * may be missed, so waiters also poll now and then. The embedded ledger never calls back.
   */
  onMove(listener: (move: Move) => void): () => void;
  /** Notifies other services of the progress of an attempt (0 to 1), at most once a second for each report. Never throws. */
  notifyProgress(guid: string, attempt: number, done: number): void;
  /** Notifies other services of a load that is committed, unless the name of its group is very long. Never throws. */
  notifyLoad(load: LoadMove): void;
}

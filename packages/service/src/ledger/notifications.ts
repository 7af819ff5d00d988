/** Notifications of what other services that share the ledger change, as far as this service waits for it. */
import type { MemberState } from './connection.ts';
import type { ReportState } from './report.ts';

export type Notification =
  /**
   * A report was added, changed its state or began another attempt. `group` is undefined if its name is too long for a
   * notification.
   */
  | { kind: 'report'; guid: string; state: ReportState; group: string | undefined }
  /** Progress, 0 to 1, of an attempt that another service runs. */
  | { kind: 'progress'; guid: string; attempt: number; done: number }
  | ({ kind: 'load' } & LoadNotification)
  /** A webhook delivery was added. */
  | { kind: 'delivery' }
  /** A task was added, begun or ended. */
  | { kind: 'task' }
  /** A connection was added or changed by a person, or changed its state. */
  | { kind: 'connection'; id: string }
  /** A restaurant of a connection changed its state. */
  | {
      kind: 'connected';
      connection: string;
      restaurantGuid: string;
      state: MemberState;
      reason: string | null;
      /** Since when it is in the state. */
      at: number;
    }
  /** Changes may have been missed: the connection to the ledger was lost. */
  | { kind: 'missed' };

/** A load that changed something on these dates (YYYYMMDD integers). */
export interface LoadNotification {
  restaurantGuid: string;
  group: string;
  /** One word, as in the path of the load. */
  loadKind: string;
  dates: readonly number[];
}

export interface NotificationLedger {
  /**
   * Whether other services use the ledger at the same time. Work in progress may then be theirs, and is taken back only
   * after its lease has expired.
   */
  readonly shared: boolean;
  /**
   * Calls back with changes made by other services, in the order of their commits, until the returned function is
   * called. Notifications are hints: some may be missed, so waiters also poll from time to time. The embedded ledger
   * never calls back.
   */
  onNotification(listener: (notification: Notification) => void): () => void;
  /**
   * Notifies other services of the progress of an attempt (0 to 1), at most once a second for each report. Never
   * throws.
   */
  notifyProgress(guid: string, attempt: number, done: number): void;
  /**
   * Notifies other services of a committed load, unless the name of its group is too long for a notification. Never
   * throws.
   */
  notifyLoad(load: LoadNotification): void;
}

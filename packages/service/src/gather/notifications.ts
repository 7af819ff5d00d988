/**
 * Wakes waiters of this process when another node changes something; `poll.ts` finds changes whose notification was
 * missed.
 */
import type { NotificationLedger } from '../ledger/notifications.ts';
import { OWN_MS } from '../ledger/report.ts';
import type { Signals } from './signals.ts';
import type { Worker } from './worker.ts';

interface NotificationsDeps {
  ledger: NotificationLedger;
  signals: Signals;
  worker: Pick<Worker, 'wake' | 'cancel'>;
  /** Checks for deliveries that are due. */
  wakeDeliveries(): void;
}

/**
 * The node that queues a report wakes its own worker. Other nodes try to claim it only if it is still unclaimed after
 * this time, because that node is busy or has no worker: otherwise each report would cost a query on every node. A
 * little later than the ledger lets them, because the clock of the ledger is known to a few milliseconds.
 */
const UNCLAIMED_MS = OWN_MS + 20;

/** Follows changes until the returned function is called. */
export function followNotifications({ ledger, signals, worker, wakeDeliveries }: NotificationsDeps): () => void {
  const unclaimed = new Map<string, NodeJS.Timeout>();
  const forget = (guid: string): void => {
    clearTimeout(unclaimed.get(guid));
    unclaimed.delete(guid);
  };
  const wakeLater = (guid: string): void => {
    forget(guid);
    const look = (): void => {
      unclaimed.delete(guid);
      worker.wake();
    };
    unclaimed.set(guid, setTimeout(look, UNCLAIMED_MS));
  };

  const unfollow = ledger.onNotification((notification) => {
    switch (notification.kind) {
      case 'report':
        if (notification.state === 'queued') wakeLater(notification.guid);
        else forget(notification.guid);
        // An attempt that begins again starts at 0.
        if (notification.state !== 'gathering') signals.advance(notification.guid, undefined);
        if (notification.state === 'cancelled') void worker.cancel(notification.guid);
        signals.notify(
          notification.guid,
          notification.group === undefined ? undefined : { group: notification.group, state: notification.state },
        );
        break;
      case 'progress':
        // Progress of a report that nobody waits for would never be removed.
        if (signals.isWanted(notification.guid))
          signals.advance(notification.guid, { attempt: notification.attempt, done: notification.done });
        break;
      case 'delivery':
        wakeDeliveries();
        break;
      case 'missed':
        for (const guid of signals.wanted()) signals.notify(guid);
        worker.wake();
        wakeDeliveries();
        break;
    }
  });
  return () => {
    unfollow();
    for (const guid of [...unclaimed.keys()]) forget(guid);
  };
}

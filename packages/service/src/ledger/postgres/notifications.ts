/**
 * Notifications between services through a PostgreSQL ledger: triggers send them in the commit of the change
 * (`migrations/`).
 */
import type { MemberState } from '../connection.ts';
import type { Notification, NotificationLedger } from '../notifications.ts';
import type { ReportState } from '../report.ts';
import type { RowCache } from '../sql/row-cache.ts';
import { loadQueries, type Sql } from '../sql/statements.ts';

/** How often other services are notified of the progress of a report. */
const PROGRESS_MS = 1000;

/** A PostgreSQL notification has at most 8,000 bytes, and a date takes 9. */
const MOST_NOTIFIED_DATES = 500;
const MOST_GROUP_BYTES = 2000;

const queries = loadQueries<{ notify(of: { payload: string }): number }>(
  new URL('./notifications.sql', import.meta.url),
);

/** Drops what other services change from the cache, and notifies those who wait here. `isOwn`: of `PostgresPool`. */
export function createNotifications(sql: Sql, isOwn: (processId: number) => boolean, cache: RowCache) {
  const query = queries(sql);
  const listeners = new Set<(notification: Notification) => void>();
  const notifiedAt = new Map<string, number>();
  const notify = (notification: Notification): void => {
    for (const listener of listeners) listener(notification);
  };

  function onNotice(payload: string, processId: number): void {
    // Local waiters are notified directly of changes made here.
    if (isOwn(processId)) return;
    const [kind, id = '', ...more] = payload.split(' ');
    if (kind === 'client') cache.clients.drop(id);
    else if (kind === 'report') {
      cache.reports.drop(id);
      const [state, ...group] = more;
      notify({ kind, guid: id, state: state as ReportState, group: group.length > 0 ? group.join(' ') : undefined });
    } else if (kind === 'progress') notify({ kind, guid: id, attempt: Number(more[0]), done: Number(more[1]) });
    else if (kind === 'load') {
      const [loadKind = '', dates = '', ...group] = more;
      notify({ kind, restaurantGuid: id, loadKind, dates: dates.split(',').map(Number), group: group.join(' ') });
    } else if (kind === 'connection') notify({ kind, id });
    else if (kind === 'connected') {
      const [restaurantGuid = '', state, reason = '-', at] = more;
      notify({
        kind,
        connection: id,
        restaurantGuid,
        state: state as MemberState,
        reason: reason === '-' ? null : reason,
        at: Number(at),
      });
    } else if (kind === 'delivery' || kind === 'task') notify({ kind });
  }

  const methods: NotificationLedger = {
    shared: true,
    onNotification(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notifyProgress(guid, attempt, done) {
      const now = performance.now();
      for (const [notified, at] of notifiedAt) if (now - at >= PROGRESS_MS) notifiedAt.delete(notified);
      if (notifiedAt.has(guid)) return;
      notifiedAt.set(guid, now);
      // A hint: if it is lost, the next one follows within a second.
      query.notify({ payload: `progress ${guid} ${attempt} ${done.toFixed(3)}` }).catch(() => undefined);
    },
    notifyLoad({ restaurantGuid, loadKind, dates, group }) {
      if (Buffer.byteLength(group) > MOST_GROUP_BYTES) return;
      for (let from = 0; from < dates.length; from += MOST_NOTIFIED_DATES) {
        const some = dates.slice(from, from + MOST_NOTIFIED_DATES).join(',');
        // A hint: if it is lost, the connection usually is too, and `missed` follows.
        query.notify({ payload: `load ${restaurantGuid} ${loadKind} ${some} ${group}` }).catch(() => undefined);
      }
    },
  };
  return {
    methods,
    onNotice,
    onMissed(): void {
      cache.empty();
      notify({ kind: 'missed' });
    },
  };
}

/**
 * Polls the ledger, on behalf of all waiters in this process, for reports that another process gathers. One query a
 * second serves them all: a thousand waiters that polled separately read a thousand rows in one burst.
 */
import type { Logger } from 'pino';
import type { ReportLedger } from '../ledger/report.ts';
import type { Signals } from './signals.ts';

export const POLL_MS = 1000;

/** Starts polling; the returned function stops it. */
export function startLedgerPoller(deps: { ledger: ReportLedger; signals: Signals; log: Logger }): () => void {
  const { ledger, signals, log } = deps;
  let seen = new Map<string, string>();
  let polling = false;

  async function poll(): Promise<void> {
    const wanted = signals.wanted();
    if (polling || wanted.length === 0) return;
    polling = true;
    try {
      const now = new Map<string, string>();
      for (const { guid, state, attempt } of await ledger.reportStates(wanted)) now.set(guid, `${state} ${attempt}`);
      const before = seen;
      seen = now;
      for (const [guid, state] of now) {
        // A waiter that began after the last poll has read the report itself; the report may have ended right after
        // that.
        const moved = before.has(guid) ? before.get(guid) !== state : !/^(queued|gathering) /.test(state);
        if (moved) signals.notify(guid);
      }
    } catch (error) {
      log.error({ err: error }, 'the ledger could not be queried for reports that are waited for');
    } finally {
      polling = false;
    }
  }

  const timer = setInterval(() => void poll(), POLL_MS);
  return () => clearInterval(timer);
}

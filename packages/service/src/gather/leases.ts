/** How a worker keeps the lease of a report, and returns reports to the queue. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isStoreAway } from '../http/store-problem.ts';
import type { ClockLedger } from '../ledger/clock.ts';
import type { LeaseLedger } from '../ledger/lease.ts';

/** How long a report waits before the next attempt if a store was unavailable. */
const AWAY_MS = 2000;
/**
 * How soon an extension that failed is repeated. Leases expire while the ledger is unavailable, and after its return
 * workers have the time of one lease to extend theirs (reclaim.ts).
 */
const REPEAT_MS = 1000;

/** A report, and the attempt at it that a worker has claimed. */
interface HeldReport {
  guid: string;
  worker: string;
  attempt: number;
}

interface LeaseDeps {
  ledger: ClockLedger & LeaseLedger;
  log: Logger;
  config: { leaseSeconds: number };
}

/**
 * Extends a lease after each third of it until the returned function is called. `onLost` is called once another worker
 * may have the report.
 */
export function keepLease(
  { ledger, log, config }: LeaseDeps,
  { guid, worker, attempt }: HeldReport,
  onLost: () => void,
): () => void {
  const leaseMs = config.leaseSeconds * 1000;
  let due = performance.now() + leaseMs / 3;
  const extend = async (): Promise<void> => {
    if (!(await ledger.extendLease(guid, worker, attempt, (await ledger.now()) + leaseMs))) onLost();
  };
  const timer = setInterval(
    () => {
      if (performance.now() < due) return;
      due = performance.now() + leaseMs / 3;
      extend().catch((error: unknown) => {
        due = 0;
        const at = { reportRequestGuid: guid, attempt };
        log[isStoreAway(error) ? 'warn' : 'error']({ err: error, ...at }, 'a lease could not be extended');
      });
    },
    Math.min(leaseMs / 3, REPEAT_MS),
  );
  return () => clearInterval(timer);
}

/**
 * Returns a report to the queue. If a store was unavailable (`away`), the report is not at fault: the attempt does not
 * count, and it is returned once the ledger answers. With `waits` it first waits a while under the lease, so that it is
 * not retried in a tight loop. Throws errors of the ledger other than unavailability, and LedgerGone if the worker
 * stops or has lost the report.
 */
export async function release(
  { ledger }: LeaseDeps,
  { guid, worker, attempt }: HeldReport,
  { away, waits, signal }: { away: boolean; waits: boolean; signal: AbortSignal },
): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    if (waits || !isFirst) await sleep(AWAY_MS, undefined, { signal }).catch(() => undefined);
    try {
      await ledger.releaseReport(guid, worker, attempt, !signal.aborted && !away);
      return;
    } catch (error) {
      if (!away || signal.aborted || !isStoreAway(error)) throw error;
    }
  }
}

/**
 * Returns reports that a worker holds and does not know: the claim was recorded, and its answer was lost. The attempt
 * does not count. Otherwise they would wait for their leases to expire, which uses up an attempt. `known` are the GUIDs
 * that it works on.
 */
export async function returnUnknown(
  { ledger, log }: LeaseDeps,
  worker: string,
  known: ReadonlySet<string>,
): Promise<void> {
  for (const { guid, attempt } of await ledger.heldReports(worker)) {
    if (known.has(guid)) continue;
    await ledger.releaseReport(guid, worker, attempt, false);
    log.warn({ reportRequestGuid: guid, attempt }, 'a report is queued again: the answer to its claim was lost');
  }
}

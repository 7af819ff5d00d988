/** Takes reports back from workers that died, and expires old reports. */
import type { Logger } from 'pino';
import { DAY_MS } from '../contract/time.ts';
import { causeFields } from '../contract/trace.ts';
import type { ClockLedger } from '../ledger/clock.ts';
import type { FormLedger } from '../ledger/form.ts';
import type { LeaseLedger } from '../ledger/lease.ts';
import { LedgerGone } from '../ledger/ledger.ts';
import type { ReportLedger } from '../ledger/report.ts';
import { removeForms } from '../results/forms.ts';
import type { Results } from '../results/results.ts';
import type { Signals } from './signals.ts';

interface OrphanDeps {
  ledger: ClockLedger & LeaseLedger;
  log: Logger;
  config: { attempts: number };
}

export interface ReclaimDeps extends OrphanDeps {
  ledger: ClockLedger & LeaseLedger & ReportLedger & FormLedger;
  results: Results;
  signals: Signals;
  config: { attempts: number; leaseSeconds: number };
  /** Called before anything is expired. */
  seeTime: () => Promise<void>;
}

/** How long the ledger keeps an expired request, so that its GUID can be distinguished from one that never existed. */
const REMEMBER_MS = 30 * DAY_MS;

export const USED_UP = {
  code: 'report_failed',
  message: 'The report could not be gathered: all attempts failed. Create the report again.',
} as const;

/**
 * Takes back what a killed service left in progress, without waiting for its leases: a service that starts on a data
 * folder holds it alone. Called once, before any worker starts. Returns the GUIDs of the reports that are queued again.
 */
export async function reclaimOrphans({ ledger, log, config }: OrphanDeps): Promise<string[]> {
  const { failed, requeued, deliveries } = await ledger.reclaimOrphans(await ledger.now(), config.attempts, USED_UP);
  for (const guid of failed) log.warn({ reportRequestGuid: guid }, 'a report failed: the service died in each attempt');
  if (requeued.length + deliveries > 0)
    log.info({ reports: requeued.length, deliveries }, 'resumed unfinished reports of the last run');
  return requeued;
}

/**
 * Returns a function to call at each tick: it expires reports, and takes back those whose leases expired. It never
 * rejects: what failed is tried again at the next tick.
 *
 * If the ledger was unavailable, workers could not extend their leases. After its return no report is taken back for
 * the time of a lease, as if all had been extended then. With half of that, a busy machine could take back a report
 * whose worker was alive.
 */
export function createReclaim(
  { ledger, results, signals, log, config, seeTime }: ReclaimDeps,
  /** Milliseconds since an arbitrary instant. */
  elapsed = () => performance.now(),
): () => Promise<void> {
  let wasAway = false;
  /** In units of `elapsed`. */
  let from = 0;

  async function reclaim(): Promise<void> {
    await seeTime();
    const now = await ledger.now();
    // First, because on a full disk this makes room for the rest.
    const expired = (await ledger.expireReports(now)).map(({ guid }) => guid);
    await removeForms({ ledger, results }, expired).finally(() => {
      for (const guid of expired) signals.notify(guid);
    });
    if (wasAway) from = elapsed() + config.leaseSeconds * 1000;
    wasAway = false;
    if (elapsed() >= from) {
      for (const guid of await ledger.reclaimReports(now, config.attempts, USED_UP)) {
        const { cause = null } = (await ledger.report(guid)) ?? {};
        log.warn({ reportRequestGuid: guid, ...causeFields(cause) }, 'a report failed: its leases expired');
        signals.notify(guid);
      }
    }
    await ledger.forgetReports(now - REMEMBER_MS);
  }

  return async () => {
    try {
      await reclaim();
    } catch (error) {
      wasAway ||= error instanceof LedgerGone;
      log.error({ err: error }, 'leases and expiry could not be checked');
    }
  };
}

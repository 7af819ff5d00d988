/** The background work of a service: gathers reports, calls webhooks, runs tasks, cleans up. */
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Role } from './config/server-settings.ts';
import { startDailyReports } from './daily-report.ts';
import type { Families } from './families/index.ts';
import { type Estimates, openEstimates } from './gather/estimate.ts';
import { followNotifications } from './gather/notifications.ts';
import { startLedgerPoller } from './gather/poll.ts';
import { reclaimOrphans } from './gather/reclaim.ts';
import type { Signals } from './gather/signals.ts';
import { watchTime } from './gather/time.ts';
import { startWorker, type Worker } from './gather/worker.ts';
import type { ReadLists } from './ingest/lists.ts';
import type { ReadBody } from './ingest/read.ts';
import { startReadThread } from './ingest/thread.ts';
import { startMaintenance } from './maintenance/maintenance.ts';
import { BASES } from './mount-routes.ts';
import type { Metrics } from './observability/openmetrics.ts';
import type { Tracing } from './observability/tracing.ts';
import { createForms, type Forms } from './results/forms.ts';
import type { Stores } from './stores.ts';
import { type Deliveries, startDeliveries } from './webhooks/webhooks.ts';

export interface WorkDeps {
  config: Config;
  log: Logger;
  clock: () => number;
  families: Families;
  signals: Signals;
  metrics: Metrics | undefined;
  tracing: Tracing | undefined;
  stores: Stores;
  /** How much of a gap in the clock counts as time that has passed (ms). */
  largestGapMs: number;
}

/** The running work, and the parts of it that calls use. */
interface BackgroundWork {
  forms: Forms;
  estimates: Estimates;
  worker: Worker;
  deliveries: Deliveries;
  readBody: ReadBody;
  readLists: ReadLists;
  /** Returns unfinished work to the queue and claims nothing more. */
  stop(): Promise<void>;
  /** Ends the parts that calls use, once no more calls are answered. */
  close(): Promise<void>;
}

/** The worker of a node without the worker role: other nodes gather, and are notified through the ledger. */
const NO_WORKER: Worker = {
  name: undefined,
  wake: () => undefined,
  cancel: async () => undefined,
  stop: async () => undefined,
};
const NO_DELIVERIES: Deliveries = { wake: () => undefined, stop: async () => undefined };

/** Starts the work; first takes back what a killed service left unfinished on these stores. */
export async function startWork(deps: WorkDeps): Promise<BackgroundWork> {
  const { config, log, clock, families, signals, metrics, tracing, stores, largestGapMs } = deps;
  const { ledger, facts, results, files, places } = stores;
  const estimates = await openEstimates(ledger, families);
  const stopPoller = startLedgerPoller({ ledger, signals, log });
  const seeTime = watchTime({ ledger, log, largestGapMs });
  await seeTime();
  // Before anything is claimed: what is in progress belongs to a service that was killed, unless other nodes share the
  // ledger.
  const interrupted = ledger.shared ? [] : await reclaimOrphans({ ledger, log, config });
  const base = config.publicUrl && `${config.publicUrl}${BASES[0]}`;
  const has = (role: Role): boolean => config.roles.includes(role);
  const deliveries = has('maintenance')
    ? startDeliveries({ ledger, families, log, clock, config, base })
    : NO_DELIVERIES;
  const forms = createForms({ results, facts, files, ledger, log });
  const workerDeps = {
    ledger,
    facts,
    results,
    forms,
    signals,
    estimates,
    log,
    clock,
    config,
    seeTime,
    interrupted,
    traced: tracing?.run,
    onGathered(kind: string, ms: number, outcome: 'completed' | 'failed') {
      metrics?.onGathered(kind, ms, outcome);
      deliveries.wake();
    },
  };
  const worker = has('worker') ? startWorker(workerDeps) : NO_WORKER;
  const unfollow = followNotifications({ ledger, signals, worker, wakeDeliveries: deliveries.wake });
  const daily =
    config.dailyReport && has('maintenance')
      ? startDailyReports({ ledger, worker, signals, clock, config, log })
      : undefined;
  const reading = startReadThread();
  const maintenanceDeps = { ledger, facts, results, log, clock, config, places, data: config.data };
  const maintenance = has('maintenance') ? await startMaintenance(maintenanceDeps) : undefined;
  return {
    forms,
    estimates,
    worker,
    deliveries,
    readBody: reading.read,
    readLists: reading.readLists,
    async stop() {
      stopPoller();
      unfollow();
      await Promise.all([worker.stop(), maintenance?.stop(), daily?.stop()]);
    },
    async close() {
      await Promise.all([deliveries.stop(), forms.close(), reading.close()]);
    },
  };
}

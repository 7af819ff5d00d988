/** The only wiring: config → stores → app → listen. */
import { chmod, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { checkOutside, createAccess } from './access/access.ts';
import { ensureBootstrapClient } from './access/clients.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { readConsole } from './console/files.ts';
import { watchConnections } from './drain.ts';
import type { Facts } from './facts/facts.ts';
import { createFamilies } from './families/index.ts';
import { openEstimates } from './gather/estimate.ts';
import { startLedgerPoller } from './gather/poll.ts';
import { createSignals } from './gather/signals.ts';
import { LARGEST_GAP_MS, watchTime } from './gather/time.ts';
import { reclaimOrphans, startWorker } from './gather/worker.ts';
import { startReadThread } from './ingest/thread.ts';
import { startMaintenance } from './maintenance/maintenance.ts';
import { BASES } from './mount-routes.ts';
import { type Metrics, startMetrics } from './observability/openmetrics.ts';
import { openTracing } from './observability/tracing.ts';
import { createForms } from './results/forms.ts';
import type { RouteEntry } from './route-table.ts';
import { openStores, type Stores } from './stores.ts';
import { startDeliveries } from './webhooks/deliveries.ts';

export interface Service {
  /** `http://host:port`. */
  origin: string;
  /** The base URL of clients, `{origin}/v1`. */
  baseUrl: string;
  metricsPort: number | undefined;
  /** Whether a console is served at the origin. */
  hasConsole: boolean;
  stores: Stores;
  /** Every route that it answers. */
  routes: readonly RouteEntry[];
  /** Answers for the time of `drainSeconds`, then stops accepting, finishes what is in flight; hands back unfinished gathers. */
  close(): Promise<void>;
}

/** The file of the data folder with the origin of the service that runs on it, or ran there last: for commands. */
export const ORIGIN_FILE = 'origin';
/** How long an answer in flight may take once the service stops; then its connection is cut. */
const CUT_MS = 7500;

/** Starts the service over opened stores; `close` closes them too. Throws when the address cannot be listened on. */
export async function startService(
  config: Config,
  log: Logger,
  stores: Stores,
  clock = Date.now,
  families = createFamilies(),
  largestGapMs = LARGEST_GAP_MS,
): Promise<Service> {
  let stopping = false;
  let metrics: Metrics | undefined;
  const consoleFiles = readConsole(config.console);
  const signals = createSignals();
  const { ledger, results, files, spoolFolder } = stores;
  const facts = timeRenders(stores.facts, (ms) => metrics?.onRendered(ms));
  checkOutside(config);
  if (config.bootstrapClient) await ensureBootstrapClient(ledger, config.bootstrapClient, clock());
  if (config.metricsPort !== undefined) {
    try {
      metrics = await startMetrics(
        { host: config.metricsHost, port: config.metricsPort },
        {
          ledger,
          clock,
          data: config.data,
          places: stores.places,
          held: signals.waiting,
          engineRestarts: stores.engineRestarts,
        },
      );
    } catch {
      // Reports matter more than their measurement: a second service on this machine runs without.
      log.warn(
        `${config.metricsHost} port ${config.metricsPort} is taken, or not of this machine: no OpenMetrics; choose others with --metrics-host and --metrics-port`,
      );
    }
  }
  const tracing = await openTracing(config.otel, log);
  const access = await createAccess({ ledger, config, clock });
  const estimates = await openEstimates(ledger, families);
  const stopPoller = startLedgerPoller({ ledger, signals, log });
  const seeTime = watchTime({ ledger, log, clock, largestGapMs });
  await seeTime();
  // Before anything is claimed: what is under way now belongs to a service that is gone.
  await reclaimOrphans({ ledger, log, clock, config });
  const deliveries = startDeliveries({
    ledger,
    families,
    log,
    clock,
    config,
    base: config.publicUrl && `${config.publicUrl}${BASES[0]}`,
  });
  const forms = createForms({ results, facts, files, log });
  const worker = startWorker({
    ledger,
    facts,
    results,
    forms,
    signals,
    estimates,
    log,
    clock,
    config,
    onGathered: (kind, ms, outcome) => {
      metrics?.onGathered(kind, ms, outcome);
      deliveries.wake();
    },
    traced: tracing?.run,
    seeTime,
  });
  const reading = startReadThread();
  const maintenance = await startMaintenance({
    ledger,
    facts,
    results,
    log,
    clock,
    config,
    data: config.data,
    places: stores.places,
  });
  const app = await buildApp({
    config,
    ledger,
    facts,
    results,
    forms,
    access,
    worker,
    signals,
    estimates,
    families,
    deliveries,
    consoleFiles,
    spoolFolder,
    readBody: reading.read,
    log,
    clock,
    stopping: () => stopping,
    metrics,
    tracing,
  });
  metrics?.watch(app.server);
  const endConnections = watchConnections(app.server);

  async function closeServer(): Promise<void> {
    if (app.server.listening) await sleep(config.drainSeconds * 1000);
    const cut = setTimeout(() => app.server.closeAllConnections(), CUT_MS);
    await app.close();
    clearTimeout(cut);
  }

  async function close(): Promise<void> {
    stopping = true;
    signals.stop();
    stopPoller();
    endConnections();
    await Promise.all([closeServer(), worker.stop(), maintenance.stop()]);
    await Promise.all([deliveries.stop(), forms.close()]);
    await Promise.all([reading.close(), metrics?.close(), tracing?.close()]);
    await stores.close();
  }

  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new Error(`port ${config.port} on ${config.host} is taken; choose another with --port`);
    throw error;
  }
  const { port } = app.server.address() as AddressInfo;
  const shown = config.host.includes(':') ? `[${config.host}]` : config.host;
  const origin = config.publicUrl ?? `http://${shown}:${port}`;
  // Only links to the console need it.
  await writeFile(join(config.data, ORIGIN_FILE), `${origin}\n`, { mode: 0o600 }).catch(() => undefined);
  const baseUrl = `${origin}${BASES[0]}`;
  const hasConsole = consoleFiles !== undefined;
  return { origin, baseUrl, metricsPort: metrics?.port, hasConsole, stores, routes: app.routeTable, close };
}

/** The facts, with what a rendering took told of: the worker and the retrievals both have them made. */
function timeRenders(facts: Facts, onRendered: (ms: number) => void): Facts {
  return {
    ...facts,
    async render(...asked) {
      const began = performance.now();
      await facts.render(...asked);
      onRendered(performance.now() - began);
    },
  };
}

/** Opens the stores and starts the service. */
export async function serve(config: Config, log: Logger): Promise<Service> {
  const stores = await openStores(config, log);
  await chmod(config.data, 0o700);
  try {
    return await startService(config, log, stores);
  } catch (error) {
    await stores.close().catch(() => undefined);
    throw error;
  }
}

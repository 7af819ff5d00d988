/** The only wiring: config → stores → app → listen. */
import { chmod, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { checkExternalIssuer, createAccess } from './access/access.ts';
import { ensureBootstrapClient } from './access/clients.ts';
import { buildApp } from './app.ts';
import type { Config } from './config/config.ts';
import { hostInAddress } from './config/setting.ts';
import { startConnecting } from './connect.ts';
import type { ConnectionParts } from './connections/asking.ts';
import { readConsole } from './console/files.ts';
import type { Facts } from './facts/facts.ts';
import { createFamilies } from './families/index.ts';
import { createSignals } from './gather/signals.ts';
import { LARGEST_GAP_MS } from './gather/time.ts';
import type { RouteEntry } from './http/route-table.ts';
import { BASES } from './mount-routes.ts';
import { lowerV8Threads } from './nice.ts';
import type { Metrics } from './observability/openmetrics.ts';
import { openTracing } from './observability/tracing.ts';
import { createGroupEvents } from './requests/group-events.ts';
import { openStores, type Stores } from './stores.ts';
import { startWork } from './work.ts';

export interface Service {
  /** `http://host:port`, with the base path if there is one. */
  origin: string;
  /** The base URL for clients, `{origin}/v1`. */
  baseUrl: string;
  metricsPort: number | undefined;
  /** Whether a console is served at the origin. */
  hasConsole: boolean;
  stores: Stores;
  /** Every route of the service. */
  routes: readonly RouteEntry[];
  /**
   * Continues to answer for `drainSeconds`, then stops accepting, finishes requests in progress and returns unfinished
   * reports to the queue.
   */
  close(): Promise<void>;
}

/** The file in the data folder with the origin of the service that runs on it, or last ran; commands read it. */
export const ORIGIN_FILE = 'origin';
/** How long an answer in progress may take once the service stops; then its connection is cut. */
const CUT_MS = 7500;

interface ServiceOptions {
  /** Milliseconds since 1970 UTC; by default that of the ledger. */
  clock?: () => number;
  families?: ReturnType<typeof createFamilies> | undefined;
  /** A larger step of the clock counts as this much (gather/time.ts). */
  largestGapMs?: number;
  /** What connections are made with; by default they are read from their points of sale. */
  connections?: ConnectionParts;
  /** Called with a sentence about what the service does without; by default it is logged. */
  warn?: (text: string) => void;
}

/** Starts the service over opened stores; `close` closes them too. Throws if the address cannot be listened on. */
export async function startService(
  config: Config,
  log: Logger,
  stores: Stores,
  options: ServiceOptions = {},
): Promise<Service> {
  const { clock = stores.ledger.clock ?? Date.now, families = createFamilies() } = options;
  const { largestGapMs = LARGEST_GAP_MS, warn = (text: string) => log.warn(text) } = options;
  let stopping = false;
  const { results, spoolFolder } = stores;
  // A caller that passes a clock sets that of the ledger too. A ledger on a server has its own clock, shared by all
  // nodes.
  const ledger: Stores['ledger'] = stores.ledger.shared
    ? stores.ledger
    : Object.create(stores.ledger, { now: { value: async () => clock() } });
  const consoleFiles = readConsole(config.console, config.basePath);
  const signals = createSignals();
  checkExternalIssuer(config);
  if (config.bootstrapClient) await ensureBootstrapClient(ledger, config.bootstrapClient, clock());
  const metrics = await openMetrics(config, warn, stores, { log, clock, held: signals.waiting });
  const tracing = await openTracing(config.otel, log);
  const access = await createAccess({ ledger, config, clock });
  const facts = timeRenders(stores.facts, (ms) => metrics?.onRendered(ms));
  // Before any work starts, so that no change of a report is missed.
  const groupEvents = createGroupEvents({ ledger, signals, clock });
  const shared = { config, log, clock, families, signals, metrics, tracing };
  const work = await startWork({ ...shared, stores: { ...stores, ledger, facts }, largestGapMs });
  const { forms, worker, estimates, deliveries, readBody, readLists } = work;
  const connecting =
    config.connections && !options.connections
      ? await startConnecting({
          config,
          log,
          clock,
          metrics,
          stores: { ...stores, ledger, facts },
          groupEvents,
          readBody,
        })
      : undefined;
  const app = await buildApp({
    ...shared,
    ledger,
    facts,
    results,
    access,
    forms,
    worker,
    estimates,
    deliveries,
    readBody,
    readLists,
    places: stores.places,
    folder: stores.folder,
    engineRestarts: stores.engineRestarts,
    startedAt: clock(),
    hasServers: ledger.shared,
    groupEvents,
    connections: config.connections ? (options.connections ?? connecting?.parts) : undefined,
    consoleFiles,
    spoolFolder,
    stopping: () => stopping,
  });
  metrics?.watch(app.server);

  async function closeServer(): Promise<void> {
    if (app.server.listening) await sleep(config.drainSeconds * 1000);
    const cut = setTimeout(() => app.server.closeAllConnections(), CUT_MS);
    await app.close();
    clearTimeout(cut);
  }

  async function close(): Promise<void> {
    stopping = true;
    signals.stop();
    groupEvents.stop();
    app.endConnections();
    await Promise.all([closeServer(), work.stop(), connecting?.stop()]);
    await work.close();
    await Promise.all([metrics?.close(), tracing?.close()]);
    await stores.close();
  }

  const origin = await listen(app, config).catch(async (error: Error) => {
    await close();
    throw error;
  });
  // Only links to the console use the file, so a failure is ignored.
  await writeFile(join(config.data, ORIGIN_FILE), `${origin}\n`, { mode: 0o600 }).catch(() => undefined);
  const baseUrl = `${origin}${BASES[0]}`;
  const hasConsole = consoleFiles !== undefined;
  return { origin, baseUrl, metricsPort: metrics?.port, hasConsole, stores, routes: app.routeTable, close };
}

/** Listens. Returns the origin that clients see; throws Error with a sentence if the port is taken. */
async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`port ${config.port} on ${config.host} is taken; choose another with --port`);
  }
  const { port } = app.server.address() as AddressInfo;
  return config.publicUrl ?? `http://${hostInAddress(config.host)}:${port}${config.basePath}`;
}

/** Starts OpenMetrics if the settings enable it and its port is free. */
async function openMetrics(
  config: Config,
  warn: (text: string) => void,
  stores: Stores,
  { log, ...more }: { log: Logger; clock: () => number; held: () => number },
): Promise<Metrics | undefined> {
  if (config.metricsPort === undefined) return undefined;
  const { ledger, facts, results, places, engineRestarts } = stores;
  // Their library takes some 60 ms of a start.
  const { startMetrics } = await import('./observability/openmetrics.ts');
  try {
    const at = { host: config.metricsHost, port: config.metricsPort, config, log };
    return await startMetrics(at, { ledger, facts, results, places, engineRestarts, data: config.data, ...more });
  } catch {
    // Reports matter more than metrics: a second service on this machine runs without them.
    warn(
      `${config.metricsHost} port ${config.metricsPort} is taken, or not of this machine: no OpenMetrics; choose others with --metrics-host and --metrics-port`,
    );
    return undefined;
  }
}

/** The facts, reporting the duration of each rendering, whether for the worker or for a retrieval. */
function timeRenders(facts: Facts, onRendered: (ms: number) => void): Facts {
  return {
    ...facts,
    async render(...requested) {
      const began = performance.now();
      const rows = await facts.render(...requested);
      onRendered(performance.now() - began);
      return rows;
    },
  };
}

/** Opens the stores and starts the service. */
export async function serve(config: Config, log: Logger): Promise<Service> {
  lowerV8Threads();
  const stores = await openStores(config, log);
  await chmod(config.data, 0o700);
  try {
    return await startService(config, log, stores);
  } catch (error) {
    await stores.close().catch(() => undefined);
    throw error;
  }
}

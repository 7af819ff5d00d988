/** Mounts the routes of all rooms, each with its dependencies. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Access } from './access/access.ts';
import { openBasic } from './access/basic.ts';
import { createMemoryCounters } from './access/counters.ts';
import { openCredentials } from './access/credentials.ts';
import { guardOperations } from './access/guard-operations.ts';
import { createKeyTurns } from './access/idempotency.ts';
import { openLimits } from './access/limits.ts';
import { createPlaces } from './access/places.ts';
import { accessRoutes } from './access/routes.ts';
import { sessionRoutes } from './access/session-routes.ts';
import { createSharedCounters } from './access/shared-counters.ts';
import { accessAdminRoutes } from './admin/access-routes.ts';
import { clientRoutes } from './admin/client-routes.ts';
import { groupRoutes } from './admin/group-routes.ts';
import type { Config } from './config/config.ts';
import type { ConnectionParts } from './connections/asking.ts';
import { connectedFromOf } from './connections/connected-from.ts';
import { connectionRoutes } from './connections/routes.ts';
import type { ConsoleFiles } from './console/files.ts';
import { consoleRoutes } from './console/routes.ts';
import { downloadRoutes } from './deliver/download-routes.ts';
import { createRepresentations } from './deliver/representations.ts';
import type { DeliverDeps } from './deliver/retrieval.ts';
import { deliverRoutes } from './deliver/routes.ts';
import { pageRoutes } from './docs-site/routes.ts';
import type { Facts } from './facts/facts.ts';
import type { Families } from './families/index.ts';
import type { Estimates } from './gather/estimate.ts';
import type { Signals } from './gather/signals.ts';
import type { Worker } from './gather/worker.ts';
import { tagJson } from './http/conditional.ts';
import { compressTexts } from './http/content-coding.ts';
import { readJson } from './http/host-and-body.ts';
import { importRoutes, openImportLanes } from './import/routes.ts';
import type { ReadLists } from './ingest/lists.ts';
import { LOAD_PATHS, type LoadDeps } from './ingest/load.ts';
import type { ReadBody } from './ingest/read.ts';
import { ingestRoutes } from './ingest/routes.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Metrics } from './observability/openmetrics.ts';
import { causeOf, traceOf } from './observability/request-log.ts';
import { healthRoutes, observabilityRoutes } from './observability/routes.ts';
import type { Tracing } from './observability/tracing.ts';
import { describeRoutes } from './openapi/openapi.ts';
import { openapiRoutes } from './openapi/routes.ts';
import { createRoutes } from './requests/create-routes.ts';
import { eventRoutes } from './requests/events.ts';
import { groupEventRoutes } from './requests/group-event-routes.ts';
import type { GroupEvents } from './requests/group-events.ts';
import { manageRoutes } from './requests/list-routes.ts';
import { reportRoutes } from './requests/report-routes.ts';
import { totalsRoutes } from './requests/totals-routes.ts';
import { daypartRoutes } from './restaurants/daypart-routes.ts';
import { loadedRoutes } from './restaurants/loaded-routes.ts';
import { recordRoutes } from './restaurants/record-routes.ts';
import { restaurantRoutes } from './restaurants/routes.ts';
import type { Forms } from './results/forms.ts';
import type { Results } from './results/results.ts';
import type { FolderWatch } from './storage/folder-watch.ts';
import type { StorePlaces } from './storage/store-place.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import type { Deliveries } from './webhooks/webhooks.ts';

export interface AppDeps {
  config: Config;
  ledger: Ledger;
  facts: Facts;
  results: Results;
  forms: Forms;
  access: Access;
  worker: Worker;
  signals: Signals;
  estimates: Estimates;
  groupEvents: GroupEvents;
  families: Families;
  /** Sends the deliveries of webhooks. */
  deliveries: Deliveries;
  /** Undefined if there are no connections. */
  connections: ConnectionParts | undefined;
  /** Undefined if no console is served. */
  consoleFiles: ConsoleFiles | undefined;
  /** The folder in which loads are spooled. */
  spoolFolder: string;
  /** Read the bodies of loads, and of reference data and menus. */
  readBody: ReadBody;
  readLists: ReadLists;
  log: Logger;
  /** The places of the stores in the data folder. */
  places: StorePlaces;
  /** Undefined if the stores are on servers. */
  folder: FolderWatch | undefined;
  /** Whether the stores are servers that several nodes share. */
  hasServers: boolean;
  /** How often the reporting engine was restarted. */
  engineRestarts: () => number;
  startedAt: number;
  clock: () => number;
  stopping: () => boolean;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
}

/** The version prefixes of all API paths (docs/contract.md#operations). */
export const BASES = ['/v1', '/era/v1'] as const;

/** Bodies of reference data and menus of a group that are read at once: each may take 100 MB until it is stored. */
const MOST_LISTS = 4;
/** Questions to points of sale of a management group, each of which may take five minutes. */
const MOST_ASKING = 4;

/** Event streams of a group that each client may have open; a console uses one for all of its tabs. */
const MOST_STREAMS = 16;

/** The address of the service, as clients see it. */
export interface Addresses {
  /** `http://host:port`, with the base path if there is one. */
  originOf: (request: FastifyRequest) => string;
  /**
   * Whether the host that was called can only be this service: a name of others may lead here, and a page of theirs
   * would then be of the same origin. Without `--public-url` these are the loopback, the address that it listens on,
   * and any address where that is all of them.
   */
  isOwn: (request: FastifyRequest) => boolean;
  /** The base URL that was called, e.g. `http://127.0.0.1:8080/v1`. */
  baseOf: (request: FastifyRequest) => string;
}

/** Mounts all routes: those of the origin, then those of each base. Each room is given what it names, no more. */
export async function mountRoutes(app: FastifyInstance, deps: AppDeps, addresses: Addresses): Promise<void> {
  const { access, clock, config, consoleFiles, estimates, facts, families, folder, forms, hasServers, ledger } = deps;
  const { log, results, signals, stopping, worker } = deps;
  const { originOf: origin, isOwn, baseOf } = addresses;
  // Before the routes: all of their answers have the remaining quota.
  const counters = ledger.shares ? createSharedCounters(ledger.shares) : createMemoryCounters();
  const onLimited = deps.metrics?.onLimited;
  const limits = openLimits(app, { config, counters, ledger, clock, families: families.all, onLimited });
  const credentials = await openCredentials({ ledger, config, clock, counters });
  guardOperations(app, access, limits, openBasic(credentials, config));
  await app.register(observabilityRoutes, { ledger, facts, results, log, hasServers, folder, stopping });
  // Every node answers probes. A node without the API role has no client credentials, so a balancer must not send it
  // calls.
  if (!config.roles.includes('api')) return;
  await app.register(pageRoutes, {
    config,
    clock,
    origin,
    site: { hasConsole: consoleFiles !== undefined },
    description: (called) => describeRoutes(app.routeTable, { origin: called, bases: BASES }),
  });
  await app.register(consoleRoutes, { files: consoleFiles });
  await app.register(accessRoutes, { access, credentials, config, origin });
  await app.register(sessionRoutes, { access, credentials, config, counters, clock, origin, isOwn, readJson });
  await app.register(openapiRoutes, { bases: BASES, origin });
  // Created once, so that both bases share it: they serve the same reports and the same idempotency keys.
  const delivery: DeliverDeps & Pick<AppDeps, 'config' | 'ledger'> = {
    access,
    baseOf,
    causeOf,
    clock,
    config,
    estimates,
    facts,
    families,
    ledger,
    limits,
    log,
    places: createPlaces(config.clientDownloads),
    representations: createRepresentations({ forms, log, config }),
    signals,
    worker,
  };
  await app.register(downloadRoutes, { ...delivery, origin, isOwn, readJson });
  const mountBase = baseRoutes(deps, delivery);
  for (const prefix of BASES) await app.register(mountBase, { prefix });
}

function baseRoutes(deps: AppDeps, delivery: DeliverDeps): (base: FastifyInstance) => Promise<void> {
  const { access, clock, config, connections, deliveries, estimates, facts, families, forms, groupEvents } = deps;
  const { ledger, log, metrics, readBody, readLists, results, signals, spoolFolder, tracing, worker } = deps;
  const { engineRestarts, folder, hasServers, places, startedAt, stopping } = deps;
  const { limits, baseOf } = delivery;
  const inTurn = createKeyTurns(ledger.keyHolds, config.answerSeconds * 1000);
  const lists = createPlaces(MOST_LISTS);
  const asking = createPlaces(MOST_ASKING);
  const streams = createPlaces(MOST_STREAMS);
  const lanes = openImportLanes();
  const onMerged: LoadDeps['onMerged'] = (restaurant, kind, dates) =>
    groupEvents.loaded(restaurant, LOAD_PATHS[kind], dates);
  const loading = {
    ledger,
    facts,
    config,
    clock,
    spoolFolder,
    readBody,
    places: createPlaces(config.clientLoads),
    onMerged,
  };
  const creating = { ledger, worker, signals, clock, config, families, causeOf, baseOf };
  const reporting = { ledger, facts, access, signals, estimates, families, clock, config, baseOf };
  const checking = { ledger, facts, results, log, hasServers, folder, stopping };
  const admin = { ledger, access, clock };
  return async (base) => {
    tagJson(base);
    compressTexts(base, 'application/json');
    await base.register(restaurantRoutes, { ledger, facts, config, readLists, lists });
    await base.register(loadedRoutes, { ledger, facts, clock });
    await base.register(recordRoutes, { ledger, facts });
    await base.register(daypartRoutes, { ledger, clock });
    await base.register(ingestRoutes, {
      ...loading,
      inTurn,
      traced: tracing?.run,
      traceOf,
      onLoaded: metrics?.onLoaded,
    });
    await base.register(importRoutes, { ...loading, connectedFrom: connectedFromOf(ledger), lanes });
    await base.register(createRoutes, creating);
    await base.register(deliverRoutes, delivery);
    await base.register(reportRoutes, reporting);
    await base.register(totalsRoutes, { ...reporting, forms });
    await base.register(eventRoutes, { ledger, access, signals, families, clock });
    await base.register(groupEventRoutes, { access, groupEvents, streams });
    if (connections)
      await base.register(connectionRoutes, { ...connections, ledger, facts, config, clock, asking, inTurn });
    await base.register(webhookRoutes, { ledger, deliveries, clock, config });
    await base.register(healthRoutes, { ...checking, clock, config, places, engineRestarts, startedAt });
    await base.register(clientRoutes, admin);
    await base.register(accessAdminRoutes, admin);
    await base.register(groupRoutes, { ...admin, limits });
    await base.register(manageRoutes, { ledger, results, worker, signals, families, clock });
  };
}

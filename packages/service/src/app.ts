/** The HTTP application: every option of Fastify, the error body, the routes. Never listens; tests use the very same. */
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Access } from './access/access.ts';
import { allowOrigins } from './access/cors.ts';
import { createMemoryCounters } from './access/counters.ts';
import { openCredentials } from './access/credentials.ts';
import { createTurns } from './access/idempotency.ts';
import { openLimits } from './access/limits.ts';
import { createPlaces } from './access/places.ts';
import { accessRoutes } from './access/routes.ts';
import { sessionRoutes } from './access/session-routes.ts';
import type { Config } from './config.ts';
import { boundConnections, timeoutsOf } from './connections.ts';
import type { ConsoleFiles } from './console/files.ts';
import { consoleRoutes, sendShell } from './console/routes.ts';
import { downloadRoutes } from './deliver/download-routes.ts';
import { createRepresentations } from './deliver/representations.ts';
import { deliverRoutes } from './deliver/routes.ts';
import { pageRoutes } from './docs-site/routes.ts';
import { sendUnknownPage, wantsPage } from './docs-site/unknown.ts';
import type { Facts } from './facts/facts.ts';
import { asProblem } from './facts/problem.ts';
import type { Families } from './families/index.ts';
import type { Estimates } from './gather/estimate.ts';
import type { Signals } from './gather/signals.ts';
import type { Worker } from './gather/worker.ts';
import { hostOf, NOSNIFF, obeyHttp, readJson } from './http.ts';
import type { ReadBody } from './ingest/read.ts';
import { ingestRoutes } from './ingest/routes.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Metrics } from './observability/openmetrics.ts';
import { causeOf, requestFields, requestIdOf, traceOf, watchRequests } from './observability/request-log.ts';
import { observabilityRoutes } from './observability/routes.ts';
import type { Tracing } from './observability/tracing.ts';
import { describeRoutes } from './openapi/describe-routes.ts';
import { openapiRoutes } from './openapi/routes.ts';
import type { Operation } from './operation.ts';
import { Problem, problemBody } from './problems.ts';
import { createRoutes } from './requests/create-routes.ts';
import { eventRoutes } from './requests/events.ts';
import { manageRoutes } from './requests/list-routes.ts';
import { reportRoutes } from './requests/report-routes.ts';
import { loadedRoutes } from './restaurants/loaded-routes.ts';
import { restaurantRoutes } from './restaurants/routes.ts';
import type { Forms } from './results/forms.ts';
import type { Results } from './results/results.ts';
import type { Deliveries } from './webhooks/deliveries.ts';
import { webhookRoutes } from './webhooks/routes.ts';

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
  families: Families;
  /** Sends what webhooks wait for. */
  deliveries: Deliveries;
  /** Undefined where none is served. */
  consoleFiles: ConsoleFiles | undefined;
  /** Where loads are spooled. */
  spoolFolder: string;
  /** How the bodies of loads are read. */
  readBody: ReadBody;
  log: Logger;
  clock: () => number;
  stopping: () => boolean;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
}

export interface RouteEntry {
  method: string;
  /** As Fastify has it: `/v1/metrics/:guid`. */
  url: string;
  operation: Operation | undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route, for the 405 of a wrong method, for the description and for tests that go over all of them. */
    routeTable: readonly RouteEntry[];
  }
}

/** The version segments under which everything but the origin's own places is served (docs/contract.md#operations). */
export const BASES = ['/v1', '/era/v1'] as const;

/** Creates are small: 1 MiB (docs/contract.md#creating-report-requests). Loading has no limit, reference data its own. */
const BODY_LIMIT = 1024 * 1024;

/** Builds the application. The caller listens, and closes it. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, log, consoleFiles } = deps;
  const originOf = (request: FastifyRequest): string => config.publicUrl ?? `http://${hostOf(request)}`;
  const baseOf = (request: FastifyRequest): string =>
    originOf(request) + (BASES.find((base) => request.url.startsWith(`${base}/`)) ?? BASES[0]);

  const timeouts = timeoutsOf(config);
  const app = Fastify({
    logger: false,
    genReqId: (raw) => requestIdOf(raw.headers['x-request-id']),
    bodyLimit: BODY_LIMIT,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1000 },
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, allErrors: true } },
    // While stopping, what is in flight is finished; a new request on an open connection is answered, then closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // requireHostHeader: its refusal would have no body, see obeyHttp.
    http: { requireHostHeader: false, ...timeouts.http },
    requestTimeout: timeouts.requestTimeout,
    frameworkErrors: (_error, request, reply) => {
      answer(new Problem('route_not_found', 'The path cannot be read.'), request, reply as unknown as FastifyReply);
      log.info({ requestId: request.id, method: request.method, status: 404 }, 'a path that cannot be read');
    },
    clientErrorHandler: (error, socket) => onClientError(error, socket),
  });
  const patterns: (RouteEntry & { pattern: RegExp })[] = [];
  app.decorate('routeTable', patterns);

  function answer(problem: Problem, request: FastifyRequest, reply: FastifyReply): void {
    for (const [name, value] of Object.entries(problem.extras.headers ?? {})) reply.header(name, value);
    const forPerson = problem.code === 'route_not_found' && wantsPage(request);
    if (forPerson && sendShell(consoleFiles, request, reply)) return;
    request.problem = problem.code;
    if (forPerson) {
      sendUnknownPage(request, reply, problem.message);
      return;
    }
    const [instance = '/'] = request.url.split('?');
    const body = problemBody(problem, { origin: originOf(request), instance, requestId: request.id });
    // A path that cannot be read reaches no hook.
    reply
      .status(problem.status)
      .headers({ ...NOSNIFF, 'x-request-id': request.id })
      .type('application/problem+json; charset=utf-8')
      .send(JSON.stringify(body));
  }

  app.decorateRequest('caller', null);
  obeyHttp(app);
  // An operation without a body reads none: a DELETE may come with one, or with a Content-Type and nothing else.
  app.addHook('onRequest', ({ method, headers, routeOptions }, _reply, done) => {
    const { operation } = routeOptions.config;
    if (method !== 'GET' && operation !== undefined && operation.body === undefined) {
      for (const name of ['content-type', 'content-length', 'transfer-encoding']) delete headers[name];
    }
    done();
  });
  // Before routes are listed: its preflight is none of the operations.
  await allowOrigins(app, config.corsOrigins);
  app.addHook('onRoute', (route) => {
    const pattern = new RegExp(`^${route.url.replace(/[.]/g, '\\.').replace(/:[A-Za-z]+/g, '[^/]+')}/?$`);
    const operation = route.config?.operation;
    for (const method of [route.method].flat()) patterns.push({ method, url: route.url, operation, pattern });
  });
  watchRequests(app, deps);
  const onClientError = boundConnections(app, { config, log, answer });

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = toProblem(asProblem(error));
    // What the sandbox answers on purpose has no cause.
    if (problem.status >= 500 && problem.cause !== undefined && problem.code !== 'unavailable') {
      log.error({ err: problem.cause, ...requestFields(request) }, problem.message);
    }
    answer(problem, request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    const [path = '/'] = request.url.split('?');
    const allowed = new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method));
    if (allowed.size === 0) {
      answer(
        new Problem('route_not_found', `${request.method} ${path} is not an operation of this service.`),
        request,
        reply,
      );
      return;
    }
    const allow = [...allowed].sort().join(', ');
    answer(
      new Problem('method_not_allowed', `${request.method} is not possible here; ${allow} is.`, { headers: { allow } }),
      request,
      reply,
    );
  });

  const limits = openLimits(app, {
    config,
    counters: createMemoryCounters(),
    clock: deps.clock,
    families: deps.families.all,
    onLimited: deps.metrics?.onLimited,
  });
  await app.register(observabilityRoutes, deps);
  await app.register(pageRoutes, {
    ...deps,
    origin: originOf,
    description: (origin) => describeRoutes(app.routeTable, { origin, bases: BASES }),
  });
  await app.register(consoleRoutes, { files: consoleFiles });
  const credentials = await openCredentials(deps);
  await app.register(accessRoutes, { ...deps, credentials, origin: originOf });
  await app.register(sessionRoutes, { ...deps, credentials, origin: originOf, readJson });
  await app.register(openapiRoutes, { bases: BASES, origin: originOf });
  // Once for both bases: the same report and the same key are meant under each.
  const representations = createRepresentations({ forms: deps.forms, log, config });
  const inTurn = createTurns();
  const loads = createPlaces(config.clientLoads);
  const downloads = createPlaces(config.clientDownloads);
  const delivered = { ...deps, limits, representations, places: downloads, baseOf, causeOf };
  await app.register(downloadRoutes, { ...delivered, origin: originOf, readJson });
  for (const prefix of BASES) {
    await app.register(
      async (base) => {
        await base.register(restaurantRoutes, deps);
        await base.register(loadedRoutes, deps);
        await base.register(ingestRoutes, {
          ...deps,
          inTurn,
          places: loads,
          traced: deps.tracing?.run,
          traceOf,
          onLoaded: deps.metrics?.onLoaded,
        });
        await base.register(createRoutes, { ...deps, limits, baseOf, causeOf });
        await base.register(deliverRoutes, delivered);
        await base.register(reportRoutes, { ...deps, baseOf });
        await base.register(eventRoutes, deps);
        await base.register(webhookRoutes, deps);
        await base.register(manageRoutes, deps);
      },
      { prefix },
    );
  }
  return app;
}

/** What Fastify itself throws, in our words; everything unforeseen is a 500 whose cause only the log knows. */
function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code, statusCode } = error as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('body_too_large', 'The body is longer than this operation takes.');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Problem('unsupported_media_type', 'The body must be application/json.');
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Problem('malformed_request', 'The request could not be read.', { cause: error });
  }
  return new Problem('internal_error', 'An unexpected error occurred. Quote the requestId to the operator.', {
    cause: error,
  });
}

/** The HTTP application: every option of Fastify, the error body, the routes. Never listens; tests use the very same. */
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { allowOrigins } from './access/cors.ts';
import { boundConnections, timeoutsOf } from './connections.ts';
import { hostOf, obeyHttp } from './http.ts';
import { type Addresses, type AppDeps, BASES, mountRoutes } from './mount-routes.ts';
import { requestIdOf, watchRequests } from './observability/request-log.ts';
import { answerProblems, createAnswer } from './problem-answers.ts';
import { Problem } from './problems.ts';
import { keepRouteTable } from './route-table.ts';

/** Creates are small: 1 MiB (docs/contract.md#creating-report-requests). Loading has no limit, reference data its own. */
const BODY_LIMIT = 1024 * 1024;

/** Builds the application. The caller listens, and closes it. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, log, consoleFiles } = deps;
  const addresses = addressesOf(config.publicUrl);
  const answer = createAnswer({ originOf: addresses.originOf, consoleFiles });
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
      answer(new Problem('route_not_found', 'The path cannot be read.'), request, reply as FastifyReply);
      log.info({ requestId: request.id, method: request.method, status: 404 }, 'a path that cannot be read');
    },
    clientErrorHandler: (error, socket) => onClientError(error, socket),
  });

  app.decorateRequest('caller', null);
  obeyHttp(app);
  ignoreUnreadBodies(app);
  // Before routes are listed: its preflight is none of the operations.
  await allowOrigins(app, config.corsOrigins);
  const methodsAt = keepRouteTable(app);
  watchRequests(app, deps);
  const onClientError = boundConnections(app, { config, log, answer });
  answerProblems(app, { answer, methodsAt, log });
  await mountRoutes(app, deps, addresses);
  return app;
}

function addressesOf(publicUrl: string | undefined): Addresses {
  const originOf: Addresses['originOf'] = (request) => publicUrl ?? `http://${hostOf(request)}`;
  return {
    originOf,
    baseOf: (request) => originOf(request) + (BASES.find((base) => request.url.startsWith(`${base}/`)) ?? BASES[0]),
  };
}

/** An operation without a body reads none: a DELETE may come with one, or with a Content-Type and nothing else. */
function ignoreUnreadBodies(app: FastifyInstance): void {
  app.addHook('onRequest', ({ method, headers, routeOptions }, _reply, done) => {
    const { operation } = routeOptions.config;
    if (method !== 'GET' && operation !== undefined && operation.body === undefined) {
      for (const name of ['content-type', 'content-length', 'transfer-encoding']) delete headers[name];
    }
    done();
  });
}

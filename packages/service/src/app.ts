/**
 * The HTTP application: the options of Fastify, the error body, the routes. It does not listen, so tests use the same
 * application.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { allowOrigins } from './access/cors.ts';
import { type Config, isLoopback } from './config/config.ts';
import { Problem } from './contract/problems.ts';
import { refuseOutside, targetReader } from './http/base-path.ts';
import { boundConnections, timeoutsOf } from './http/connections.ts';
import { obeyHttp } from './http/host-and-body.ts';
import { checkHead, hostOf } from './http/request-head.ts';
import { keepRouteTable } from './http/route-table.ts';
import { refuseWithoutFolder } from './http/store-problem.ts';
import { refuseUndeclared } from './http/undeclared.ts';
import { type Addresses, type AppDeps, BASES, mountRoutes } from './mount-routes.ts';
import { requestIdOf, watchRequests } from './observability/request-log.ts';
import { answerProblems, createAnswer } from './problem-answers.ts';

/** For create calls: 1 MiB (docs/contract.md#creating-report-requests). Loads have no limit, reference data its own. */
const BODY_LIMIT = 1024 * 1024;

/** Builds the application. The caller makes it listen, and closes it. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, log, consoleFiles } = deps;
  const addresses = addressesOf(config);
  const answer = createAnswer({ originOf: addresses.originOf, consoleFiles, basePath: config.basePath });
  const timeouts = timeoutsOf(config);
  const app = Fastify({
    logger: false,
    genReqId: (raw) => requestIdOf(raw.headers['x-request-id']),
    bodyLimit: BODY_LIMIT,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1000 },
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, allErrors: true } },
    // While stopping, requests in progress are finished; a new request on an open connection is answered, then the
    // connection is closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // requireHostHeader: Node's own refusal has no body; obeyHttp checks the header instead.
    http: { requireHostHeader: false, ...timeouts.http },
    requestTimeout: timeouts.requestTimeout,
    rewriteUrl: targetReader(config.basePath),
    frameworkErrors: (_error, request, reply) => {
      const problem = problemOfPath(request.raw);
      answer(problem, request, reply as FastifyReply);
      const { status } = problem;
      log.info({ requestId: request.id, method: request.method, status }, 'a path that cannot be read');
    },
    clientErrorHandler: (error, socket) => onClientError(error, socket),
  });

  app.decorateRequest('caller', null);
  obeyHttp(app);
  refuseUndeclared(app);
  // Before routes are listed: its preflight route is not an operation of the API.
  await allowOrigins(app, config.corsOrigins);
  const methodsAt = keepRouteTable(app);
  watchRequests(app, deps);
  const onClientError = boundConnections(app, { config, log, answer });
  refuseWithoutFolder(app, deps.folder);
  refuseOutside(app, config.basePath);
  answerProblems(app, { answer, methodsAt, log, folder: deps.folder, basePath: config.basePath });
  await mountRoutes(app, deps, addresses);
  return app;
}

/** The problem of a request whose path cannot be read, which reaches no hook. */
function problemOfPath(raw: IncomingMessage): Problem {
  try {
    checkHead(raw);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  return new Problem('route_not_found', 'The path cannot be read.');
}

function addressesOf({ publicUrl, basePath, host }: Pick<Config, 'publicUrl' | 'basePath' | 'host'>): Addresses {
  const originOf: Addresses['originOf'] = (request) => publicUrl ?? `http://${hostOf(request)}${basePath}`;
  const isOwn: Addresses['isOwn'] = (request) => {
    const called = new URL(`http://${hostOf(request)}`).hostname.replace(/^\[|\]$/g, '');
    const isAny = host === '::' || host === '0.0.0.0';
    return publicUrl !== undefined || isLoopback(called) || called === host || (isAny && isIP(called) !== 0);
  };
  return {
    originOf,
    isOwn,
    baseOf: (request) => originOf(request) + (BASES.find((base) => request.url.startsWith(`${base}/`)) ?? BASES[0]),
  };
}

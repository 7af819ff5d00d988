/**
 * How errors are answered: with a problem for programs, with a page for a person who opened a path that does not exist.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { ConsoleFiles } from './console/files.ts';
import { sendShell } from './console/routes.ts';
import { Problem, type ProblemCode } from './contract/problems.ts';
import { sendUnknownPage, wantsPage } from './docs-site/unknown.ts';
import { calledPath, isOutside } from './http/base-path.ts';
import { varyBy } from './http/content-coding.ts';
import { NOSNIFF } from './http/host-and-body.ts';
import { problemBody } from './http/problem-body.ts';
import { nearestPath } from './http/route-table.ts';
import { asProblem, storeProblem } from './http/store-problem.ts';
import { requestFields } from './observability/request-log.ts';
import type { FolderWatch } from './storage/folder-watch.ts';

/** Their causes are logged where they are detected, once instead of for every call. */
const PASSING = new Set<ProblemCode>(['unavailable', 'store_unavailable']);

type AnswerProblem = (problem: Problem, request: FastifyRequest, reply: FastifyReply) => void;

/** Makes what answers a problem. `consoleFiles` is undefined if no console is served. */
export function createAnswer(deps: {
  originOf: (request: FastifyRequest) => string;
  consoleFiles: ConsoleFiles | undefined;
  basePath: string;
}): AnswerProblem {
  return (problem, request, reply) => {
    for (const [name, value] of Object.entries(problem.extras.headers ?? {})) reply.header(name, value);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (problem.code === 'route_not_found' && isRead) varyBy(reply, 'Accept');
    const forPerson = problem.code === 'route_not_found' && isRead && wantsPage(request);
    if (forPerson && !isOutside(request) && sendShell(deps.consoleFiles, request, reply)) return;
    request.problem = problem.code;
    if (forPerson) {
      const hasConsole = deps.consoleFiles !== undefined;
      sendUnknownPage(request, reply, { message: problem.message, basePath: deps.basePath, hasConsole });
      return;
    }
    const instance = calledPath(request, deps.basePath);
    const body = problemBody(problem, { origin: deps.originOf(request), instance, requestId: request.id });
    // A path that cannot be parsed reaches no hook.
    reply
      .status(problem.status)
      .headers({ ...NOSNIFF, 'x-request-id': request.id })
      .type('application/problem+json; charset=utf-8')
      .send(JSON.stringify(body));
  };
}

/** If a body is too large, up to this length of it is read and discarded; beyond that the connection is closed. */
const MOST_DISCARDED = 64 * 1024 * 1024;

interface ProblemDeps {
  answer: AnswerProblem;
  methodsAt: (path: string) => string[];
  log: Logger;
  /** Undefined if the stores are on servers. */
  folder: FolderWatch | undefined;
  basePath: string;
}

const problemOf = (error: unknown): Problem => storeProblem(error) ?? toProblem(asProblem(error));

/** The problem of a data folder that is lost. */
function lossOf(folder: FolderWatch | undefined): Problem | undefined {
  try {
    folder?.check();
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}

/** Answers errors thrown by routes, and requests for which there is no route. */
export function answerProblems(app: FastifyInstance, deps: ProblemDeps): void {
  const { answer, methodsAt, log, folder, basePath } = deps;
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const found = problemOf(error);
    // What fails in a folder that is lost fails because of that.
    const problem = (found.status >= 500 && lossOf(folder)) || found;
    // The deliberate failures of the sandbox have no cause.
    if (problem.status >= 500 && problem.cause !== undefined && !PASSING.has(problem.code)) {
      log.error({ err: problem.cause, ...requestFields(request) }, problem.message);
    }
    // Fastify would close the connection with the rest of the body unread; a proxy in between would then lose the
    // answer.
    if (problem.code === 'body_too_large' && Number(request.headers['content-length']) <= MOST_DISCARDED)
      reply.removeHeader('connection');
    answer(problem, request, reply);
  });
  // Not a handler of the framework: it refuses some methods by their headers before it calls one.
  app.addHook('onRequest', (request, reply, done) => {
    const { method } = request;
    if (method !== 'OPTIONS' && !request.is404) return done();
    const [path = '/'] = request.url.split('?');
    const allow = methodsAt(path).join(', ');
    // A cache may store a 404 and a 405 that say nothing (RFC 9110 15.1).
    reply.header('cache-control', 'no-store');
    if (method === 'OPTIONS' && (allow !== '' || request.corsPreflightEnabled)) {
      // Past the framework, which would add a length of 0 (RFC 9110 8.6).
      if (allow !== '') reply.header('allow', allow);
      reply.hijack();
      reply.raw.writeHead(204, reply.getHeaders() as OutgoingHttpHeaders).end();
      return;
    }
    const meant = nearestPath(app.routeTable, path);
    done(unknownRoute(method, basePath + path, { allow, meant: meant && basePath + meant }));
  });
}

function unknownRoute(method: string, path: string, { allow, meant }: { allow: string; meant: string | undefined }) {
  const hint = meant === undefined ? '.' : `; did you mean ${meant}?`;
  return allow.split(', ').includes(method) || allow === ''
    ? new Problem('route_not_found', `${method} ${path} is not an operation of this service${hint}`)
    : new Problem('method_not_allowed', `${method} is not possible here; ${allow} is.`, { headers: { allow } });
}

/** Turns errors of Fastify into problems; an unexpected error becomes a 500 whose cause is only logged. */
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

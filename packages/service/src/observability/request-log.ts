/** Tracks every request: its id, its trace, its log line, its metrics. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { ProblemCode } from '../contract/problems.ts';
import { beginTrace, type Cause, readTraceparent, type Trace, traceparentOf } from '../contract/trace.ts';
import { READ_METHODS } from '../http/store-problem.ts';
import type { Metrics } from './openmetrics.ts';
import type { ServerSpan, Tracing } from './tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until `traceOf` is called: most requests never need it. */
    trace: Trace | null;
    /** The code of the problem in its answer. */
    problem: ProblemCode | null;
  }
}

interface RequestsDeps {
  log: Logger;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
}

const REQUEST_ID = /^[A-Za-z0-9._~-]{1,128}$/;
/** A read that takes longer is logged at level info: it was held, or is slow. */
const SLOW_MS = 1000;
/** The status in log and metrics for a client that disconnected before there was an answer. Not a status of HTTP. */
const LEFT = 499;

/** A caller's own request id is used if it is safe to log. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();
}

/** The trace of the request; a new one if the request has none. */
export function traceOf(request: FastifyRequest): Trace {
  request.trace ??= readTraceparent(request.headers.traceparent) ?? beginTrace();
  return request.trace;
}

/** What is stored about a request with the work that it causes. */
export const causeOf = (request: FastifyRequest): Cause => ({
  requestId: request.id,
  traceparent: traceparentOf(traceOf(request)),
});

/** The fields of every log line about a request. The route is its pattern, because a path may contain anything. */
export const requestFields = (request: FastifyRequest) => ({
  requestId: request.id,
  traceId: traceOf(request).traceId,
  method: request.method,
  route: request.routeOptions.url ?? null,
});

/**
 * Tracks the requests of an app until their answers end, including those that are cut off. A log line
 * costs 25 µs, a third of a small retrieval, so plain reads are logged only at level debug.
 */
export function watchRequests(app: FastifyInstance, { log, metrics, tracing }: RequestsDeps): void {
  app.decorateRequest('trace', null);
  app.decorateRequest('problem', null);

  function end(request: FastifyRequest, reply: FastifyReply, began: number, span: ServerSpan | undefined): void {
    const { raw } = reply;
    const status = raw.headersSent ? raw.statusCode : LEFT;
    const ms = performance.now() - began;
    metrics?.onRequest(request.method, request.routeOptions.url, status, ms);
    span?.end(status);
    const plain = READ_METHODS.has(request.method) && status < 400 && ms < SLOW_MS;
    const level = plain ? 'debug' : 'info';
    if (!log.isLevelEnabled(level)) return;
    const line: Record<string, unknown> = { ...requestFields(request), status, ms: Math.round(ms * 10) / 10 };
    if (request.caller) {
      line.clientId = request.caller.clientId;
      line.group = request.caller.group;
    }
    if (request.problem) line.code = request.problem;
    if (!raw.writableFinished) line.cut = true;
    log[level](line, 'request');
  }

  app.addHook('onRequest', (request, reply, done) => {
    const began = performance.now();
    reply.header('x-request-id', request.id);
    metrics?.onBegun();
    const span = tracing?.serve(request);
    if (span) request.trace = span.trace;
    // Not the framework's onResponse, which is not called when the client disconnects.
    reply.raw.on('close', () => end(request, reply, began, span));
    done();
  });
}

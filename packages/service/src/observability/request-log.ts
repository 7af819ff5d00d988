/** What is known of every request: its id, its trace, its line in the log, its place in the metrics. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { beginTrace, type Cause, readTraceparent, type Trace, traceparentOf } from '../contract/trace.ts';
import type { ProblemCode } from '../problems.ts';
import type { Metrics } from './openmetrics.ts';
import type { ServerSpan, Tracing } from './tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until `traceOf` is asked: most requests never need it. */
    trace: Trace | null;
    /** The code of the problem that it is answered with. */
    problem: ProblemCode | null;
  }
}

export interface RequestsDeps {
  log: Logger;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
}

const REQUEST_ID = /^[A-Za-z0-9._~-]{1,128}$/;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** A read that takes longer has its line at level info: it was held, or is worth a look. */
const SLOW_MS = 1000;
/** What the log and the metrics say of a client that left before there was an answer. No status of HTTP. */
const LEFT = 499;

/** A caller's own request id is kept when it can be logged as it is. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();
}

/** The trace that the request belongs to; one is begun where it brings none. */
export function traceOf(request: FastifyRequest): Trace {
  request.trace ??= readTraceparent(request.headers.traceparent) ?? beginTrace();
  return request.trace;
}

/** What the work that a request causes later remembers of it. */
export const causeOf = (request: FastifyRequest): Cause => ({
  requestId: request.id,
  traceparent: traceparentOf(traceOf(request)),
});

/** What every line of the log about a request says. The route is its pattern: a path may hold anything. */
export const requestFields = (request: FastifyRequest) => ({
  requestId: request.id,
  traceId: traceOf(request).traceId,
  method: request.method,
  route: request.routeOptions.url ?? null,
});

/**
 * Follows the requests of an app, to the end of each connection's part: an answer that is cut off ends too. A line of the
 * log costs 25 µs, a third of a small retrieval, so plain reads have theirs at level debug alone.
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
    const plain = READS.has(request.method) && status < 400 && ms < SLOW_MS;
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
    // Not the framework's onResponse: it is not called when the client disconnects.
    reply.raw.on('close', () => end(request, reply, began, span));
    done();
  });
}

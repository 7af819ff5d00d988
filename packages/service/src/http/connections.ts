/**
 * The connections of the service: how long they may be silent, what is answered on those beyond the limit, and whether
 * a client is still there.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { Problem } from '../contract/problems.ts';
import { answerBroken, closeAfterRest, type ParseError, problemOfBytes } from './broken-requests.ts';
import { limitConnections } from './connection-limit.ts';
import { continueWhenRead, discardAfterAnswers } from './early-answers.ts';
import { followConnections } from './open-connections.ts';
import { MOST_HEAD_BYTES } from './request-head.ts';

type TimeoutConfig = Pick<Config, 'headerSeconds' | 'requestSeconds'>;
type ConnectionConfig = TimeoutConfig & Pick<Config, 'maxConnections' | 'readSeconds' | 'basePath'>;

/** The longest interval at which Node checks for requests that take too long. */
const CHECK_MS = 1000;
const checkMs = ({ headerSeconds, requestSeconds }: TimeoutConfig): number =>
  Math.min(CHECK_MS, Math.min(headerSeconds, requestSeconds) * 250);

/**
 * The options of the HTTP server. Node's timeouts are shortened by its check interval, so that no request takes longer
 * than configured.
 */
export function timeoutsOf(config: TimeoutConfig) {
  const interval = checkMs(config);
  const requestTimeout = config.requestSeconds * 1000 - interval;
  return {
    requestTimeout,
    http: {
      maxHeaderSize: MOST_HEAD_BYTES,
      connectionsCheckingInterval: interval,
      headersTimeout: Math.min(config.headerSeconds * 1000 - interval, requestTimeout),
    },
  };
}

/**
 * How long a client that has closed its side of a connection may still get its answer. It may have left, which looks
 * the same.
 */
const HALF_CLOSED_MS = 1000;

declare module 'fastify' {
  interface FastifyInstance {
    /** Call it when the service begins to stop: from then on, every answer is the last of its connection. */
    endConnections(): void;
  }
}

const FULL =
  'all connections are taken: new ones are refused, but for /livez; raise --max-connections and the limit of open files, or look for clients that do not close theirs';
const LATE_HEAD = new Problem('request_timeout', 'The headers of the request had not arrived in time.');
const NO_TUNNEL = new Problem('not_implemented', 'The service is no proxy: it does not have the method CONNECT.');

interface ConnectionDeps {
  config: ConnectionConfig;
  log: Logger;
  /** Sends a problem as the answer of a request. */
  answer(problem: Problem, request: FastifyRequest, reply: FastifyReply): void;
}

/**
 * Bounds the connections of an app; call it after requests are tracked. Returns the handler of Node's `clientError`,
 * for bytes that are not HTTP and requests that take too long.
 */
export function boundConnections(app: FastifyInstance, { config, log, answer }: ConnectionDeps) {
  const { open, end } = followConnections(app.server);
  app.decorate('endConnections', end);
  const limits = limitConnections(app.server, open, config, () =>
    log.error({ connections: open.size, maxConnections: config.maxConnections }, FULL),
  );
  app.addHook('onClose', async () => limits.close());
  const replyOf = (socket: Socket): FastifyReply | undefined => open.get(socket)?.reply;
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const latest = open.get(socket);
    if (latest) latest.reply = reply;
    if (!limits.isSpare(socket)) return done();
    reply.header('connection', 'close');
    const isProbe = request.routeOptions.config.operation?.onSpare;
    done(
      isProbe ? undefined : new Problem('unavailable', 'All connections of the service are taken. Try again later.'),
    );
  });

  answerHalfClosed(app.server, replyOf);
  discardAfterAnswers(app.server);
  continueWhenRead(app.server);
  app.server.on('connect', (_request, socket) => answerBroken(socket, NO_TUNNEL, { log, basePath: config.basePath }));

  /** A load has its own timeout: it may take longer, as long as data arrives. */
  const isLoading = ({ request, raw }: FastifyReply): boolean =>
    request.routeOptions.config.operation?.body?.streamed === true &&
    request.caller !== null &&
    !request.raw.destroyed &&
    !raw.headersSent;

  return (error: ParseError, socket: Socket): void => {
    const { code } = error;
    const reply = replyOf(socket);
    const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (isLate && reply && !reply.request.raw.complete) {
      if (isLoading(reply)) return;
      if (reply.raw.headersSent) {
        socket.destroy();
        return;
      }
      reply.header('connection', 'close');
      answer(new Problem('request_timeout', 'The request had not arrived in time.'), reply.request, reply);
      return;
    }
    const response = open.get(socket)?.response;
    if (response?.headersSent && !response.req.complete) {
      // The rest of a request that was answered by its head.
      if (response.writableFinished) closeAfterRest(socket);
      else response.once('finish', () => closeAfterRest(socket));
      return;
    }
    const isAnswering = reply?.raw.headersSent && !reply.raw.writableFinished;
    if (code === 'ECONNRESET' || !socket.writable || isAnswering) socket.destroy();
    else answerBroken(socket, isLate ? LATE_HEAD : problemOfBytes(error), { log, basePath: config.basePath });
  };
}

/**
 * Answers a client that closes its side once its request is sent, as `nc -N` does; by default Node would close the
 * other side before the answer. After a while the client counts as having left, so that no answer is prepared in vain;
 * a request that changes something is still carried out and answered.
 */
function answerHalfClosed(server: Server, replyOf: (socket: Socket) => FastifyReply | undefined): void {
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket: Socket) => {
    socket.once('end', () => {
      const timer = setTimeout(() => {
        const reply = replyOf(socket);
        const isRead = reply?.request.method === 'GET' || reply?.request.method === 'HEAD';
        if (isRead && !reply?.raw.headersSent) socket.destroy();
      }, HALF_CLOSED_MS);
      socket.once('close', () => clearTimeout(timer));
    });
  });
}

/**
 * Aborted when the client has disconnected before its answer was sent. One that has only closed its side may still read
 * the answer, as `nc -N` does, and counts as having left after a while.
 */
export function signalOfGone({ raw, request: { socket } }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = (): void => {
    if (!raw.writableEnded) gone.abort(new Problem('malformed_request', 'The client disconnected.'));
  };
  let timer: NodeJS.Timeout | undefined;
  const halfClosed = (): void => {
    timer = setTimeout(leave, HALF_CLOSED_MS);
  };
  socket.once('end', halfClosed);
  raw.once('close', () => {
    clearTimeout(timer);
    socket.off('end', halfClosed);
    leave();
  });
  return gone.signal;
}

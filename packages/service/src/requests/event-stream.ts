/** Server-sent events over HTTP (WHATWG HTML 9.2): the head of the answer, and the heartbeat. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Proxies close connections that are silent for half a minute or a minute. */
const HEARTBEAT_MS = 15_000;
/**
 * After this many the stream ends and its client reconnects with its token, so that an expired token does not listen
 * for days.
 */
const HEARTBEATS = 60;
/** How often a stream checks whether its token was revoked. A node learns of a revocation within another second. */
const REVOKED_MS = 1000;
/** How long a client that lost the stream waits before it reconnects. */
const RECONNECT_MS = 2000;

/** Begins the answer; returns undefined for HEAD, which is answered completely here, and for a client that has left. */
export function beginEvents(request: FastifyRequest, reply: FastifyReply): ServerResponse | undefined {
  reply.header('content-type', 'text/event-stream; charset=utf-8');
  reply.header('cache-control', 'no-store');
  // A proxy that buffers answers would delay the events.
  reply.header('x-accel-buffering', 'no');
  reply.header('connection', 'close').hijack();
  if (reply.raw.closed) return undefined;
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  if (request.method === 'HEAD') {
    reply.raw.end();
    return undefined;
  }
  const { socket } = request.raw;
  // A client that closes its side has left. One that had closed it before the stream began still gets the current
  // events.
  if (socket.readableEnded) setImmediate(() => socket.destroySoon());
  else socket.once('end', () => socket.destroy());
  reply.raw.write(`retry: ${RECONNECT_MS}\n\n`);
  return reply.raw;
}

/** An open stream. */
export interface EventStream {
  /** Ends it once, and calls the functions passed to `onEnd`. */
  end(): void;
  hasEnded(): boolean;
  /** `stop` is called when the stream has ended; immediately, if it already has. */
  onEnd(stop: () => void): void;
}

/**
 * Keeps a stream open until `end` is called, its client leaves, or `HEARTBEATS` have been sent, and at most a second
 * after `isRevoked` returns true. `onBeat` is called every 15 s, after the heartbeat is written.
 */
export function keepOpen(
  to: ServerResponse,
  { isRevoked, onBeat = () => undefined }: { isRevoked: () => Promise<boolean>; onBeat?: () => void },
): EventStream {
  let ended = false;
  const stops: (() => void)[] = [];
  function end(): void {
    if (ended) return;
    ended = true;
    clearInterval(beating);
    clearInterval(asking);
    for (const stop of stops) stop();
    to.end();
  }
  let beats = 0;
  const beating = setInterval(() => {
    if (++beats >= HEARTBEATS) return end();
    to.write(': still here\n\n');
    onBeat();
  }, HEARTBEAT_MS);
  const asking = setInterval(() => void isRevoked().then((revoked) => revoked && end()), REVOKED_MS);
  to.on('close', end);
  return {
    end,
    hasEnded: () => ended,
    onEnd: (stop) => (ended ? stop() : void stops.push(stop)),
  };
}

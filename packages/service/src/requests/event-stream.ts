/** Server-sent events over HTTP (WHATWG HTML 9.2): the head of their answer, and the heartbeat. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Proxies cut what is silent for half a minute or a minute. */
export const HEARTBEAT_MS = 15_000;
/** After this a stream ends and its client reconnects with its token, so that an expired one does not listen for days. */
export const HEARTBEATS = 60;
/** How often a stream asks whether its token was revoked. A node hears of a revocation within another second. */
const REVOKED_MS = 1000;
/** What a client that lost the stream waits before it comes back. */
const RETRY_MS = 2000;

/** Begins the answer; undefined for HEAD, which is answered as a whole. */
export function beginEvents(request: FastifyRequest, reply: FastifyReply): ServerResponse | undefined {
  reply.header('content-type', 'text/event-stream; charset=utf-8');
  reply.header('cache-control', 'no-store');
  // A proxy that collects an answer before it passes it on would hold the events back.
  reply.header('x-accel-buffering', 'no');
  reply.header('connection', 'close').hijack();
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  if (request.method === 'HEAD') {
    reply.raw.end();
    return undefined;
  }
  const { socket } = request.raw;
  // A listener that closes its side has left. One that had closed it before hears what is the case now.
  if (socket.readableEnded) setImmediate(() => socket.destroySoon());
  else socket.once('end', () => socket.destroy());
  reply.raw.write(`retry: ${RETRY_MS}\n\n`);
  return reply.raw;
}

/** A stream that is open. */
export interface EventStream {
  /** Ends it once, and stops what `onEnd` named. */
  end(): void;
  hasEnded(): boolean;
  /** `stop` is called when it has ended: at once, where it already has. */
  onEnd(stop: () => void): void;
}

/**
 * Keeps a stream open: it ends with `end`, when its client leaves, after `HEARTBEATS`, and within a second once `isRevoked` says so.
 * `onBeat` is called every 15 s, after the heartbeat was written.
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

/** Whether a client is still there. */
import type { FastifyReply } from 'fastify';
import { Problem } from '../contract/problems.ts';
import { HALF_CLOSED_MS } from './connections.ts';

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

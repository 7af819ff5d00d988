/** Closes connections whose readers take nothing of an answer for some time. */
import type { Socket } from 'node:net';
import { readSendQueues } from './send-queues.ts';

/** How often a connection is checked within the time allowed. */
export const LOOKS = 12;

interface Stalled {
  /** Bytes that the system had accepted at the last check. */
  taken: number;
  /** Of these, what the reader had not acknowledged; undefined if that is not known. */
  queued: number | undefined;
  looks: number;
}

/**
 * Returns a function that checks connections once; one whose reader has taken nothing at `LOOKS` checks in a row is
 * closed. The system accepts nothing while its own buffer, of some MB, is full, and then a third of it at once: for a
 * slow reader that is a minute. So what counts is what the reader acknowledges, where the system says it.
 */
export function watchUnread(): (sockets: Iterable<Socket>) => Promise<void> {
  const stalled = new Map<Socket, Stalled>();

  /** The bytes of an answer that the client does not read stay in the socket, however the answer was written. */
  function isWaiting(socket: Socket): boolean {
    const { writableLength } = socket;
    const taken = socket.bytesWritten - writableLength;
    if (writableLength === 0) stalled.delete(socket);
    else if (stalled.get(socket)?.taken === taken) return true;
    else stalled.set(socket, { taken, queued: undefined, looks: 0 });
    return false;
  }

  return async (sockets) => {
    for (const socket of stalled.keys()) if (socket.destroyed) stalled.delete(socket);
    const waiting = [...sockets].filter(isWaiting);
    if (waiting.length === 0) return;
    const queues = await readSendQueues(waiting);
    for (const socket of waiting) {
      const before = stalled.get(socket);
      if (!before) continue;
      const queued = queues.get(socket);
      const isRead = before.queued !== undefined && queued !== before.queued;
      before.queued = queued;
      before.looks = isRead ? 0 : before.looks + 1;
      if (before.looks >= LOOKS) socket.destroy();
    }
  };
}

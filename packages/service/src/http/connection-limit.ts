/** How many connections of a server are open, and how long their answers may remain unread. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { LOOKS, watchUnread } from './unread-answers.ts';

/**
 * How many connections beyond the limit are accepted at a time, so that the probes of a supervisor are still answered.
 */
const SPARE = 16;
/** How long such a connection may take to send its request. */
const SPARE_MS = 2000;
/** The least time between two reports that all connections are in use. */
const REPORT_MS = 10_000;

interface ConnectionLimits {
  /** Whether the connection is beyond the limit: it is closed after two seconds, or for a newer one. */
  isSpare(socket: Socket): boolean;
  close(): void;
}

/**
 * Until it is closed, limits the connections of a server. `open` are those now; `onFull` is called when more are made
 * than the limit.
 */
export function limitConnections(
  server: Server,
  open: Pick<ReadonlyMap<Socket, unknown>, 'size' | 'keys'>,
  limits: { maxConnections: number; readSeconds: number },
  onFull: () => void,
): ConnectionLimits {
  const spare = new Set<Socket>();
  let reportedAt = Number.NEGATIVE_INFINITY;

  function reportFull(): void {
    const now = performance.now();
    if (now - reportedAt < REPORT_MS) return;
    reportedAt = now;
    onFull();
  }

  function keepSpare(socket: Socket): void {
    reportFull();
    spare.add(socket);
    const timer = setTimeout(() => socket.destroy(), SPARE_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      spare.delete(socket);
    });
    const [oldest] = spare;
    if (spare.size > SPARE) oldest?.destroy();
  }

  server.on('connection', (socket: Socket) => {
    if (open.size - spare.size > limits.maxConnections) keepSpare(socket);
  });

  const look = watchUnread();
  let isLooking = false;
  const timer = setInterval(
    () => {
      if (isLooking) return;
      isLooking = true;
      void look(open.keys()).finally(() => {
        isLooking = false;
      });
    },
    (limits.readSeconds * 1000) / LOOKS,
  ).unref();

  return {
    isSpare: (socket) => spare.has(socket),
    close: () => clearInterval(timer),
  };
}

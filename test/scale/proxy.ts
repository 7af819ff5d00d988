/** A TCP proxy whose connections can be cut, delayed and frozen: a network that fails. */
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FaultyProxy {
  port: number;
  /** Ends all connections at once, and refuses new ones until `heal`. */
  cut(): void;
  /** What either side sends arrives so many milliseconds later. */
  delay(ms: number): void;
  /** Nothing arrives any more, and nobody is told, until `heal`. */
  freeze(): void;
  /** Cuts each connection that has carried so many more bytes from the server to the client. */
  cutAfter(bytes: number): void;
  heal(): void;
  close(): Promise<void>;
}

/** Listens on a free port in front of a port of this machine, or of a Unix socket. */
export async function startProxy(target: number | string): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let delayMs = 0;
  let left = Number.POSITIVE_INFINITY;
  let thawed: PromiseWithResolvers<void> | undefined;

  /** One direction of a connection, piece by piece in their order. */
  async function carry(from: Socket, to: Socket, counts: boolean): Promise<void> {
    try {
      for await (const piece of from) {
        if (delayMs > 0) await sleep(delayMs);
        await thawed?.promise;
        if (counts) left -= (piece as Buffer).length;
        if (isCut || left < 0) break;
        if (!to.write(piece as Buffer))
          await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
      }
      if (isCut || left < 0) from.destroy();
      else to.end();
    } catch {
      to.destroy();
    }
    if (isCut || left < 0) to.destroy();
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(
      typeof target === 'string'
        ? { path: target, allowHalfOpen: true }
        : { port: target, host: '127.0.0.1', allowHalfOpen: true },
    );
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    }
    upstream.on('error', () => client.destroy());
    void carry(client, upstream, false);
    void carry(upstream, client, true);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const heal = (): void => {
    isCut = false;
    delayMs = 0;
    left = Number.POSITIVE_INFINITY;
    thawed?.resolve();
    thawed = undefined;
  };
  const destroyAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address && typeof address === 'object' ? address.port : 0,
    heal,
    cut() {
      isCut = true;
      destroyAll();
    },
    delay: (ms) => {
      delayMs = ms;
    },
    freeze() {
      thawed ??= Promise.withResolvers<void>();
    },
    cutAfter: (bytes) => {
      left = bytes;
    },
    async close() {
      heal();
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

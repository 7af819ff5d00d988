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
  /**
   * Freezes once a client sends the text: before the server gets it, or right after. Resolves then. What is held
   * arrives with `heal`, unless `cut` came first.
   */
  freezeAt(text: string, when: 'before' | 'after'): Promise<void>;
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
  let trap: { text: string; when: 'before' | 'after'; sprung: PromiseWithResolvers<void> } | undefined;

  function freeze(): void {
    thawed ??= Promise.withResolvers<void>();
  }
  /** Freezes where the piece is what is waited for. */
  function spring(piece: Buffer, when: 'before' | 'after'): void {
    if (trap?.when !== when || !piece.includes(trap.text)) return;
    const { sprung } = trap;
    trap = undefined;
    freeze();
    sprung.resolve();
  }

  /** One direction of a connection, piece by piece in their order. */
  async function carry(from: Socket, to: Socket, counts: boolean): Promise<void> {
    try {
      for await (const chunk of from) {
        const piece = chunk as Buffer;
        if (delayMs > 0) await sleep(delayMs);
        if (!counts) spring(piece, 'before');
        await thawed?.promise;
        if (counts) left -= piece.length;
        // Cut while it was held.
        if (isCut || left < 0 || to.destroyed) break;
        const isFull = !to.write(piece);
        if (!counts) spring(piece, 'after');
        if (isFull) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
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
    trap = undefined;
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
    freeze,
    freezeAt(text, when) {
      trap = { text, when, sprung: Promise.withResolvers<void>() };
      return trap.sprung.promise;
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

/** Ports for servers of tests that must be known before they listen, or taken again after a restart. */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to connections and to servers that ask for any (Linux: from 32768). One of those
 * could be taken between a look and its use; and a client that tries to connect to one whose server is away may reach
 * itself and so keep it.
 */
const FROM = 12_000;
const BLOCKS = 2000;
const PORTS_OF_BLOCK = 10;
/**
 * Block N is claimed by the UDP socket of this number plus N. The ports themselves stay free for UDP too: a proxy with
 * HTTP/3 listens there.
 */
const CLAIMS_FROM = 10_000;

/** Ports of claimed blocks that were not given to anybody. */
const mine: number[] = [];

/**
 * Claims a block for this process until it ends. Test files run side by side, and one that looked whether a port is
 * free could hold it while the server of another, which had been given it, began to listen.
 */
const claim = (block: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => socket.close(() => resolve(false)));
    socket.bind({ port: CLAIMS_FROM + block, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/**
 * A port of this machine on which nobody listens; no call, of this process or of another that runs, gets it a second
 * time.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = mine.pop();
    if (port === undefined) {
      const block = randomInt(BLOCKS);
      const first = FROM + block * PORTS_OF_BLOCK;
      if (await claim(block)) mine.push(...Array.from({ length: PORTS_OF_BLOCK }, (_, index) => first + index));
    } else if (await isFree(port)) return port;
  }
  throw new Error('there is no free port');
}

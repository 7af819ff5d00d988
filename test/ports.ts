/** Ports for servers of tests that must be known before they listen, or taken again after a restart. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to connections and to servers that ask for any (Linux: from 32768). One of those could be taken
 * between a look and its use; and a client that tries to connect to one whose server is away may reach itself and so keep it.
 */
const FROM = 12_000;
const TO = 32_000;
const given = new Set<number>();

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** A port of this machine on which nobody listens; this process never gets it a second time. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(FROM, TO);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error('there is no free port');
}

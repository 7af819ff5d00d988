/** A receiver of webhooks on loopback, which answers as it is told to. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../ports.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a journey reads what came over the wire, of whatever shape
  body: any;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** What is answered from now on; 0 answers never. */
  answer(status: number, headers?: Record<string, string>): void;
  /** Resolves when so many calls have come. */
  until(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

const LONGEST_MS = 20_000;

/** Starts it on a port that it may be started on again. */
export async function startReceiver(port?: number): Promise<Receiver> {
  const received: Received[] = [];
  let [status, headers]: [number, Record<string, string>] = [204, {}];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    received.push({ path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) });
    if (status !== 0) response.writeHead(status, headers).end();
  });
  server.listen(port ?? (await freePort()), '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (next, more = {}) => {
      [status, headers] = [next, more];
    },
    async until(count) {
      for (const since = Date.now(); received.length < count; await sleep(20)) {
        if (Date.now() - since > LONGEST_MS) throw new Error(`${received.length} of ${count} calls came`);
      }
      return received;
    },
    async close() {
      server.closeAllConnections();
      if (!server.listening) return;
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

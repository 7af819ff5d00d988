/**
 * The port of OpenMetrics: GET and HEAD of one path, on few connections, so that it takes no files from the service.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { OpenMetricsContentType, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { limitConnections } from '../http/connection-limit.ts';
import { timeoutsOf } from '../http/connections.ts';
import { followConnections } from '../http/open-connections.ts';

/** More than collectors and people look at once. */
const MOST_CONNECTIONS = 16;
const FULL =
  'all connections to the metrics port are taken: the oldest are closed for new ones; restrict who reaches the port';

export interface MetricsAddress {
  host: string;
  port: number;
  config: Pick<Config, 'headerSeconds' | 'requestSeconds' | 'readSeconds'>;
  log: Logger;
}

/** Starts the listener. Throws if the address cannot be listened on. */
export async function serveMetrics(
  { host, port, config, log }: MetricsAddress,
  registry: Registry<OpenMetricsContentType>,
): Promise<{ port: number; close(): Promise<void> }> {
  const { http, requestTimeout } = timeoutsOf(config);
  const server = createServer({ ...http, requestTimeout }, (request, response) => answer(request, response, registry));
  const { open } = followConnections(server);
  const limits = limitConnections(server, open, { ...config, maxConnections: MOST_CONNECTIONS }, () =>
    log.error({ connections: open.size, maxConnections: MOST_CONNECTIONS }, FULL),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        limits.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  registry: Registry<OpenMetricsContentType>,
): Promise<void> {
  response.setHeader('x-content-type-options', 'nosniff');
  if (url.split('?')[0] !== '/metrics') {
    response.writeHead(404).end();
    return;
  }
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  try {
    const body = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType, 'content-length': Buffer.byteLength(body) });
    response.end(method === 'HEAD' ? undefined : body);
  } catch {
    response.writeHead(500).end();
  }
}

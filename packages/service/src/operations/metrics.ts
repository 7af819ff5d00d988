/** OpenMetrics on a port of its own, loopback only (CONTRACT 3, Operations). */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Ledger } from '../ledger/ledger.ts';

export interface Metrics {
  port: number;
  /** Counts the requests of an app. */
  watch(app: FastifyInstance): void;
  onGathered(ms: number, outcome: 'completed' | 'failed'): void;
  close(): Promise<void>;
}

/** Starts the second listener. Throws when the port is taken. */
export async function startMetrics(port: number, ledger: Ledger): Promise<Metrics> {
  const registry = new Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [registry] as unknown as Registry[];
  collectDefaultMetrics({ register: registry as unknown as Registry });
  const requests = new Counter({
    name: 'daypart_requests',
    help: 'Requests by route and status',
    labelNames: ['route', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'daypart_request_seconds',
    help: 'Time to the end of the answer',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  const gathers = new Histogram({
    name: 'daypart_gather_seconds',
    help: 'Time from claim to end of a gather',
    labelNames: ['outcome'],
    buckets: [0.01, 0.05, 0.2, 1, 5, 20, 100],
    registers,
  });
  new Gauge({
    name: 'daypart_reports',
    help: 'Report requests by state',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset();
      for (const [state, count] of Object.entries(await ledger.reportCounts())) this.set({ state }, count);
    },
  });

  const server: Server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    try {
      const body = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(body);
    } catch {
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,
    watch(app) {
      app.addHook('onResponse', async (request, reply) => {
        const route = `${request.method} ${request.routeOptions.url ?? 'none'}`;
        requests.inc({ route, status: reply.statusCode });
        seconds.observe({ route }, reply.elapsedTime / 1000);
      });
    },
    onGathered: (ms, outcome) => gathers.observe({ outcome }, ms / 1000),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

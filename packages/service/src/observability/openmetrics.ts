/** OpenMetrics on a separate port, on loopback by default. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type OpenMetricsContentType, Registry } from 'prom-client';
import type { LoadKind } from '../facts/load.ts';
import type { ConnectionLedger } from '../ledger/connection.ts';
import type { QueueLedger } from '../ledger/queue.ts';
import type { StorePlaces } from '../storage/store-place.ts';
import { type CheckedStores, checkStores } from './checks.ts';
import { type ConnectionMetrics, connectionMetrics } from './connection-metrics.ts';
import { watchDisk } from './disk.ts';
import { type MetricsAddress, serveMetrics } from './metrics-server.ts';
import { tallyRequests } from './request-tally.ts';

/** The sources that are sampled when the metrics are requested. */
interface MetricsSources extends CheckedStores {
  ledger: QueueLedger & Pick<ConnectionLedger, 'connectionHealth'> & CheckedStores['ledger'];
  clock: () => number;
  /** The data folder. */
  data: string;
  places: StorePlaces;
  /** How many retrievals wait for their report now. */
  held: () => number;
  /** How often the engine was restarted. */
  engineRestarts: () => number;
}

/**
 * Metrics that are counted as events happen. No label is a GUID or a client, so the code bounds the number of series.
 */
export interface Metrics extends ConnectionMetrics {
  port: number;
  /** Counts the bytes of a server's connections. */
  watch(server: Server): void;
  onBegun(): void;
  /** Ends what `onBegun` began. `route` is the pattern, undefined if no route matched. */
  onRequest(method: string, route: string | undefined, status: number, ms: number): void;
  onGathered(kind: string, ms: number, outcome: 'completed' | 'failed'): void;
  onRendered(ms: number): void;
  onLoaded(kind: LoadKind, answer: { accepted: number; unchanged: number; rejectedCount: number }): void;
  onLimited(limit: string): void;
  close(): Promise<void>;
}

function openRegistry(): Registry<OpenMetricsContentType> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return registry;
}

/** Starts the metrics listener. Throws if the address cannot be listened on. */
export async function startMetrics(at: MetricsAddress, sources: MetricsSources): Promise<Metrics> {
  const registry = openRegistry();
  collectDefaultMetrics({ register: registry });
  const pushed = Object.assign(pushedMetrics(registry), connectionMetrics(registry, sources));
  const bytes = sampledMetrics(registry, sources);
  const { port, close } = await serveMetrics(at, registry);
  return { port, ...pushed, watch: bytes.watch, close };
}

function pushedMetrics(
  registry: Registry<OpenMetricsContentType>,
): Omit<Metrics, 'port' | 'watch' | 'close' | keyof ConnectionMetrics> {
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const work = [0.01, 0.05, 0.2, 1, 5, 20, 100];

  let begun = 0;
  new Gauge({
    name: 'daypart_requests_in_flight',
    help: 'Requests that are being answered',
    registers,
    collect() {
      this.set(begun);
    },
  });
  const tally = tallyRequests(registry);
  const gathers = histogram('daypart_gather_seconds', 'Time from claim to end of a gather', ['kind', 'outcome'], work);
  const renders = histogram('daypart_render_seconds', 'Time in which the engine wrote one form of a report', [], work);
  const loads = counter('daypart_loads', 'Bodies that were loaded', ['kind']);
  const records = counter('daypart_records', 'Records of loaded bodies by outcome', ['kind', 'outcome']);
  const limited = counter('daypart_limited_requests', 'Requests refused by a limit', ['limit']);

  return {
    onBegun: () => void begun++,
    onRequest(method, route, status, ms) {
      begun--;
      tally(`${method} ${route ?? 'none'}`, status, ms / 1000);
    },
    onGathered: (kind, ms, outcome) => gathers.observe({ kind, outcome }, ms / 1000),
    onRendered: (ms) => renders.observe(ms / 1000),
    onLoaded(kind, { accepted, unchanged, rejectedCount }) {
      loads.inc({ kind });
      for (const [outcome, count] of Object.entries({ accepted, unchanged, rejected: rejectedCount }))
        records.inc({ kind, outcome }, count);
    },
    onLimited: (limit) => limited.inc({ limit }),
  };
}

function sampledMetrics(
  registry: Registry<OpenMetricsContentType>,
  sources: MetricsSources,
): { watch(server: Server): void } {
  const { ledger, clock, held, engineRestarts } = sources;
  const registers = [registry];
  // A value that cannot be read, because its store is unavailable, is omitted: other metrics show that.
  /** A gauge or counter without labels whose value is read on demand. */
  const shown = (Kind: typeof Gauge | typeof Counter, name: string, help: string, look: () => Promise<number>) =>
    new Kind({
      name,
      help,
      registers,
      async collect() {
        const value = await look().catch(() => undefined);
        this.reset();
        if (value === undefined) this.remove();
        else this.inc(value);
      },
    });
  const labelled = (
    name: string,
    help: string,
    label: string,
    look: () => Promise<Record<string, number | undefined>>,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        const values = await look().catch(() => ({}));
        this.reset();
        for (const [value, count] of Object.entries(values))
          if (count !== undefined) this.set({ [label]: value }, count);
      },
    });

  labelled('daypart_reports', 'Report requests by state', 'state', () => ledger.reportCounts());
  shown(Gauge, 'daypart_queue_age_seconds', 'How long the oldest queued report has waited', async () => {
    const oldest = await ledger.oldestQueuedAt();
    return oldest === null ? 0 : Math.max(0, clock() - oldest) / 1000;
  });
  shown(Gauge, 'daypart_retrievals_held', 'Retrievals that wait for their report', async () => held());
  shown(Counter, 'daypart_engine_restarts', 'How often the reporting engine was started again', async () =>
    engineRestarts(),
  );
  labelled('daypart_store_up', 'Whether the store answers (1) or not (0)', 'store', async () =>
    Object.fromEntries((await checkStores(sources)).map(({ name, status }) => [name, status === 'ok' ? 1 : 0])),
  );
  const disk = watchDisk(sources.data, sources.places);
  labelled('daypart_disk_bytes', 'Bytes by store on the disk of the data folder', 'store', async () => {
    const { ledger, facts, results } = await disk();
    return { ledger, facts, results };
  });
  shown(Gauge, 'daypart_disk_free_bytes', 'Bytes free where the data folder is', async () => (await disk()).free);

  // Counted by sockets, so that counting bytes adds no cost to a request.
  const open = new Set<Socket>();
  let closed = 0;
  shown(Counter, 'daypart_sent_bytes', 'Bytes sent to clients, headers included', async () =>
    [...open].reduce((sum, socket) => sum + socket.bytesWritten, closed),
  );
  return {
    watch: (server) =>
      void server.on('connection', (socket: Socket) => {
        open.add(socket);
        socket.on('close', () => {
          open.delete(socket);
          closed += socket.bytesWritten;
        });
      }),
  };
}

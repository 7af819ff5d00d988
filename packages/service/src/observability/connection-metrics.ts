/** Metrics of connections: how they are, from the ledger when it is read, and what they read, counted as it happens. */
import { Counter, Gauge, type OpenMetricsContentType, type Registry } from 'prom-client';
import type { ConnectionHealth, ConnectionLedger, Stream } from '../ledger/connection.ts';
import { lagOf } from './checks.ts';

export interface ConnectionMetrics {
  /** A call of a point of sale was answered, or was not. */
  onConnectionCall(kind: string, stream: string, outcome: string): void;
  onConnectionRecords(
    kind: string,
    stream: Stream,
    counts: { changed: number; unchanged: number; rejected: number },
  ): void;
  /** A check found records that live reading had missed. */
  onCheckFound(stream: string, count: number): void;
  /** The pages of a list were read so often, until they brought nothing new or there were too many. */
  onConnectionPasses(count: number, isSettled: boolean): void;
}

/** Registers the metrics. What cannot be read, because the ledger is unavailable, is omitted. */
export function connectionMetrics(
  registry: Registry<OpenMetricsContentType>,
  { ledger, clock }: { ledger: Pick<ConnectionLedger, 'connectionHealth'>; clock: () => number },
): ConnectionMetrics {
  const registers = [registry];
  const rows = (): Promise<ConnectionHealth[]> => ledger.connectionHealth().catch(() => []);
  new Gauge({
    name: 'daypart_connections',
    help: 'Connections by kind and state',
    labelNames: ['kind', 'state'],
    registers,
    async collect() {
      const found = await rows();
      this.reset();
      for (const { kind, state, connections } of found) this.set({ kind, state }, connections);
    },
  });
  new Gauge({
    name: 'daypart_connection_lag_seconds',
    help: 'How long ago everything was read of the restaurant that is the furthest behind',
    labelNames: ['kind'],
    registers,
    async collect() {
      const found = await rows();
      this.reset();
      for (const row of found) if (row.state === 'active') this.set({ kind: row.kind }, lagOf(row, clock()));
    },
  });
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const calls = counter('daypart_connection_requests', 'Calls of points of sale', ['kind', 'stream', 'outcome']);
  const records = counter('daypart_connection_records', 'Records that connections read', ['kind', 'stream', 'outcome']);
  const found = counter('daypart_connection_check_found', 'Records that a check found and live reading had missed', [
    'stream',
  ]);
  const passes = counter('daypart_connection_passes', 'Passes over the pages of a list that may change meanwhile', [
    'outcome',
  ]);
  return {
    onConnectionCall: (kind, stream, outcome) => calls.inc({ kind, stream, outcome }),
    onConnectionRecords(kind, stream, { changed, unchanged, rejected }) {
      for (const [outcome, count] of Object.entries({ changed, unchanged, rejected }))
        records.inc({ kind, stream, outcome }, count);
    },
    onCheckFound: (stream, count) => found.inc({ stream }, count),
    onConnectionPasses(count, isSettled) {
      passes.inc({ outcome: 'repeated' }, count - 1);
      passes.inc({ outcome: isSettled ? 'settled' : 'unstable' });
    },
  };
}

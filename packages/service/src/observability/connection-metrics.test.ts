/** What metrics and the health say of connections. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type OpenMetricsContentType, Registry } from 'prom-client';
import type { ConnectionHealth } from '../ledger/connection.ts';
import { connectionsSeen } from './checks.ts';
import { connectionMetrics } from './connection-metrics.ts';

const NOW = 1_000_000;
const ROWS: ConnectionHealth[] = [
  { kind: 'toast', state: 'active', connections: 3, failing: 1, readUntil: NOW - 95_000 },
  { kind: 'toast', state: 'paused', connections: 1, failing: 1, readUntil: 0 },
  { kind: 'toast', state: 'refused', connections: 2, failing: 0, readUntil: 0 },
  { kind: 'other', state: 'active', connections: 1, failing: 0, readUntil: null },
];

it('connections are counted by state, and only active ones can be behind', () => {
  assert.deepEqual(connectionsSeen(ROWS, NOW), { active: 4, failing: 1, refused: 2, lagSeconds: 95 });
  assert.deepEqual(connectionsSeen([], NOW), { active: 0, failing: 0, refused: 0, lagSeconds: null });
});

it('metrics show connections as they are, and what they read', async () => {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const ledger = { connectionHealth: async () => ROWS };
  const metrics = connectionMetrics(registry, { ledger, clock: () => NOW });
  metrics.onConnectionCall('toast', 'orders', 'ok');
  metrics.onConnectionRecords('toast', 'orders', { changed: 2, unchanged: 5, rejected: 0 });
  metrics.onCheckFound('orders', 2);
  metrics.onConnectionPasses(1, true);
  metrics.onConnectionPasses(5, false);

  const lines = (await registry.metrics()).split('\n').filter((line) => !line.startsWith('#') && line !== '');
  assert.deepEqual(lines, [
    'daypart_connections{kind="toast",state="active"} 3',
    'daypart_connections{kind="toast",state="paused"} 1',
    'daypart_connections{kind="toast",state="refused"} 2',
    'daypart_connections{kind="other",state="active"} 1',
    'daypart_connection_lag_seconds{kind="toast"} 95',
    'daypart_connection_lag_seconds{kind="other"} 0',
    'daypart_connection_requests_total{kind="toast",stream="orders",outcome="ok"} 1',
    'daypart_connection_records_total{kind="toast",stream="orders",outcome="changed"} 2',
    'daypart_connection_records_total{kind="toast",stream="orders",outcome="unchanged"} 5',
    'daypart_connection_records_total{kind="toast",stream="orders",outcome="rejected"} 0',
    'daypart_connection_check_found_total{stream="orders"} 2',
    'daypart_connection_passes_total{outcome="repeated"} 4',
    'daypart_connection_passes_total{outcome="settled"} 1',
    'daypart_connection_passes_total{outcome="unstable"} 1',
  ]);
});

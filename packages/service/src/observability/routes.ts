/**
 * GET /livez, /readyz and /version (docs/operations.md#health), at the origin and without a token, and GET
 * {base}/health.
 */
import type { FastifyInstance } from 'fastify';
import { shownTime } from '../contract/time.ts';
import type { ConnectionLedger } from '../ledger/connection.ts';
import type { QueueLedger } from '../ledger/queue.ts';
import type { StorePlaces } from '../storage/store-place.ts';
import { VERSION } from '../version.ts';
import { type CheckDeps, connectionsSeen, runChecks } from './checks.ts';
import { watchDisk } from './disk.ts';
import { EXCLUDED_STORE, getHealth, livez, readyz, version } from './observability-operations.ts';

/** Mounts the routes at the origin. */
export async function observabilityRoutes(app: FastifyInstance, deps: CheckDeps): Promise<void> {
  app.get('/livez', { config: { operation: livez } }, () => {
    deps.folder?.check();
    return { status: 'ok' };
  });

  app.get('/version', { config: { operation: version } }, () => ({
    name: 'daypart',
    version: VERSION,
    node: process.versions.node,
  }));

  app.get('/readyz', { config: { operation: readyz } }, async ({ query }, reply) => {
    const checked = await runChecks(deps, EXCLUDED_STORE.read(query as Record<string, unknown>));
    return reply
      .status(checked.status === 'failed' ? 503 : 200)
      .header('cache-control', 'no-store')
      .send(checked);
  });
}

interface HealthDeps extends CheckDeps {
  ledger: CheckDeps['ledger'] &
    Pick<QueueLedger, 'reportCounts' | 'oldestQueuedAt'> &
    Pick<ConnectionLedger, 'connectionHealth'>;
  clock: () => number;
  config: { data: string };
  places: StorePlaces;
  engineRestarts: () => number;
  startedAt: number;
}

/**
 * Mounts GET /health under the base: the state of the service, for those who manage it. Figures over time are in
 * OpenMetrics, on a separate port.
 */
export async function healthRoutes(app: FastifyInstance, deps: HealthDeps): Promise<void> {
  const disk = watchDisk(deps.config.data, deps.places);

  app.get('/health', { config: { operation: getHealth } }, async () => {
    const [{ status, checks }, counts, oldest, connections, use] = await Promise.all([
      runChecks(deps),
      deps.ledger.reportCounts(),
      deps.ledger.oldestQueuedAt(),
      deps.ledger.connectionHealth(),
      disk(),
    ]);
    const { completed = 0, failed = 0, queued = 0, gathering = 0 } = counts;
    return {
      status,
      version: VERSION,
      startedAt: shownTime(deps.startedAt),
      at: shownTime(deps.clock()),
      checks,
      engineRestarts: deps.engineRestarts(),
      reports: { queued, gathering, completed, failed, oldestQueuedAt: shownTime(oldest) },
      connections: connectionsSeen(connections, deps.clock()),
      diskBytes: {
        ledger: use.ledger ?? null,
        facts: use.facts ?? null,
        results: use.results ?? null,
        free: use.free,
      },
    };
  });
}

/** /livez, /readyz and /version (docs/operations.md#health), at the origin and without a token. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Facts } from '../facts/facts.ts';
import type { LedgerStore } from '../ledger/ledger.ts';
import type { Results } from '../results/results.ts';
import { VERSION } from '../version.ts';
import { livez, readyz, version } from './observability-operations.ts';

export interface ObservabilityDeps {
  ledger: LedgerStore;
  facts: Facts;
  results: Results;
  log: Logger;
  /** True once the service has begun to stop. */
  stopping: () => boolean;
}

/** A check that has not answered by then counts as failed: probes have deadlines of their own. */
const CHECK_MS = 2000;

async function within(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), CHECK_MS);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export async function observabilityRoutes(app: FastifyInstance, deps: ObservabilityDeps): Promise<void> {
  app.get('/livez', { config: { operation: livez } }, () => ({ status: 'ok' }));

  app.get('/version', { config: { operation: version } }, () => ({
    name: 'daypart',
    version: VERSION,
    node: process.versions.node,
  }));

  app.get('/readyz', { config: { operation: readyz } }, async (_request, reply) => {
    const work: Record<string, () => Promise<void>> = {
      ledger: () => deps.ledger.ping(),
      facts: () => deps.facts.ping(CHECK_MS),
      results: () => deps.results.ping(),
    };
    const checks = await Promise.all(
      Object.entries(work).map(async ([name, check]) => {
        try {
          await within(check());
          return { name, status: 'ok' };
        } catch (error) {
          deps.log.warn({ err: error, check: name }, 'a readiness check failed');
          // Which check failed is told, why is not: that is in the log.
          return { name, status: 'failed' };
        }
      }),
    );
    if (deps.stopping()) checks.push({ name: 'stopping', status: 'failed' });
    const ready = checks.every((check) => check.status === 'ok');
    return reply
      .status(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ok' : 'failed', checks });
  });
}

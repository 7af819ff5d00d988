/** /livez, /readyz and /version (docs/operations.md#health), at the origin and without a token. */
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../version.ts';
import { type CheckDeps, runChecks } from './checks.ts';
import { livez, readyz, version } from './observability-operations.ts';

export async function observabilityRoutes(app: FastifyInstance, deps: CheckDeps): Promise<void> {
  app.get('/livez', { config: { operation: livez } }, () => ({ status: 'ok' }));

  app.get('/version', { config: { operation: version } }, () => ({
    name: 'daypart',
    version: VERSION,
    node: process.versions.node,
  }));

  app.get('/readyz', { config: { operation: readyz } }, async (_request, reply) => {
    const checks = await runChecks(deps);
    const ready = checks.every((check) => check.status === 'ok');
    return reply
      .status(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ok' : 'failed', checks });
  });
}

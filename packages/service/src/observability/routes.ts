/** /livez, /readyz and /version (docs/operations.md#health), at the origin and without a token. */
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../version.ts';
import { type CheckDeps, runChecks } from './checks.ts';
import { EXCLUDED_STORE, livez, readyz, version } from './observability-operations.ts';

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

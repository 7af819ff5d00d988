/** The token, scopes and limit of every operation that a token is required for, enforced as it declares them. */
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { type Access, requireScopes } from './access.ts';
import type { BasicCaller } from './basic.ts';
import type { Limits } from './limits.ts';

/**
 * Adds the checks to routes whose operation has scopes, before the hooks of the route: call it before they are mounted.
 * What is to be on answers that refuse a token as well is set in a hook of the plugin.
 */
export function guardOperations(app: FastifyInstance, access: Access, limits: Limits, basic: BasicCaller): void {
  /** The framework makes the route of HEAD from that of GET, with its hooks. */
  const guards = new WeakSet<object>();
  app.addHook('onRoute', (route) => {
    const operation = route.config?.operation;
    const hooks = [route.onRequest ?? []].flat();
    if (!operation?.scopes || hooks.some((hook) => guards.has(hook))) return;
    const { scopes, allScopes, limited } = operation;
    const own: onRequestHookHandler[] = [
      requireScopes(access, { scopes, allScopes }, operation.takesBasic ? basic : undefined),
      ...(limited ? [limits.limited(limited)] : []),
    ];
    for (const guard of own) guards.add(guard);
    route.onRequest = [...own, ...hooks];
  });
}

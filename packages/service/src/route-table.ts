/** Every route that the application answers, in a list. */
import type { FastifyInstance } from 'fastify';
import type { Operation } from './operation.ts';

export interface RouteEntry {
  method: string;
  /** As Fastify has it: `/v1/metrics/:guid`. */
  url: string;
  operation: Operation | undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route, for the 405 of a wrong method, for the description and for tests that go over all of them. */
    routeTable: readonly RouteEntry[];
  }
}

/** Keeps the list as routes are mounted. Returns which methods the routes of a path have. Call it before the first route. */
export function keepRouteTable(app: FastifyInstance): (path: string) => string[] {
  const patterns: (RouteEntry & { pattern: RegExp })[] = [];
  app.decorate('routeTable', patterns);
  app.addHook('onRoute', (route) => {
    const pattern = new RegExp(`^${route.url.replace(/[.]/g, '\\.').replace(/:[A-Za-z]+/g, '[^/]+')}/?$`);
    const operation = route.config?.operation;
    for (const method of [route.method].flat()) patterns.push({ method, url: route.url, operation, pattern });
  });
  return (path) => {
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return [...new Set(methods)].sort();
  };
}

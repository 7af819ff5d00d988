/** A list of all routes of the application. */
import type { FastifyInstance } from 'fastify';
import type { Operation } from './operation.ts';

export interface RouteEntry {
  method: string;
  /** In Fastify's notation: `/v1/metrics/:guid`. */
  url: string;
  operation: Operation | undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Used for the 405 of a wrong method, for the OpenAPI document, and for tests that call every route. */
    routeTable: readonly RouteEntry[];
  }
}

/**
 * Records routes as they are mounted; call it before the first one. Returns a function that lists the methods of a path, with `OPTIONS`, which
 * each has; of `*`, those of all paths. `/` is a page without a route.
 */
export function keepRouteTable(app: FastifyInstance): (path: string) => string[] {
  const patterns: (RouteEntry & { pattern: RegExp })[] = [];
  app.decorate('routeTable', patterns);
  app.addHook('onRoute', (route) => {
    const pattern = new RegExp(`^${route.url.replace(/[.]/g, '\\.').replace(/:[A-Za-z]+/g, '[^/]+')}/?$`);
    const operation = route.config?.operation;
    for (const method of [route.method].flat()) patterns.push({ method, url: route.url, operation, pattern });
  });
  return (path) => {
    const at = patterns.filter(({ pattern }) => path === '*' || pattern.test(path)).map(({ method }) => method);
    const methods = path === '/' ? ['GET', 'HEAD'] : at;
    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort();
  };
}

/** A list of all routes of the application. */
import { distance } from 'fastest-levenshtein';
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
 * Records routes as they are mounted; call it before the first one. Returns a function that lists the methods of a
 * path, with `OPTIONS`, which each has; of `*`, those of all paths. `/` is a page without a route.
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

/** How many letters of a word may be wrong. */
const MOST_WRONG = 2;

/**
 * The path of a route that differs from this one by a letter or two of one word, under the same base; undefined if
 * there is none.
 */
export function nearestPath(routes: readonly Pick<RouteEntry, 'url'>[], path: string): string | undefined {
  const words = path.split('/');
  for (const { url } of routes) {
    const own = url.split('/');
    if (own.length !== words.length) continue;
    const wrong = own.flatMap((word, at) => (word.startsWith(':') || word === words[at] ? [] : [at]));
    const [at = 0] = wrong;
    const [meant = '', actual = ''] = [own[at], words[at]];
    if (wrong.length !== 1 || (at === 1 && words.length > 2) || Math.abs(meant.length - actual.length) > MOST_WRONG)
      continue;
    if (distance(meant, actual) <= MOST_WRONG) return words.with(at, meant).join('/');
  }
  return undefined;
}

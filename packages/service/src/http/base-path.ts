/**
 * The path at which a proxy passes on the whole service (`--base-path`), such as `/reports`; empty for the root. Routes
 * do not know it: it is removed from a target before it is routed, and added to the addresses in answers.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../contract/problems.ts';
import { readTarget } from './request-head.ts';

/** Metadata whose address may have the path of its subject at the end (RFC 8414 3.1, RFC 9728 3.1). */
const METADATA = ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource'];
/** Supervisors ask the process itself, past any proxy. */
const PROBES = ['/livez', '/readyz'];

/** Requests whose target is not below the base path. */
const outside = new WeakSet<IncomingMessage>();

/** Whether the target of a request is not below the base path. */
export const isOutside = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean => outside.has(raw);

/** The path of a request as it was called, without its query. */
export function calledPath(request: Pick<FastifyRequest, 'raw' | 'url'>, basePath: string): string {
  const [path = '/'] = request.url.split('?');
  return isOutside(request) ? path : basePath + path;
}

/** The path and query below the base path; undefined if the target is elsewhere. */
function below(target: string, basePath: string): string | undefined {
  const [path = ''] = target.split('?');
  const query = target.slice(path.length);
  if (path === basePath) return `/${query}`;
  if (path.startsWith(`${basePath}/`)) return target.slice(basePath.length);
  if (target === '*' || PROBES.includes(path)) return target;
  const metadata = METADATA.find((one) => path === one + basePath);
  return metadata && metadata + query;
}

/** Returns what reads the path and query of a request, without the base path. */
export function targetReader(basePath: string): (raw: IncomingMessage) => string {
  if (basePath === '') return readTarget;
  return (raw) => {
    const target = readTarget(raw);
    const found = below(target, basePath);
    if (found === undefined) outside.add(raw);
    return found ?? target;
  };
}

/** Refuses what is not below the base path, before any route sees it. */
export function refuseOutside(app: FastifyInstance, basePath: string): void {
  if (basePath === '') return;
  app.addHook('onRequest', (request, reply, done) => {
    if (!isOutside(request)) return done();
    reply.header('cache-control', 'no-store');
    const [path] = request.url.split('?');
    done(
      new Problem(
        'route_not_found',
        `${path} is not part of this service, which is at ${basePath}/ (--base-path); a proxy in front of it must keep that path.`,
      ),
    );
  });
}

/** The markup of a page of this service with its links, scripts and styles below the base path. */
export const withBasePath = (markup: string, basePath: string): string =>
  basePath === '' ? markup : markup.replace(/(\s(?:href|src)=")\/(?!\/)/g, `$1${basePath}/`);

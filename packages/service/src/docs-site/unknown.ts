/** The answer to a person at an unknown address: a page, where programs get a problem. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { isOutside, withBasePath } from '../http/base-path.ts';
import { acceptsAnything } from '../http/content-coding.ts';
import { html } from './html.ts';
import { PAGE_HEADERS, PAGE_TYPE, renderPage, type Site } from './layout.ts';

/**
 * A client that accepts several equally gets the first: `Accept: *\/*`, which curl and fetch send, gets the problem.
 */
const TYPES = ['application/problem+json', 'application/json', 'text/html'];
/** There is nothing but a page at `/`. */
const TYPES_AT_ROOT = TYPES.toReversed();

/** Whether a request reads a page: its `Accept` prefers HTML to JSON, or allows it at `/`. */
export function wantsPage(request: Pick<FastifyRequest, 'url' | 'headers'>): boolean {
  const isRoot = pathOf(request) === '/';
  if (acceptsAnything(request.headers.accept)) return isRoot;
  return new Negotiator(request).mediaType(isRoot ? TYPES_AT_ROOT : TYPES) === 'text/html';
}

const pathOf = ({ url }: Pick<FastifyRequest, 'url'>): string => url.split('?')[0] ?? '/';

/**
 * Answers a browser that opened an unknown path: `/` redirects to the docs, any other path is a 404 page with the
 * message.
 */
export function sendUnknownPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { message, basePath, ...site }: Site & { message: string; basePath: string },
): void {
  const path = pathOf(request);
  reply.headers({ ...PAGE_HEADERS, 'x-request-id': request.id, 'cache-control': 'no-store' });
  if (path === '/' && !isOutside(request)) {
    reply.redirect(`${basePath}/docs`, 302);
    return;
  }
  const body = html`<h1>Page not found</h1>
<p class="lead">${message}</p>
<ul>
<li><a href="/docs">Docs</a>: what this service does, and a first report</li>
<li><a href="/docs/reference">Reference</a>: every operation, with a form to try it</li>
<li><a href="/openapi.json">openapi.json</a>: the same operations for programs</li>
</ul>
<p class="muted">Request id <code>${request.id}</code></p>`;
  reply
    .status(404)
    .type(PAGE_TYPE)
    .send(withBasePath(renderPage({ title: 'Page not found', path, body }, site), basePath));
}

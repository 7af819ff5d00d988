/**
 * The docs of the service, at its origin: guides, reference and problem types (docs/contract.md#errors). Pages load
 * nothing from other hosts.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../contract/problems.ts';
import { findAsset } from './assets.ts';
import { readDocument } from './document.ts';
import { findGuide } from './guides.ts';
import { html } from './html.ts';
import { PAGE_HEADERS, PAGE_TYPE, type Page, renderPage } from './layout.ts';
import { readAsset, readDocs, readGuide, readProblem, readProblems, readReferencePage } from './page-operations.ts';
import { findCode, renderProblem, renderProblems } from './problem-pages.ts';
import { renderReference } from './reference.ts';
import { renderStart, yesterdayOf } from './start.ts';

export interface PageDeps {
  /** The OpenAPI 3.1 document for an origin. */
  description: (origin: string) => object;
  /** The origin that was called, or the configured one. */
  origin: (request: FastifyRequest) => string;
  clock: () => number;
}

const YEAR_SECONDS = 31_536_000;

/** The page of the reference, whose forms are filled in with a date, YYYYMMDD. */
function renderReferencePage(description: object, date: string): string {
  const { body, headings } = renderReference(readDocument(description));
  return renderPage({
    title: 'Reference',
    path: '/docs/reference',
    headings,
    script: 'try.js',
    body: html`<h1>Reference</h1>
<p>Everything under <code>/v1</code> is also served under <code>/era/v1</code>. For programs there is <a href="/openapi.json">openapi.json</a>.</p>
<div id="credentials" data-yesterday="${date}"></div>
<noscript><p class="note">With scripts on, every operation has a form to try it.</p></noscript>
${body}`,
  });
}

export async function pageRoutes(app: FastifyInstance, deps: PageDeps): Promise<void> {
  app.addHook('onSend', async (_request, reply) => {
    reply.headers(PAGE_HEADERS);
  });

  const sendText = (reply: FastifyReply, text: string): FastifyReply =>
    reply.type(PAGE_TYPE).header('cache-control', 'no-cache').send(text);
  const send = (reply: FastifyReply, page: Page): FastifyReply => sendText(reply, renderPage(page));

  /** The reference, 800 kB, as it was rendered on a date. */
  let reference: { date: string; text: string } | undefined;

  app.get('/docs', { config: { operation: readDocs } }, (request, reply) =>
    send(reply, { title: 'Start', path: '/docs', body: renderStart(deps.origin(request), deps.clock()) }),
  );

  app.get('/docs/reference', { config: { operation: readReferencePage } }, (request, reply) => {
    const date = yesterdayOf(deps.clock());
    // Rendered once a date for all callers: only the server's origin differs between them, and the reference shows
    // paths.
    if (reference?.date !== date)
      reference = { date, text: renderReferencePage(deps.description(deps.origin(request)), date) };
    return sendText(reply, reference.text);
  });

  app.get('/docs/problems', { config: { operation: readProblems } }, (_request, reply) =>
    send(reply, { title: 'Problems', path: '/docs/problems', body: renderProblems() }),
  );

  app.get<{ Params: { code: string } }>(
    '/docs/problems/:code',
    { config: { operation: readProblem } },
    (request, reply) => {
      const code = findCode(request.params.code);
      if (!code) throw new Problem('route_not_found', 'There is no problem of this code; /docs/problems lists them.');
      return send(reply, { title: code, path: `/docs/problems/${code}`, body: renderProblem(code) });
    },
  );

  app.get<{ Params: { guide: string } }>('/docs/:guide', { config: { operation: readGuide } }, (request, reply) => {
    const guide = findGuide(request.params.guide);
    if (!guide) throw new Problem('route_not_found', 'There is no guide of this name; /docs lists them.');
    return send(reply, { ...guide, path: `/docs/${request.params.guide}` });
  });

  app.get<{ Params: { version: string; file: string } }>(
    '/docs/assets/:version/:file',
    { config: { operation: readAsset } },
    (request, reply) => {
      const asset = findAsset(request.params.version, request.params.file);
      if (!asset) throw new Problem('route_not_found', 'There is no file of this name and version.');
      return reply
        .type(asset.type)
        .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
        .send(asset.body);
    },
  );
}

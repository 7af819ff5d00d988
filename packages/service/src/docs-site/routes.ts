/**
 * The docs of the service, at its origin: guides, reference and problem types (docs/contract.md#errors). Pages load
 * nothing from other hosts.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { Problem } from '../contract/problems.ts';
import { withBasePath } from '../http/base-path.ts';
import { compressTexts } from '../http/content-coding.ts';
import { findAsset } from './assets.ts';
import { readDocument } from './document.ts';
import { findGuide } from './guides.ts';
import { escapeText, type Html, html } from './html.ts';
import { PAGE_HEADERS, PAGE_TYPE, type Page, renderPage, type Site } from './layout.ts';
import {
  readAsset,
  readDocs,
  readGuide,
  readProblem,
  readProblems,
  readReferenceIndex,
  readReferencePage,
} from './page-operations.ts';
import { findCode, renderProblem, renderProblems } from './problem-pages.ts';
import { renderIndex, renderOperations } from './reference.ts';
import { type ReferencePage, referencePages, referencePath } from './reference-pages.ts';
import { renderStart, yesterdayOf } from './start.ts';

export interface PageDeps {
  /** The OpenAPI 3.1 document for an origin. */
  description: (origin: string) => object;
  /** The origin that was called, or the configured one. */
  origin: (request: FastifyRequest) => string;
  config: Pick<Config, 'basePath'>;
  clock: () => number;
  site: Site;
}

const REFERENCE = '/docs/reference';
const YEAR_SECONDS = 31_536_000;

/** In place of the origin that was called, in pages that are kept for all callers. */
const ANY_ORIGIN = 'http://origin.invalid';

/** The pages of the reference, by name; the index has none. Forms are filled in with a date, YYYYMMDD. */
function renderReference(description: object, date: string, site: Site): Map<string, string> {
  const pages = referencePages(readDocument(description));
  const among = {
    title: 'Reference',
    pages: [
      { path: REFERENCE, title: 'All operations' },
      ...pages.map(({ name, title }) => ({ path: referencePath(name), title })),
    ],
  };
  const index = renderPage(
    { title: 'Reference', path: REFERENCE, about: 'every operation', among, body: indexPage(pages) },
    site,
  );
  return new Map([
    ['', index],
    ...pages.map((page): [string, string] => {
      const { body, headings } = renderOperations(page);
      const { name, title, about } = page;
      const path = referencePath(name);
      const whole = operationsPage(title, date, body);
      return [name, renderPage({ title, path, about, among, headings, script: 'try.js', body: whole }, site)];
    }),
  ]);
}

const indexPage = (pages: readonly ReferencePage[]): Html => html`<h1>Reference</h1>
<p>Every operation, with its parameters, bodies and answers, and a form to try it. Everything under <code>/v1</code> is also served under <code>/era/v1</code>. For programs there is <a href="/openapi.json">openapi.json</a>.</p>
${renderIndex(pages)}`;

const operationsPage = (
  title: string,
  date: string,
  body: Html,
): Html => html`<p><a href="${REFERENCE}">Reference</a></p>
<h1>${title}</h1>
<div id="credentials" data-yesterday="${date}"></div>
<noscript><p class="note">With scripts on, every operation has a form to try it.</p></noscript>
${body}`;

export async function pageRoutes(app: FastifyInstance, deps: PageDeps): Promise<void> {
  app.addHook('onSend', async (_request, reply) => {
    reply.headers(PAGE_HEADERS);
  });
  compressTexts(app, 'text/', 'application/json');

  const sendText = (reply: FastifyReply, text: string): FastifyReply =>
    reply.type(PAGE_TYPE).header('cache-control', 'no-cache').send(withBasePath(text, deps.config.basePath));
  const send = (reply: FastifyReply, page: Page): FastifyReply => sendText(reply, renderPage(page, deps.site));

  /** The reference as it was rendered on a date: some 600 kB. */
  let reference: { date: string; pages: Map<string, string> } | undefined;

  /** A page of the reference; undefined for an unknown name. */
  const referencePage = (name: string, origin: string): string | undefined => {
    const date = yesterdayOf(deps.clock());
    if (reference?.date !== date)
      reference = { date, pages: renderReference(deps.description(ANY_ORIGIN), date, deps.site) };
    return reference.pages.get(name)?.replaceAll(ANY_ORIGIN, escapeText(origin));
  };

  app.get('/docs', { config: { operation: readDocs } }, (request, reply) =>
    send(reply, { title: 'Start', path: '/docs', body: renderStart(deps.origin(request), deps.clock()) }),
  );

  app.get(REFERENCE, { config: { operation: readReferenceIndex } }, (request, reply) =>
    sendText(reply, referencePage('', deps.origin(request)) ?? ''),
  );

  app.get<{ Params: { page: string } }>(
    '/docs/reference/:page',
    { config: { operation: readReferencePage } },
    (request, reply) => {
      const page = referencePage(request.params.page, deps.origin(request));
      if (page === undefined)
        throw new Problem('route_not_found', 'The reference has no page of this name; /docs/reference lists them.');
      return sendText(reply, page);
    },
  );

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

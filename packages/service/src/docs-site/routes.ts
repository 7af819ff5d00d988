/**
 * The docs of the service, at its origin: guides, reference and problem types (docs/contract.md#errors). Pages load
 * nothing from other hosts.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { Problem } from '../contract/problems.ts';
import { withBasePath } from '../http/base-path.ts';
import { sendTagged } from '../http/conditional.ts';
import { compressTexts } from '../http/content-coding.ts';
import { findAsset } from './assets.ts';
import { findGuide } from './guides.ts';
import { PAGE_HEADERS, PAGE_TYPE, type Page, renderPage, type Site } from './layout.ts';
import {
  readAsset,
  readCollection,
  readDocs,
  readGuide,
  readProblem,
  readProblems,
  readReferenceIndex,
  readReferencePage,
  readSearch,
} from './page-operations.ts';
import { findCode, renderProblem, renderProblems } from './problem-pages.ts';
import { openReference, REFERENCE } from './reference-site.ts';
import { renderStart } from './start.ts';

interface PageDeps {
  /** The OpenAPI 3.1 document for an origin. */
  description: (origin: string) => object;
  /** The origin that was called, or the configured one. */
  origin: (request: FastifyRequest) => string;
  config: Pick<Config, 'basePath'>;
  clock: () => number;
  site: Site;
}

const YEAR_SECONDS = 31_536_000;

export async function pageRoutes(app: FastifyInstance, deps: PageDeps): Promise<void> {
  app.addHook('onSend', async (_request, reply) => {
    reply.headers(PAGE_HEADERS);
  });
  compressTexts(app, 'text/', 'application/json');

  const sendText = (reply: FastifyReply, text: string): FastifyReply =>
    reply.type(PAGE_TYPE).header('cache-control', 'no-cache').send(withBasePath(text, deps.config.basePath));
  const send = (reply: FastifyReply, page: Page): FastifyReply => sendText(reply, renderPage(page, deps.site));

  const reference = openReference(deps);

  app.get('/docs', { config: { operation: readDocs } }, (request, reply) =>
    send(reply, { title: 'Start', path: '/docs', body: renderStart(deps.origin(request), deps.clock()) }),
  );

  app.get(REFERENCE, { config: { operation: readReferenceIndex } }, (request, reply) =>
    sendText(reply, reference.page('', deps.origin(request)) ?? ''),
  );

  app.get<{ Params: { page: string } }>(
    '/docs/reference/:page',
    { config: { operation: readReferencePage } },
    (request, reply) => {
      const page = reference.page(request.params.page, deps.origin(request));
      if (page === undefined)
        throw new Problem('route_not_found', 'The reference has no page of this name; /docs/reference lists them.');
      return sendText(reply, page);
    },
  );

  app.get('/docs/search.json', { config: { operation: readSearch } }, (request, reply) => {
    const { etag, json } = reference.search();
    return sendTagged(request, reply, etag, () => json);
  });

  app.get('/docs/collection.json', { config: { operation: readCollection } }, (request, reply) => {
    const { etag, json } = reference.collection(deps.origin(request));
    return sendTagged(request, reply, etag, () => json);
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

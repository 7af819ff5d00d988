/** What HTTP requires of a server and the framework leaves open: heads, expectations, and JSON bodies. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, onSendHookHandler } from 'fastify';
import { findFault, placeIn, placeText } from '../contract/json.ts';
import { Problem } from '../contract/problems.ts';
import { refuseCodings } from './content-coding.ts';
import { checkHead } from './request-head.ts';

/** On every answer, so that a browser never treats JSON or CSV as a script or a page, whatever names are in it. */
export const NOSNIFF = { 'x-content-type-options': 'nosniff' } as const;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** For a body that no parser reads: throws Problem unsupported_media_type if it is not JSON. */
export function requireJson(headers: IncomingHttpHeaders): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json')
    throw new Problem('unsupported_media_type', 'The body must be application/json.');
}

/** Parses a whole body as JSON. Throws Problem invalid_json for anything else. */
export function readJson(body: Buffer): unknown {
  if (body.length === 0) throw new Problem('invalid_json', 'The body is empty; a JSON object is required.');
  let text: string;
  try {
    text = UTF_8.decode(body);
  } catch (cause) {
    throw new Problem('invalid_json', 'The body is not valid UTF-8.', { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { offset, message } = findFault(text) ?? { offset: 0, message: String(cause) };
    throw new Problem('invalid_json', `The body is not valid JSON: ${placeText(placeIn(text, offset))}: ${message}.`, {
      cause,
    });
  }
}

/**
 * Removes the length of 0 that the framework gives every answer to HEAD without a body: a 304 must have the length of
 * what the client has, or none, and a 204 has none (RFC 9110 8.6).
 */
const dropLength: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304 || reply.statusCode === 204) reply.removeHeader('content-length');
  done(null, payload);
};

/** Sets these rules on the app. Call it before the routes: their plugins inherit them. */
export function obeyHttp(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    // Last, because the framework adds the length in a hook of the route.
    if (route.method === 'HEAD') route.onSend = [route.onSend ?? [], dropLength].flat();
  });
  // Bodies are JSON, or what a route's own parser accepts; Fastify's default of plain text is removed.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, readJson(body as Buffer));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
  // Unknown expectations may be ignored (RFC 9110 10.1.1); Node's own 417 has no body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(NOSNIFF);
    checkHead(request.raw);
    done();
  });
  refuseCodings(app);
}

/** Calls from web pages of other origins (CORS, Fetch standard): none are allowed unless the setting names them. */
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** The headers that a page may read. */
const EXPOSED = [
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Repr-Digest',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Report-As-Of',
  'X-Report-Rows',
  'X-Report-Incomplete',
  'X-Request-Id',
];
/** How long a browser caches a preflight, in seconds: the longest that any browser does. */
const KEPT_SECONDS = 7200;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the plugin on a preflight that it has answered with its headers; undefined without it. */
    corsPreflightEnabled?: boolean;
  }
}

/**
 * Allows pages of these origins to call every route with a token. These calls never use cookies, so credentials are not
 * allowed.
 */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: KEPT_SECONDS,
    strictPreflight: false,
    // Answered with the methods of the path (problem-answers.ts).
    preflightContinue: true,
  });
}

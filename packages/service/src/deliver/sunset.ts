/** Headers of every answer of the deprecated retrieval path (docs/contract.md#deprecated-path). */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** When GET /metrics/{timeRange}/{guid} became deprecated: 2026-01-01T00:00:00Z, in seconds since 1970. */
const DEPRECATED_AT = 1_767_225_600;

/** Sets the headers; `successor` is the address to use instead. */
export function announceSunset(reply: FastifyReply, successor: string, { sunset }: { sunset: Date }): void {
  reply.header('deprecation', `@${DEPRECATED_AT}`);
  reply.header('sunset', sunset.toUTCString());
  reply.header('link', `<${successor}>; rel="successor-version"`);
}

/**
 * The address of the same retrieval below the path of a family: of the report with this GUID, with the query of the
 * request.
 */
export function successorOf(request: FastifyRequest, path: string, guid: string): string {
  const search = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
  // Encodes characters that would end the address in a Link header (RFC 8288 3).
  const query = search.replaceAll(/[<>"]/g, encodeURIComponent);
  return `${path}/${encodeURIComponent(guid)}${query}`;
}

/** What every answer of the deprecated retrieval path says (docs/contract.md#deprecated-path). */
import type { FastifyReply } from 'fastify';

/** Since when GET /metrics/{timeRange}/{guid} is deprecated: 2026-01-01T00:00:00Z. */
const DEPRECATED_AT = 1_767_225_600;

/** Sets the headers; `successor` is the address to use instead. */
export function announceSunset(reply: FastifyReply, successor: string, { sunset }: { sunset: Date }): void {
  reply.header('deprecation', `@${DEPRECATED_AT}`);
  reply.header('sunset', sunset.toUTCString());
  reply.header('link', `<${successor}>; rel="successor-version"`);
}

/** Headers of every answer of the deprecated retrieval path (docs/contract.md#deprecated-path). */
import type { FastifyReply } from 'fastify';

/** When GET /metrics/{timeRange}/{guid} became deprecated: 2026-01-01T00:00:00Z, in seconds since 1970. */
const DEPRECATED_AT = 1_767_225_600;

/** Sets the headers; `successor` is the address to use instead. */
export function announceSunset(reply: FastifyReply, successor: string, { sunset }: { sunset: Date }): void {
  reply.header('deprecation', `@${DEPRECATED_AT}`);
  reply.header('sunset', sunset.toUTCString());
  reply.header('link', `<${successor}>; rel="successor-version"`);
}

/**
 * The description of an operation, declared beside its route: the source of openapi.json, the docs page and the fuzzer.
 */
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { ProblemCode } from '../contract/problems.ts';
import { Type } from '../contract/schemas.ts';
import type { Scope } from '../contract/words.ts';

export const TAGS = [
  'Reports',
  'Retrieval',
  'Restaurants',
  'Loading',
  'Connections',
  'Webhooks',
  'Access',
  'Sessions',
  'Operations',
] as const;
export type Tag = (typeof TAGS)[number];

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  /** A sentence, with the default if there is one. */
  description: string;
  schema: TSchema;
  /** Path parameters are always required. */
  required?: boolean;
}

export interface Body {
  description: string;
  required: boolean;
  /** By media type. */
  content: Record<string, TSchema>;
  /**
   * It is read as it arrives, and only some at once. It has no limit, unless `body_too_large` is among the problems.
   */
  streamed?: boolean;
  /** Whether `Content-Encoding: gzip` is taken. */
  gzip?: boolean;
  /** `own`: an unreadable body is answered as declared in `answers`, not by a problem. */
  refusals?: 'own';
}

export interface Header {
  description: string;
  schema: TSchema;
  /** Only some answers with this status have it. */
  optional?: boolean;
}

export interface Answer {
  description: string;
  /** By name as written in the docs, e.g. `Location`. */
  headers?: Record<string, Header>;
  /** By media type; absent if there is no body. */
  content?: Record<string, TSchema>;
}

/** The content of a body or an answer that is JSON alone. */
export const json = (schema: TSchema): Record<string, TSchema> => ({ 'application/json': schema });

export const noStore: Record<string, Header> = {
  'Cache-Control': { description: 'No cache may store it', schema: Type.Literal('no-store') },
};

export interface Operation {
  /** A verb and its object, in camel case: `retrieveMetrics`. Unique. */
  id: string;
  /** One line, without a full stop. */
  summary: string;
  description?: string;
  tag: Tag;
  /** Any one of them suffices, unless `allScopes`; `guardOperations` enforces it. If absent, no token is required. */
  scopes?: readonly Scope[];
  /** All of the scopes are required. */
  allScopes?: boolean;
  /** Besides a token it takes client id and secret by Basic authentication. */
  takesBasic?: true;
  /**
   * Describes each value of the path parameter `name` as a separate path. Required if another route has another
   * parameter at the same place, which OpenAPI treats as the same path (`GET /metrics/{guid}` and `POST
   * /metrics/{timeRange}`).
   */
  spelledOut?: { name: string; operations: Record<string, Operation> };
  /** Other query parameters than these are refused. */
  parameters?: Parameter[];
  /** Answered even when all connections are taken. */
  onSpare?: true;
  /** A page for people: links to it may have query parameters of other programs, which it ignores. */
  anyQuery?: boolean;
  /** If absent, a body is refused. */
  body?: Body;
  /** Headers of every answer, including problems. */
  headers?: Record<string, Header>;
  /** The answers below 400, by status, and those of 400 and above whose body is not a problem. */
  answers: Record<number, Answer>;
  /**
   * The problems it may answer with, besides those that follow from the fields above (a token, a scope, a limit, a
   * body) and those of every operation: malformed_request, target_too_long, headers_too_large, internal_error,
   * storage_lost, storage_failed, unavailable, store_unavailable.
   */
  problems?: ProblemCode[];
  /**
   * What a call is counted as, if it is rate-limited (docs/contract.md#rate-limits): its answers then have `RateLimit`,
   * and it may answer 429. The function returns undefined for a request without a limit.
   */
  limited?: string | ((request: FastifyRequest) => string | undefined);
  /** Every answer then has `Deprecation`, `Sunset` and the `Link` to what replaces it. */
  deprecated?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

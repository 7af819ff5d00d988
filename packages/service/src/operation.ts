/** What an operation says of itself, beside its route: the one source of openapi.json, of the docs page and of the fuzzer. */
import type { TSchema } from 'typebox';
import type { Scope } from './contract/words.ts';
import type { ProblemCode } from './problems.ts';

export const TAGS = [
  'Reports',
  'Retrieval',
  'Restaurants',
  'Loading',
  'Webhooks',
  'Access',
  'Sessions',
  'Operations',
] as const;
export type Tag = (typeof TAGS)[number];

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  /** A sentence, with the default where there is one. */
  description: string;
  schema: TSchema;
  /** A path parameter always is. */
  required?: boolean;
}

export interface Body {
  description: string;
  required: boolean;
  /** By media type. */
  content: Record<string, TSchema>;
  /** Of any length: it is never too large. */
  streamed?: boolean;
  /** `own`: what cannot be read is refused as `answers` say, not by a problem. */
  refusals?: 'own';
}

export interface Header {
  description: string;
  schema: TSchema;
  /** Left out of some answers of this status. */
  optional?: boolean;
}

export interface Answer {
  description: string;
  /** By name as it is written in the docs, e.g. `Location`. */
  headers?: Record<string, Header>;
  /** By media type; left out where there is no body. */
  content?: Record<string, TSchema>;
}

export interface Operation {
  /** A verb and what it is done to, in camel case: `retrieveMetrics`. Unique. */
  id: string;
  /** A line, without a full stop. */
  summary: string;
  description?: string;
  tag: Tag;
  /** Any one of them is enough. Omitted: no token is required. */
  scopes?: Scope[];
  /**
   * Every value of the path parameter `name` as a path of its own: where another route has another
   * parameter, which OpenAPI takes for the same path (`GET /metrics/{guid}` and `POST /metrics/{timeRange}`).
   */
  spelledOut?: { name: string; operations: Record<string, Operation> };
  parameters?: Parameter[];
  body?: Body;
  /** Headers of every answer, problems too. */
  headers?: Record<string, Header>;
  /** Every status below 400 that it answers, and those of 400 and above whose body is no problem. */
  answers: Record<number, Answer>;
  /**
   * The problems that it answers, besides those that follow from the fields above (a token, a scope, a limit, a body) and
   * those that any operation may have: malformed_request, internal_error, unavailable, store_unavailable.
   */
  problems?: ProblemCode[];
  /** Whether it is rate-limited (docs/contract.md#rate-limits): then its answers have `RateLimit` and it may answer 429. */
  limited?: boolean;
  deprecated?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

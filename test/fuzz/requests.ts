/** Requests drawn from the document: what fits it, and near misses of that. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Sent } from './agent.ts';
import type { Document, Operation } from './document.ts';
import { type Body, bodyOf, headersOf, often, pathValue, queryOf } from './parts.ts';
import { isPick, type Pick, wounded } from './values.ts';
import { KINDS, type PoolName, TOKENS, type TokenName, type World } from './world.ts';

/** A request as it is drawn: what it refers to is looked up when it is sent. */
export interface Drawn {
  operation: string;
  method: string;
  base: string;
  template: string;
  /** By parameter: a pick, or a piece of a URL as it is. */
  path: Record<string, Pick | string>;
  upper: boolean;
  slash: string;
  query: [string, string | Pick][];
  headers: Record<string, string>;
  token: TokenName;
  body: Body | null;
}
/** Calls that cost the service 20 to 40 ms each are a few in a hundred; what is retrieved has the most states. */
const WEIGHTS: [RegExp, number][] = [
  [/^retrieve/, 30],
  [/^getReport/, 12],
  [/^(create|load)/, 2],
  [/^(issueToken|login)$/, 1],
  [/^put/, 4],
];
const weightOf = (id: string): number => WEIGHTS.find(([pattern]) => pattern.test(id))?.[1] ?? 3;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];

function drawOf(document: Document, operation: Operation): fc.Arbitrary<Drawn> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const path = Object.fromEntries(
    inPath.map((parameter) => [parameter.name, pathValue(operation, parameter, document)]),
  );
  const bases = operation.atOrigin
    ? often(30, '', fc.constant('/v1'))
    : often(6, '/v1', fc.constant('/era/v1'), often(9, '/era/v1', fc.constantFrom('', '/v2', '/V1', '/v1/')));
  const isGet = operation.method === 'GET';
  return fc.record({
    operation: fc.constant(operation.id),
    method: often(
      20,
      operation.method,
      isGet ? fc.constant('HEAD') : fc.constant(operation.method),
      often(2, operation.method, fc.constantFrom(...METHODS)),
    ),
    base: bases,
    template: fc.constant(operation.path),
    path: fc.record(path),
    upper: often(12, false, fc.constant(true)),
    slash: often(20, '', fc.constantFrom('/', '//', '/x')),
    query: queryOf(operation, document),
    headers: headersOf(operation),
    token: fc.oneof(
      {
        weight: 10,
        arbitrary:
          operation.scopes.length > 0
            ? fc.constantFrom<TokenName>('good', 'good', 'live')
            : fc.constant<TokenName>('none'),
      },
      { weight: 3, arbitrary: fc.constantFrom(...TOKENS) },
    ),
    body: bodyOf(operation, document),
  });
}

/** Any request, near any operation. */
export function anyRequest(document: Document): fc.Arbitrary<Drawn> {
  return fc.oneof(
    ...document.operations.map((operation) => ({
      weight: weightOf(operation.id),
      arbitrary: drawOf(document, operation),
    })),
  );
}

const KEPT: PoolName[] = [...KINDS, 'failed', 'held', 'expired'];

/** The request as it goes over the wire. */
export function sentOf(drawn: Drawn, world: World): Sent {
  const look = (value: unknown): unknown => {
    if (isPick(value)) {
      const kept = drawn.method === 'DELETE' && KEPT.includes(value.pool);
      const pool = world.pools[kept ? 'disposable' : value.pool];
      return pool[value.at % pool.length] ?? '';
    }
    if (Array.isArray(value)) return value.map(look);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, look(one)]));
    return value;
  };
  const part = (value: Pick | string): string => {
    const text = String(look(value));
    return drawn.upper && isPick(value) ? text.toUpperCase() : text;
  };
  const path = drawn.template.replace(/\{([^}]+)\}/g, (_all, name: string) => part(drawn.path[name] ?? ''));
  const query = drawn.query.map(([name, value]) => `${name}=${look(value)}`).join('&');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(drawn.headers))
    headers[name] = value.replaceAll('{etag}', world.etag ?? '"e"');
  const token = world.tokens[drawn.token];
  if (token !== undefined) headers.authorization = token;
  return {
    method: drawn.method,
    url: `${drawn.base}${path}${drawn.slash}${query && `?${query}`}`,
    headers,
    body: bytesOf(drawn.body, headers, look),
  };
}

function bytesOf(
  body: Body | null,
  headers: Record<string, string>,
  look: (value: unknown) => unknown,
): Buffer | undefined {
  if (!body) return undefined;
  const value = wounded(look(body.value), body.wound);
  if (body.type !== '') headers['content-type'] = body.type;
  const bytes = Buffer.from(body.raw ?? written(body.type, value));
  if (!body.gzip) return bytes;
  headers['content-encoding'] = 'gzip';
  return gzipSync(bytes);
}

function written(type: string, value: unknown): string {
  if (type.includes('ndjson') && Array.isArray(value)) return value.map((one) => `${JSON.stringify(one)}\n`).join('');
  if (type.includes('urlencoded') && typeof value === 'object' && value !== null)
    return new URLSearchParams(
      Object.entries(value).map(([name, one]): [string, string] => [name, String(one)]),
    ).toString();
  return JSON.stringify(value) ?? '';
}

/** The OpenAPI document, made from the operations that routes declare. */
import {
  type Dialect,
  SCOPE_ACCESS,
  SCOPE_GROUPS,
  SCOPE_GUEST,
  SCOPE_INGEST,
  SCOPE_READ,
  type Scope,
} from '../contract/words.ts';
import { reportNouns } from '../families/index.ts';
import { type Operation, type Parameter, TAGS, type Tag } from '../http/operation.ts';
import type { RouteEntry } from '../http/route-table.ts';
import { VERSION } from '../version.ts';
import { createNamed, type JsonSchema, type Named, schemaOf } from './json-schemas.ts';
import { type ProblemHeaders, problemHeadersOf, responsesOf, shareAnswers } from './responses.ts';

/** Where the described service is mounted, and for which dialect. */
interface ServiceAddress {
  /** `http://host:port`, with the base path and without a trailing slash. */
  origin: string;
  /** The version prefixes; the first is the recommended one. */
  bases: readonly string[];
  /** The dialect of the described records; both by default. */
  dialect?: Dialect | undefined;
}

/** Names of path parameters in the document that are longer than in the route. */
const PATH_NAMES: Record<string, string> = { guid: 'reportRequestGuid' };
const TAG_TEXTS: Record<Tag, string> = {
  Reports:
    'Creating reports. Each has a reportRequestGuid and can be retrieved until it expires, by default for seven days.',
  Retrieval: 'The records of a report, in the requested format.',
  Restaurants: 'Restaurants and the names that go with their GUIDs.',
  Loading: 'Orders, time entries and settlements, the source of every report.',
  Connections: 'Preview: restaurants that are read from their point of sale and kept current.',
  Webhooks: 'Calls to a server of the client when a report completes or fails.',
  Access: 'Tokens, and what clients need to know about them.',
  Sessions: 'How a person signs in to the console. These operations alone read a cookie.',
  Operations: 'Health, version, and pages about the service itself.',
};
const SCOPE_TEXTS: Record<Scope, string> = {
  [SCOPE_READ]: 'Ask for reports and retrieve them',
  [SCOPE_INGEST]: 'Load restaurants, orders, time entries and settlements',
  [SCOPE_GUEST]: 'Guest payments, in addition to reading reports, where the service requires it',
  [SCOPE_ACCESS]: 'Manage clients, sessions and webhooks of the management group',
  [SCOPE_GROUPS]: 'Manage management groups, and clients of any of them',
};
const ABOUT = `Ask for a report, keep its \`reportRequestGuid\`, retrieve it: ${reportNouns()} of restaurants.

Every operation under the base URL requires a bearer token. Every 4xx and 5xx outside \`/oauth\` is a problem (RFC 9457) whose
\`code\` is stable. HEAD is answered wherever GET is, with the same status and headers and no body, so it is not listed.
A path that does not exist is answered with a 404 problem (a browser gets a page), a method that a path does not take with a 405 problem and \`Allow\`,
OPTIONS with 204 and \`Allow\`, an unknown method or transfer coding with a 501 problem.`;

/** Every operation with its path in the document, for the routes below the first base and at the origin. */
export function operationsOf(routes: readonly RouteEntry[], bases: readonly string[]) {
  const found: { method: string; path: string; atOrigin: boolean; operation: Operation }[] = [];
  for (const { method, url, operation } of routes) {
    const base = bases.find((known) => url.startsWith(`${known}/`));
    if (method === 'HEAD' || !operation || (base !== undefined && base !== bases[0])) continue;
    const place = { method: method.toLowerCase(), atOrigin: base === undefined };
    const path = url.slice(base?.length ?? 0);
    const { spelledOut } = operation;
    if (!spelledOut) found.push({ ...place, path: named(path), operation });
    for (const [value, each] of Object.entries(spelledOut?.operations ?? {})) {
      found.push({ ...place, path: named(path.replace(`:${spelledOut?.name}`, value)), operation: each });
    }
  }
  return found;
}

const named = (path: string): string =>
  path.replace(/:([A-Za-z]+)/g, (_all, name: string) => `{${PATH_NAMES[name] ?? name}}`);

/** The document. Throws if an operationId occurs twice, or two different schemas share a title. */
export function describeRoutes(routes: readonly RouteEntry[], { origin, bases, dialect }: ServiceAddress): JsonSchema {
  const components = createNamed(dialect);
  const paths: Record<string, JsonSchema> = {};
  const ids = new Set<string>();
  const tags = new Set<Tag>();
  const described: JsonSchema[] = [];
  const operations = operationsOf(routes, bases);
  const ofProblems = problemHeadersOf(operations.map(({ operation }) => operation));
  for (const { method, path, atOrigin, operation } of operations) {
    if (ids.has(operation.id)) throw new Error(`two operations have the id ${operation.id}`);
    ids.add(operation.id);
    tags.add(operation.tag);
    paths[path] ??= atOrigin ? { servers: [{ url: origin }] } : {};
    const all = describe(operation, ofProblems, components);
    described.push(all);
    paths[path][method] = all;
  }
  shareAnswers(described, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Daypart',
      version: VERSION,
      summary: 'A reporting service for restaurants',
      description: ABOUT,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: bases.map((base) => ({ url: origin + base })),
    tags: TAGS.filter((tag) => tags.has(tag)).map((name) => ({ name, description: TAG_TEXTS[name] })),
    paths,
    components: { securitySchemes: securitySchemes(origin), ...components.all },
  };
}

function describe(operation: Operation, ofProblems: ProblemHeaders, components: Named): JsonSchema {
  const { id, summary, description, tag, scopes, allScopes, takesBasic, parameters, body, deprecated } = operation;
  const sufficient = allScopes ? [scopes ?? []] : (scopes ?? []).map((scope) => [scope]);
  return {
    operationId: id,
    summary,
    ...(description ? { description } : {}),
    tags: [tag],
    ...(deprecated ? { deprecated } : {}),
    security: scopes
      ? [...sufficient.map((all) => ({ oauth2: [...all] })), { bearer: [] }, ...(takesBasic ? [{ basic: [] }] : [])]
      : [],
    ...(parameters ? { parameters: parameters.map((parameter) => describeParameter(parameter, components)) } : {}),
    ...(body
      ? {
          requestBody: {
            description: body.description,
            required: body.required,
            content: Object.fromEntries(
              Object.entries(body.content).map(([type, schema]) => [type, { schema: schemaOf(schema, components) }]),
            ),
          },
        }
      : {}),
    responses: responsesOf(operation, ofProblems, components),
  };
}

function describeParameter(parameter: Parameter, components: Named): JsonSchema {
  const inPath = parameter.in === 'path';
  const name = inPath ? (PATH_NAMES[parameter.name] ?? parameter.name) : parameter.name;
  return components.put('parameters', name, {
    in: parameter.in,
    name,
    description: parameter.description,
    ...(inPath || parameter.required ? { required: true } : {}),
    schema: schemaOf(parameter.schema, components),
  });
}

const securitySchemes = (origin: string): JsonSchema => ({
  oauth2: {
    type: 'oauth2',
    description: 'RFC 6749 section 4.4, by Basic authentication or with the credentials in the form',
    flows: { clientCredentials: { tokenUrl: `${origin}/oauth/token`, scopes: SCOPE_TEXTS } },
  },
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An existing access token' },
  basic: { type: 'http', scheme: 'basic', description: 'Client id and secret, of datasets only' },
});

/**
 * The served OpenAPI document as the fuzzer reads it: which operation a request belongs to, and what that may answer.
 */
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Json = Record<string, unknown>;

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  schema: Json;
}
export interface Response {
  headers: Record<string, { required: boolean; valid: ValidateFunction }>;
  /** By media type; a validator for JSON only. */
  content: Record<string, { schema: Json; valid: ValidateFunction | undefined }>;
}
export interface Operation {
  id: string;
  method: string;
  /** As described, below the base or at the origin. */
  path: string;
  atOrigin: boolean;
  parameters: Parameter[];
  bodies: Record<string, Json>;
  scopes: string[];
  responses: Record<number, Response>;
  pattern: RegExp;
}
export interface Document {
  operations: Operation[];
  /** The schema without its references, for drawing values of it. */
  resolve(schema: Json): Json;
  validatorOf(schemaName: string): ValidateFunction;
  text: string;
}

/**
 * What a path matches. A word that is the beginning of other paths is never the value of a parameter:
 * `/payout/payments` is no
 * `/payout/{reportRequestGuid}`.
 */
function patternOf(path: string, paths: string[]): RegExp {
  const parts = path.split('/').map((part, at, all) => {
    if (!part.startsWith('{')) return part.replace(/[.]/g, '\\.');
    const before = `${all.slice(0, at).join('/')}/`;
    const words = paths.flatMap((other) => {
      if (!other.startsWith(before)) return [];
      const [word = '', ...rest] = other.slice(before.length).split('/');
      return rest.length > 0 && /^[a-z-]+$/.test(word) ? [word] : [];
    });
    return words.length === 0 ? '[^/]+' : `(?!(?:${[...new Set(words)].join('|')})(?:/|$))[^/]+`;
  });
  return new RegExp(`^${parts.join('/')}/?$`);
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
const JSON_TYPES = ['application/json', 'application/problem+json'];

/** Reads the document and compiles each of its schemas once. */
export function readDocument(text: string): Document {
  const root = JSON.parse(text) as Json;
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  addFormats.default(ajv);
  ajv.addFormat('binary', true);
  ajv.addSchema({ $id: 'openapi', ...root } as AnySchema, 'openapi');
  const compiled = new Map<string, ValidateFunction>();

  function compile(schema: Json): ValidateFunction {
    const key = JSON.stringify(schema);
    let valid = compiled.get(key);
    if (!valid) {
      // References are into the document, which has the schemas.
      valid = ajv.compile(JSON.parse(key.replaceAll('"#/', '"openapi#/')) as AnySchema);
      compiled.set(key, valid);
    }
    return valid;
  }

  function at(ref: string): Json {
    let value: unknown = root;
    for (const part of ref.slice(2).split('/')) value = (value as Json)[part.replaceAll('~1', '/')];
    return value as Json;
  }
  const deref = (value: Json): Json => (typeof value.$ref === 'string' ? deref(at(value.$ref)) : value);

  function readResponse(value: unknown): Response {
    const { headers = {}, content = {} } = deref(value as Json) as { headers?: Json; content?: Json };
    return {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, entry]) => {
          const { required, schema } = deref(entry as Json);
          return [name.toLowerCase(), { required: required === true, valid: compile(schema as Json) }];
        }),
      ),
      content: Object.fromEntries(
        Object.entries(content).map(([type, entry]) => {
          const schema = (entry as Json).schema as Json;
          return [type, { schema, valid: JSON_TYPES.includes(type) ? compile(schema) : undefined }];
        }),
      ),
    };
  }

  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(root.paths as Record<string, Json>)) {
    for (const method of METHODS) {
      const found = item[method] as Json | undefined;
      if (!found) continue;
      const security = (found.security ?? []) as Json[];
      const body = found.requestBody as { content: Record<string, { schema: Json }> } | undefined;
      operations.push({
        id: found.operationId as string,
        method: method.toUpperCase(),
        path,
        atOrigin: 'servers' in item,
        parameters: ((found.parameters ?? []) as Json[]).map((parameter) => deref(parameter) as unknown as Parameter),
        bodies: Object.fromEntries(Object.entries(body?.content ?? {}).map(([type, { schema }]) => [type, schema])),
        scopes: security.flatMap(({ oauth2 }) => (oauth2 as string[] | undefined) ?? []),
        responses: Object.fromEntries(
          Object.entries(found.responses as Json).map(([status, value]) => [Number(status), readResponse(value)]),
        ),
        pattern: patternOf(path, Object.keys(root.paths as Json)),
      });
    }
  }
  // A path that is written out goes before a template, as OpenAPI has it.
  operations.sort((one, other) => one.path.split('{').length - other.path.split('{').length);
  return {
    operations,
    resolve: deref,
    validatorOf: (name) => compile({ $ref: `#/components/schemas/${name}` }),
    text,
  };
}

/** Longer parameters are no parameters to the router. */
const LONGEST_PARAMETER = 1000;

/** The operation that a request line names: HEAD counts as GET. Undefined where there is none. */
export function operationOf(document: Document, method: string, url: string): Operation | undefined {
  const [full = ''] = url.split('?');
  const base = /^\/(era\/)?v1(?=\/)/.exec(full)?.[0];
  const path = base === undefined ? full : full.slice(base.length);
  try {
    if (path.split('/').some((part) => decodeURIComponent(part).length > LONGEST_PARAMETER)) return undefined;
  } catch {
    return undefined;
  }
  const wanted = method === 'HEAD' ? 'GET' : method;
  return document.operations.find(
    (operation) =>
      operation.atOrigin === (base === undefined) && operation.method === wanted && operation.pattern.test(path),
  );
}

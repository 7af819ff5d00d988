/**
 * The OpenAPI document in the form that the reference shows: references resolved, all facts of an operation in one
 * object.
 */
import { isObject, type JsonObject } from '../contract/json.ts';
import { shownExample } from './example.ts';

export interface ShownParameter {
  in: string;
  name: string;
  description: string;
  required: boolean;
  schema: JsonObject;
  example: unknown;
}

export interface ShownContent {
  mediaType: string;
  schema: JsonObject;
  example: unknown;
}

export interface ShownAnswer {
  status: string;
  description: string;
  headers: { name: string; description: string }[];
  contents: ShownContent[];
  /** Problem codes, for a status of 400 or above. */
  codes: string[];
}

export interface ShownOperation {
  id: string;
  method: string;
  /** Including the base: `/v1/metrics/{guid}`. */
  path: string;
  summary: string;
  description: string;
  tag: string;
  /**
   * Any one suffices; several in one text, separated by blanks, are required together. Undefined if no token is
   * required.
   */
  scopes: string[] | undefined;
  deprecated: boolean;
  parameters: ShownParameter[];
  body: { description: string; required: boolean; contents: ShownContent[] } | undefined;
  answers: ShownAnswer[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Deeper references belong to a recursive schema, which is cut off there. */
const DEEPEST_SCHEMA = 12;

/** The node with every `$ref` in it replaced by its target in the document. */
export function followed(document: JsonObject, node: unknown, depth = 0): unknown {
  if (depth > DEEPEST_SCHEMA * 2) return {};
  if (Array.isArray(node)) return node.map((item) => followed(document, item, depth + 1));
  if (!isObject(node)) return node;
  if (typeof node.$ref === 'string') {
    const steps = node.$ref.replace(/^#\//, '').split('/');
    const found = steps.reduce<unknown>(
      (at, step) => objectOf(at)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
    return followed(document, found, depth + 1);
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, followed(document, value, depth + 1)]));
}

function contentsOf(content: unknown): ShownContent[] {
  return Object.entries(objectOf(content)).map(([mediaType, value]) => {
    const media = objectOf(value);
    const schema = objectOf(media.schema);
    return { mediaType, schema, example: media.example ?? shownExample(schema) };
  });
}

/** The codes of a problem answer: the narrowest list that its schema has for `code`, since part of it allows all. */
function codesOf(content: unknown): string[] {
  const media = objectOf(objectOf(content)['application/problem+json']);
  const lists: string[][] = [];
  const visit = (schema: JsonObject): void => {
    const code = objectOf(objectOf(schema.properties).code);
    if (typeof code.const === 'string') lists.push([code.const]);
    if (Array.isArray(code.enum)) lists.push(code.enum.map(textOf));
    for (const key of ['allOf', 'anyOf', 'oneOf']) for (const part of listOf(schema[key])) visit(objectOf(part));
  };
  visit(objectOf(media.schema));
  const [narrowest = []] = lists.sort((a, b) => a.length - b.length);
  return narrowest;
}

function answerOf([status, value]: [string, unknown]): ShownAnswer {
  const answer = objectOf(value);
  return {
    status,
    description: textOf(answer.description),
    headers: Object.entries(objectOf(answer.headers)).map(([name, header]) => ({
      name,
      description: textOf(objectOf(header).description),
    })),
    contents: contentsOf(answer.content),
    codes: Number(status) >= 400 ? codesOf(answer.content) : [],
  };
}

function parameterOf(value: unknown): ShownParameter {
  const parameter = objectOf(value);
  const schema = objectOf(parameter.schema);
  const [first] = Object.values(objectOf(parameter.examples));
  return {
    in: textOf(parameter.in),
    name: textOf(parameter.name),
    description: textOf(parameter.description),
    required: parameter.required === true,
    schema,
    example: parameter.example ?? objectOf(first).value ?? shownExample(schema),
  };
}

/** The path of the first server, which precedes the paths of the document. */
function baseOf(...levels: JsonObject[]): string {
  for (const { servers } of levels) {
    const [first] = listOf(servers);
    const url = textOf(objectOf(first).url);
    if (url) return new URL(url, 'http://localhost').pathname.replace(/\/$/, '');
  }
  return '';
}

/** As in ShownOperation. */
function scopesOf(operation: JsonObject, document: JsonObject): string[] | undefined {
  const requirements = listOf(operation.security ?? document.security).map(objectOf);
  if (requirements.length === 0 || requirements.some((one) => Object.keys(one).length === 0)) return undefined;
  const sufficient = requirements.map((one) => Object.values(one).flatMap(listOf).map(textOf).join(' '));
  return [...new Set(sufficient.filter((scopes) => scopes !== ''))];
}

/** Every operation of an OpenAPI 3.1 document, in its order. */
export function readDocument(source: object): ShownOperation[] {
  const document = source as JsonObject;
  const operations: ShownOperation[] = [];
  for (const [path, value] of Object.entries(objectOf(document.paths))) {
    const item = objectOf(followed(document, value));
    for (const method of METHODS) {
      if (!isObject(item[method])) continue;
      const operation = item[method];
      const body = isObject(operation.requestBody) ? operation.requestBody : undefined;
      operations.push({
        id: textOf(operation.operationId),
        method: method.toUpperCase(),
        path: baseOf(operation, item, document) + path,
        summary: textOf(operation.summary),
        description: textOf(operation.description),
        tag: textOf(listOf(operation.tags)[0]) || 'Operations',
        scopes: scopesOf(operation, document),
        deprecated: operation.deprecated === true,
        parameters: [...listOf(item.parameters), ...listOf(operation.parameters)].map(parameterOf),
        body: body && {
          description: textOf(body.description),
          required: body.required === true,
          contents: contentsOf(body.content),
        },
        answers: Object.entries(objectOf(operation.responses)).map(answerOf),
      });
    }
  }
  return operations;
}

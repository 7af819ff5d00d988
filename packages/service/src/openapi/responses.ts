/** The responses of an operation: those that it declares, and the problems that follow from its other fields. */
import { STATUS_CODES } from 'node:http';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '../contract/problems.ts';
import { exact, Nullable, Text, Type, Words } from '../contract/schemas.ts';
import type { Answer, Header, Operation } from '../http/operation.ts';
import { type JsonSchema, type Named, schemaOf } from './json-schemas.ts';

const PROBLEM_TYPE = 'application/problem+json';

/** A line for each code, so that answers need no examples of them. */
const ABOUT_CODES = PROBLEM_CODES.map((code) => {
  const { status, title, retryable } = PROBLEMS[code];
  return `- \`${code}\` (${status}${retryable ? ', retryable' : ''}): ${title}`;
}).join('\n');

/** Each property has an example: those of a whole problem would hide which codes an answer has. */
const ProblemBody = Type.Object(
  {
    type: Text('http://127.0.0.1:8080/docs/problems/span_too_long', {
      format: 'uri-reference',
      description: 'The page of the service that explains the code',
    }),
    title: Text('The span is too long'),
    status: Type.Integer({ minimum: 400, maximum: 599, examples: [400] }),
    detail: Text('The span has 9 dates; week takes at most 7 dates.'),
    instance: Text('/v1/metrics/week', { description: 'The path that was called' }),
    message: Text('The span has 9 dates; week takes at most 7 dates.', { description: 'The same as `detail`' }),
    requestId: Text('0d7f2c7e-9a55-4d0f-8a53-0c1c5b7b2f11', {
      description: 'The same as the header `X-Request-Id`; quote it to support',
    }),
    code: Words(PROBLEM_CODES, { title: 'ProblemCode', description: ABOUT_CODES }),
    retryable: Type.Boolean({ description: 'Whether the same call may succeed later without being changed' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            pointer: Text('/endBusinessDate', {
              description: 'A JSON pointer into the body, or the name of a parameter',
            }),
            message: Text('The span has 9 dates; week takes at most 7 dates.'),
          },
          { ...exact, title: 'FieldError' },
        ),
      ),
    ),
    replacement: Type.Optional(
      Type.Object(
        {
          method: Type.Literal('POST'),
          path: Text('/v1/metrics/day'),
          body: Nullable(
            Type.Object({}, { additionalProperties: true, examples: [{ startBusinessDate: '20260310' }] }),
          ),
        },
        { ...exact, title: 'Replacement', description: 'The POST that creates the report again' },
      ),
    ),
  },
  { ...exact, title: 'Problem', description: 'RFC 9457; `code` identifies the problem and is stable' },
);

const REQUEST_ID: Header = {
  description: 'The id of the request: that of the caller if it sent a valid one',
  schema: Text('0d7f2c7e-9a55-4d0f-8a53-0c1c5b7b2f11'),
};
const CHALLENGE: Header = { description: 'The challenge (RFC 6750)', schema: Text('Bearer realm="daypart"') };
const RETRY_AFTER: Header = { description: 'Seconds', schema: Type.Integer({ minimum: 1, examples: [7] }) };
const CONTENT_RANGE: Header = { description: 'How many bytes there are', schema: Text('bytes */4096') };
const ACCEPT_ENCODING: Header = {
  description: 'What the operation takes, if the `Content-Encoding` of the body is the reason',
  schema: Text('gzip, identity'),
  optional: true,
};
/** Absent if rate limits are off. */
const LIMITS: Record<string, Header> = {
  RateLimit: { description: 'The remaining quota', schema: Text('"minute";r=29;t=41'), optional: true },
  'RateLimit-Policy': { description: 'The limits', schema: Text('"minute";q=30;w=60'), optional: true },
};
/** Headers that every answer with the problem has. */
const OF_PROBLEM: Partial<Record<ProblemCode, Record<string, Header>>> = {
  token_missing: { 'WWW-Authenticate': CHALLENGE },
  token_invalid: { 'WWW-Authenticate': CHALLENGE },
  scope_missing: { 'WWW-Authenticate': CHALLENGE },
  login_refused: { 'WWW-Authenticate': CHALLENGE },
  session_missing: { 'WWW-Authenticate': CHALLENGE },
  link_refused: { 'WWW-Authenticate': CHALLENGE },
  unsupported_media_type: { 'Accept-Encoding': ACCEPT_ENCODING },
  range_not_satisfiable: { 'Content-Range': CONTENT_RANGE },
  rate_limited: { 'Retry-After': RETRY_AFTER },
  too_many_logins: { 'Retry-After': RETRY_AFTER },
  too_many_at_once: { 'Retry-After': RETRY_AFTER },
  store_unavailable: { 'Retry-After': RETRY_AFTER },
  busy: { 'Retry-After': RETRY_AFTER },
};
/** What every answer of a deprecated operation has. */
const DEPRECATION: Record<string, Header> = {
  Deprecation: { description: 'Since when (RFC 9745)', schema: Text('@1767225600', { pattern: '^@\\d+$' }) },
  Sunset: { description: 'Until when (RFC 8594)', schema: Text('Sat, 01 Jan 2028 00:00:00 GMT') },
  Link: {
    description: 'What replaces it, `rel="successor-version"`',
    schema: Text('<…>; rel="successor-version"'),
  },
};

/** Problems of heads, which never reach the operation and the headers of its answers. */
const OF_HEAD: readonly ProblemCode[] = ['target_too_long', 'headers_too_large'];
/** What any operation may answer. */
const ANY = ['internal_error', 'storage_lost', 'storage_failed', 'unavailable', 'store_unavailable'] as const;

/** The problems of an operation: its own, and those that follow from its token, limit and body. */
function problemsOf(operation: Operation): ProblemCode[] {
  const { scopes, takesBasic, body, limited, anyQuery, problems = [] } = operation;
  const codes = new Set<ProblemCode>(['malformed_request', ...OF_HEAD, ...problems]);
  if (scopes) for (const code of ['token_missing', 'token_invalid', 'scope_missing'] as const) codes.add(code);
  if (takesBasic) codes.add('login_refused').add('too_many_logins');
  if (!anyQuery) codes.add('unknown_parameter');
  codes.add(body ? 'request_timeout' : 'invalid_body');
  if (body && body.refusals !== 'own') {
    codes.add('invalid_json').add('unsupported_media_type');
    codes.add(body.streamed ? 'too_many_at_once' : 'body_too_large');
  }
  if (limited) codes.add('rate_limited');
  for (const code of ANY) codes.add(code);
  return PROBLEM_CODES.filter((code) => codes.has(code));
}

/** The headers of every answer of an operation, problems included, but those of heads. */
export const headersEverywhere = ({ headers, limited, deprecated }: Operation): Record<string, Header> => ({
  ...headers,
  ...(limited ? LIMITS : {}),
  ...(deprecated ? DEPRECATION : {}),
});

/** The problems of each status that the operation may answer, the lowest first; none of a status without. */
function statusesOf(operation: Operation): [number, ProblemCode[]][] {
  const statuses = new Map<number, ProblemCode[]>(Object.keys(operation.answers).map((status) => [Number(status), []]));
  for (const code of problemsOf(operation)) {
    const { status } = PROBLEMS[code];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return [...statuses].sort(([one], [other]) => one - other);
}

/**
 * By the codes of an answer that is a problem: the headers that follow from operations, of all that have the answer.
 */
export type ProblemHeaders = ReadonlyMap<string, Record<string, Header>>;

/**
 * The headers of answers that are problems, the same for all operations that have the answer, so that it is described
 * once: what only some of the operations send is optional. Throws if two operations describe a header differently.
 */
export function problemHeadersOf(operations: readonly Operation[]): ProblemHeaders {
  const sets = new Map<string, Record<string, Header>[]>();
  for (const operation of operations) {
    for (const [status, codes] of statusesOf(operation)) {
      if (operation.answers[status] || codes.some((code) => OF_HEAD.includes(code))) continue;
      const key = codes.join();
      sets.set(key, [...(sets.get(key) ?? []), headersEverywhere(operation)]);
    }
  }
  return new Map([...sets].map(([key, each]) => [key, unionOf(each)]));
}

/** The headers of all sets; those that are not in each of them are optional. */
function unionOf(sets: readonly Record<string, Header>[]): Record<string, Header> {
  const all: Record<string, Header> = {};
  for (const [name, header] of sets.flatMap((set) => Object.entries(set))) {
    if (all[name] && JSON.stringify(all[name]) !== JSON.stringify(header))
      throw new Error(`two descriptions of the header ${name}`);
    all[name] = header;
  }
  for (const [name, header] of Object.entries(all)) {
    if (!sets.every((set) => name in set)) all[name] = { ...header, optional: true };
  }
  return all;
}

/** The `responses` of an operation, by status. */
export function responsesOf(operation: Operation, ofProblems: ProblemHeaders, named: Named): JsonSchema {
  const responses: JsonSchema = {};
  for (const [status, codes] of statusesOf(operation)) {
    const answer = operation.answers[status];
    const headers = codes.length > 0 && !answer ? ofProblems.get(codes.join()) : headersEverywhere(operation);
    responses[status] = responseOf(answer, codes, headers ?? {}, named);
  }
  return responses;
}

function responseOf(
  answer: Answer | undefined,
  codes: ProblemCode[],
  everywhere: Record<string, Header>,
  named: Named,
): JsonSchema {
  const content: JsonSchema = {};
  for (const [type, schema] of Object.entries(answer?.content ?? {}))
    content[type] = { schema: schemaOf(schema, named) };
  if (codes.length > 0) content[PROBLEM_TYPE] = problemMedia(codes, named);
  const descriptions = answer ? [answer.description] : [];
  // A status may be used for an answer and for problems: what only some of them have is optional.
  const own = unionOf([...(answer ? [answer.headers ?? {}] : []), ...codes.map((code) => OF_PROBLEM[code] ?? {})]);
  return {
    description: [...descriptions, ...codes.map((code) => PROBLEMS[code].title)].join('; '),
    headers: headersOf({ 'X-Request-Id': REQUEST_ID, ...everywhere, ...own }, named),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

/**
 * Moves each answer that several operations have among the components: under the name of its JSON, its problem, or its
 * status.
 */
export function shareAnswers(operations: readonly JsonSchema[], named: Named): void {
  const places = (operations as { responses: Record<string, JsonSchema> }[]).flatMap(({ responses }) =>
    Object.entries(responses).map(([status, response]) => ({ responses, status, response })),
  );
  for (const same of Map.groupBy(places, ({ response }) => JSON.stringify(response)).values()) {
    const [first] = same;
    if (!first || same.length < 2) continue;
    const shared = named.put('responses', sharedName(first.response, first.status), first.response);
    for (const { responses, status } of same) responses[status] = shared;
  }
}

function sharedName({ content = {} }: JsonSchema, status: string): string {
  const contents = content as { 'application/json'?: { schema: { $ref?: string } }; [PROBLEM_TYPE]?: ProblemMedia };
  const { [PROBLEM_TYPE]: problem, 'application/json': json } = contents;
  const ref = json?.schema.$ref;
  if (ref !== undefined) return ref.slice(ref.lastIndexOf('/') + 1);
  const [code, ...others] = problem?.schema.allOf[1].properties.code.enum ?? [];
  const isOneProblem = code !== undefined && others.length === 0 && json === undefined;
  return pascal(isOneProblem ? code : (STATUS_CODES[status] ?? status).toLowerCase().replaceAll(' ', '_'));
}

const headersOf = (headers: Record<string, Header>, named: Named): JsonSchema =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { description, schema, optional }]) => [
      name,
      named.put('headers', name, {
        description,
        ...(optional ? {} : { required: true }),
        schema: schemaOf(schema, named),
      }),
    ]),
  );

interface ProblemMedia {
  schema: { allOf: [JsonSchema, { properties: { code: { enum: ProblemCode[] } } }] };
}

function problemMedia(codes: ProblemCode[], named: Named): ProblemMedia {
  const [first] = codes;
  const narrowed = {
    type: 'object',
    properties: {
      status: { type: 'integer', const: first && PROBLEMS[first].status },
      code: { type: 'string', enum: codes },
    },
    ...(first === 'report_failed' ? { required: ['replacement'] } : {}),
  };
  return { schema: { allOf: [schemaOf(ProblemBody, named), narrowed] } };
}

const pascal = (code: string): string =>
  code.replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** The responses of an operation: those that it declares, and the problems that follow from its other fields. */
import { STATUS_CODES } from 'node:http';
import Type from 'typebox';
import { PROBLEMS, Problem, type ProblemCode, type ProblemExtras } from '../contract/problems.ts';
import { exact, Nullable, Text, Words } from '../contract/schemas.ts';
import type { Answer, Header, Operation } from '../http/operation.ts';
import { problemBody } from '../http/problem-body.ts';
import { type JsonSchema, type Named, schemaOf } from './json-schemas.ts';

const CODES = Object.keys(PROBLEMS) as ProblemCode[];
const PROBLEM_TYPE = 'application/problem+json';

const ProblemBody = Type.Object(
  {
    type: Type.String({ format: 'uri-reference', description: 'The page of the service that explains the code' }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String(),
    instance: Type.String({ description: 'The path that was called' }),
    message: Type.String({ description: 'The same as `detail`' }),
    requestId: Type.String({ description: 'The same as the header `X-Request-Id`; quote it to support' }),
    code: Words(CODES, { title: 'ProblemCode' }),
    retryable: Type.Boolean({ description: 'Whether the same call may succeed later without being changed' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            pointer: Type.String({ description: 'A JSON pointer into the body, or the name of a parameter' }),
            message: Type.String(),
          },
          { ...exact, title: 'FieldError' },
        ),
      ),
    ),
    replacement: Type.Optional(
      Type.Object(
        {
          method: Type.Literal('POST'),
          path: Type.String(),
          body: Nullable(Type.Object({}, { additionalProperties: true })),
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
const OF_EXAMPLE: Partial<Record<ProblemCode, ProblemExtras>> = {
  report_failed: {
    replacement: { method: 'POST', path: '/v1/metrics/day', body: { startBusinessDate: '20260310' } },
  },
  span_too_long: {
    errors: [{ pointer: '/endBusinessDate', message: 'The span has 9 dates; week takes at most 7 dates.' }],
  },
  invalid_parameter: {
    errors: [{ pointer: 'fetchRestaurantNames', message: 'fetchRestaurantNames must be true or false, once.' }],
  },
};

/** Problems of heads, which never reach the operation and the headers of its answers. */
const OF_HEAD: readonly ProblemCode[] = ['target_too_long', 'headers_too_large'];
/** What any operation may answer. */
const ANY = ['internal_error', 'storage_lost', 'storage_failed', 'unavailable', 'store_unavailable'] as const;

/** The problems of an operation: its own, and those that follow from its token, limit and body. */
export function problemsOf(operation: Operation): ProblemCode[] {
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
  return CODES.filter((code) => codes.has(code));
}

/** The `responses` of an operation, by status. */
export function responsesOf(operation: Operation, named: Named, origin: string): JsonSchema {
  const everywhere = { ...operation.headers, ...(operation.limited ? LIMITS : {}) };
  const statuses = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(operation)) {
    const { status } = PROBLEMS[code];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  for (const status of Object.keys(operation.answers)) {
    if (!statuses.has(Number(status))) statuses.set(Number(status), []);
  }
  const responses: JsonSchema = {};
  for (const [status, codes] of [...statuses].sort(([one], [other]) => one - other)) {
    const headers = codes.some((code) => OF_HEAD.includes(code)) ? {} : everywhere;
    responses[status] = responseOf(operation.answers[status], codes, headers, named, origin);
  }
  return responses;
}

function responseOf(
  answer: Answer | undefined,
  codes: ProblemCode[],
  everywhere: Record<string, Header>,
  named: Named,
  origin: string,
): JsonSchema {
  const content: JsonSchema = {};
  for (const [type, schema] of Object.entries(answer?.content ?? {}))
    content[type] = { schema: schemaOf(schema, named) };
  if (codes.length > 0) content[PROBLEM_TYPE] = problemMedia(codes, named, origin);
  const descriptions = answer ? [answer.description] : [];
  return {
    description: [...descriptions, ...codes.map((code) => PROBLEMS[code].title)].join('; '),
    headers: headersOf({ 'X-Request-Id': REQUEST_ID, ...everywhere, ...ownHeaders(answer, codes) }, named),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

/**
 * Moves each answer that several operations have among the components: under the name of its problem, or of its status.
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
  const [[type, media] = [], ...others] = Object.entries(content as Record<string, { examples?: JsonSchema }>);
  const codes = Object.keys(media?.examples ?? {});
  const isOneProblem = type === PROBLEM_TYPE && others.length === 0 && codes.length === 1;
  return pascal(isOneProblem ? String(codes[0]) : (STATUS_CODES[status] ?? status).toLowerCase().replaceAll(' ', '_'));
}

/**
 * A header that only some answers of a status have is optional: a status may be used for an answer and for problems.
 */
function ownHeaders(answer: Answer | undefined, codes: ProblemCode[]): Record<string, Header> {
  const sets = [...(answer ? [answer.headers ?? {}] : []), ...codes.map((code) => OF_PROBLEM[code] ?? {})];
  const all: Record<string, Header> = Object.assign({}, ...sets);
  for (const [name, header] of Object.entries(all)) {
    if (!sets.every((set) => name in set)) all[name] = { ...header, optional: true };
  }
  return all;
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

function problemMedia(codes: ProblemCode[], named: Named, origin: string): JsonSchema {
  const [first] = codes;
  const examples = codes.map((code) => [
    code,
    named.put('examples', code, { summary: PROBLEMS[code].title, value: problemExample(code, origin) }),
  ]);
  const narrowed: JsonSchema = {
    type: 'object',
    properties: {
      status: { type: 'integer', const: first && PROBLEMS[first].status },
      code: { type: 'string', enum: codes },
    },
    ...(first === 'report_failed' ? { required: ['replacement'] } : {}),
  };
  return { schema: { allOf: [schemaOf(ProblemBody, named), narrowed] }, examples: Object.fromEntries(examples) };
}

function problemExample(code: ProblemCode, origin: string): JsonSchema {
  const problem = new Problem(code, `${PROBLEMS[code].title}.`, OF_EXAMPLE[code]);
  return problemBody(problem, {
    origin,
    instance: '/v1/metrics/week',
    requestId: '0d7f2c7e-9a55-4d0f-8a53-0c1c5b7b2f11',
  });
}

const pascal = (code: string): string =>
  code.replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());

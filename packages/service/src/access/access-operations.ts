/** The operations of tokens, and the schemas of their answers. */
import type { TSchema } from 'typebox';
import { exact, Text, Type, Words } from '../contract/schemas.ts';
import { SCOPES } from '../contract/words.ts';
import { bodyReader, field } from '../http/body-fields.ts';
import { type Header, json, noStore, type Operation, type Parameter } from '../http/operation.ts';
import { ScopeNames, tokenForm } from './oauth.ts';

/** The value for machine clients, the only users that this login serves. */
const USER_ACCESS_TYPE = 'TOAST_MACHINE_CLIENT';

const Token = Text('eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.e30.c2ln');
const Seconds = Type.Integer({ minimum: 0, description: 'Remaining seconds', examples: [86400] });
const Address = Text('http://127.0.0.1:8080', { format: 'uri' });
const Names = (...examples: string[]) => Type.Array(Type.String(), { examples: [examples] });

export const TokenAnswer = Type.Object(
  { access_token: Token, token_type: Type.Literal('Bearer'), expires_in: Seconds, scope: ScopeNames },
  { ...exact, title: 'TokenAnswer' },
);
export const OAuthRefusal = Type.Object(
  {
    error: Words(
      ['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope', 'temporarily_unavailable'],
      { examples: ['invalid_client'] },
    ),
    error_description: Text('The client is unknown, or its secret is wrong.'),
  },
  { ...exact, title: 'OAuthRefusal', description: 'An error of RFC 6749' },
);
export const LoginAnswer = Type.Object(
  {
    '@class': Type.Literal('.SuccessfulResponse'),
    token: Type.Object(
      {
        tokenType: Type.Literal('Bearer'),
        scope: ScopeNames,
        expiresIn: Seconds,
        accessToken: Token,
        idToken: Type.Null(),
        refreshToken: Type.Null(),
      },
      exact,
    ),
    status: Type.Literal('SUCCESS'),
  },
  { ...exact, title: 'LoginAnswer' },
);
export const ProblemAnswer = Type.Object({}, { additionalProperties: true, description: 'A problem (RFC 9457)' });
export const JwksAnswer = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        { kty: Text('OKP'), kid: Text('1') },
        { additionalProperties: true, title: 'Jwk', description: 'A public key (RFC 7517)' },
      ),
    ),
  },
  { ...exact, title: 'Jwks' },
);
export const ServerMetadata = Type.Object(
  {
    issuer: Address,
    token_endpoint: Address,
    jwks_uri: Address,
    scopes_supported: Names(...SCOPES),
    response_types_supported: Names(),
    grant_types_supported: Names('client_credentials'),
    token_endpoint_auth_methods_supported: Names('client_secret_basic', 'client_secret_post'),
    service_documentation: Address,
  },
  { ...exact, title: 'AuthorizationServer' },
);
export const ResourceMetadata = Type.Object(
  {
    resource: Address,
    authorization_servers: Type.Array(Address),
    scopes_supported: Names(...SCOPES),
    bearer_methods_supported: Names('header'),
    resource_name: Text('Daypart'),
    resource_documentation: Address,
  },
  { ...exact, title: 'ProtectedResource' },
);

/** POST /oauth/token. */
export const issueToken: Operation = {
  id: 'issueToken',
  summary: 'Get an access token by client credentials',
  description: 'RFC 6749 section 4.4. Client id and secret by Basic authentication or in the form, not in both.',
  tag: 'Access',
  body: {
    description: 'The grant',
    required: true,
    content: { 'application/x-www-form-urlencoded': tokenForm.schema },
    refusals: 'own',
  },
  answers: {
    200: { description: 'A token', headers: noStore, content: json(TokenAnswer) },
    400: {
      description: 'The request, its grant or its scope is invalid',
      headers: noStore,
      content: json(OAuthRefusal),
    },
    401: {
      description: 'The client is unknown, or its secret is wrong',
      headers: {
        ...noStore,
        'WWW-Authenticate': { description: 'The challenge', schema: Text('Basic realm="daypart", charset="UTF-8"') },
      },
      content: json(OAuthRefusal),
    },
    413: { description: 'The body is too large', headers: noStore, content: json(OAuthRefusal) },
    429: {
      description: 'Too many logins from this address failed, or too many are being verified',
      headers: {
        ...noStore,
        'Retry-After': { description: 'Seconds', schema: Type.Integer({ minimum: 1, examples: [7] }) },
      },
      content: json(OAuthRefusal),
    },
  },
};

const credential = (example: string, rule: string) =>
  field(Type.String({ minLength: 1, examples: [example] }), rule, (value) =>
    typeof value === 'string' && value !== '' ? value : undefined,
  );
/** The body of a login. Unknown fields are ignored, because clients of the live system may send them. */
export const loginBody = bodyReader(
  'LoginRequest',
  {
    clientId: credential('reports', 'the id of a client'),
    clientSecret: credential('…', "the client's secret"),
    userAccessType: field(Type.Literal(USER_ACCESS_TYPE), `"${USER_ACCESS_TYPE}"`, (value) =>
      value === USER_ACCESS_TYPE ? value : undefined,
    ),
  },
  { open: true, everyError: true },
);

/** POST /authentication/v1/authentication/login. */
export const login: Operation = {
  id: 'login',
  summary: 'Get an access token as clients of the live system do',
  tag: 'Access',
  body: { description: 'The credentials', required: true, content: json(loginBody.schema) },
  answers: { 200: { description: 'A token', headers: noStore, content: json(LoginAnswer) } },
  problems: ['invalid_body', 'login_refused', 'too_many_logins'],
};

const metadata = (id: string, summary: string, schema: TSchema): Operation => ({
  id,
  summary,
  tag: 'Access',
  answers: { 200: { description: 'A document', content: json(schema) } },
});

/** GET /oauth/jwks. */
export const getKeys = metadata('getKeys', 'Get the public keys of access tokens', JwksAnswer);
/** GET /.well-known/oauth-authorization-server. */
export const getServerMetadata = metadata(
  'getServerMetadata',
  'Get the metadata of the authorization server (RFC 8414)',
  ServerMetadata,
);
/** GET /.well-known/oauth-protected-resource. */
export const getResourceMetadata = metadata(
  'getResourceMetadata',
  'Get the metadata of the protected resource (RFC 9728)',
  ResourceMetadata,
);

/** The header that makes a POST safe to repeat (docs/contract.md#idempotency). */
export const idempotencyKey: Parameter = {
  in: 'header',
  name: 'Idempotency-Key',
  description: 'For 24 hours, the same key and body return the same answer, and nothing is done twice',
  schema: Type.String({ minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$', examples: ['nightly-2026-03-10'] }),
};
/** Set on an answer that was given before for the same key. */
export const replayed: Header = {
  description: '`true` if this is the answer to an earlier request with the same key',
  schema: Type.Literal('true'),
  optional: true,
};

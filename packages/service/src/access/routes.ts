/** The token endpoints and their metadata (docs/contract.md#tokens), all at the origin. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { Problem, type ProblemCode } from '../contract/problems.ts';
import { SCOPES } from '../contract/words.ts';
import { codingOf } from '../http/content-coding.ts';
import { storeProblem } from '../http/store-problem.ts';
import type { Access } from './access.ts';
import {
  getKeys,
  getResourceMetadata,
  getServerMetadata,
  issueToken,
  JwksAnswer,
  LoginAnswer,
  login,
  loginBody,
  OAuthRefusal,
  ProblemAnswer,
  ResourceMetadata,
  ServerMetadata,
  TokenAnswer,
} from './access-operations.ts';
import { addressOf } from './address.ts';
import { BASIC_CHALLENGE } from './basic.ts';
import type { Credentials } from './credentials.ts';
import { askedScopes, OAuthError, readClient, readTokenForm, refusedClient } from './oauth.ts';

interface AccessRoutesDeps {
  access: Access;
  credentials: Credentials;
  config: Pick<Config, 'externalIssuer' | 'trustedProxies'>;
  /** The origin that was called, or the configured one. */
  origin: (request: FastifyRequest) => string;
}

const TOKEN_BODY_LIMIT = 64 * 1024;

/** Registers the routes of tokens, the login, the public keys and the metadata. */
export async function accessRoutes(app: FastifyInstance, deps: AccessRoutesDeps): Promise<void> {
  await app.register(tokenRoute, deps);
  loginRoute(app, deps);
  metadataRoutes(app, deps);
}

/** Answers with a token must not be cached (RFC 6749 section 5.1). */
async function noStore(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
}

/** A separate plugin, because its body parser and its error format are for POST /oauth/token only. */
async function tokenRoute(app: FastifyInstance, deps: AccessRoutesDeps): Promise<void> {
  const { access, credentials, config, origin } = deps;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  app.addHook('preParsing', ({ headers }, _reply, _payload, done) => {
    const coding = codingOf(headers);
    if (!coding || coding === 'identity') return done();
    done(new OAuthError('invalid_request', 'The form must not be compressed: send it without Content-Encoding.'));
  });
  app.setErrorHandler((thrown: FastifyError, _request, reply) => {
    const error = storeProblem(thrown) ?? thrown;
    const refusal = error instanceof OAuthError ? error : unreadable(error);
    if (!refusal) throw error;
    if (error instanceof Problem) reply.headers(error.extras.headers ?? {});
    if (refusal.status === 401) reply.header('www-authenticate', BASIC_CHALLENGE);
    reply.status(refusal.status).send({ error: refusal.error, error_description: refusal.message });
  });

  const response = { 200: TokenAnswer, 400: OAuthRefusal, 401: OAuthRefusal, 413: OAuthRefusal, 429: OAuthRefusal };
  const schema = { response };
  const options = { onRequest: noStore, bodyLimit: TOKEN_BODY_LIMIT, schema, config: { operation: issueToken } };
  app.post('/oauth/token', options, async (request) => {
    const form = readTokenForm(request.body);
    const readings = readClient(form, request.headers.authorization);
    const client = await credentials.authenticate(readings, addressOf(request, config.trustedProxies));
    if (!client) throw refusedClient();
    const scopes = askedScopes(client, form.scope);
    const token = await access.issueToken(client, scopes, origin(request));
    return {
      access_token: token.accessToken,
      token_type: 'Bearer',
      expires_in: token.expiresIn,
      scope: token.scope,
    };
  });
}

/** Problems that RFC 6749 has a word for. */
const PASSING: readonly ProblemCode[] = ['too_many_logins', 'store_unavailable', 'storage_lost'];

/** Turns Fastify's errors about the request into OAuth errors; undefined for errors of the service. */
function unreadable(error: FastifyError | Problem): OAuthError | undefined {
  if (error instanceof Problem && PASSING.includes(error.code))
    return new OAuthError('temporarily_unavailable', error.message, error.status);
  if (error instanceof Problem && error.code === 'unknown_parameter')
    return new OAuthError('invalid_request', error.message);
  if (error instanceof Problem || error.statusCode === undefined || error.statusCode >= 500) return undefined;
  const tooLarge = error.statusCode === 413;
  return new OAuthError(
    'invalid_request',
    tooLarge ? 'The body is too large.' : 'The body must be a form: application/x-www-form-urlencoded.',
    tooLarge ? 413 : 400,
  );
}

function loginRoute(app: FastifyInstance, { access, credentials, config, origin }: AccessRoutesDeps): void {
  const schema = { response: { 200: LoginAnswer, '4xx': ProblemAnswer } };
  app.post(
    '/authentication/v1/authentication/login',
    { onRequest: noStore, schema, config: { operation: login } },
    async (request) => {
      const { clientId: id, clientSecret: secret } = loginBody.read(request.body);
      const client = await credentials.authenticate([{ id, secret }], addressOf(request, config.trustedProxies));
      if (!client) {
        // A 401 must have a challenge (RFC 9110 15.5.2). Not Basic, which would open a dialog in a browser.
        const headers = { 'www-authenticate': 'Bearer realm="daypart"' };
        throw new Problem('login_refused', 'The client id or the client secret is wrong.', { headers });
      }
      const { accessToken, expiresIn, scope } = await access.issueToken(client, client.scopes, origin(request));
      return {
        '@class': '.SuccessfulResponse',
        token: { tokenType: 'Bearer', scope, expiresIn, accessToken, idToken: null, refreshToken: null },
        status: 'SUCCESS',
      };
    },
  );
}

function metadataRoutes(app: FastifyInstance, { access, config, origin }: AccessRoutesDeps): void {
  app.get('/oauth/jwks', { schema: { response: { 200: JwksAnswer } }, config: { operation: getKeys } }, () =>
    access.jwks(),
  );

  app.get(
    '/.well-known/oauth-authorization-server',
    { schema: { response: { 200: ServerMetadata } }, config: { operation: getServerMetadata } },
    async (request) => {
      const issuer = origin(request);
      return {
        issuer,
        token_endpoint: `${issuer}/oauth/token`,
        jwks_uri: `${issuer}/oauth/jwks`,
        scopes_supported: SCOPES,
        response_types_supported: [],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        service_documentation: `${issuer}/docs`,
      };
    },
  );

  app.get(
    '/.well-known/oauth-protected-resource',
    { schema: { response: { 200: ResourceMetadata } }, config: { operation: getResourceMetadata } },
    async (request) => {
      const resource = origin(request);
      return {
        resource,
        authorization_servers: [resource, ...(config.externalIssuer ? [config.externalIssuer] : [])],
        scopes_supported: SCOPES,
        bearer_methods_supported: ['header'],
        resource_name: 'Daypart',
        resource_documentation: `${resource}/docs`,
      };
    },
  );
}

/** The client-credentials grant, step by step: RFC 6749 sections 2.3.1, 4.4 and 5.2. */
import type { TSchema } from 'typebox';
import { Text, Type } from '../contract/schemas.ts';
import { SCOPES } from '../contract/words.ts';
import { type BodyField, bodyReader } from '../http/body-fields.ts';
import type { Client } from '../ledger/client.ts';
import type { ClientSecret } from './credentials.ts';

type ErrorName =
  | 'invalid_request'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'temporarily_unavailable';

/** A refusal of the token endpoint, with the RFC's error code. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly error: ErrorName;
  readonly status: number;
  constructor(error: ErrorName, message: string, status = error === 'invalid_client' ? 401 : 400) {
    super(message);
    this.error = error;
    this.status = status;
  }
}

export const ScopeNames = Text(SCOPES.join(' '), { description: 'Scopes, separated by spaces' });

const grantField: BodyField<'client_credentials'> = {
  schema: Type.Literal('client_credentials'),
  property: 'grant_type',
  read(grant) {
    if (grant === undefined) throw new OAuthError('invalid_request', 'The parameter grant_type is missing.');
    if (grant === 'client_credentials') return grant;
    throw new OAuthError('unsupported_grant_type', 'The only grant_type is client_credentials.');
  },
};
const formText = (schema: TSchema, property?: string): BodyField<string | undefined> => ({
  schema: Type.Optional(schema),
  ...(property === undefined ? {} : { property }),
  read: (value) => (typeof value === 'string' ? value : undefined),
});
/** Other parameters are ignored (section 3.2). */
export const tokenForm = bodyReader(
  'TokenRequest',
  {
    grant: grantField,
    clientId: formText(Text('reports'), 'client_id'),
    clientSecret: formText(Text('…'), 'client_secret'),
    scope: formText(ScopeNames),
  },
  { open: true },
);
type TokenForm = ReturnType<typeof tokenForm.read>;

/**
 * Reads the form; a parameter without a value counts as absent (section 3.2). Throws `invalid_request` for an empty
 * body, a repeated parameter and a missing grant type, `unsupported_grant_type` for any but `client_credentials`.
 */
export function readTokenForm(body: unknown): TokenForm {
  if (typeof body !== 'string' || body.trim() === '') {
    throw new OAuthError('invalid_request', 'The body is empty; it must be a form with grant_type=client_credentials.');
  }
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (parameters.has(name)) throw new OAuthError('invalid_request', `The parameter ${printable(name)} is repeated.`);
    parameters.set(name, value);
  }
  return tokenForm.read(Object.fromEntries([...parameters].filter(([, value]) => value !== '')));
}

/** Replaces characters that RFC 6749 section 5.2 does not allow in an error_description. */
const printable = (text: string): string => text.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 64);

/**
 * The possible client ids and secrets in the Basic header or the form, the likeliest first. Throws
 * `invalid_request` if both are present, `invalid_client` if neither is or it cannot be read.
 */
export function readClient(
  { clientId: id, clientSecret: secret }: Pick<TokenForm, 'clientId' | 'clientSecret'>,
  authorization: string | undefined,
): ClientSecret[] {
  if (authorization === undefined) {
    if (id === undefined || secret === undefined) {
      throw new OAuthError('invalid_client', 'Send the client id and secret by Basic authentication or in the form.');
    }
    return [{ id, secret }];
  }
  if (secret !== undefined) {
    throw new OAuthError('invalid_request', 'Send the client credentials in the header or in the form, not in both.');
  }
  const read = readBasic(authorization);
  if (id !== undefined && !read.some((credentials) => credentials.id === id)) {
    throw new OAuthError('invalid_request', 'The client_id of the form is not the one of the header.');
  }
  if (read.length === 0) throw refusedClient();
  return read;
}

/** The same refusal for an unknown client and for a wrong secret. */
export const refusedClient = (): OAuthError =>
  new OAuthError('invalid_client', 'The client is unknown, or its secret is wrong.');

/**
 * The readings of a Basic header: id and secret form-encoded, as section 2.3.1 requires, or verbatim, as many clients
 * send them. One reading if both are the same; none if it cannot be read. The decoded one comes first, unless the
 * secret has a `+`: generated secrets contain that, and hardly any contains a space.
 */
export function readBasic(header: string): ClientSecret[] {
  const [, encoded] = /^basic +([a-z0-9+/_-]+=*) *$/i.exec(header) ?? [];
  if (encoded === undefined) return [];
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return [];
  const raw = { id: text.slice(0, colon), secret: text.slice(colon + 1) };
  const decoded = { id: formDecoded(raw.id), secret: formDecoded(raw.secret) };
  if (decoded.id === undefined || decoded.secret === undefined) return [raw];
  if (decoded.id === raw.id && decoded.secret === raw.secret) return [raw];
  const read = { id: decoded.id, secret: decoded.secret };
  return raw.secret.includes('+') ? [raw, read] : [read, raw];
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * The scopes to grant: the requested ones without duplicates, or all of the client's if none are requested. Throws
 * `invalid_scope` for one that is unknown or that the client does not have.
 */
export function askedScopes(client: Client, scope: string | undefined): string[] {
  const requested = new Set(scope?.split(' ').filter((name) => name !== ''));
  if (requested.size === 0) return client.scopes;
  for (const name of requested) {
    if (!(SCOPES as readonly string[]).includes(name)) {
      throw new OAuthError('invalid_scope', `The scopes are ${SCOPES.join(', ')}; ${printable(name)} is not one.`);
    }
    if (!client.scopes.includes(name))
      throw new OAuthError('invalid_scope', `The client does not have ${printable(name)}.`);
  }
  return [...requested];
}

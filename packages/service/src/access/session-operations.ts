/** The operations of sessions. */
import type { TSchema } from 'typebox';
import { exact, Instant, Nullable, Text, Type, Words } from '../contract/schemas.ts';
import { SCOPES } from '../contract/words.ts';
import { bodyReader, field, optional } from '../http/body-fields.ts';
import { type Header, json, noStore, type Operation } from '../http/operation.ts';

const OWN_PAGE =
  'For pages of the service itself: the request needs `Content-Type: application/json`, and `Sec-Fetch-Site: same-origin` or ' +
  '(where the browser sends none) an `Origin` that equals the address of the service. Programs use `POST /oauth/token`.';

const caller = {
  clientId: Text('client-3f1c2a9b8d7e'),
  scopes: Type.Array(Words(SCOPES), { examples: [['enterprise-metrics:read', 'ingest:write']] }),
  group: Text('corner-bistro'),
  dialect: Type.Literal('reference'),
};
const optionalText = (schema: TSchema) =>
  optional(
    field(schema, 'a text', (value) => (typeof value === 'string' && value !== '' ? value : undefined)),
    undefined,
  );
/** The body of POST /session: a client id with its secret, or a key. `readSignIn` checks the combination. */
export const signInBody = bodyReader(
  'SignInRequest',
  {
    clientId: optionalText(Text('client-3f1c2a9b8d7e', { description: 'With `clientSecret`' })),
    clientSecret: optionalText(Text('…', { description: 'With `clientId`' })),
    key: optionalText(Type.String({ description: 'Of a one-time link, instead of both: what follows `#k=`' })),
  },
  { everyError: true },
);
const Nothing = Type.Object({}, { ...exact, title: 'EmptyRequest' });
const SessionShown = Type.Object(
  {
    ...caller,
    name: Nullable(Text('Ada', { description: 'Of the link or of the client' })),
    createdAt: Instant,
    expiresAt: Instant,
  },
  {
    ...exact,
    title: 'Session',
    description: 'It expires 12 hours after its last use, and 7 days after it began at the latest',
  },
);
const SessionToken = Type.Object(
  {
    token: Text('eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2ln'),
    expiresIn: Type.Integer({ minimum: 1, description: 'Seconds', examples: [600] }),
    ...caller,
  },
  { ...exact, title: 'SessionToken' },
);
const nothing: Operation['body'] = {
  description: 'Empty, or an empty object.',
  required: false,
  content: json(Nothing),
};
const cookie = (description: string, example: string): Record<string, Header> => ({
  ...noStore,
  'Set-Cookie': { description, schema: Text(example) },
});

/** POST /session. */
export const signIn: Operation = {
  id: 'signIn',
  summary: 'Sign in with a client id and secret, or with a one-time link',
  description: OWN_PAGE,
  tag: 'Sessions',
  headers: noStore,
  body: { description: 'The credentials, or the key of a link.', required: true, content: json(signInBody.schema) },
  answers: {
    204: {
      description: 'Signed in.',
      headers: cookie(
        'The session: `__Host-daypart` over https, `daypart_<port>` over http',
        'daypart_8080=…; Path=/session; HttpOnly; SameSite=Strict',
      ),
    },
  },
  problems: [
    'invalid_body',
    'unknown_field',
    'login_refused',
    'link_refused',
    'cross_site_refused',
    'too_many_logins',
    'storage_full',
  ],
};

/** GET /session. */
export const getSession: Operation = {
  id: 'getSession',
  summary: 'Get who is signed in',
  tag: 'Sessions',
  headers: noStore,
  answers: { 200: { description: 'The session of the cookie.', headers: noStore, content: json(SessionShown) } },
  problems: ['session_missing'],
};

/** POST /session/token. */
export const issueSessionToken: Operation = {
  id: 'issueSessionToken',
  summary: 'Get an access token for the session of the cookie',
  description: `${OWN_PAGE} The token is valid for ten minutes, and until the session ends at the latest.`,
  tag: 'Sessions',
  headers: noStore,
  body: nothing,
  answers: { 200: { description: 'A token.', headers: noStore, content: json(SessionToken) } },
  problems: ['session_missing', 'cross_site_refused'],
};

/** DELETE /session. */
export const signOut: Operation = {
  id: 'signOut',
  summary: 'Sign out',
  description: `${OWN_PAGE} Tokens of the session are refused too. Signing out twice is not an error.`,
  tag: 'Sessions',
  headers: noStore,
  body: nothing,
  answers: {
    204: {
      description: 'Signed out.',
      headers: cookie('Removes the cookie', 'daypart_8080=; Path=/session; HttpOnly; SameSite=Strict; Max-Age=0'),
    },
  },
  problems: ['cross_site_refused'],
};

/** The operations of clients. */
import { exact, Instant, Nullable, Text, Type, Words } from '../contract/schemas.ts';
import { DIALECTS, LONGEST_ACCESS_NAME, SCOPE_ACCESS, SCOPE_GROUPS, SCOPES } from '../contract/words.ts';
import { bodyReader, field, optional, storedName, wordField, wordsField } from '../http/body-fields.ts';
import { json, noStore, type Operation, type Parameter } from '../http/operation.ts';
import { textParameter } from '../http/query-parameters.ts';
import { OwnLimitsShown } from './own-limits.ts';

/** Of the calls that manage access. */
export const scopes: NonNullable<Operation['scopes']> = [SCOPE_ACCESS, SCOPE_GROUPS];
const Scopes = Type.Array(Words(SCOPES), { examples: [['enterprise-metrics:read', 'ingest:write']] });
const Secret = Text('…', { description: 'Shown only once' });
const shown = {
  clientId: Text('client-3f1c2a9b8d7e'),
  name: Nullable(Text('BI tool')),
  group: Text('corner-bistro'),
  scopes: Scopes,
  dialect: Words(DIALECTS, { examples: ['reference'] }),
  createdAt: Instant,
  revokedAt: Type.Union([Instant, Type.Null()], { examples: [null] }),
  oldSecretUntil: Type.Union([Instant, Type.Null()], {
    description: 'Until when the secret before the last rotation remains valid',
    examples: [null],
  }),
  limits: OwnLimitsShown,
};
const ClientShown = Type.Object(shown, { ...exact, title: 'Client' });
const ClientMade = Type.Object({ ...shown, clientSecret: Secret }, { ...exact, title: 'NewClient' });
const Name = Text('BI tool', { minLength: 1, maxLength: LONGEST_ACCESS_NAME, pattern: '\\S' });
/** The body of POST /clients. */
export const clientBody = bodyReader('ClientRequest', {
  name: optional(storedName(Name, LONGEST_ACCESS_NAME), undefined),
  scopes: optional(wordsField(SCOPES, Scopes), undefined),
  dialect: optional(wordField(DIALECTS, 'reference'), 'reference'),
  group: optional(
    field(
      Text('corner-bistro', { description: 'Another group than your own requires `groups:admin`' }),
      'the name of a management group',
      (value) => (typeof value === 'string' && value !== '' ? value : undefined),
    ),
    undefined,
  ),
});
const SecretMade = Type.Object(
  { clientId: shown.clientId, clientSecret: Secret, oldSecretUntil: Instant },
  { ...exact, title: 'NewSecret' },
);

export const clientId: Parameter = {
  in: 'path',
  name: 'clientId',
  description: 'The id of the client',
  schema: Text('client-3f1c2a9b8d7e'),
  required: true,
};
/** The management group, if it is not the caller's. */
export const inGroup = textParameter(
  'group',
  'A management group; your own by default, any other requires `groups:admin`',
  Text('corner-bistro'),
  'the name of a management group',
);

/** GET /clients. */
export const listClients: Operation = {
  id: 'listClients',
  summary: 'List the clients of the management group',
  tag: 'Access',
  scopes,
  parameters: [inGroup],
  answers: { 200: { description: 'Oldest first, revoked ones too.', content: json(Type.Array(ClientShown)) } },
  problems: ['invalid_parameter'],
};

/** POST /clients. */
export const makeClient: Operation = {
  id: 'makeClient',
  summary: 'Create a client',
  description:
    'It gets `enterprise-metrics:read` and `ingest:write` unless `scopes` says otherwise; you cannot grant a scope that you do not have, ' +
    'and `groups:admin` is granted at the command line only.',
  tag: 'Access',
  scopes,
  body: { description: 'Every property is optional.', required: true, content: json(clientBody.schema) },
  answers: {
    201: { description: 'Created; the secret is shown only once.', headers: noStore, content: json(ClientMade) },
  },
  problems: ['invalid_body', 'unknown_field', 'scope_not_held', 'storage_full'],
};

/** GET /clients/{clientId}. */
export const getClient: Operation = {
  id: 'getClient',
  summary: 'Get a client',
  tag: 'Access',
  scopes,
  parameters: [clientId],
  answers: { 200: { description: 'The client, without its secret.', content: json(ClientShown) } },
  problems: ['client_not_found'],
};

/** DELETE /clients/{clientId}. */
export const revokeClient: Operation = {
  id: 'revokeClient',
  summary: 'Revoke a client',
  description: 'Its secret, its tokens and its sessions are refused from now on. Repeating the call is not an error.',
  tag: 'Access',
  scopes,
  parameters: [clientId],
  answers: { 204: { description: 'Revoked.' } },
  problems: ['client_not_found'],
};

/** POST /clients/{clientId}/secret. */
export const rotateClientSecret: Operation = {
  id: 'rotateClientSecret',
  summary: 'Give a client a new secret',
  description:
    'The secret before it remains valid for 24 hours. Tokens remain valid. You must have every scope of the client.',
  tag: 'Access',
  scopes,
  parameters: [clientId],
  answers: { 200: { description: 'The secret, shown only once.', headers: noStore, content: json(SecretMade) } },
  problems: ['client_not_found', 'scope_not_held', 'storage_full'],
};

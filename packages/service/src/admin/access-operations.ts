/** The operations of sessions and the audit log. */
import { exact, Instant, Nullable, Text, Type, Words } from '../contract/schemas.ts';
import { SCOPES } from '../contract/words.ts';
import { json, type Operation } from '../http/operation.ts';
import { pageParameter, wholeParameter } from '../http/query-parameters.ts';
import { inGroup, scopes } from './client-operations.ts';

const clientId = Text('client-3f1c2a9b8d7e');

const SessionListed = Type.Object(
  {
    sessionId: Type.String({ format: 'uuid' }),
    clientId,
    name: Nullable(Text('Ada')),
    scopes: Type.Array(Words(SCOPES), { examples: [['enterprise-metrics:read']] }),
    createdAt: Instant,
    seenAt: Instant,
    expiresAt: Instant,
    current: Type.Boolean({ description: 'Whether it is the session that makes this call', examples: [true] }),
  },
  { ...exact, title: 'ListedSession' },
);
const ACTIONS = [
  ...['client.created', 'client.limited', 'client.revoked', 'client.secret_rotated'],
  ...['connection.created', 'connection.changed', 'connection.credentials_replaced', 'connection.paused'],
  ...['connection.read', 'connection.removed', 'connection.resumed'],
  ...['group.created', 'group.limited', 'group.named', 'group.removed'],
  ...['restaurant.changed', 'session.ended'],
];
const AuditEntrySchema = Type.Object(
  {
    at: Instant,
    group: Text('corner-bistro', { description: 'The group whose access was changed' }),
    byGroup: Text('corner-bistro', { description: 'The group of the client that changed it' }),
    clientId,
    name: Nullable(Text('Ada', { description: 'Name of the person, if it was done in a session' })),
    action: Words(ACTIONS, { examples: ['client.created'] }),
    target: Type.String({ description: 'The id; for a new client, its name', examples: ['BI tool'] }),
    detail: Type.Object({}, { additionalProperties: true }),
  },
  { ...exact, title: 'AuditEntry' },
);
const AuditPage = Type.Object(
  { entries: Type.Array(AuditEntrySchema), nextCursor: Nullable(Text('17')) },
  { ...exact, title: 'AuditPage' },
);

/** GET /sessions. */
export const listSessions: Operation = {
  id: 'listSessions',
  summary: 'List who is signed in to the console',
  tag: 'Access',
  scopes,
  parameters: [inGroup],
  answers: { 200: { description: 'Newest first.', content: json(Type.Array(SessionListed)) } },
  problems: ['invalid_parameter'],
};

/** DELETE /sessions/{sessionId}. */
export const endSession: Operation = {
  id: 'endSession',
  summary: 'Sign somebody out of the console',
  tag: 'Access',
  scopes,
  parameters: [
    {
      in: 'path',
      name: 'sessionId',
      description: 'From `GET /sessions`',
      schema: Text('0d7f2c7e-9a55-4d0f-8a53-0c1c5b7b2f11'),
      required: true,
    },
  ],
  answers: { 204: { description: 'Its cookie and its tokens are refused.' } },
  problems: ['session_not_found'],
};

export const auditPage = pageParameter('1 to 200, default 50', 200, 50);
export const auditCursor = wholeParameter(
  'cursor',
  '`nextCursor` of the previous page',
  [1, Number.MAX_SAFE_INTEGER],
  Text('17'),
);

/** GET /audit. */
export const getAudit: Operation = {
  id: 'getAudit',
  summary: 'List who changed access over HTTP',
  tag: 'Access',
  scopes,
  parameters: [inGroup, auditPage, auditCursor],
  answers: { 200: { description: 'Newest first.', content: json(AuditPage) } },
  problems: ['invalid_parameter'],
};

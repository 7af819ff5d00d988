/** The operations of connections. */
import Type from 'typebox';
import { idempotencyKey, replayed } from '../access/access-operations.ts';
import { BusinessDate, Count, CurrencyText, exact, Guid, Instant, Nullable, Text, Words } from '../contract/schemas.ts';
import { SCOPE_ACCESS, SCOPE_INGEST } from '../contract/words.ts';
import type { Operation, Parameter } from '../http/operation.ts';

import { CONNECTION_STATES, MEMBER_STATES } from '../ledger/connection.ts';
import { changeBody, checkBody, connectionBody, credentialsBody, datesBody } from './connection-bodies.ts';

export const json = (schema: Type.TSchema): Record<string, Type.TSchema> => ({ 'application/json': schema });
export const reading: NonNullable<Operation['scopes']> = [SCOPE_INGEST, SCOPE_ACCESS];
const changing: NonNullable<Operation['scopes']> = [SCOPE_ACCESS];
export const tag = 'Connections';
export const MaybeInstant = Nullable(Instant);
const MaybeDate = Nullable(BusinessDate);
const Code = Type.Union([Type.String(), Type.Null()], {
  description: 'A code of docs/connections.md',
  examples: [null],
});
const Message = Text('Reading the past: 31 of 84 dates. Today is current.', { description: 'In plain words' });

const Stream = Type.Object(
  {
    lastOkAt: MaybeInstant,
    nextAt: Type.Union([Instant, Type.Null()], { description: 'Null: when it is asked for' }),
    failures: Count,
    fetched: Count,
    changed: Count,
    rejected: Count,
    error: Code,
    errors: Type.Array(
      Type.Object({ guid: Nullable(Type.String()), pointer: Type.String(), message: Type.String() }, exact),
      { description: 'The first records that could not be read', examples: [[]] },
    ),
  },
  { ...exact, title: 'ConnectionStream' },
);

const Member = Type.Object(
  {
    upstreamId: Text('b1500000-0000-4000-8000-000000000001', { description: 'Its id at the point of sale' }),
    restaurantGuid: Guid,
    name: Nullable(Text('Corner Bistro')),
    state: Words(MEMBER_STATES, { examples: ['reading'] }),
    reason: Code,
    message: Message,
    since: Instant,
    warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String(), since: Instant }, exact), {
      examples: [[]],
    }),
    readUntil: Type.Union([Instant, Type.Null()], {
      description: 'Everything up to here is loaded, in the time of the point of sale',
      examples: ['2026-03-10T17:55:12.345Z'],
    }),
    lastSettledDate: MaybeDate,
    notBefore: MaybeDate,
    backfill: Nullable(
      Type.Object(
        { from: MaybeDate, to: MaybeDate, done: Count, of: Count },
        { ...exact, title: 'ConnectionBackfill' },
      ),
    ),
    streams: Type.Record(Type.String(), Stream, { description: 'By the names of the streams', examples: [{}] }),
  },
  { ...exact, title: 'ConnectedRestaurant' },
);

const Connection = Type.Object(
  {
    id: Text('con_0a1b2c3d4e5f6a7b8c9d0e'),
    kind: Text('toast'),
    name: Text('Till'),
    url: Text('https://ws-api.example.com', { format: 'uri' }),
    state: Words(CONNECTION_STATES, { examples: ['active'] }),
    reason: Code,
    message: Message,
    clientId: Type.Union([Type.String(), Type.Null()], { description: 'How it begins', examples: ['VKuhk4…'] }),
    credentialsSetAt: MaybeInstant,
    createdAt: Instant,
    backfillDays: Count,
    pollSeconds: Count,
    requestsPerSecond: Nullable(Type.Integer()),
    lagSeconds: Nullable(Count),
    throttledUntil: MaybeInstant,
    restaurants: Type.Array(Member),
  },
  { ...exact, title: 'Connection' },
);

const Checked = Type.Object(
  {
    ok: Type.Literal(true),
    access: Text('group', { description: 'How the credentials find restaurants' }),
    restaurants: Type.Array(
      Type.Object(
        {
          upstreamId: Text('b1500000-0000-4000-8000-000000000001'),
          restaurantGuid: Guid,
          name: Text('Corner Bistro'),
          locationName: Nullable(Text('Main Street')),
          timeZone: Text('America/New_York'),
          closeoutHour: Count,
          currencyCode: CurrencyText,
          archived: Type.Boolean(),
          taken: Type.Boolean({ description: 'Whether a connection of your group has it' }),
        },
        { ...exact, title: 'FoundRestaurant' },
      ),
    ),
    streams: Type.Record(Type.String(), Type.String(), {
      description: '`ok` or why not, of the first restaurant',
      examples: [{ orders: 'ok', timeEntries: 'ok', employees: 'no_permission' }],
    }),
    past: Type.Array(
      Type.Object(
        { days: Count, seconds: Count },
        { ...exact, title: 'PastTime', examples: [{ days: 84, seconds: 310 }] },
      ),
      { description: 'About how long reading so many dates before today takes, of all that are not archived' },
    ),
  },
  { ...exact, title: 'ConnectionReach' },
);
const Refused = Type.Object(
  {
    ok: Type.Literal(false),
    code: Text('credentials_refused'),
    message: Text('The point of sale refuses the client id or secret.'),
  },
  { ...exact, title: 'ConnectionRefusal' },
);

export const inPath: Parameter = {
  in: 'path',
  name: 'connectionId',
  description: 'The id of the connection',
  schema: Text('con_0a1b2c3d4e5f6a7b8c9d0e'),
  required: true,
};
export const PREVIEW = 'Preview: it was written from public documentation and has not read a real account.';
const REFUSED = ['credentials_refused', 'upstream_unreachable', 'restaurant_unknown'] as const;
const CHOSEN = ['restaurant_guid_taken', 'restaurant_is_connected', 'restaurant_has_imports'] as const;
const BODY = ['invalid_body', 'unknown_field', 'storage_full'] as const;
const shown = { description: 'The connection.', content: json(Connection) };

/** POST /connections/check. */
export const checkAccess: Operation = {
  id: 'checkConnection',
  summary: 'Ask a point of sale what credentials reach',
  description: `Signs in, lists the restaurants and tries each stream; stores nothing. A refusal is an answer, not a problem. ${PREVIEW}`,
  tag,
  scopes: changing,
  body: { description: 'Address and credentials.', required: true, content: json(checkBody.schema) },
  answers: {
    200: { description: 'What they reach, or why not.', content: json(Type.Union([Checked, Refused])) },
  },
  problems: ['invalid_body', 'unknown_field'],
};

/** POST /connections. */
export const makeConnection: Operation = {
  id: 'makeConnection',
  summary: 'Connect a point of sale',
  description: `Creates the restaurants that are missing, reads their past and keeps them current. Nothing is stored unless the credentials work. ${PREVIEW}`,
  tag,
  scopes: changing,
  parameters: [idempotencyKey],
  body: { description: 'Address, credentials and restaurants.', required: true, content: json(connectionBody.schema) },
  answers: {
    201: { description: 'Reading begins.', headers: { 'Idempotency-Replayed': replayed }, content: json(Connection) },
  },
  problems: [...BODY, ...REFUSED, ...CHOSEN, 'secret_key_missing', 'invalid_idempotency_key', 'idempotency_key_reused'],
};

/** GET /connections. */
export const listConnections: Operation = {
  id: 'listConnections',
  summary: 'List the connections of the management group',
  tag,
  scopes: reading,
  answers: { 200: { description: 'Oldest first.', content: json(Type.Array(Connection)) } },
};

/** GET /connections/{connectionId}. */
export const getConnection: Operation = {
  id: 'getConnection',
  summary: 'Get a connection and the state of its restaurants',
  tag,
  scopes: reading,
  parameters: [inPath],
  answers: { 200: shown },
  problems: ['connection_not_found'],
};

/** PATCH /connections/{connectionId}. */
export const changeConnection: Operation = {
  id: 'changeConnection',
  summary: 'Change the name, the restaurants or the pace of a connection',
  description: 'Absent properties stay as they are. The data of restaurants that are no longer chosen stays.',
  tag,
  scopes: changing,
  parameters: [inPath],
  body: { description: 'What changes.', required: true, content: json(changeBody.schema) },
  answers: { 200: shown },
  problems: [...BODY, ...REFUSED, ...CHOSEN, 'connection_not_found'],
};

/** PUT /connections/{connectionId}/credentials. */
export const putCredentials: Operation = {
  id: 'putConnectionCredentials',
  summary: 'Replace the credentials of a connection',
  description: 'They are tried first: if they are refused, the former ones stay.',
  tag,
  scopes: changing,
  parameters: [inPath],
  body: { description: 'All fields of the kind.', required: true, content: json(credentialsBody.schema) },
  answers: { 200: shown },
  problems: [...BODY, ...REFUSED, 'connection_not_found', 'secret_key_missing'],
};

/** POST /connections/{connectionId}/pause. */
export const pauseConnection: Operation = {
  id: 'pauseConnection',
  summary: 'Stop reading until the connection is resumed',
  tag,
  scopes: changing,
  parameters: [inPath],
  answers: { 200: shown },
  problems: ['connection_not_found', 'storage_full'],
};

/** POST /connections/{connectionId}/resume. */
export const resumeConnection: Operation = {
  id: 'resumeConnection',
  summary: 'Read again, from where reading ended',
  tag,
  scopes: changing,
  parameters: [inPath],
  answers: { 200: shown },
  problems: ['connection_not_found', 'storage_full'],
};

/** POST /connections/{connectionId}/read. */
export const readDates: Operation = {
  id: 'readConnectionDates',
  summary: 'Read business dates again',
  description: 'At most 1,100 dates, and 20,000 dates of all restaurants together.',
  tag,
  scopes: changing,
  parameters: [inPath],
  body: {
    description: 'The dates; all restaurants unless some are named.',
    required: true,
    content: json(datesBody.schema),
  },
  answers: {
    202: {
      description: 'They are read as soon as the point of sale allows.',
      content: json(Type.Object({ restaurants: Count, dates: Count }, { ...exact, title: 'DatesAsked' })),
    },
  },
  problems: [
    ...BODY,
    'dates_reversed',
    'span_too_long',
    'date_in_future',
    'unknown_restaurant',
    'connection_not_found',
  ],
};

/** DELETE /connections/{connectionId}. */
export const removeConnection: Operation = {
  id: 'removeConnection',
  summary: 'Remove a connection',
  description: 'Its credentials are deleted at once. Restaurants and their data stay.',
  tag,
  scopes: changing,
  parameters: [inPath],
  answers: { 204: { description: 'Removed.' } },
  problems: ['connection_not_found'],
};

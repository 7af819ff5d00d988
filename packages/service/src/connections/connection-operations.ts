/** The operations of connections. */
import { idempotencyKey, replayed } from '../access/access-operations.ts';
import { Count, exact, Text, Type } from '../contract/schemas.ts';
import { SCOPE_ACCESS, SCOPE_INGEST } from '../contract/words.ts';
import { json, type Operation, type Parameter } from '../http/operation.ts';
import { changeBody, checkBody, connectionBody, credentialsBody, datesBody } from './connection-bodies.ts';
import { ConnectionSchema, KeysSchema, ReachSchema, RefusalSchema } from './connection-schemas.ts';

export const reading: NonNullable<Operation['scopes']> = [SCOPE_INGEST, SCOPE_ACCESS];
const changing: NonNullable<Operation['scopes']> = [SCOPE_ACCESS];
export const tag = 'Connections';
export const inPath: Parameter = {
  in: 'path',
  name: 'connectionId',
  description: 'The id of the connection',
  schema: Text('con_0a1b2c3d4e5f6a7b8c9d0e'),
  required: true,
};
export const PREVIEW = 'Preview: it was written from public documentation and has not read a real account.';
const REFUSED = [
  'credentials_refused',
  'upstream_unreachable',
  'restaurant_unknown',
  'host_key_unconfirmed',
  'package_missing',
  'too_many_at_once',
] as const;
const CHOSEN = [
  'unknown_restaurant',
  'restaurant_guid_taken',
  'restaurant_is_connected',
  'restaurant_has_imports',
] as const;
const BODY = ['invalid_body', 'unknown_field', 'storage_full'] as const;
const shown = { description: 'The connection.', content: json(ConnectionSchema) };

/** POST /connections/check. */
export const checkAccess: Operation = {
  id: 'checkConnection',
  summary: 'Ask a point of sale what credentials reach',
  description: `Signs in, lists the restaurants and tries each stream; stores nothing. A refusal is an answer, not a problem. ${PREVIEW}`,
  tag,
  scopes: changing,
  body: { description: 'Address and credentials.', required: true, content: json(checkBody.schema) },
  answers: {
    200: { description: 'What they reach, or why not.', content: json(Type.Union([ReachSchema, RefusalSchema])) },
  },
  problems: ['invalid_body', 'unknown_field', 'package_missing', 'too_many_at_once'],
};

/** POST /connections/keys. */
export const makeKeys: Operation = {
  id: 'makeConnectionKeys',
  summary: 'Make a key pair for exports over SFTP',
  description: `The public half is entered where the point of sale takes SSH keys; the private half never leaves the service unencrypted. Nothing is stored: \`keyId\` holds it, encrypted for your management group. ${PREVIEW}`,
  tag,
  scopes: changing,
  answers: {
    200: {
      description: 'A new pair.',
      content: json(KeysSchema),
    },
  },
  problems: ['secret_key_missing', 'storage_full'],
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
    201: {
      description: 'Reading begins.',
      headers: { 'Idempotency-Replayed': replayed },
      content: json(ConnectionSchema),
    },
  },
  problems: [
    ...BODY,
    ...REFUSED,
    ...CHOSEN,
    'date_in_future',
    'secret_key_missing',
    'invalid_idempotency_key',
    'idempotency_key_reused',
  ],
};

/** GET /connections. */
export const listConnections: Operation = {
  id: 'listConnections',
  summary: 'List the connections of the management group',
  tag,
  scopes: reading,
  answers: { 200: { description: 'Oldest first.', content: json(Type.Array(ConnectionSchema)) } },
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
  problems: [...BODY, ...REFUSED, ...CHOSEN, 'date_in_future', 'connection_not_found'],
};

/** PUT /connections/{connectionId}/credentials. */
export const putCredentials: Operation = {
  id: 'putConnectionCredentials',
  summary: 'Replace the credentials of a connection',
  description:
    'They are tried first: if they are refused, the former ones stay. Of `exports` only those that change are sent.',
  tag,
  scopes: changing,
  parameters: [inPath],
  body: {
    description: 'All fields of the kind; of `exports` those that change.',
    required: true,
    content: json(credentialsBody.schema),
  },
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

/** The bodies of the operations of connections. */
import { readBusinessDate } from '../contract/dates.ts';
import { fieldProblem, pointerTo, unknownField } from '../contract/problems.ts';
import { Guid, Text, Type } from '../contract/schemas.ts';
import { readGuid } from '../contract/words.ts';
import {
  type BodyField,
  bodyReader,
  field,
  invalidField,
  listField,
  nullable,
  objectField,
  optional,
  storedName,
  storedText,
  textField,
} from '../http/body-fields.ts';
import { LONGEST_URL } from '../http/public-address.ts';
import type { AnySource } from './folder-source.ts';

const LONGEST_SECRET = 4096;
const LONGEST_NAME = 100;
const MOST_RESTAURANTS = 2000;

const wholeField = (least: number, most: number, example: number, description: string): BodyField<number> =>
  field(
    Type.Integer({ minimum: least, maximum: most, description, examples: [example] }),
    `a whole number from ${least} to ${most}`,
    (value) =>
      Number.isInteger(value) && (value as number) >= least && (value as number) <= most
        ? (value as number)
        : undefined,
  );

const dateField = (description: string): BodyField<number> =>
  field(
    Type.String({ pattern: '^\\d{8}$', description, examples: ['20260310'] }),
    'a business date such as 20260311',
    readBusinessDate,
  );

const guidField = field(Guid, 'a GUID', readGuid);
const guids = listField(guidField, { bounds: [1, MOST_RESTAURANTS], noun: 'GUIDs' });
const all = field(Type.Literal('all'), 'all', (value) => (value === 'all' ? ('all' as const) : undefined));

/** A folder, and the restaurant whose files it has. */
export interface FolderChoice {
  folder: string;
  restaurantGuid: string;
}

const folders = listField<FolderChoice>(
  objectField({
    folder: textField('185129', 100, { description: 'The name of the folder' }),
    restaurantGuid: guidField,
  }),
  { bounds: [1, MOST_RESTAURANTS], noun: 'folders', unique: 'folder' },
);

/** `all`, GUIDs of restaurants, or folders with the restaurants whose files they have. */
export type WantedRestaurants = 'all' | string[] | FolderChoice[];
const chosen: BodyField<WantedRestaurants> = {
  schema: Type.Union([all.schema, guids.schema, folders.schema], {
    description:
      'Which restaurants are read: all that are not archived, or these; of `exports` folders with restaurants that exist',
    examples: ['all'],
  }),
  names: folders.names ?? [],
  read(value, at) {
    if (!Array.isArray(value) && value !== 'all')
      throw invalidField(at, `all, or a list of 1 to ${MOST_RESTAURANTS} GUIDs`);
    if (!Array.isArray(value)) return all.read(value, at);
    return typeof value[0] === 'object' ? folders.read(value, at) : guids.read(value, at);
  },
};

const secret = storedText(Text('…', { minLength: 1, maxLength: LONGEST_SECRET }), LONGEST_SECRET);
const CredentialsText = Type.Object(
  {
    clientId: Type.Optional(Text('VKuhk4xYb2')),
    clientSecret: Type.Optional(Text('…', { description: 'Never shown again' })),
  },
  {
    additionalProperties: Type.String(),
    title: 'ConnectionCredentials',
    description:
      'The fields that the kind has: of `toast` clientId and clientSecret; of `exports` host, port (22), user, keyId and hostKey',
  },
);

/** The texts of an object; which ones depends on the kind: `readCredentials`. */
const credentialsField: BodyField<Record<string, string>> = {
  schema: CredentialsText,
  read(value, at) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidField(at, 'a JSON object');
    const entries = Object.entries(value).map(([name, one]) => [name, secret.read(one, pointerTo(at, name))]);
    return Object.fromEntries(entries);
  },
};

/**
 * Checks that these are the credentials of the kind, `at` a pointer; with `isPart` any of them may be absent. Throws
 * Problem invalid_body, unknown_field.
 */
export function readCredentials(
  source: Pick<AnySource, 'credentials'>,
  credentials: Record<string, string>,
  at: string,
  isPart = false,
): Record<string, string> {
  const names = Object.keys(source.credentials);
  const strange = Object.keys(credentials).find((name) => !names.includes(name));
  if (strange !== undefined) throw unknownField(strange, names, { at });
  for (const [name, { isOptional = false }] of Object.entries(source.credentials)) {
    if (credentials[name] || (credentials[name] === undefined && (isOptional || isPart))) continue;
    throw fieldProblem('invalid_body', `${at}/${name}`, `${name} must be text that is not empty.`);
  }
  return credentials;
}

const access = {
  kind: textField('toast', 50, { description: 'The kind of point of sale' }),
  /** Checked by `readPublicUrl`. */
  url: optional(
    field<unknown>(
      Text('https://ws-api.example.com', {
        format: 'uri',
        maxLength: LONGEST_URL,
        description: 'The address of its API: https, with a public address; not of `exports`',
      }),
      'an address',
      (value) => value ?? null,
    ),
    null,
  ),
  credentials: credentialsField,
  restaurantGuid: nullable(guidField, null, { description: 'One restaurant, to find the others' }),
};

/** The body of POST /connections/check. */
export const checkBody = bodyReader('ConnectionCheck', access);

const backfillDays = wholeField(0, 1100, 84, 'Dates before today that are read, too');
const pollSeconds = wholeField(30, 3600, 120, 'How often changed orders are asked for');
const requestsPerSecond = nullable(wholeField(1, 100, 8, 'Calls in a second, at most'), null);
const Name = Text('Till', { minLength: 1, maxLength: LONGEST_NAME, pattern: '\\S' });
const from = dateField('Orders and time entries of earlier business dates are not loaded: they came from exports');

/** The body of POST /connections. */
export const connectionBody = bodyReader('ConnectionRequest', {
  ...access,
  name: optional(storedName(Name, LONGEST_NAME), undefined),
  restaurants: optional(chosen, 'all' as const),
  backfillDays: optional(backfillDays, 84),
  pollSeconds: optional(pollSeconds, 120),
  requestsPerSecond,
  from: nullable(from, null),
});

/** The body of PATCH /connections/{connectionId}. */
export const changeBody = bodyReader('ConnectionChange', {
  name: optional(storedName(Name, LONGEST_NAME), undefined),
  restaurants: optional(chosen, undefined),
  backfillDays: optional(backfillDays, undefined),
  pollSeconds: optional(pollSeconds, undefined),
  requestsPerSecond: nullableOrAbsent(wholeField(1, 100, 8, 'Calls in a second; null: as the kind has it')),
  from: nullable(from, null),
});

/** Undefined if absent, null if null. */
function nullableOrAbsent<T>({ schema, read }: BodyField<T>): BodyField<T | null | undefined> {
  return {
    schema: Type.Optional(Type.Union([schema, Type.Null()])),
    read: (value, at) => (value === undefined || value === null ? value : read(value, at)),
  };
}

/** The body of PUT /connections/{connectionId}/credentials: the bare object. */
export const credentialsBody = {
  schema: CredentialsText,
  read: (body: unknown): Record<string, string> => credentialsField.read(body, ''),
};

/** The body of POST /connections/{connectionId}/read. */
export const datesBody = bodyReader('ConnectionDates', {
  restaurants: optional(guids, undefined),
  from: dateField('The first business date'),
  to: dateField('The last business date'),
});

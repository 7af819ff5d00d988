/** How connections are answered. */
import {
  BusinessDate,
  Count,
  CurrencyText,
  exact,
  Guid,
  Instant,
  Nullable,
  Text,
  Type,
  Words,
} from '../contract/schemas.ts';
import { CONNECTION_STATES, MEMBER_STATES } from '../ledger/connection.ts';

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

export const ConnectionSchema = Type.Object(
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

export const ReachSchema = Type.Object(
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
    folders: Type.Optional(
      Type.Array(Type.String(), { description: 'Of `exports`: the folders of restaurants', examples: [['185129']] }),
    ),
    hostKey: Type.Optional(
      Type.String({
        description: 'Of `exports`: the fingerprint of the server, to be compared and sent with the credentials',
        examples: ['SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDSRbs2u6LpMQQEyyY'],
      }),
    ),
  },
  { ...exact, title: 'ConnectionReach' },
);
export const RefusalSchema = Type.Object(
  {
    ok: Type.Literal(false),
    code: Text('credentials_refused'),
    message: Text('The point of sale refuses the client id or secret.'),
  },
  { ...exact, title: 'ConnectionRefusal' },
);

export const KeysSchema = Type.Object(
  {
    keyId: Text('eyJhbGciOiJkaXIi…', { description: 'Sent as `keyId` of the credentials' }),
    publicKey: Text('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI… daypart', { description: 'As OpenSSH writes it' }),
  },
  { ...exact, title: 'ConnectionKeys' },
);

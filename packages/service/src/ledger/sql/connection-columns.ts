/** The columns of connections, and of their restaurants, streams and dates. */
import type {
  ConnectedRestaurant,
  ConnectedState,
  Connection,
  ConnectionDate,
  ConnectionHealth,
  ConnectionStream,
  UnreadPast,
} from '../connection.ts';
import { columns, json } from './columns.ts';

export const connections = columns<Connection>({
  id: 'id',
  group: 'management_group',
  kind: 'kind',
  name: 'name',
  url: 'url',
  settings: json('settings'),
  credentials: 'credentials',
  credentialsSetAt: 'credentials_set_at',
  token: 'token',
  tokenUntil: 'token_until',
  signedInAt: 'signed_in_at',
  state: 'state',
  reason: 'reason',
  worker: 'worker',
  leaseUntil: 'lease_until',
  attempt: 'attempt',
  nextAt: 'next_at',
  throttledUntil: 'throttled_until',
  createdAt: 'created_at',
  createdBy: 'created_by',
  changedAt: 'changed_at',
});

const BACKFILL = { backfillFrom: 'backfill_from', backfillTo: 'backfill_to', backfillDone: 'backfill_done' } as const;
const OF_RESTAURANT = { connection: 'connection', upstreamId: 'upstream_id' } as const;

export const restaurants = columns<ConnectedRestaurant>({
  ...OF_RESTAURANT,
  ...BACKFILL,
  restaurantGuid: 'restaurant_guid',
  state: 'state',
  reason: 'reason',
  since: 'since',
  warnings: json('warnings'),
  notBefore: 'not_before',
});

export const streams = columns<ConnectionStream>({
  ...OF_RESTAURANT,
  stream: 'stream',
  cursor: json('cursor'),
  nextAt: 'next_at',
  failures: 'failures',
  readUntil: 'read_until',
  lastAt: 'last_at',
  lastOkAt: 'last_ok_at',
  error: 'error',
  errorDetail: json('error_detail'),
  upstreamRequest: 'upstream_request',
  fetched: 'fetched',
  changed: 'changed',
  rejected: 'rejected',
});

export const dates = columns<ConnectionDate>({
  ...OF_RESTAURANT,
  businessDate: 'business_date',
  readAt: 'read_at',
  checkedAt: 'checked_at',
  checkFound: 'check_found',
  differences: json('differences'),
});

export const states = columns<ConnectedState>({
  connection: 'connection',
  connectionState: 'connection_state',
  restaurantGuid: 'restaurant_guid',
  state: 'state',
  readUntil: 'read_until',
  lastSettledDate: 'last_settled_date',
});

export const unread = columns<UnreadPast>({
  ...BACKFILL,
  restaurantGuid: 'restaurant_guid',
});

export const health = columns<ConnectionHealth>({
  kind: 'kind',
  state: 'state',
  connections: 'connections',
  failing: 'failing',
  readUntil: 'read_until',
});

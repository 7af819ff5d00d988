/** Rows of connections, as tests of the ledger store them. */
import {
  CHECK_DAYS,
  type ConnectedRestaurant,
  type Connection,
  type ConnectionMembers,
  type JoiningRestaurant,
  newConnection,
} from '../../packages/service/src/ledger/connection.ts';

/** When they were made. */
export const CONNECTED_AT = 1_700_000_000_000;

/** A connection `con_…` that is due. */
export function connection(id: string, changes: Partial<Connection> = {}): Connection {
  const given = {
    id: `con_${id}`,
    group: 'blue',
    kind: 'toast',
    name: 'Till',
    url: 'https://till.example',
    settings: { pollSeconds: 120, backfillDays: 84, requestsPerSecond: null, checkDays: CHECK_DAYS, first: 'u1' },
    credentials: `sealed-${id}`,
    createdBy: 'client-1',
  };
  return { ...newConnection(given, CONNECTED_AT), ...changes };
}

/** A restaurant of it whose past is to be read. */
export function member(id: string, upstreamId: string, restaurantGuid: string): ConnectedRestaurant {
  return {
    connection: `con_${id}`,
    upstreamId,
    restaurantGuid,
    state: 'chosen',
    reason: null,
    since: CONNECTED_AT,
    warnings: [],
    backfillFrom: 20231001,
    backfillTo: 20231113,
    backfillDone: null,
    notBefore: null,
  };
}

/** Restaurants that join, with two streams; nothing is known of their settings unless it says so. */
export const members = (
  ...joining: (ConnectedRestaurant & Partial<Pick<JoiningRestaurant, 'settingsDueAt'>>)[]
): ConnectionMembers => ({
  join: joining.map((one) => ({ settingsDueAt: null, ...one })),
  streams: ['orders', 'backfill'],
});

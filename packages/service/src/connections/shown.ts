/** Connections as they are answered, from the rows of the ledger. */

import { shownDate } from '../contract/dates.ts';
import { shownTime } from '../contract/time.ts';
import type {
  ConnectedRestaurant,
  Connection,
  ConnectionDate,
  ConnectionLedger,
  ConnectionStream,
} from '../ledger/connection.ts';
import type { Restaurant, RestaurantLedger } from '../ledger/restaurant.ts';
import type { Vault } from './credentials.ts';
import { NOT_DUE } from './member.ts';
import { connectionState, lagSeconds, memberState, progressOf, warningText } from './states.ts';

export interface ShownDeps {
  ledger: RestaurantLedger & Pick<ConnectionLedger, 'connectedRestaurants' | 'connectionStreams' | 'connectedStates'>;
  vault: Vault;
  clock: () => number;
}

/** How much of a client id is shown: enough to recognize it. */
const SHOWN_CHARACTERS = 6;

/** The start of the client id; null if the credentials cannot be decrypted, or have none. */
async function clientIdOf(vault: Vault, { id, credentials }: Connection): Promise<string | null> {
  if (credentials === null) return null;
  const content = await vault.open(id, credentials).catch(() => undefined);
  const clientId = content?.clientId;
  return typeof clientId === 'string' ? `${clientId.slice(0, SHOWN_CHARACTERS)}…` : null;
}

const streamAnswer = (stream: ConnectionStream) => ({
  lastOkAt: shownTime(stream.lastOkAt),
  nextAt: shownTime(stream.nextAt === NOT_DUE ? null : stream.nextAt),
  failures: stream.failures,
  fetched: stream.fetched,
  changed: stream.changed,
  rejected: stream.rejected,
  error: stream.error,
  errors: stream.errorDetail ?? [],
});

/** A record of GET /connections/{connectionId}/dates. */
export const dateAnswer = ({ businessDate, readAt, checkedAt, checkFound, differences }: ConnectionDate) => ({
  businessDate: String(businessDate),
  readAt: shownTime(readAt),
  checkedAt: shownTime(checkedAt),
  checkFound,
  differences,
});

interface MemberRow {
  restaurant: ConnectedRestaurant;
  streams: ConnectionStream[];
}

function memberAnswer(
  connection: Connection,
  { restaurant: row, streams }: MemberRow,
  of: { restaurant: Restaurant | undefined; lastSettledDate: number | null; now: number },
) {
  const timeZone = of.restaurant?.timeZone ?? 'UTC';
  const { state, reason, message } = memberState({ connection, restaurant: row, streams }, timeZone, of.now);
  const past = progressOf(row);
  return {
    upstreamId: row.upstreamId,
    restaurantGuid: row.restaurantGuid,
    name: of.restaurant?.name ?? null,
    state,
    reason,
    message,
    since: shownTime(row.since),
    warnings: row.warnings.map(({ code, since }) => ({
      code,
      message: warningText({ code, since }, timeZone, of.now),
      since: shownTime(since),
    })),
    readUntil: shownTime(streams.find(({ stream }) => stream === 'orders')?.readUntil ?? null),
    lastSettledDate: shownDate(of.lastSettledDate),
    notBefore: shownDate(row.notBefore),
    backfill: past
      ? {
          from: shownDate(row.backfillFrom),
          to: shownDate(row.backfillTo),
          done: past.done,
          of: past.of,
        }
      : null,
    streams: Object.fromEntries(streams.map((stream) => [stream.stream, streamAnswer(stream)])),
  };
}

/** Its members, without those that have left. */
async function membersOf({ ledger }: ShownDeps, id: string): Promise<MemberRow[]> {
  const [rows, streams] = await Promise.all([ledger.connectedRestaurants(id), ledger.connectionStreams(id)]);
  const byMember = Map.groupBy(streams, ({ upstreamId }) => upstreamId);
  return rows
    .filter(({ state }) => state !== 'left')
    .map((restaurant) => ({ restaurant, streams: byMember.get(restaurant.upstreamId) ?? [] }));
}

/** The answer about a connection. */
export async function connectionAnswer(deps: ShownDeps, connection: Connection) {
  const { ledger, vault, clock } = deps;
  const now = clock();
  const members = await membersOf(deps, connection.id);
  const guids = members.map(({ restaurant }) => restaurant.restaurantGuid);
  const restaurants = guids.length === 0 ? [] : await ledger.restaurantsOf(connection.group, guids);
  const byGuid = new Map(restaurants.map((restaurant) => [restaurant.guid, restaurant]));
  const settled = new Map(
    (await ledger.connectedStates(connection.group)).map((one) => [one.restaurantGuid, one.lastSettledDate]),
  );
  const { state, reason, message } = connectionState(connection, 'UTC', now);
  const { settings } = connection;
  return {
    id: connection.id,
    kind: connection.kind,
    name: connection.name,
    url: connection.url,
    state,
    reason,
    message,
    clientId: await clientIdOf(vault, connection),
    credentialsSetAt: shownTime(connection.credentialsSetAt),
    createdAt: shownTime(connection.createdAt),
    backfillDays: settings.backfillDays,
    pollSeconds: settings.pollSeconds,
    requestsPerSecond: settings.requestsPerSecond,
    lagSeconds: lagSeconds(members, now),
    throttledUntil: shownTime(connection.throttledUntil),
    restaurants: members.map((member) =>
      memberAnswer(connection, member, {
        restaurant: byGuid.get(member.restaurant.restaurantGuid),
        lastSettledDate: settled.get(member.restaurant.restaurantGuid) ?? null,
        now,
      }),
    ),
  };
}

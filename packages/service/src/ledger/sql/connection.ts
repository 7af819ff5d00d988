/** The connections in SQL. */
import type { ConnectedRestaurant, Connection, ConnectionLedger, ConnectionMembers } from '../connection.ts';
import type { Stored } from './columns.ts';
import { connections, health, restaurants, states, unread } from './connection-columns.ts';
import { connectionRunLedger, type OfMember } from './connection-lease.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

type ById = { id: string; now: number };

const queries = loadQueries<{
  addConnection(connection: Stored<Connection>): number;
  joinRestaurant(restaurant: Stored<ConnectedRestaurant>): number;
  forgetLeft(of: OfMember): number;
  /** `streams`: a JSON array. */
  addStreams(of: OfMember & { streams: string; now: number }): number;
  settingsAreKnown(of: OfMember & { now: number; settingsDueAt: number }): number;
  connections(of: { group: string }): Row[];
  connection(of: { id: string }): Row | undefined;
  connectedStates(of: { group: string }): Row[];
  unreadPasts(of: { group: string }): Row[];
  connectionHealth(): Row[];
  members(of: { connection: string }): { upstream_id: string }[];
  changeConnection(of: Stored<Pick<Connection, 'name' | 'settings'>> & ById): number;
  leaveRestaurant(of: OfMember & { now: number }): number;
  dropStreams(of: { connection: string }): number;
  backfillFrom(of: OfMember & { backfillFrom: number | null }): number;
  setConnectionState(of: Pick<Connection, 'state' | 'reason'> & ById): number;
  replaceCredentials(of: { credentials: string } & ById): number;
  wakeConnection(of: ById): number;
  /** `dates`: a JSON array. */
  putUnread(of: { connection: string; dates: string }): number;
  wakeBackfill(of: OfMember & { now: number }): number;
  removeConnection(of: ById): number;
  leaveAll(of: { connection: string; now: number }): number;
  storedCredentials(): { id: string; credentials: string }[];
  rewriteCredentials(of: { id: string; from: string; to: string }): number;
  forgetConnections(of: { before: number }): number;
  forgetDates(of: { beforeDate: number }): number;
}>(new URL('./connection.sql', import.meta.url));

/** Restaurants have another connection: what was begun is rolled back. */
class Taken extends Error {
  readonly guids: string[];
  constructor(guids: string[]) {
    super('restaurants have another connection');
    this.guids = guids;
  }
}

/** Runs a transaction that may throw Taken, and returns the GUIDs. */
async function orTaken<T>(work: Promise<T>): Promise<T | string[]> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Taken) return error.guids;
    throw error;
  }
}

/** Throws Taken. For use within a transaction. */
async function addMembers(sql: Sql, { join, streams: names }: ConnectionMembers, now: number): Promise<void> {
  const within = queries(sql);
  const taken: string[] = [];
  for (const { settingsDueAt, ...restaurant } of join) {
    await within.forgetLeft(restaurant);
    if ((await within.joinRestaurant(restaurants.values(restaurant))) === 0) {
      taken.push(restaurant.restaurantGuid);
      continue;
    }
    await within.addStreams({ ...restaurant, streams: JSON.stringify(names), now });
    if (settingsDueAt !== null) await within.settingsAreKnown({ ...restaurant, settingsDueAt, now });
  }
  if (taken.length > 0) throw new Taken(taken);
}

type Changes = Pick<ConnectionLedger, 'changeConnection' | 'askDates' | 'removeConnection'>;

/** What a person changes, of several tables. */
function changesOf(sql: Sql): Changes {
  return {
    changeConnection(id, { join, streams: names, leave, backfills, ...change }, now) {
      const changed = sql.transaction(async (inner) => {
        const within = queries(inner);
        if ((await within.changeConnection({ ...connections.values(change), id, now })) === 0) return undefined;
        for (const upstreamId of leave) await within.leaveRestaurant({ connection: id, upstreamId, now });
        await within.dropStreams({ connection: id });
        for (const backfill of backfills) await within.backfillFrom({ ...backfill, connection: id });
        const members = new Set((await within.members({ connection: id })).map((row) => row.upstream_id));
        const joining = join.filter(({ upstreamId }) => !members.has(upstreamId));
        await addMembers(inner, { join: joining, streams: names }, now);
        return [];
      });
      return orTaken(changed);
    },
    askDates: (id, requested, now) =>
      sql.transaction(async (inner) => {
        const within = queries(inner);
        if ((await within.wakeConnection({ id, now })) === 0) return false;
        await within.putUnread({ connection: id, dates: JSON.stringify(requested) });
        for (const upstreamId of new Set(requested.map((date) => date.upstreamId)))
          await within.wakeBackfill({ connection: id, upstreamId, now });
        return true;
      }),
    removeConnection: (id, now) =>
      sql.transaction(async (inner) => {
        const within = queries(inner);
        if ((await within.removeConnection({ id, now })) === 0) return false;
        await within.leaveAll({ connection: id, now });
        await within.dropStreams({ connection: id });
        return true;
      }),
  };
}

export function connectionLedger(sql: Sql): ConnectionLedger {
  const query = queries(sql);
  return {
    ...changesOf(sql),
    ...connectionRunLedger(sql),
    addConnection(connection, members) {
      const added = sql.transaction(async (inner): Promise<string[]> => {
        await queries(inner).addConnection(connections.values(connection));
        await addMembers(inner, members, connection.createdAt);
        return [];
      });
      return orTaken(added);
    },
    async connections(group) {
      return (await query.connections({ group })).map(connections.read);
    },
    async connection(id) {
      return connections.readOne(await query.connection({ id }));
    },
    async connectedStates(group) {
      return (await query.connectedStates({ group })).map(states.read);
    },
    async unreadPasts(group) {
      return (await query.unreadPasts({ group })).map(unread.read);
    },
    async connectionHealth() {
      return (await query.connectionHealth()).map(health.read);
    },
    async setConnectionState(id, { state, reason }, now) {
      return (await query.setConnectionState({ id, state, reason, now })) === 1;
    },
    async replaceCredentials(id, credentials, now) {
      return (await query.replaceCredentials({ id, credentials, now })) === 1;
    },
    async storedCredentials() {
      return (await query.storedCredentials()).map(({ id, credentials }) => ({ id, credentials }));
    },
    async rewriteCredentials(id, from, to) {
      return (await query.rewriteCredentials({ id, from, to })) === 1;
    },
    forgetConnections: (before, beforeDate) =>
      sql.transaction(async (inner) => {
        await queries(inner).forgetDates({ beforeDate });
        return await queries(inner).forgetConnections({ before });
      }),
  };
}

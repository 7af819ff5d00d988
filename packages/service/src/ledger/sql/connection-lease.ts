/** What a worker reads of a connection, and does with it under its lease, in SQL. */
import type {
  ConnectedRestaurant,
  Connection,
  ConnectionDate,
  ConnectionLease,
  ConnectionRunLedger,
  ConnectionStream,
} from '../connection.ts';
import type { Stored } from './columns.ts';
import { connections, dates, restaurants, streams } from './connection-columns.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

/** A restaurant of a connection. */
export type OfMember = Pick<ConnectedRestaurant, 'connection' | 'upstreamId'>;
/** What `saveConnection` writes. */
type Saved = Pick<
  Connection,
  'id' | 'state' | 'reason' | 'token' | 'tokenUntil' | 'signedInAt' | 'throttledUntil' | 'changedAt'
>;

const queries = loadQueries<{
  dueConnection(of: { now: number }): { id: string } | undefined;
  claimConnection(of: { worker: string; now: number; leaseUntil: number }): Row | undefined;
  heldConnections(of: { worker: string }): { id: string; attempt: number }[];
  extendConnection(of: ConnectionLease & { leaseUntil: number }): number;
  holdConnection(of: ConnectionLease): Row | undefined;
  putStream(stream: Stored<ConnectionStream>): number;
  saveConnectedRestaurant(restaurant: Stored<ConnectedRestaurant>): number;
  putDate(date: Stored<ConnectionDate>): number;
  saveConnection(of: Saved): number;
  releaseConnection(of: ConnectionLease & { nextAt: number | null }): number;
  reclaimConnections(of: { now: number }): number;
  connectedRestaurants(of: { connection: string }): Row[];
  connectionStreams(of: { connection: string }): Row[];
  connectionDates(of: OfMember & { from: number; to: number }): Row[];
  unreadDates(of: OfMember & { limit: number }): { business_date: number }[];
}>(new URL('./connection-lease.sql', import.meta.url));

export function connectionRunLedger(sql: Sql): ConnectionRunLedger {
  const query = queries(sql);
  const held = (lease: ConnectionLease, work: (inner: Sql, now: Connection) => Promise<unknown>): Promise<boolean> =>
    sql.transaction(async (inner) => {
      const connection = connections.readOne(await queries(inner).holdConnection(lease));
      if (!connection) return false;
      await work(inner, connection);
      return true;
    });
  return {
    async claimConnection(worker, now, leaseUntil) {
      // Every service asks this every second: the update, which takes the write lock, runs only when one is due.
      if (!(await query.dueConnection({ now }))) return undefined;
      return connections.readOne(await query.claimConnection({ worker, now, leaseUntil }));
    },
    async heldConnections(worker) {
      return (await query.heldConnections({ worker })).map(({ id, attempt }) => ({ id, attempt }));
    },
    async extendConnection(lease, leaseUntil) {
      return (await query.extendConnection({ ...lease, leaseUntil })) === 1;
    },
    async releaseConnection(lease, nextAt) {
      return (await query.releaseConnection({ ...lease, nextAt: nextAt ?? null })) === 1;
    },
    reclaimConnections: (now) => query.reclaimConnections({ now }),
    saveStream: (lease, stream, read = []) =>
      held(lease, async (inner) => {
        await queries(inner).putStream(streams.values(stream));
        for (const date of read) await queries(inner).putDate(dates.values(date));
      }),
    saveConnectedRestaurant: (lease, restaurant) =>
      held(lease, (inner) => queries(inner).saveConnectedRestaurant(restaurants.values(restaurant))),
    saveConnection: (lease, changes, now) =>
      held(lease, (inner, before) => {
        const { id, changedAt, ...after } = { ...before, ...changes };
        const isMoved = after.state !== before.state || after.reason !== before.reason;
        return queries(inner).saveConnection({ ...after, id, changedAt: isMoved ? now : changedAt });
      }),
    async connectedRestaurants(connection) {
      return (await query.connectedRestaurants({ connection })).map(restaurants.read);
    },
    async connectionStreams(connection) {
      return (await query.connectionStreams({ connection })).map(streams.read);
    },
    async connectionDates(connection, upstreamId, from, to) {
      return (await query.connectionDates({ connection, upstreamId, from, to })).map(dates.read);
    },
    async unreadDates(connection, upstreamId, limit) {
      return (await query.unreadDates({ connection, upstreamId, limit })).map((row) => row.business_date);
    },
  };
}

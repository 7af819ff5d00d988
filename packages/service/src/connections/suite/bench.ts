/** One connection over the stores that it is given, which is read when its owner says so: for tests of sources. */
import type { JsonObject, UpstreamRestaurant } from '@daypart/client/source';
import type { AuditLedger } from '../../ledger/audit.ts';
import type { ClientLedger } from '../../ledger/client.ts';
import {
  CHECK_DAYS,
  type ConnectedRestaurant,
  type Connection,
  type ConnectionLedger,
  type ConnectionStream,
  newConnection,
  STREAMS,
  type Stream,
} from '../../ledger/connection.ts';
import type { Restaurant, RestaurantLedger } from '../../ledger/restaurant.ts';
import { addRestaurants, joining } from '../choose.ts';
import { runConnection } from '../connection-run.ts';
import { leaseOf, type RunDeps } from '../member.ts';
import type { OpenConnection } from '../open-source.ts';

/** What of the ledger a bench uses. */
export type BenchLedger = ConnectionLedger & RestaurantLedger & AuditLedger & Pick<ClientLedger, 'ensureGroup'>;

interface BenchOptions {
  ledger: BenchLedger;
  /** What a run takes. */
  deps: RunDeps;
  open: OpenConnection;
  connection: Connection;
  /** The restaurants of the connection, by their ids at the point of sale. */
  restaurants: ReadonlyMap<string, Omit<Restaurant, 'id'>>;
  /** What the point of sale said of those that it has described, by their ids there. */
  described?: ReadonlyMap<string, UpstreamRestaurant>;
}

export interface Bench {
  connection(): Promise<Connection>;
  /** One of its restaurants, by its id at the point of sale; the first one without. */
  member(upstreamId?: string): Promise<ConnectedRestaurant>;
  restaurant(upstreamId?: string): Promise<Restaurant>;
  /** The rows of its streams. */
  streams(upstreamId?: string): Promise<Map<Stream, ConnectionStream>>;
  /** Makes a stream of a restaurant due; with a date, that date is to be read again or checked. */
  makeDue(stream: Stream, upstreamId: string, date?: number): Promise<void>;
  /** Saves when a stream is due (ms), and its cursor. */
  postpone(stream: Stream, upstreamId: string, until: number, cursor: JsonObject): Promise<void>;
  /** Claims the connection if it is due, reads what is due, and gives it back; whether it was due. */
  run(signal?: AbortSignal): Promise<boolean>;
}

const LEASE_MS = 60_000;

/** A connection that is due, as it is added. */
export function connectionOf(
  of: Pick<Connection, 'id' | 'group' | 'kind' | 'url'> & { at: number; credentials?: string; backfillDays?: number },
): Connection {
  const { id, group, kind, url, at, credentials = null, backfillDays = 0 } = of;
  const settings = { pollSeconds: 120, backfillDays, requestsPerSecond: null, checkDays: CHECK_DAYS, first: null };
  return newConnection({ id, group, kind, name: 'Till', url, settings, credentials, createdBy: 'test' }, at);
}

/** Adds the connection and its restaurants to the ledger; nothing is read yet. */
export async function openBench(options: BenchOptions): Promise<Bench> {
  const { ledger, deps, open, connection, restaurants, described = new Map() } = options;
  const { id, group, createdAt, settings } = connection;
  const [first = ''] = restaurants.keys();
  await ledger.ensureGroup(group, createdAt);
  for (const [upstreamId, restaurant] of restaurants)
    if (!described.has(upstreamId)) await ledger.putRestaurant(restaurant);
  const chosen = [...restaurants].map(([upstreamId, { guid, name }]) => ({
    upstreamId,
    guid,
    name,
    found: described.get(upstreamId),
  }));
  const join = joining(id, chosen, {
    from: null,
    now: createdAt,
    backfillDays: settings.backfillDays,
    described: await addRestaurants({ ledger }, group, chosen),
  });
  await ledger.addConnection(connection, { join, streams: STREAMS });

  async function found<T>(promise: Promise<T | undefined>): Promise<T> {
    const value = await promise;
    if (value === undefined) throw new Error(`the connection ${id} lacks what is asked for`);
    return value;
  }
  const member: Bench['member'] = async (upstreamId = first) =>
    await found(ledger.connectedRestaurants(id).then((all) => all.find((one) => one.upstreamId === upstreamId)));
  const streams: Bench['streams'] = async (upstreamId = first) =>
    new Map(
      (await ledger.connectionStreams(id))
        .filter((row) => row.upstreamId === upstreamId)
        .map((row) => [row.stream, row]),
    );

  /** Changes a row as if nothing else had been changed: a pause that ends makes a connection due. */
  async function saveRow(
    stream: Stream,
    upstreamId: string,
    changes: Partial<ConnectionStream>,
    dates: readonly number[] = [],
  ): Promise<void> {
    await ledger.setConnectionState(id, { state: 'active', reason: null }, deps.clock());
    const claimed = await ledger.claimConnection('test', deps.clock(), deps.clock() + LEASE_MS);
    if (!claimed) throw new Error('the connection cannot be claimed');
    const row = await found(streams(upstreamId).then((all) => all.get(stream)));
    const never = { connection: id, upstreamId, readAt: 0, checkedAt: null, checkFound: null, differences: null };
    const rows = dates.map((businessDate) => Object.assign({}, never, { businessDate }));
    await ledger.saveStream(leaseOf(claimed), Object.assign(row, changes), rows);
    await ledger.releaseConnection(leaseOf(claimed));
  }

  return {
    connection: () => found(ledger.connection(id)),
    member,
    restaurant: async (upstreamId) => await found(ledger.restaurant((await member(upstreamId)).restaurantGuid)),
    streams,
    async makeDue(stream, upstreamId, date) {
      const isAsked = date !== undefined && stream === 'backfill';
      if (isAsked) await ledger.askDates(id, [{ upstreamId, businessDate: date }], deps.clock());
      await saveRow(stream, upstreamId, { nextAt: deps.clock() }, date === undefined || isAsked ? [] : [date]);
    },
    postpone: (stream, upstreamId, until, cursor) => saveRow(stream, upstreamId, { nextAt: until, cursor }),
    async run(signal = new AbortController().signal) {
      const claimed = await ledger.claimConnection('node', deps.clock(), deps.clock() + LEASE_MS);
      if (!claimed) return false;
      try {
        const nextAt = await runConnection(deps, claimed, open, signal);
        await ledger.releaseConnection(leaseOf(claimed), nextAt);
      } catch (error) {
        if (!signal.aborted) throw error;
        // As a service that starts again in its data folder.
        await ledger.reclaimConnections(deps.clock());
      }
      return true;
    },
  };
}

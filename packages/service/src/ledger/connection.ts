/** Connections: stored access of a management group to a point of sale, and how far each of its streams is read. */

export const CONNECTION_STATES = ['active', 'paused', 'refused', 'removed'] as const;
export const MEMBER_STATES = ['chosen', 'reading', 'current', 'late', 'failing', 'lost', 'left'] as const;
export const STREAMS = ['settings', 'orders', 'timeEntries', 'names', 'check', 'menus', 'backfill'] as const;
type ConnectionState = (typeof CONNECTION_STATES)[number];
export type MemberState = (typeof MEMBER_STATES)[number];
/** In the order in which a connection serves them. */
export type Stream = (typeof STREAMS)[number];

interface ConnectionSettings {
  pollSeconds: number;
  /** Business dates before the one on which a restaurant joins that are read, too. */
  backfillDays: number;
  /** Null: as the source says. */
  requestsPerSecond: number | null;
  /** How many days after its end a date is checked once more. */
  checkDays: number[];
  /** The restaurant by which the others are found, by the id of the point of sale. */
  first: string | null;
}

export interface Connection {
  /** `con_` and 22 characters. */
  id: string;
  group: string;
  kind: string;
  name: string;
  url: string;
  settings: ConnectionSettings;
  /** Compact JWE; null after removal. */
  credentials: string | null;
  credentialsSetAt: number | null;
  /** Compact JWE of what the last sign-in brought, so that a restart need not sign in again. */
  token: string | null;
  tokenUntil: number | null;
  signedInAt: number | null;
  state: ConnectionState;
  /** A code of docs/connections.md. */
  reason: string | null;
  worker: string | null;
  leaseUntil: number | null;
  attempt: number;
  /** When the earliest stream is due; null when none is. */
  nextAt: number | null;
  throttledUntil: number | null;
  createdAt: number;
  createdBy: string;
  changedAt: number;
}

/** A restaurant of a connection. */
export interface ConnectedRestaurant {
  connection: string;
  upstreamId: string;
  restaurantGuid: string;
  state: MemberState;
  reason: string | null;
  since: number;
  warnings: { code: string; since: number }[];
  /** Business dates YYYYMMDD; `done` moves backwards from `to` to `from`. */
  backfillFrom: number | null;
  backfillTo: number | null;
  backfillDone: number | null;
  /** Earlier business dates are skipped: their data came from exports. */
  notBefore: number | null;
}

export interface ConnectionStream {
  connection: string;
  upstreamId: string;
  stream: Stream;
  cursor: Record<string, unknown> | null;
  nextAt: number;
  failures: number;
  /** The time of the point of sale up to which everything is loaded. */
  readUntil: number | null;
  lastAt: number | null;
  lastOkAt: number | null;
  error: string | null;
  /** The first records that could not be read. */
  errorDetail: { guid: string | null; pointer: string; message: string }[] | null;
  upstreamRequest: string | null;
  fetched: number;
  changed: number;
  rejected: number;
}

/** A date of a restaurant that was read as a whole. */
export interface ConnectionDate {
  connection: string;
  upstreamId: string;
  businessDate: number;
  /** Null: it is to be read again. */
  readAt: number | null;
  checkedAt: number | null;
  /** Records that the check found and live reading had missed. */
  checkFound: number | null;
  /** What differed when somebody asked for the date to be read again; null if nobody did. */
  differences: DateDifferences | null;
}

/** What was stored of a date otherwise than the point of sale has it, before it was read again. */
export interface DateDifferences {
  /** The first of them. */
  orders: { orderGuid: string; difference: OrderDifference }[];
  orderCount: number;
  timeEntryCount: number;
}

/** The order was not stored, or otherwise; or it was stored, and the point of sale does not have it. */
export const ORDER_DIFFERENCES = ['missing', 'changed', 'deleted'] as const;
export type OrderDifference = (typeof ORDER_DIFFERENCES)[number];

/** The lease of a connection: changes with it apply only while it is held. */
export type ConnectionLease = Pick<Connection, 'id' | 'worker' | 'attempt'>;

/** What the owner of a restaurant sees of its connection. */
export interface ConnectedState {
  connection: string;
  /** Of the connection: a member is only read while it is `active`. */
  connectionState: ConnectionState;
  restaurantGuid: string;
  state: MemberState;
  /** Of orders, in the time of the point of sale. */
  readUntil: number | null;
  /** The last business date (YYYYMMDD) that was checked after its end. */
  lastSettledDate: number | null;
}

/** A restaurant whose past is not read to its beginning yet: business dates YYYYMMDD, as of `ConnectedRestaurant`. */
export interface UnreadPast {
  restaurantGuid: string;
  backfillFrom: number;
  backfillTo: number;
  backfillDone: number | null;
}

/** How the connections of all groups are, by kind and state. */
export interface ConnectionHealth {
  kind: string;
  state: ConnectionState;
  connections: number;
  /** Of them, those with a restaurant that is failing. */
  failing: number;
  /** The oldest of restaurants that are not lost: null when none has been read. */
  readUntil: number | null;
}

/** A restaurant that joins. */
export interface JoiningRestaurant extends ConnectedRestaurant {
  /** Its settings are stored as the point of sale has them, and read again then (ms); null: they are not known. */
  settingsDueAt: number | null;
}

/** What a connection begins with, or is changed to. */
export interface ConnectionMembers {
  /** Restaurants that join: also those that have left before. */
  join: readonly JoiningRestaurant[];
  /** The streams of those, due at once but for settings that are known. */
  streams: readonly Stream[];
}

/**
 * What a node that reads a connection changes. Every method with a lease changes nothing, and is false, once it is
 * lost.
 */
export interface ConnectionRunLedger {
  /**
   * Leases the connection that has been due longest and is not leased: one that is `active`, or `refused` and due to be
   * tried again; not one that is throttled. Increments `attempt`.
   */
  claimConnection(worker: string, now: number, leaseUntil: number): Promise<Connection | undefined>;
  /** The leases of a worker. Everything that a person changes ends a lease. */
  heldConnections(worker: string): Promise<Pick<Connection, 'id' | 'attempt'>[]>;
  extendConnection(of: ConnectionLease, leaseUntil: number): Promise<boolean>;
  /** Ends the lease; the connection is due again when the first of its streams is, or at `nextAt` if that is later. */
  releaseConnection(of: ConnectionLease, nextAt?: number): Promise<boolean>;
  /** Makes every leased connection due, for a service that holds the data folder alone. Returns how many. */
  reclaimConnections(now: number): Promise<number>;
  /** Adds or replaces the row, and those of the dates that were read with it, in one transaction. */
  saveStream(of: ConnectionLease, stream: ConnectionStream, dates?: readonly ConnectionDate[]): Promise<boolean>;
  /** Replaces state, reason, since, warnings and how far the past is read. */
  saveConnectedRestaurant(of: ConnectionLease, restaurant: ConnectedRestaurant): Promise<boolean>;
  /** Replaces these of the connection. */
  saveConnection(
    of: ConnectionLease,
    changes: Partial<Pick<Connection, 'state' | 'reason' | 'token' | 'tokenUntil' | 'signedInAt' | 'throttledUntil'>>,
    now: number,
  ): Promise<boolean>;
  /** All restaurants of a connection, those that left included; ordered by their id at the point of sale. */
  connectedRestaurants(connection: string): Promise<ConnectedRestaurant[]>;
  connectionStreams(connection: string): Promise<ConnectionStream[]>;
  /** The dates of a span, both included, that have a row; in order. */
  connectionDates(connection: string, upstreamId: string, from: number, to: number): Promise<ConnectionDate[]>;
  /** Dates of a restaurant that are to be read again, newest first. */
  unreadDates(connection: string, upstreamId: string, limit: number): Promise<number[]>;
}

/**
 * Everything that is not done under the lease, such as what a person changes, ends the lease: a worker never overwrites
 * it with what it has read before, and notices at its next call.
 */
export interface ConnectionLedger extends ConnectionRunLedger {
  /**
   * Adds a connection with its restaurants, due at once. Returns the GUIDs of restaurants that have another connection:
   * then nothing is added.
   */
  addConnection(connection: Connection, members: ConnectionMembers): Promise<string[]>;
  /** Those of a group that are not removed, oldest first. */
  connections(group: string): Promise<Connection[]>;
  /** One that is removed, too. */
  connection(id: string): Promise<Connection | undefined>;
  /** Of the restaurants of a group that have a connection, by GUID. */
  connectedStates(group: string): Promise<ConnectedState[]>;
  /** Of the restaurants of a group that have a connection, those whose past is not read to its beginning; by GUID. */
  unreadPasts(group: string): Promise<UnreadPast[]>;
  /** Of connections that are not removed. */
  connectionHealth(): Promise<ConnectionHealth[]>;

  /**
   * Changes the name and the settings, takes restaurants in and out. Returns as `addConnection`; undefined if removed.
   */
  changeConnection(
    id: string,
    change: Pick<Connection, 'name' | 'settings'> &
      ConnectionMembers & {
        /** Ids of the point of sale. Their streams are deleted. */
        leave: readonly string[];
        /** New first dates of backfills. */
        backfills: readonly Pick<ConnectedRestaurant, 'upstreamId' | 'backfillFrom'>[];
      },
    now: number,
  ): Promise<string[] | undefined>;
  /** False when the connection is removed; the same holds for the next four methods. */
  setConnectionState(
    id: string,
    to: { state: 'active' | 'paused'; reason: string | null },
    now: number,
  ): Promise<boolean>;
  /** With a new sign-in, due at once: `refused`, or paused because the former were unreadable → active. */
  replaceCredentials(id: string, credentials: string, now: number): Promise<boolean>;
  /** Asks for dates of restaurants to be read again, at once. */
  askDates(
    id: string,
    dates: readonly Pick<ConnectionDate, 'upstreamId' | 'businessDate'>[],
    now: number,
  ): Promise<boolean>;
  /** Forgets the credentials in the same commit. Its restaurants leave; what was read stays. */
  removeConnection(id: string, now: number): Promise<boolean>;

  /** All credentials that are stored, to encrypt them with another key. */
  storedCredentials(): Promise<{ id: string; credentials: string }[]>;
  /** Ends no lease. False when other credentials are stored meanwhile. */
  rewriteCredentials(id: string, from: string, to: string): Promise<boolean>;

  /** Deletes connections that were removed before the instant, and dates before this one (YYYYMMDD) that were read. */
  forgetConnections(before: number, beforeDate: number): Promise<number>;
}

/** How many days after its end a date is read once more. */
export const CHECK_DAYS = [3, 10, 35];

type Given = 'id' | 'group' | 'kind' | 'name' | 'url' | 'settings' | 'credentials' | 'createdBy';

/** A connection that is due at once (`now` in ms since 1970 UTC), that nobody reads, and without a session. */
export const newConnection = (fields: Pick<Connection, Given>, now: number): Connection => ({
  ...fields,
  credentialsSetAt: now,
  token: null,
  tokenUntil: null,
  signedInAt: null,
  state: 'active',
  reason: null,
  worker: null,
  leaseUntil: null,
  attempt: 0,
  nextAt: now,
  throttledUntil: null,
  createdAt: now,
  changedAt: now,
});

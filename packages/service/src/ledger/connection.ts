/** Connections: stored access of a management group to a point of sale, and how far each of its streams is read. */

export const CONNECTION_STATES = ['active', 'paused', 'refused', 'removed'] as const;
export const MEMBER_STATES = ['chosen', 'reading', 'current', 'late', 'failing', 'lost', 'left'] as const;
export const STREAMS = ['settings', 'orders', 'timeEntries', 'names', 'check', 'menus', 'backfill'] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];
export type MemberState = (typeof MEMBER_STATES)[number];
/** In the order in which a connection serves them. */
export type Stream = (typeof STREAMS)[number];

export interface Connection {
  /** `con_` and 22 characters. */
  id: string;
  group: string;
  kind: string;
  name: string;
  url: string;
  settings: {
    pollSeconds: number;
    backfillDays: number;
    requestsPerSecond: number | null;
    checkDays: number[];
    first: string | null;
  };
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
  /** JSON: warnings as `{code, since}`. */
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
  /** JSON: the first records that could not be read. */
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
  readAt: number | null;
  checkedAt: number | null;
  /** Records that the check found and live reading had missed. */
  checkFound: number | null;
}

/** The lease of a connection: changes with it apply only while it is held. */
export type ConnectionLease = Pick<Connection, 'id' | 'worker' | 'attempt'>;

/** What a node that reads a connection changes. Every method with a lease changes nothing, and is false, once it is lost. */
export interface ConnectionRunLedger {
  /**
   * Leases the connection that has been due longest and is not leased: one that is `active`, or `refused` and due to be
   * tried again. Increments `attempt`.
   */
  claimConnection(worker: string, now: number, leaseUntil: number): Promise<Connection | undefined>;
  /** The leases of a worker. A pause, a removal, new credentials and a change of settings end a lease. */
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
}

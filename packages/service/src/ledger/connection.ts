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
  settings: { pollSeconds: number; backfillDays: number; requestsPerSecond: number | null; checkDays: number[]; first: string | null };
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

/**
 * Connections to points of sale (a Daypart service has them, as a preview; the live system does not). Times are UTC ISO
 * 8601, business dates YYYYMMDD.
 */
import type { Core } from '../core.ts';
import type { CallOptions } from '../types.ts';

/** Where a point of sale is, and what it is read with. */
export interface ConnectionAccess {
  /** Such as `toast`. */
  kind: string;
  /** The address of its API; not of `exports`. */
  url?: string | undefined;
  /**
   * The fields of the kind: of `toast` `clientId` and `clientSecret`; of `exports` `host`, `user`, `keyId`, `hostKey`.
   */
  credentials: Readonly<Record<string, string>>;
  /** One restaurant, to find the others. */
  restaurantGuid?: string | null | undefined;
}

/** A folder of `exports`, and the restaurant whose files it has. */
export interface FolderChoice {
  folder: string;
  restaurantGuid: string;
}

/** What can be changed of a connection. */
export interface ConnectionPace {
  name?: string | undefined;
  /** All that are not archived, or those with these GUIDs; of `exports` folders with restaurants that exist. */
  restaurants?: 'all' | readonly string[] | readonly FolderChoice[] | undefined;
  /** Dates before today that are read, too; 84 by default. */
  backfillDays?: number | undefined;
  /** How often changed orders are asked for, in seconds; 120 by default. */
  pollSeconds?: number | undefined;
  /** Null: as the kind has it. */
  requestsPerSecond?: number | null | undefined;
  /** The first business date that is loaded of restaurants that join; earlier ones were imported from exports. */
  from?: string | null | undefined;
}

export interface ConnectionAsk extends ConnectionAccess, ConnectionPace {}

/** A restaurant that credentials reach. */
export interface FoundRestaurant {
  upstreamId: string;
  restaurantGuid: string;
  name: string;
  locationName: string | null;
  timeZone: string;
  closeoutHour: number;
  currencyCode: string;
  archived: boolean;
  /** Whether a connection of the group has it. */
  taken: boolean;
}

/** What credentials reach, or why they are refused. */
export type ConnectionReach =
  | {
      ok: true;
      access: string;
      restaurants: FoundRestaurant[];
      /** `ok`, or a code, by the name of a stream or of a list of names. */
      streams: Record<string, string>;
      /** About how long reading so many dates before today takes, of all that are not archived. */
      past: { days: number; seconds: number }[];
      /** Of `exports`: the folders of restaurants, and the fingerprint of the server to confirm. */
      folders?: string[];
      hostKey?: string;
    }
  | { ok: false; code: string; message: string };

export interface ConnectionStreamInfo {
  lastOkAt: string | null;
  /** Null: when it is asked for. */
  nextAt: string | null;
  failures: number;
  fetched: number;
  changed: number;
  rejected: number;
  error: string | null;
  /** The first records that could not be read. */
  errors: { guid: string | null; pointer: string; message: string }[];
}

export interface ConnectedRestaurantInfo {
  upstreamId: string;
  restaurantGuid: string;
  name: string | null;
  state: 'chosen' | 'reading' | 'current' | 'late' | 'failing' | 'lost' | 'left';
  reason: string | null;
  /** In plain words. */
  message: string;
  since: string;
  warnings: { code: string; message: string; since: string }[];
  /** Everything up to here is loaded, in the time of the point of sale. */
  readUntil: string | null;
  /** The last date that was read once more after its end. */
  lastSettledDate: string | null;
  notBefore: string | null;
  backfill: { from: string | null; to: string | null; done: number; of: number } | null;
  streams: Record<string, ConnectionStreamInfo>;
}

export interface ConnectionInfo {
  id: string;
  kind: string;
  name: string;
  url: string;
  state: 'active' | 'paused' | 'refused' | 'removed';
  reason: string | null;
  /** In plain words. */
  message: string;
  /** How it begins. */
  clientId: string | null;
  credentialsSetAt: string | null;
  createdAt: string;
  backfillDays: number;
  pollSeconds: number;
  requestsPerSecond: number | null;
  /** Of the restaurant that is the furthest behind. */
  lagSeconds: number | null;
  throttledUntil: string | null;
  restaurants: ConnectedRestaurantInfo[];
}

/** A date of a restaurant that was read as a whole. */
export interface ConnectionDateInfo {
  businessDate: string;
  /** Null while it is to be read again. */
  readAt: string | null;
  checkedAt: string | null;
  /** Records that checks found and live reading had missed. */
  checkFound: number | null;
  /** What had been stored otherwise when the date was read again; null if nobody asked for it. */
  differences: {
    orderCount: number;
    /** The first 200. */
    orders: { orderGuid: string; difference: 'missing' | 'changed' | 'deleted' }[];
    timeEntryCount: number;
  } | null;
}

/** A key pair for exports over SFTP. */
export interface ConnectionKeys {
  /** Holds the private half, encrypted by the service for the management group. */
  keyId: string;
  /** As OpenSSH writes it: entered where the point of sale takes SSH keys. */
  publicKey: string;
}

export interface ConnectionsResource {
  /** POST /connections/keys: makes a key pair, stores nothing. */
  makeKeys(options?: CallOptions): Promise<ConnectionKeys>;
  /** POST /connections/check: signs in and lists the restaurants, stores nothing. */
  check(access: ConnectionAccess, options?: CallOptions): Promise<ConnectionReach>;
  /** POST /connections. It is sent once: after a ConnectionError, list the connections to see whether it was made. */
  create(ask: ConnectionAsk, options?: CallOptions): Promise<ConnectionInfo>;
  /** GET /connections: oldest first. */
  list(options?: CallOptions): Promise<ConnectionInfo[]>;
  /** GET /connections/{id}. */
  get(connectionId: string, options?: CallOptions): Promise<ConnectionInfo>;
  /** PATCH /connections/{id}: what is absent stays as it is. */
  change(connectionId: string, change: ConnectionPace, options?: CallOptions): Promise<ConnectionInfo>;
  /** PUT /connections/{id}/credentials: they are tried first. */
  replaceCredentials(
    connectionId: string,
    credentials: ConnectionAccess['credentials'],
    options?: CallOptions,
  ): Promise<ConnectionInfo>;
  /** POST /connections/{id}/pause. */
  pause(connectionId: string, options?: CallOptions): Promise<ConnectionInfo>;
  /** POST /connections/{id}/resume. */
  resume(connectionId: string, options?: CallOptions): Promise<ConnectionInfo>;
  /** POST /connections/{id}/read: reads dates again, of all restaurants unless some are named. */
  read(
    connectionId: string,
    ask: { from: string; to: string; restaurants?: readonly string[] | undefined },
    options?: CallOptions,
  ): Promise<{ restaurants: number; dates: number }>;
  /** GET /connections/{id}/dates: the dates of a restaurant that were read or asked for; a month at most. */
  dates(
    connectionId: string,
    ask: { restaurant: string; from: string; to?: string | undefined },
    options?: CallOptions,
  ): Promise<ConnectionDateInfo[]>;
  /** DELETE /connections/{id}: the data stays. */
  remove(connectionId: string, options?: CallOptions): Promise<void>;
}

/** The connections of a client's service; changing them requires the scope `access:admin`. */
export function connectionsOf({ request }: Pick<Core, 'request'>): ConnectionsResource {
  const at = (connectionId: string, step = ''): string => `/connections/${encodeURIComponent(connectionId)}${step}`;
  return {
    makeKeys: (options) => request('POST', '/connections/keys', options),
    check: (body, options) => request('POST', '/connections/check', { ...options, body }),
    create: (body, options) => request('POST', '/connections', { ...options, maxRetries: 0, body }),
    list: (options) => request('GET', '/connections', options),
    get: (connectionId, options) => request('GET', at(connectionId), options),
    change: (connectionId, body, options) => request('PATCH', at(connectionId), { ...options, body }),
    replaceCredentials: (connectionId, body, options) =>
      request('PUT', at(connectionId, '/credentials'), { ...options, body }),
    pause: (connectionId, options) => request('POST', at(connectionId, '/pause'), options),
    resume: (connectionId, options) => request('POST', at(connectionId, '/resume'), options),
    read: (connectionId, body, options) => request('POST', at(connectionId, '/read'), { ...options, body }),
    dates: (connectionId, query, options) => request('GET', at(connectionId, '/dates'), { ...options, query }),
    remove: (connectionId, options) => request('DELETE', at(connectionId), options),
  };
}

/**
 * Access, over HTTP (a Daypart service has it; the live system does not): clients, groups, sessions, limits, audit,
 * webhooks.
 */
import type { Core } from '../core.ts';
import type { CallOptions } from '../types.ts';

/** The management group: the caller's own unless another is named, which requires the scope `groups:admin`. */
export interface GroupQuery {
  group?: string | undefined;
}

/** The client: the calling one unless another of the management group is named. */
export interface ClientQuery {
  client?: string | undefined;
}

/** A client, without its secret. Times are UTC ISO 8601. */
export interface ClientInfo {
  clientId: string;
  name: string | null;
  group: string;
  scopes: string[];
  dialect: 'reference' | 'live';
  createdAt: string;
  revokedAt: string | null;
  /** Until when the previous secret is valid. */
  oldSecretUntil: string | null;
  /** Its share of the limits of its group. */
  limits: OwnLimits;
}

/** Windows by the name of the limit, as in its setting: `{ check: '50/min', 'long-metrics': 'off' }`. */
export type OwnLimits = Readonly<Record<string, string>>;

export interface GroupInfo {
  /** Identifies it. */
  group: string;
  /** For people; the same as `group` until one is set. */
  name: string;
  /** Limits that are its own, instead of those of the service. */
  limits: OwnLimits;
  /** Whether it is being removed. */
  removing: boolean;
}

/** What POST /clients takes; every property is optional. */
export interface NewClientAsk {
  name?: string | undefined;
  /** `enterprise-metrics:read` and `ingest:write` by default; only scopes that the caller has. */
  scopes?: readonly string[] | undefined;
  dialect?: 'reference' | 'live' | undefined;
  group?: string | undefined;
}

/** The secret is returned only once: store it. */
export interface NewClient extends ClientInfo {
  clientSecret: string;
}

/** The secret is returned only once; the previous one is valid until `oldSecretUntil`. */
export interface NewSecret {
  clientId: string;
  clientSecret: string;
  oldSecretUntil: string;
}

/** A person who is signed in to the console. */
export interface SignedIn {
  sessionId: string;
  clientId: string;
  name: string | null;
  scopes: string[];
  createdAt: string;
  seenAt: string;
  expiresAt: string;
  /** Whether it is the session that makes this call. */
  current: boolean;
}

/** The remaining quota of a group and of a client's own limits: an entry for each window, none if limits are off. */
export interface LimitsLeft {
  group: string;
  /** Null for the limits of the group alone. */
  clientId: string | null;
  windows: { name: string; quota: number; seconds: number; left: number; endsInSeconds: number }[];
}

export interface AuditEntry {
  at: string;
  group: string;
  byGroup: string;
  clientId: string;
  /** The person's name, if it was done in a session. */
  name: string | null;
  /**
   * `client.created`, `.limited`, `.revoked`, `.secret_rotated`, `connection.created`, `.changed`, `.paused`, `.read`,
   * `.credentials_replaced`, `.resumed`, `.removed`, `group.created`, `.limited`, `.named`, `.removed`,
   * `restaurant.changed`, `session.ended`.
   */
  action: string;
  target: string;
  detail: Record<string, unknown>;
}

export interface AuditPage {
  entries: AuditEntry[];
  /** Pass it for the next page; null on the last page. */
  nextCursor: string | null;
}

export interface WebhookDelivery {
  /** The `webhook-id` of every attempt. */
  webhookId: string;
  type: string;
  reportRequestGuid: string | null;
  state: string;
  createdAt: string;
  attempts: number;
  attemptedAt: string | null;
  nextAttemptAt: string | null;
  /** The last answer of the receiver. */
  status: number | null;
  error: string | null;
}

export interface Webhook {
  url: string;
  createdAt: string;
  /** False after the receiver answered 410, until the webhook is set again. */
  active: boolean;
  oldSecretUntil: string | null;
}

export interface Access {
  clients: {
    /** GET /clients: oldest first, revoked ones too. */
    list(query?: GroupQuery, options?: CallOptions): Promise<ClientInfo[]>;
    /** GET /clients/{id}. */
    get(clientId: string, options?: CallOptions): Promise<ClientInfo>;
    /** POST /clients. It is sent once: after a ConnectionError, list the clients to see whether it was created. */
    create(ask?: NewClientAsk, options?: CallOptions): Promise<NewClient>;
    /** POST /clients/{id}/secret. It is sent once, because a second rotation would invalidate the original secret. */
    rotateSecret(clientId: string, options?: CallOptions): Promise<NewSecret>;
    /** DELETE /clients/{id}: its secret, tokens and sessions are refused from now on. */
    revoke(clientId: string, options?: CallOptions): Promise<void>;
    /** PUT /clients/{id}/limits: replaces its share of the limits of its group. */
    limit(clientId: string, limits: OwnLimits, options?: CallOptions): Promise<OwnLimits>;
  };
  /** With the scope `groups:admin`. */
  groups: {
    /** GET /groups: by `group`. */
    list(options?: CallOptions): Promise<GroupInfo[]>;
    /** GET /groups/{group}. */
    get(group: string, options?: CallOptions): Promise<GroupInfo>;
    /** PUT /groups/{group}: creates it or gives it a name; repeating it is not an error. */
    put(group: string, ask?: { name?: string | undefined }, options?: CallOptions): Promise<GroupInfo>;
    /** PUT /groups/{group}/limits: replaces the limits that are its own. */
    limit(group: string, limits: OwnLimits, options?: CallOptions): Promise<GroupInfo>;
    /**
     * DELETE /groups/{group}: removes it with all of its data; `confirm` is its name. It is `removing` until `get`
     * throws NotFoundError.
     */
    remove(group: string, confirm: string, options?: CallOptions): Promise<GroupInfo>;
  };
  sessions: {
    /** GET /sessions: newest first. */
    list(query?: GroupQuery, options?: CallOptions): Promise<SignedIn[]>;
    /** DELETE /sessions/{id}. */
    end(sessionId: string, options?: CallOptions): Promise<void>;
  };
  /** GET /limits: of the caller unless a client or a group is named. */
  limits(query?: ClientQuery & GroupQuery, options?: CallOptions): Promise<LimitsLeft>;
  /** GET /audit: newest first. */
  audit(
    query?: GroupQuery & { limit?: number | undefined; cursor?: string | undefined },
    options?: CallOptions,
  ): Promise<AuditPage>;
  /** The webhook of the calling client; `deliveries` and `replay` also take another client. */
  webhook: {
    /** GET /webhook, with the last 20 deliveries. */
    get(options?: CallOptions): Promise<Webhook & { deliveries: WebhookDelivery[] }>;
    /** PUT /webhook; `secret` is present if it is new. With `rotateSecret` it is sent once. */
    set(
      ask: { url: string; rotateSecret?: boolean | undefined },
      options?: CallOptions,
    ): Promise<Webhook & { secret?: string }>;
    /** DELETE /webhook. */
    remove(options?: CallOptions): Promise<void>;
    /** POST /webhook/test: the `webhook-id` of the event. */
    test(options?: CallOptions): Promise<string>;
    /** GET /webhook/deliveries: the last 200 of the last 7 days, newest first. */
    deliveries(query?: ClientQuery, options?: CallOptions): Promise<WebhookDelivery[]>;
    /** POST /webhook/deliveries/{webhook-id}/replay. */
    replay(webhookId: string, query?: ClientQuery, options?: CallOptions): Promise<void>;
  };
}

const id = encodeURIComponent;

/**
 * Administers a service with the scope `access:admin`. A function rather than a property of the client, so that bundles
 * of programs which only read reports do not contain it.
 */
export function accessOf({ request }: Pick<Core, 'request'>): Access {
  const once = { maxRetries: 0 };
  const gone = async (path: string, options?: CallOptions): Promise<void> => {
    await request('DELETE', path, options);
  };
  return {
    clients: {
      list: (query, options) => request('GET', '/clients', { ...options, query }),
      get: (clientId, options) => request('GET', `/clients/${id(clientId)}`, options),
      create: (body = {}, options) => request('POST', '/clients', { ...options, ...once, body }),
      rotateSecret: (clientId, options) => request('POST', `/clients/${id(clientId)}/secret`, { ...options, ...once }),
      revoke: (clientId, options) => gone(`/clients/${id(clientId)}`, options),
      limit: (clientId, body, options) => request('PUT', `/clients/${id(clientId)}/limits`, { ...options, body }),
    },
    groups: {
      list: (options) => request('GET', '/groups', options),
      get: (group, options) => request('GET', `/groups/${id(group)}`, options),
      put: (group, body = {}, options) => request('PUT', `/groups/${id(group)}`, { ...options, body }),
      limit: (group, body, options) => request('PUT', `/groups/${id(group)}/limits`, { ...options, body }),
      remove: (group, confirm, options) =>
        request('DELETE', `/groups/${id(group)}`, { ...options, query: { confirm } }),
    },
    sessions: {
      list: (query, options) => request('GET', '/sessions', { ...options, query }),
      end: (sessionId, options) => gone(`/sessions/${id(sessionId)}`, options),
    },
    limits: (query, options) => request('GET', '/limits', { ...options, query }),
    audit: (query, options) => request('GET', '/audit', { ...options, query }),
    webhook: {
      get: (options) => request('GET', '/webhook', options),
      set: (body, options) => request('PUT', '/webhook', { ...options, ...(body.rotateSecret ? once : {}), body }),
      remove: (options) => gone('/webhook', options),
      test: async (options) => (await request<{ webhookId: string }>('POST', '/webhook/test', options)).webhookId,
      deliveries: (query, options) => request('GET', '/webhook/deliveries', { ...options, query }),
      replay: async (webhookId, query, options) => {
        await request('POST', `/webhook/deliveries/${id(webhookId)}/replay`, { ...options, query });
      },
    },
  };
}

/** The client: resources that mirror the URLs of the service. */

import { type Call, poll } from './calls.ts';
import { ConnectionError, DaypartError, UnexpectedAnswerError } from './errors.ts';
import { type GroupEvent, type ReportEvent, readEvents } from './events.ts';
import { createPace } from './pace.ts';
import { createResource, type ReportResource } from './resource.ts';
import { CHECKS, type CheckResource } from './resources/checks.ts';
import { type DaypartsResource, daypartsOf } from './resources/dayparts.ts';
import type { Family, FamilyTypes } from './resources/family.ts';
import { GUEST_PAYMENTS, type GuestPaymentResource } from './resources/guest-payments.ts';
import { LABOR, type LaborResource } from './resources/labor.ts';
import { MENU, type MenuResource } from './resources/menu.ts';
import { METRICS, type MetricsResource } from './resources/metrics.ts';
import { PAYOUT, type PayoutResource } from './resources/payout.ts';
import { PAYOUT_PAYMENTS, type PayoutPaymentResource } from './resources/payout-payments.ts';
import { PAYOUT_SALES_DATE, type PayoutSalesDateResource } from './resources/payout-sales-date.ts';
import { type RestaurantsResource, restaurantsOf } from './restaurants.ts';
import { openScope, pause, STEP_MS } from './scope.ts';
import { fetchedToken, type GivenToken, givenToken, type TokenSource } from './token.ts';
import { createSend } from './transport.ts';
import type { CallOptions, ReportStatus, ReportTotals, TotalsQuery, WaitOptions } from './types.ts';

interface CommonOptions {
  /** Where the service is, with its version: `https://reports.example.com/v1`, `https://host/era/v1`. */
  baseUrl: string;
  /** How often what is safe to repeat is tried again; 4 unless said otherwise. */
  maxRetries?: number | undefined;
  /** Sent with every call. */
  headers?: Record<string, string> | undefined;
  /** The platform's fetch unless said otherwise. */
  fetch?: typeof fetch | undefined;
}

/** Client credentials, or a token, or a function that brings one. */
export type DaypartOptions = CommonOptions &
  (
    | {
        clientId: string;
        clientSecret: string;
        /** `oauth` is POST /oauth/token (RFC 6749); `login` is the endpoint of the live system. */
        auth?: 'oauth' | 'login' | undefined;
        /** Where tokens are, when not at the origin of `baseUrl`. */
        tokenUrl?: string | undefined;
        /** All scopes of the client unless said otherwise; with `oauth` alone. */
        scope?: string | undefined;
        token?: undefined;
      }
    | {
        /** One that asks for it may say how long it is valid: then it is kept for four fifths of that. */
        token: string | (() => GivenToken | Promise<GivenToken>);
        clientId?: undefined;
        clientSecret?: undefined;
      }
  );

/** What a service tells clients of its events to wait. */
const RECONNECT_MS = 2000;
const TOKEN_PATHS = { oauth: '/oauth/token', login: '/authentication/v1/authentication/login' };

/** Reports of any family, as a Daypart service keeps them. The live system has none of these: NotFoundError. */
export interface ReportsResource {
  /** GET /reports/{guid}. */
  status(guid: string, options?: CallOptions): Promise<ReportStatus>;
  /** GET /reports, newest first. */
  list(
    query?: { limit?: number | undefined; cursor?: string | undefined; client?: string | undefined },
    options?: CallOptions,
  ): Promise<{ reports: ReportStatus[]; nextCursor: string | null }>;
  /** DELETE /reports/{guid}: calls it off, or discards it. */
  delete(guid: string, options?: CallOptions): Promise<void>;
  /** GET /reports/{guid}/totals: waits until the report is ready, then answers its rows added up. */
  totals(guid: string, query?: TotalsQuery, options?: WaitOptions): Promise<ReportTotals>;
  /** GET /reports/{guid}/events: what happens to it, as it happens. */
  events(guid: string, options?: CallOptions): AsyncGenerator<ReportEvent>;
}

export interface RequestOptions extends CallOptions {
  /** Sent as JSON. */
  body?: object | undefined;
  /** Longest time for all of the call, in milliseconds; 2 minutes unless said otherwise. */
  timeoutMs?: number | undefined;
}

/** A client of one service. Nothing is sent before the first call. Throws TypeError on options that cannot work. */
export class Daypart {
  readonly metrics: MetricsResource;
  readonly checks: CheckResource;
  readonly labor: LaborResource;
  readonly menu: MenuResource;
  readonly payout: PayoutResource;
  readonly payoutPayments: PayoutPaymentResource;
  readonly payoutSalesDates: PayoutSalesDateResource;
  readonly guestPayments: GuestPaymentResource;
  /** The resource of a report family that this version has no name for. */
  readonly family: <T extends FamilyTypes>(family: Family<T>) => ReportResource<T>;
  readonly reports: ReportsResource;
  readonly restaurants: RestaurantsResource;
  readonly dayparts: DaypartsResource;

  /**
   * GET /events: loads and the moves of reports of the management group, as they happen, until the signal is aborted. It
   * reconnects by itself and resumes after the last event; `reset` says that some were missed.
   */
  readonly events: (options?: CallOptions & { lastEventId?: string | undefined }) => AsyncGenerator<GroupEvent>;
  /**
   * Any other operation of the service, such as `PUT /restaurants/{guid}` or a load of orders: its JSON answer. It has the token, the
   * retries and the errors of every call, and may be sent twice: use it for what is safe to repeat, as loads are.
   */
  readonly request: <T>(method: string, path: string, options?: RequestOptions) => Promise<T>;

  constructor(options: DaypartOptions) {
    const { maxRetries = 4, headers = {} } = options;
    const { href, search, hash } = new URL(options.baseUrl, Object(globalThis).location?.href);
    if (search || hash) throw new TypeError('baseUrl is what paths are put after: it has no query and no fragment');
    const base = href.replace(/\/+$/, '');
    const send = createSend({ fetch: options.fetch ?? ((...all) => fetch(...all)), maxRetries, headers });
    const tokens = tokensOf(options, base, send);

    const call: Call = (method, path, request, settings) => {
      const url = new URL(base + path);
      for (const [name, value] of Object.entries(request.query ?? {})) {
        if (value !== undefined) url.searchParams.set(name, String(value));
      }
      const body = request.body === undefined ? null : JSON.stringify(request.body);
      return send(
        url.href,
        { method, headers: { accept: 'application/json', ...request.headers }, body },
        settings,
        tokens,
      );
    };
    async function ask(
      method: string,
      path: string,
      query: object,
      options: RequestOptions = {},
      etag?: string,
    ): Promise<Response> {
      const { body, timeoutMs = STEP_MS } = options;
      const scope = openScope(options, timeoutMs);
      const headers = {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(etag && { 'if-none-match': etag }),
      };
      const settings = { scope, whole: true, silenceMs: options.timeoutMs, accept: etag ? [304] : [] };
      return call(method, path, { query: { ...query }, headers, body }, settings).finally(scope.close);
    }
    async function jsonOf<T>(response: Response): Promise<T> {
      try {
        return (await response.json()) as T;
      } catch (cause) {
        throw new UnexpectedAnswerError('The answer is not JSON.', { status: response.status, cause });
      }
    }
    const json = async <T>(path: string, query: object, options?: RequestOptions, method = 'GET'): Promise<T> =>
      jsonOf<T>(await ask(method, path, query, options));
    async function tagged<T>(
      path: string,
      query: object,
      etag: string | undefined,
      options?: CallOptions,
    ): Promise<{ value: T; etag: string } | null> {
      const response = await ask('GET', path, query, options, etag);
      if (response.status === 304) return null;
      return { value: await jsonOf<T>(response), etag: response.headers.get('etag') ?? '' };
    }
    async function* events<T>(
      path: string,
      options: CallOptions,
      at: { id?: string | undefined },
      guid?: string,
    ): AsyncGenerator<T> {
      const scope = openScope(options, STEP_MS);
      try {
        const headers = { accept: 'text/event-stream', ...(at.id && { 'last-event-id': at.id }) };
        const { body } = await call('GET', path, { headers }, { scope, guid });
        // From here on it lasts as long as it has events.
        scope.release();
        if (body) yield* readEvents<T>(body, at);
      } catch (cause) {
        if (scope.signal.aborted) throw scope.signal.reason;
        throw cause instanceof DaypartError
          ? cause
          : new ConnectionError('The events were interrupted.', { guid, cause });
      } finally {
        scope.close();
      }
    }
    async function totals(
      guid: string,
      { by = [], fields = [], ...dates }: TotalsQuery = {},
      options: WaitOptions = {},
    ): Promise<ReportTotals> {
      const scope = openScope(options);
      try {
        const query = {
          ...(by.length > 0 ? { by: by.join(',') } : {}),
          ...(fields.length > 0 ? { fields: fields.join(',') } : {}),
          ...dates,
        };
        return await jsonOf(await poll(call, `${reportPath(guid)}/totals`, { guid, query, headers: {} }, scope));
      } finally {
        scope.close();
      }
    }
    async function* groupEvents(options: CallOptions & { lastEventId?: string | undefined }) {
      const at = { id: options.lastEventId };
      const signal = options.signal ?? new AbortController().signal;
      for (;;) {
        try {
          yield* events<GroupEvent>('/events', options, at);
        } catch (error) {
          if (!(error instanceof ConnectionError)) throw error;
        }
        await pause(RECONNECT_MS, signal);
      }
    }
    const reportPath = (guid: string): string => `/reports/${encodeURIComponent(guid)}`;

    const shared = { call, maxRetries, pace: createPace() };
    this.family = (family) => createResource({ family, ...shared });
    this.metrics = this.family(METRICS);
    this.checks = this.family(CHECKS);
    this.labor = this.family(LABOR);
    this.menu = this.family(MENU);
    this.payout = this.family(PAYOUT);
    this.payoutPayments = this.family(PAYOUT_PAYMENTS);
    this.payoutSalesDates = this.family(PAYOUT_SALES_DATE);
    this.guestPayments = this.family(GUEST_PAYMENTS);
    this.dayparts = daypartsOf((method, path, options) => ask(method, path, {}, options), jsonOf);
    this.restaurants = restaurantsOf({ json, tagged });
    this.request = (method, path, options) => json(path, {}, options, method);
    this.events = (options = {}) => groupEvents(options);
    this.reports = {
      status: (guid, options) => json(reportPath(guid), {}, options),
      list: (query = {}, options) => json('/reports', query, options),
      delete: async (guid, options) => void (await ask('DELETE', reportPath(guid), {}, options)),
      totals,
      events: (guid, options = {}) => events(`${reportPath(guid)}/events`, options, {}, guid),
    };
  }
}

function tokensOf(options: DaypartOptions, base: string, send: ReturnType<typeof createSend>): TokenSource {
  if (options.token !== undefined) return givenToken(options.token);
  const { clientId, clientSecret, auth = 'oauth', scope } = options;
  if (!clientId || !clientSecret) throw new TypeError('clientId and clientSecret are required, or a token');
  const tokenUrl = options.tokenUrl ?? new URL(TOKEN_PATHS[auth], base).href;
  return fetchedToken({ clientId, clientSecret, auth, scope, tokenUrl }, send);
}

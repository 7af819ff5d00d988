/** The client: resources that mirror the URLs of the service. */

import type { Call } from './calls.ts';
import { type GroupEvent, openEvents } from './events.ts';
import { openJson, type RequestOptions } from './json.ts';
import { createPace } from './pace.ts';
import { type ReportsResource, reportsOf } from './reports.ts';
import { createResource } from './resource.ts';
import { type DaypartsResource, daypartsOf } from './resources/dayparts.ts';
import { FamilyResources } from './resources/families.ts';
import { type RestaurantsResource, restaurantsOf } from './restaurants.ts';
import { fetchedToken, type GivenToken, givenToken, type TokenSource } from './token.ts';
import { createSend } from './transport.ts';
import type { CallOptions } from './types.ts';

interface CommonOptions {
  /** The address of the service, with its version: `https://reports.example.com/v1`, `https://host/era/v1`. */
  baseUrl: string;
  /** How often a call that is safe to repeat is retried; 4 by default. */
  maxRetries?: number | undefined;
  /** Sent with every call. */
  headers?: Record<string, string> | undefined;
  /** The platform's fetch by default. */
  fetch?: typeof fetch | undefined;
}

/** Client credentials, or a token, or a function that returns one. */
export type DaypartOptions = CommonOptions &
  (
    | {
        clientId: string;
        clientSecret: string;
        /** `oauth` is POST /oauth/token (RFC 6749); `login` is the endpoint of the live system. */
        auth?: 'oauth' | 'login' | undefined;
        /** The address of the token endpoint, if it is not at the origin of `baseUrl`. */
        tokenUrl?: string | undefined;
        /** All scopes of the client by default; only with `oauth`. */
        scope?: string | undefined;
        token?: undefined;
      }
    | {
        /** The function may also return how long the token is valid; the token is then kept for four fifths of that. */
        token: string | (() => GivenToken | Promise<GivenToken>);
        clientId?: undefined;
        clientSecret?: undefined;
      }
  );

const TOKEN_PATHS = { oauth: '/oauth/token', login: '/authentication/v1/authentication/login' };

/** A client for one service. Nothing is sent before the first call. Throws TypeError for invalid options. */
export class Daypart extends FamilyResources {
  readonly reports: ReportsResource;
  readonly restaurants: RestaurantsResource;
  readonly dayparts: DaypartsResource;

  /**
   * GET /events: loads and status changes of reports of the management group, as they happen, until the signal is aborted. It
   * reconnects by itself and resumes after the last event; a `reset` event says that some were missed.
   */
  readonly events: (options?: CallOptions & { lastEventId?: string | undefined }) => AsyncGenerator<GroupEvent>;
  /**
   * Any other operation of the service, such as `PUT /restaurants/{guid}` or a load of orders. Returns its JSON answer, undefined if
   * that is empty. The call has the token, the retries and the errors of all calls, and may be sent twice unless `maxRetries` is 0.
   */
  readonly request: <T>(method: string, path: string, options?: RequestOptions) => Promise<T>;

  constructor(options: DaypartOptions) {
    const call = callOf(options);
    const calls = openJson(call);
    const events = openEvents(call);
    const shared = { call, maxRetries: retriesOf(options), pace: createPace() };
    super((family) => createResource({ family, ...shared }));
    this.reports = reportsOf(call, calls, events);
    this.restaurants = restaurantsOf(calls);
    this.dayparts = daypartsOf(calls);
    this.events = events.ofGroup;
    this.request = (method, path, options) => calls.request(method, path, options);
  }
}

const retriesOf = ({ maxRetries = 4 }: DaypartOptions): number => maxRetries;

/** The calls of a client: below its base, with its token. */
function callOf(options: DaypartOptions): Call {
  const { href, search, hash } = new URL(options.baseUrl, Object(globalThis).location?.href);
  if (search || hash) throw new TypeError('baseUrl is what paths are put after: it has no query and no fragment');
  const base = href.replace(/\/+$/, '');
  const send = createSend({
    fetch: options.fetch ?? ((...all) => fetch(...all)),
    maxRetries: retriesOf(options),
    headers: options.headers ?? {},
  });
  const tokens = tokensOf(options, base, send);
  return (method, path, request, settings) => {
    const url = new URL(base + path);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const body = request.body instanceof FormData ? request.body : (JSON.stringify(request.body) ?? null);
    return send(
      url.href,
      { method, headers: { accept: 'application/json', ...request.headers }, body },
      settings,
      tokens,
    );
  };
}

function tokensOf(options: DaypartOptions, base: string, send: ReturnType<typeof createSend>): TokenSource {
  if (options.token !== undefined) return givenToken(options.token);
  const { clientId, clientSecret, auth = 'oauth', scope } = options;
  if (!clientId || !clientSecret) throw new TypeError('clientId and clientSecret are required, or a token');
  const tokenUrl = options.tokenUrl ?? new URL(TOKEN_PATHS[auth], base).href;
  return fetchedToken({ clientId, clientSecret, auth, scope, tokenUrl }, send);
}

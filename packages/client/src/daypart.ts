/** The client: resources that mirror the URLs of the service. */
import { type CommonOptions, type Core, callOf, coreOf, retriesOf } from './core.ts';
import { openJson } from './json.ts';
import { createPace } from './pace.ts';
import { createResource } from './resource.ts';
import { type DaypartsResource, daypartsOf } from './resources/dayparts.ts';
import { FamilyResources } from './resources/index.ts';
import { type RestaurantsResource, restaurantsOf } from './restaurants.ts';
import { fetchedToken, type GivenToken, givenToken } from './token.ts';
import type { Send, TokenSource } from './transport.ts';

/** Client credentials, or a token, or a function that returns one. */
export type DaypartOptions = CommonOptions &
  (
    | {
        clientId: string;
        clientSecret: string;
        /** `oauth` is POST /oauth/token (RFC 6749); `login` is the endpoint of the live system. */
        auth?: 'oauth' | 'login' | undefined;
        /** The address of the token endpoint, if it is not where `baseUrl` has its version. */
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

/** The address of a service: its base URL without the version; the origin of one that does not end in a version. */
function rootOf(base: string): string {
  const { origin, pathname } = new URL(base);
  const [, path = ''] = /^((?:\/(?!(?:era|v\d+)\/)[^/]+)*)(?:\/era)?\/v\d+$/.exec(pathname) ?? [];
  return origin + path;
}

/** A client for one service. Nothing is sent before the first call. Throws TypeError for invalid options. */
export class Daypart extends FamilyResources implements Core {
  readonly reports: Core['reports'];
  readonly restaurants: RestaurantsResource;
  readonly dayparts: DaypartsResource;
  /** GET /events, until the signal is aborted. */
  readonly events: Core['events'];
  /** Any other operation of the service. */
  readonly request: Core['request'];

  constructor(options: DaypartOptions) {
    const call = callOf(options, (base, send) => tokensOf(options, base, send));
    const calls = openJson(call);
    const pace = createPace();
    const shared = { call, maxRetries: retriesOf(options), pace };
    super((family) =>
      createResource({ family, ...shared, onCreated: (range, headers) => pace.note(family, range, headers) }),
    );
    const { reports, events, request } = coreOf(call, calls);
    this.reports = reports;
    this.events = events;
    this.request = request;
    this.restaurants = restaurantsOf(calls);
    this.dayparts = daypartsOf(calls);
  }
}

function tokensOf(options: DaypartOptions, base: string, send: Send): TokenSource {
  if (options.token !== undefined) return givenToken(options.token);
  const { clientId, clientSecret, auth = 'oauth', scope } = options;
  if (!clientId || !clientSecret) throw new TypeError('clientId and clientSecret are required, or a token');
  const tokenUrl = options.tokenUrl ?? rootOf(base) + TOKEN_PATHS[auth];
  return fetchedToken({ clientId, clientSecret, auth, scope, tokenUrl }, send);
}

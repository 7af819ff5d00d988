/** The session of a person in a page of the service itself: signing in, and the tokens of its calls. */
import { errorOf } from './answers.ts';
import { ConnectionError } from './errors.ts';
import type { Format, Layout } from './types.ts';

interface SessionCaller {
  clientId: string;
  scopes: string[];
  group: string;
  dialect: string;
}

/** GET /session. */
export interface SessionInfo extends SessionCaller {
  name: string | null;
  createdAt: string;
  expiresAt: string;
}

/** POST /session/token; the `token` option of a Daypart client accepts it. */
export interface SessionToken extends SessionCaller {
  token: string;
  /** Lifetime in seconds. */
  expiresIn: number;
}

/** A form of a report for the browser to save: GET of the path returns it once, within a minute. */
export interface DownloadAsk {
  guid: string;
  /** `metrics`, `check` and the other families. */
  kind: string;
  format: Format;
  /** `record` by default. */
  layout?: Layout | undefined;
  fetchRestaurantNames?: boolean | undefined;
  bom?: boolean | undefined;
}

/** For pages served by the service itself: browsers send its cookie nowhere else. All methods throw DaypartError. */
export interface PageSession {
  /** POST /session. */
  signIn(by: { clientId: string; clientSecret: string } | { key: string }): Promise<void>;
  /** GET /session. Throws AuthenticationError if nobody is signed in. */
  get(): Promise<SessionInfo>;
  /**
   * POST /session/token: pass it as `token: () => session.token()`. It is renewed after four fifths of its lifetime.
   */
  token(): Promise<SessionToken>;
  /** POST /session/downloads: the path for the browser to open. */
  download(ask: DownloadAsk): Promise<{ path: string; expiresIn: number }>;
  /** DELETE /session. */
  signOut(): Promise<void>;
}

/** The session at an origin, by default that of the page. Nothing is sent before the first call. */
export function openSession(origin = '', fetch = globalThis.fetch): PageSession {
  async function call<T>(method: string, path = '', body?: object): Promise<T> {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const init = { method, headers, credentials: 'same-origin', body: body ? JSON.stringify(body) : null } as const;
    const response = await fetch(`${origin}/session${path}`, init).catch((cause: unknown) => {
      throw new ConnectionError('The service cannot be reached.', { cause });
    });
    if (!response.ok) throw await errorOf(response);
    return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
  }
  return {
    signIn: (by) => call('POST', '', by),
    get: () => call('GET'),
    token: () => call('POST', '/token', {}),
    download: (ask) => call('POST', '/downloads', ask),
    signOut: () => call('DELETE', '', {}),
  };
}

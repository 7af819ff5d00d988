/**
 * The session of a connection: signed in when a call needs it, at most twice an hour, and kept for at least half an
 * hour.
 */

import { SourceError, type SourceSession } from '@daypart/client/source';
import { HOUR_MS, MINUTE_MS } from '../contract/time.ts';
import { sleep, type Timers } from './timers.ts';

/** What is kept of sign-ins, as JSON; secret. Instants are ms since 1970 UTC by our clock. */
export interface SessionState extends SourceSession {
  /** When the point of sale answered a sign-in, the latest last; those of the last hour. */
  logins: number[];
  /** How many sessions in a row were refused before they expired. */
  refusals: number;
}

/** How long a session is kept although it is refused. */
const KEPT_MS = 30 * MINUTE_MS;
const MOST_LOGINS = 2;
/** The point of sale may see an hour a little shorter. */
const MARGIN_MS = 1000;
/** A session that is refused so shortly before its end has expired. */
const ALMOST_MS = 30_000;
/** A longer wait ends the call, which is then due again. */
const LONGEST_WAIT_MS = MINUTE_MS;

interface SessionDeps {
  timers: Timers;
  /** Signs in by a call of the source. */
  signIn(): Promise<SourceSession>;
  /** Keeps the state, so that a restart need not sign in again. */
  save(state: SessionState): void | Promise<void>;
  /** Aborted when the connection is closed. */
  signal: AbortSignal;
}

/** The headers of calls, and the session that they are of. */
export interface SessionHeaders {
  headers: Record<string, string>;
  session: object;
}

export class UpstreamSession {
  readonly #deps: SessionDeps;
  #state: SessionState;
  /** Another object for each sign-in. */
  #current = {};
  #isRefused: boolean;
  #signingIn: Promise<void> | undefined;

  constructor(deps: SessionDeps, state: SessionState | null) {
    this.#deps = deps;
    this.#state = state ?? { headers: {}, until: 0, logins: [], refusals: 0 };
    this.#isRefused = this.#state.refusals > 0;
  }

  /** The headers of a call; signs in if there is no session. Throws SourceError. */
  async headers(signal: AbortSignal): Promise<SessionHeaders> {
    while (this.#isRefused || this.#deps.timers.now() >= this.#state.until) {
      this.#signingIn ??= this.#signIn().finally(() => {
        this.#signingIn = undefined;
      });
      await this.#signingIn;
      signal.throwIfAborted();
    }
    return { headers: this.#state.headers, session: this.#current };
  }

  /** A call with the session was answered. */
  async accepted(session: object): Promise<void> {
    if (session !== this.#current || this.#state.refusals === 0 || this.#isRefused) return;
    await this.#keep({ refusals: 0 });
  }

  /**
   * The session was refused: the next call signs in again, when it may. Throws SourceError `credentials_refused` if
   * that has happened to the session before it as well.
   */
  async refused(session: object): Promise<void> {
    const { timers } = this.#deps;
    if (session !== this.#current || this.#isRefused) return;
    if (timers.now() >= this.#state.until - ALMOST_MS) return this.#keep({ until: timers.now() });
    this.#isRefused = true;
    await this.#keep({ refusals: this.#state.refusals + 1 });
    if (this.#state.refusals > 1)
      throw new SourceError('credentials_refused', 'The point of sale refuses a new session.', { status: 401 });
  }

  /** Waits until a sign-in is allowed. Throws SourceError `throttled` if that takes longer than a minute. */
  async wait(signal: AbortSignal): Promise<void> {
    const { timers } = this.#deps;
    const allowedAt = this.#allowedAt;
    if (allowedAt - timers.now() > LONGEST_WAIT_MS)
      throw new SourceError('throttled', 'The point of sale ended the session.', { retryAt: allowedAt });
    if (allowedAt > timers.now()) await sleep(timers, allowedAt - timers.now(), signal);
  }

  /** The point of sale has answered a sign-in, whatever it answered. */
  answered(): Promise<void> {
    const now = this.#deps.timers.now();
    return this.#keep({ logins: [...this.#state.logins.filter((at) => at > now - HOUR_MS), now] });
  }

  get #allowedAt(): number {
    const { logins } = this.#state;
    const ofHour = logins.at(-MOST_LOGINS);
    const ofRefused = this.#isRefused ? logins.at(-1) : undefined;
    return Math.max(
      ofHour === undefined ? 0 : ofHour + HOUR_MS + MARGIN_MS,
      ofRefused === undefined ? 0 : ofRefused + KEPT_MS,
    );
  }

  async #signIn(): Promise<void> {
    await this.wait(this.#deps.signal);
    const { headers, until } = await this.#deps.signIn();
    this.#current = {};
    this.#isRefused = false;
    await this.#keep({ headers, until });
  }

  async #keep(changes: Partial<SessionState>): Promise<void> {
    this.#state = Object.assign({}, this.#state, changes);
    await this.#deps.save(this.#state);
  }
}

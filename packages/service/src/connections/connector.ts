/** The calls of one connection: what a source is given, with limits and a session that all its restaurants share. */

import type { ConnectionSource, JsonObject, SourceContext, SourceRestaurant } from '@daypart/client/source';
import { namedGuid } from '../ingest/guids.ts';
import { VERSION } from '../version.ts';
import { CallLimits } from './call-limits.ts';
import { type CallDeps, type CallOutcome, callUpstream } from './request.ts';
import { type SessionState, UpstreamSession } from './sign-in.ts';
import { Skew } from './skew.ts';
import { realTimers, type Timers } from './timers.ts';
import { createTransport, type Transport } from './transport.ts';

export interface ConnectorOptions {
  source: ConnectionSource;
  /** The address of the point of sale's API. */
  url: string;
  credentials: Readonly<Record<string, string>>;
  settings?: JsonObject;
  /** Calls in a second; those of the source without. */
  requestsPerSecond: number | null;
  /** Whether the address may be private, and without TLS. */
  allowPrivate: boolean;
  /** The address of this service, as the point of sale sees it in `User-Agent`. */
  publicUrl?: string | undefined;
  /** What `onSession` was given last; null before the first sign-in with these credentials. */
  session: SessionState | null;
  onSession(state: SessionState): void | Promise<void>;
  onCall?(stream: string, outcome: CallOutcome): void;
  log(level: 'debug' | 'info' | 'warn', text: string): void;
  timers?: Timers;
  /** How exchanges are made; over HTTP without. */
  transport?: Transport;
  /** From 0 to 1, 1 excluded. */
  random?(): number;
}

export interface ContextOptions {
  /** Null for calls of the connection. */
  restaurant: SourceRestaurant | null;
  /** Under which `guid` makes others; the upstream id without. */
  restaurantGuid?: string;
  /** In metrics. */
  stream: string;
  /** Calls with a lower number come first; 0 without. */
  priority?: number;
  signal: AbortSignal;
}

export interface Connector {
  context(options: ContextOptions): SourceContext;
  /** Milliseconds by which the point of sale's clock is ahead, as far as they count. */
  readonly skewMs: number;
  /** Whether the clocks differ by more than 10 minutes. */
  readonly isClockWrong: boolean;
  /** Until when (ms since 1970 UTC, our clock) no call is made because of a limit; 0 without. */
  readonly throttledUntil: number;
  close(): void;
}

/** Creates what calls one point of sale. Throws a TypeError for a text that is not a URL. */
export function createConnector(options: ConnectorOptions): Connector {
  const { source, credentials, settings = {}, timers = realTimers, log } = options;
  const { usual, most } = source.requestsPerSecond;
  const transport = options.transport ?? createTransport({ allowPrivate: options.allowPrivate, timers });
  const skew = new Skew();
  const limits = new CallLimits({ timers, perSecond: Math.min(options.requestsPerSecond ?? usual, most) });
  const closed = new AbortController();
  let tokens: string[] = Object.values(options.session?.headers ?? {});
  const session = new UpstreamSession(
    {
      timers,
      signal: closed.signal,
      async signIn() {
        const of = { restaurant: null, stream: 'signIn', priority: -1, signal: closed.signal };
        const { headers, until } = await source.signIn(context(of, true));
        return { headers, until: until - skew.ms };
      },
      save(state) {
        tokens = Object.values(state.headers);
        return options.onSession(state);
      },
    },
    options.session,
  );
  const deps: CallDeps = {
    timers,
    transport,
    limits,
    skew,
    session,
    base: new URL(options.url),
    userAgent: `daypart/${VERSION} (+${options.publicUrl ?? 'none'})`,
    rateLimit: source.rateLimit,
    // The values of headers have a scheme before the token.
    secrets: () =>
      [...Object.values(credentials), ...tokens.flatMap((text) => text.split(' '))].filter((text) => text.length > 6),
    random: options.random ?? Math.random,
    unreadable: { before: false },
    onCall: (stream, outcome) => options.onCall?.(stream, outcome),
  };

  function context(of: ContextOptions, isSignIn: boolean): SourceContext {
    const { restaurant, stream, priority = 0, restaurantGuid } = of;
    const signal = AbortSignal.any([of.signal, closed.signal]);
    return {
      request: (method, path, question = {}) =>
        callUpstream(deps, {
          restaurant: restaurant?.upstreamId ?? '',
          ...question,
          method,
          path,
          stream,
          priority,
          signal,
          isSignIn,
        }),
      now: () => timers.now() + skew.ms,
      restaurant,
      credentials,
      settings,
      signal,
      log,
      guid: (name) => namedGuid(restaurantGuid ?? restaurant?.upstreamId ?? '', name),
    };
  }

  return {
    context: (of) => context(of, false),
    get skewMs() {
      return skew.ms;
    },
    get isClockWrong() {
      return skew.isWrong;
    },
    get throttledUntil() {
      return limits.heldUntil;
    },
    close() {
      closed.abort(new Error('the connection is closed'));
      transport.close();
    },
  };
}

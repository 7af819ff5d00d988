/**
 * What lies between a source and its point of sale while it is tested: it sees each call, lets some fail, kills the
 * node at each step once, and searches what comes out for credentials. Any point of sale will do.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { askedMs } from '../../http/public-request.ts';
import { realTimers, sleep } from '../timers.ts';
import { type Exchange, type Transport, TransportError, type UpstreamAnswer } from '../transport.ts';
import type { FairCall } from './fair-use.ts';
import type { Patience, SourceCall } from './patience.ts';
import { maskedText, type SuiteFault, saidError } from './said.ts';

/** What is being read. */
export interface ReadScope {
  /** The id at the point of sale; empty for the connection. */
  restaurant: string;
  stream: string;
  /** The call of the source that reads. */
  read?: SourceCall | undefined;
}

export interface WatchedCall extends FairCall {
  path: string;
  /** The answer named a limit: from the call at this place on none may come before `until` (ms). */
  held?: { from: number; until: number; isOfPath: boolean };
}

/** In so many of a hundred calls something fails. */
const FAULTS_PERCENT = 15;
const THROTTLE_SECONDS = 20;
/** Shorter texts are found in anything. */
export const SHORTEST_SECRET = 6;
/** A point of sale that limits the suite itself is waited for, in real time, so often and so long. */
const PATIENCE = 10;
const LONGEST_PATIENCE_MS = 60_000;
const NOWHERE: ReadScope = { restaurant: '', stream: '' };
/** Where Node publishes the calls of `fetch` and of `node:http`. */
const CHANNELS = ['undici:request:create', 'http.client.request.created'];

/** Waits, in real time, where the point of sale limits how often the suite asks. */
export const patient = (inner: Transport): Transport => ({
  async send(exchange) {
    for (let tries = 1; ; tries++) {
      const answer = await inner.send(exchange);
      if (answer.status !== 429 || tries === PATIENCE) return answer;
      const askedFor = askedMs(answer.headers.get('retry-after') ?? undefined, Date.now());
      await sleep(realTimers, Math.min(askedFor || 1000, LONGEST_PATIENCE_MS), exchange.signal);
    }
  },
  close: inner.close,
});

/** What the watches of one test share. */
export interface Known {
  /** Texts that nothing may have. */
  secrets: Set<string>;
  /** What `signIn` has called. */
  signInPaths: Set<string>;
  patience: Patience;
  /** The URL of the source's module, to say where it throws. */
  module: string | undefined;
}

export class Watch {
  /** From 0 to 1, 1 excluded. */
  readonly #random: () => number;
  readonly #now: () => number;
  readonly #scopes = new AsyncLocalStorage<ReadScope | undefined>();
  readonly #known: Known;
  /** When answers were given, by their headers, in the time of the point of sale (ms). */
  readonly #dates = new WeakMap<Headers, number>();
  #inProgress: ReadScope[] = [];
  /** Calls of each node since its start: the pace of one that was killed is not remembered. */
  calls: WatchedCall[][] = [[]];
  /** Calls that were not made by `request` of the context, by stream. */
  readonly strays = new Map<string, number>();
  /** Where secrets were found. */
  readonly leaks = new Set<string>();
  /** Seconds of sessions that ended at once. */
  readonly shortSessions = new Set<number>();
  /** The last error of each stream of a restaurant, and of each kind of records, in words. */
  readonly errors = new Map<string, string>();
  /** Records that are of other dates than was asked for. */
  readonly outside: SuiteFault[] = [];
  hasFaults = false;
  searches = 0;
  faults = 0;
  kills = 0;
  #killed: AbortController | undefined;
  readonly #struck = new Set<string>();
  readonly #saved = new Map<string, number>();
  #saves = 0;
  #since = 0;

  constructor(known: Known, now: () => number, random: () => number) {
    this.#known = known;
    this.#now = now;
    this.#random = random;
  }

  /** A text that nothing may have. */
  addSecret(text: string): void {
    if (text.length >= SHORTEST_SECRET) this.#known.secrets.add(text);
  }

  /** Searches what came from a source. */
  search(where: string, what: unknown): void {
    if (what === undefined) return;
    this.searches++;
    const text = what instanceof Error ? `${what.message} ${what.stack} ${what.cause}` : JSON.stringify(what);
    if ([...this.#known.secrets].some((secret) => text.includes(secret))) this.leaks.add(where);
  }

  /** Runs work of the source; what it calls past the context is counted. */
  within<T>(scope: ReadScope, work: () => T): T {
    return this.#scopes.run(scope, work);
  }

  /** What is read by the code that calls this. */
  reading(): SourceCall | undefined {
    return this.#scopes.getStore()?.read;
  }

  get patience(): Patience {
    return this.#known.patience;
  }

  masked(text: string): string {
    return maskedText(text, this.#known.secrets);
  }

  /** An error of the source in words, without secrets. */
  textOf(error: unknown): string {
    return this.masked(saidError(error, this.#known.module));
  }

  /** Counts calls of sources that pass the context by, until the returned function is called. */
  countStrays(): () => void {
    const count = (): void => {
      const scope = this.#scopes.getStore();
      if (scope) this.strays.set(scope.stream, (this.strays.get(scope.stream) ?? 0) + 1);
    };
    for (const channel of CHANNELS) subscribe(channel, count);
    return () => {
      for (const channel of CHANNELS) unsubscribe(channel, count);
    };
  }

  /** A node starts again: its calls are counted alone. */
  restart(): void {
    this.calls.push([]);
  }

  /** A run begins. With `isKilled` the node is killed at the next step at which none was yet. */
  begin(isKilled: boolean): AbortSignal {
    this.#since = 0;
    this.#killed = isKilled ? new AbortController() : undefined;
    return this.#killed?.signal ?? new AbortController().signal;
  }

  /** A step at which the node may be killed: it is, the first time that it comes so far. */
  step(name = ''): void {
    this.patience.move();
    if (!this.#killed) return;
    this.#killed.signal.throwIfAborted();
    const key = `${this.#saves} ${name || this.#since++}`;
    if (this.#struck.has(key)) return;
    this.#struck.add(key);
    this.kills++;
    this.#killed.abort(new Error('killed'));
    this.#killed.signal.throwIfAborted();
  }

  /** A place was saved at which a node that starts again resumes; the first so many times it is a step further. */
  saved(place: string, most: number): void {
    const times = this.#saved.get(place) ?? 0;
    if (times >= most) return;
    this.#saved.set(place, times + 1);
    this.#saves++;
    this.#since = 0;
    this.step('saved');
  }

  /** How far the point of sale's clock is ahead of ours (ms), by the `Date` of an answer. */
  aheadMs(headers: Headers): number {
    return (this.#dates.get(headers) ?? Date.now()) - this.#now();
  }

  /** The transport with what the suite does to calls. `isOfPath` says what the source takes a limit for. */
  over(inner: Transport, isOfPath: (headers: Headers) => boolean): Transport {
    return {
      send: async (exchange) => {
        const scope = this.#scopes.getStore() ?? NOWHERE;
        this.step();
        this.patience.count(scope.read, 'calls');
        const call = this.#begin(scope, exchange);
        try {
          const answer = await this.#answer(inner, exchange, scope);
          call.isSignIn = this.#known.signInPaths.has(call.path);
          if (answer.status === 429)
            call.held = {
              from: this.calls.at(-1)?.length ?? 0,
              until: this.#now() + THROTTLE_SECONDS * 1000,
              isOfPath: isOfPath(answer.headers),
            };
          const shown = Date.parse(answer.headers.get('date') ?? '');
          if (!Number.isNaN(shown)) this.#dates.set(answer.headers, shown);
          // The time of the suite is another one.
          answer.headers.delete('date');
          return answer;
        } finally {
          this.#inProgress = this.#inProgress.filter((one) => one !== scope);
        }
      },
      close: inner.close,
    };
  }

  #begin(scope: ReadScope, { method, url }: Exchange): WatchedCall {
    const path = `${method} ${url.pathname}`;
    if (scope.stream === 'signIn') this.#known.signInPaths.add(path);
    this.#inProgress.push(scope);
    const { restaurant } = scope;
    const call: WatchedCall = {
      at: this.#now(),
      path,
      restaurant,
      atOnce: this.#inProgress.length,
      atOnceOfRestaurant: this.#inProgress.filter((one) => one.restaurant === restaurant).length,
      isSignIn: false,
    };
    this.calls.at(-1)?.push(call);
    return call;
  }

  async #answer(inner: Transport, exchange: Exchange, scope: ReadScope): Promise<UpstreamAnswer> {
    const isFaulty = this.hasFaults && scope.stream !== 'signIn' && this.#random() * 100 < FAULTS_PERCENT;
    const fault = isFaulty ? Math.floor(this.#random() * 5) : undefined;
    if (fault !== undefined) this.faults++;
    const now = this.#now();
    const say = (status: number, body: string, headers = {}): UpstreamAnswer => ({
      status,
      headers: new Headers(headers),
      body: Buffer.from(body),
      sentAt: now,
      receivedAt: now,
    });
    if (fault === 0) throw new TransportError('network', 'The point of sale cannot be reached: a fault of the suite.');
    if (fault === 1) return say(429, '{}', { 'retry-after': String(THROTTLE_SECONDS) });
    // As some do, it repeats what it was sent.
    if (fault === 2) return say(503, JSON.stringify({ message: `refused: ${JSON.stringify(exchange.headers)}` }));
    if (fault === 3) return say(200, '<html>');
    const answer = await this.#scopes.run(undefined, () => this.patience.exchange(() => inner.send(exchange)));
    return fault === 4 ? Object.assign(answer, { body: answer.body.subarray(0, answer.body.length / 2) }) : answer;
  }
}

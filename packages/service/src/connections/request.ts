/** One call to a point of sale, with its repeats: what is sent, when, and what follows from the answer. */

import { type Question, type RateLimit, type SourceAnswer, SourceError } from '@daypart/client/source';
import { isObject } from '../contract/json.ts';
import { GUID_PATTERN } from '../contract/words.ts';
import { askedMs } from '../http/public-request.ts';
import type { CallLimits } from './call-limits.ts';
import type { SessionHeaders, UpstreamSession } from './sign-in.ts';
import type { Skew } from './skew.ts';
import { sleep, type Timers } from './timers.ts';
import { type Transport, TransportError, type UpstreamAnswer } from './transport.ts';

/** How a try ended, for metrics. */
export type CallOutcome = 'ok' | 'throttled' | 'refused' | 'error' | 'late';

/** What the calls of a connection share. */
export interface CallDeps {
  timers: Timers;
  transport: Transport;
  limits: CallLimits;
  skew: Skew;
  session: UpstreamSession;
  /** The address that paths are appended to. */
  base: URL;
  userAgent: string;
  rateLimit: ((headers: Headers) => RateLimit | undefined) | undefined;
  /** Texts that no message may have. */
  secrets(): string[];
  /** From 0 to 1, 1 excluded. */
  random(): number;
  /** Whether the answer before could not be parsed. */
  unreadable: { before: boolean };
  onCall(stream: string, outcome: CallOutcome): void;
}

export interface Call extends Question {
  method: 'GET' | 'POST';
  path: string;
  stream: string;
  priority: number;
  signal: AbortSignal;
  /** A sign-in has no session; at most two of them are answered in an hour. */
  isSignIn: boolean;
}

/** Waits before the second, third and fourth try. */
const REPEAT_MS = [1000, 4000, 15_000];
/** Each is up to this share longer, so that connections do not repeat together. */
const JITTER = 0.2;
const REPEATED = [408, 500, 502, 503, 504];
/** Where a 429 does not say how long. */
const THROTTLED_MS = 10_000;
const MOST_THROTTLED = 10;
/** Few calls may be left before the limit's next slice is waited for: others may use the same credentials. */
const FEW_LEFT = 2;
const LONGEST_WAIT_MS = 60_000;
const LONGEST_MESSAGE = 200;
const GUIDS = new RegExp(GUID_PATTERN, 'gi');

const placeOf = ({ path, restaurant = '' }: Question & { path: string }) => ({
  restaurant,
  path: path.replaceAll(GUIDS, '{guid}'),
});

function addressOf({ base }: CallDeps, { path, query = {} }: Call): URL {
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/+$/, '') + path;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url;
}

function parse(body: Buffer): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
}

/** What an answer says of its failure, without anything secret. */
function saidIn({ body }: UpstreamAnswer, secrets: string[]): { requestId: string | undefined; message: string } {
  let answer: unknown;
  try {
    answer = parse(body);
  } catch {
    // Whatever it is, it is not shown.
  }
  if (!isObject(answer)) return { requestId: undefined, message: '' };
  const safe = (value: unknown): string => {
    const text = typeof value === 'string' ? value : '';
    return secrets.some((secret) => text.includes(secret)) ? '' : [...text].slice(0, LONGEST_MESSAGE).join('');
  };
  const code = typeof answer.code === 'number' && answer.code !== 0 ? ` (${answer.code})` : '';
  const message = safe(answer.message);
  return { requestId: safe(answer.requestId) || undefined, message: message && `: ${message}${code}` };
}

/** The error of an answer that is no success. */
function refusal(deps: CallDeps, received: UpstreamAnswer, call: Call): SourceError {
  const { status } = received;
  const { requestId, message } = saidIn(received, deps.secrets());
  const of = (code: SourceError['code'], text: string): SourceError =>
    new SourceError(code, `${text}${message}`, requestId === undefined ? { status } : { status, requestId });
  if (status === 401 || (status === 403 && call.isSignIn))
    return of('credentials_refused', 'The point of sale refuses the credentials');
  if (status === 403) return of('no_permission', 'The credentials lack the permission');
  if (status === 404) return of('restaurant_unknown', 'The point of sale does not have it');
  if (REPEATED.includes(status)) return of('upstream_error', `The point of sale answers ${status}`);
  return of('upstream_changed', `The point of sale answers ${status}`);
}

/** What follows from one try: an answer, another try after a wait, or an error that is thrown. */
type Tried = { answer: SourceAnswer } | { againAfterMs: number; error: SourceError } | { againAtOnce: true };

/** Tries a call; throws SourceError where repeating it cannot help. */
async function tryOnce(deps: CallDeps, call: Call): Promise<Tried> {
  const { timers, transport, limits, session, skew } = deps;
  const place = placeOf(call);
  const { everySeconds = 0, priority, signal, body, method } = call;
  if (call.isSignIn) await session.wait(signal);
  const signed = call.isSignIn ? undefined : await session.headers(signal);
  const headers = {
    accept: 'application/json',
    'user-agent': deps.userAgent,
    ...(body && { 'content-type': 'application/json' }),
    ...signed?.headers,
    ...call.headers,
  };
  const sent = { method, url: addressOf(deps, call), headers, body: body && JSON.stringify(body), signal };
  const end = await limits.take({ ...place, everyMs: everySeconds * 1000, priority, signal });
  let received: UpstreamAnswer;
  try {
    received = await transport.send(sent);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    deps.onCall(call.stream, error.kind === 'late' ? 'late' : 'error');
    if (call.isSignIn && error.status !== undefined) await session.answered();
    if (error.kind === 'size') throw new SourceError('upstream_changed', error.message);
    return { againAfterMs: 0, error: new SourceError('upstream_unreachable', error.message) };
  } finally {
    end();
  }
  skew.add(received.headers.get('date'), received.sentAt, received.receivedAt);
  const throttledMs = holdBy(deps, received, place);
  if (call.isSignIn && (received.status < 300 || received.status === 401)) await session.answered();
  if (received.status === 429) {
    deps.onCall(call.stream, 'throttled');
    const retryAt = timers.now() + throttledMs;
    return {
      againAfterMs: 0,
      error: new SourceError('throttled', 'The point of sale limits how often it is asked.', { status: 429, retryAt }),
    };
  }
  return follow(deps, call, received, signed);
}

/** Waits as a limit says that the answer names. Returns for how long, in ms. */
function holdBy(
  { timers, limits, skew, rateLimit }: CallDeps,
  received: UpstreamAnswer,
  place: ReturnType<typeof placeOf>,
) {
  const now = timers.now();
  const limit = rateLimit?.(received.headers);
  const resetMs = limit?.resetAt === undefined ? 0 : Math.max(0, limit.resetAt - skew.ms - now);
  const hold = (ms: number): void => limits.hold(now + ms, limit?.isOfPath ? place : undefined);
  if (received.status === 429) {
    const ms = Math.max(askedMs(received.headers.get('retry-after') ?? undefined, now), resetMs) || THROTTLED_MS;
    hold(ms);
    return ms;
  }
  if (limit?.remaining !== undefined && limit.remaining <= FEW_LEFT && resetMs > 0) hold(resetMs);
  return 0;
}

/** What follows from an answer that is not about limits. */
async function follow(
  deps: CallDeps,
  call: Call,
  received: UpstreamAnswer,
  signed: SessionHeaders | undefined,
): Promise<Tried> {
  const { session, unreadable, timers } = deps;
  const { status, headers, body } = received;
  const isAllowed = call.allow?.includes(status) ?? false;
  const isFine = (status >= 200 && status < 300) || isAllowed;
  const outcome = (one: CallOutcome): void => deps.onCall(call.stream, one);
  if (!isFine && status === 401 && signed) {
    outcome('refused');
    await session.refused(signed.session);
    return { againAtOnce: true };
  }
  if (signed) await session.accepted(signed.session);
  if (!isFine) {
    outcome(status === 401 || status === 403 ? 'refused' : 'error');
    const error = refusal(deps, received, call);
    if (!REPEATED.includes(status)) throw error;
    return { againAfterMs: askedMs(headers.get('retry-after') ?? undefined, timers.now()), error };
  }
  try {
    const json = isAllowed && body.length === 0 ? undefined : parse(body);
    outcome('ok');
    unreadable.before = false;
    return { answer: { status, headers, json } };
  } catch {
    outcome('error');
    return {
      againAfterMs: 0,
      error: new SourceError('upstream_error', 'The answer of the point of sale cannot be read.', { status: 200 }),
    };
  }
}

/**
 * Calls a point of sale: in its turn, signed in, and again after failures that pass. Throws SourceError, or the reason
 * of the signal.
 */
export async function callUpstream(deps: CallDeps, call: Call): Promise<SourceAnswer> {
  let [failed, throttled] = [0, 0];
  for (;;) {
    const tried = await tryOnce(deps, call);
    if ('answer' in tried) return tried.answer;
    if ('againAtOnce' in tried) continue;
    const { error, againAfterMs } = tried;
    if (error.code === 'throttled') {
      throttled++;
      if (throttled >= MOST_THROTTLED) throw error;
      continue;
    }
    const waitMs = REPEAT_MS[failed];
    failed++;
    if (waitMs === undefined) throw lastError(deps, error);
    const ms = Math.max(waitMs * (1 + deps.random() * JITTER), againAfterMs);
    if (ms > LONGEST_WAIT_MS) throw withRetry(error, deps.timers.now() + ms);
    await sleep(deps.timers, ms, call.signal);
  }
}

/** The error after all tries: what cannot be read twice in a row is no accident. */
function lastError({ unreadable }: CallDeps, error: SourceError): SourceError {
  if (error.status !== 200) return error;
  const isAgain = unreadable.before;
  unreadable.before = true;
  return isAgain ? new SourceError('upstream_changed', error.message, { status: 200 }) : error;
}

const withRetry = ({ code, message, status, requestId }: SourceError, retryAt: number): SourceError =>
  new SourceError(code, message, {
    retryAt,
    ...(status !== undefined && { status }),
    ...(requestId !== undefined && { requestId }),
  });

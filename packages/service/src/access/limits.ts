/** The rate limits (docs/contract.md#rate-limits): the hooks that count a call, refuse it, and report the remaining quota. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Config, limitSetting } from '../config/config.ts';
import { readWindows, type Window } from '../contract/limits.ts';
import { countedAs, type LimitNumbers, type ReportFamily } from '../families/family.ts';
import { FAMILIES } from '../families/index.ts';
import { LIMIT_NUMBERS } from '../families/limits.ts';
import { Problem } from '../http/problems.ts';
import { callerOf, groupKey } from './caller.ts';
import type { CountedWindow, Counters, CountResult } from './counters.ts';

export type LimitsConfig = Pick<Config, 'limits'> & Partial<Record<`limit${string}`, unknown>>;

interface Policy {
  limit: string;
  windows: readonly CountedWindow[];
  /** The `RateLimit-Policy` header of its answers. */
  header: string;
}

interface Counted {
  policy: Policy;
  key: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the call was counted against a limit; null before, and for calls without a limit. */
    counted: Counted | null;
  }
}

export interface LimitsDeps {
  config: LimitsConfig;
  counters: Counters;
  /** Further families whose limits are counted, in addition to those of the service. */
  families?: readonly ReportFamily[];
  clock: () => number;
  /** Called for every 429. */
  onLimited?: ((limit: string) => void) | undefined;
}

export interface Limits {
  /**
   * Hooks for a route, to run after that of `requireScope`: they count the call for its management group, over all of its clients
   * and sessions. `which` returns undefined for a request without a limit. They throw Problem `rate_limited`.
   */
  limited(which: string | ((request: FastifyRequest) => string | undefined)): LimitHook;
  /**
   * For the sandbox: the 429 of a call whose first window is used up, with its headers set on the reply, whatever is really left.
   * If limits are off, it uses those of `on`.
   */
  refuse(limit: string, request: FastifyRequest, reply: FastifyReply): Problem;
  /** How many calls of the group remain in each window. */
  left(group: string): Promise<WindowLeft[]>;
  /** Sets the headers with the current values, for answers that bypass the framework; it does so for all others. */
  addHeaders(request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
}

export interface WindowLeft {
  /** The name in the `RateLimit` header. */
  name: string;
  quota: number;
  /** The length of the window and the time until it ends. */
  seconds: number;
  left: number;
  endsInSeconds: number;
}

type LimitHook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

const kebab = (limit: string): string => limit.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * The effective policies, by what a call is counted as (`countedAs`): a limit's own setting, or else the numbers that `limits`
 * selects.
 */
export function policiesOf(config: LimitsConfig, families: readonly ReportFamily[] = []): Map<string, Policy> {
  const policies = new Map<string, Policy>();
  if (config.limits === 'off') return policies;
  const known: readonly ReportFamily[] = [...Object.values(FAMILIES), ...families];
  const numbers: Record<string, LimitNumbers> = Object.assign({}, LIMIT_NUMBERS, ...known.map(({ limits }) => limits));
  const add = (key: string, limit: string, word: string, { live, generous }: LimitNumbers): void => {
    const own = config[limitSetting(limit)] as Window[] | undefined;
    const windows = (own ?? readWindows(config.limits === 'live' ? live : generous)).map((window) => ({
      ...window,
      name: `${word}-${window.unit}`,
    }));
    if (windows.length > 0) policies.set(key, { limit, windows, header: headerOf(windows) });
  };
  for (const [limit, of] of Object.entries(numbers)) {
    if (!of.each) add(limit, limit, kebab(limit), of);
  }
  for (const family of known) {
    for (const span of family.spans) {
      const limit = family.limitOf(span);
      const of = family.limits[limit];
      // The windows of each endpoint get their own names, such as `labor-day-minute`, because counts are kept by name.
      if (of?.each) add(countedAs(family, span), limit, `${family.path.slice(1).replaceAll('/', '-')}-${span}`, of);
    }
  }
  return policies;
}

/** The windows of each session: one limit for all of its calls, within those of its group. */
function consoleWindows(config: LimitsConfig): CountedWindow[] {
  const windows = config.limits === 'off' ? [] : ((config.limitConsole ?? []) as readonly Window[]);
  return windows.map((window) => ({ ...window, name: `console-${window.unit}` }));
}

/** A policy with further windows, which count calls of another key. */
function narrowed({ limit, windows }: Policy, further: readonly CountedWindow[], key: string): Policy {
  const all = [...windows, ...further.map((window) => ({ ...window, key }))];
  return { limit, windows: all, header: headerOf(all) };
}

const headerOf = (windows: readonly CountedWindow[]): string =>
  windows.map(({ name, quota, seconds }) => `"${name}";q=${quota};w=${seconds}`).join(', ');

/** Whole seconds until the window ends, at least 1. */
export const secondsLeft = ({ seconds }: Pick<CountedWindow, 'seconds'>, now: number): number =>
  Math.ceil((seconds * 1000 - (now % (seconds * 1000))) / 1000);

/** Sets the headers of an answer: the policy, and what remains of its windows. */
function setHeaders(reply: FastifyReply, { header, windows }: Policy, left: number[], now: number): void {
  let text = '';
  for (let i = 0; i < windows.length; i++) {
    const window = windows[i] as CountedWindow;
    text += `${i === 0 ? '' : ', '}"${window.name}";r=${left[i]};t=${secondsLeft(window, now)}`;
  }
  reply.header('ratelimit-policy', header);
  reply.header('ratelimit', text);
}

/** Only the windows that are used up count: once they have ended, the others still have room. */
function refusal({ windows }: Policy, left: number[], now: number): Problem {
  const full = windows.filter((_, i) => left[i] === 0);
  const wait = Math.max(...full.map((window) => secondsLeft(window, now)));
  const names = full.map(({ quota, unit }) => `${quota} in ${unit === 'hour' ? 'an' : 'a'} ${unit}`).join(' and ');
  const whose = full.every(({ key }) => key === undefined) ? 'Your management group' : 'This session';
  return new Problem('rate_limited', `${whose} has used up its limit of ${names}. Wait ${wait} s.`, {
    headers: { 'retry-after': String(wait) },
  });
}

/**
 * Opens the limits of an app, before its routes are mounted. The remaining quota is that of the moment when the answer is sent, not
 * when the call was counted: a call that waits five seconds may be answered in another window.
 */
export function openLimits(app: FastifyInstance, deps: LimitsDeps): Limits {
  const { counters, clock, onLimited } = deps;
  const policies = policiesOf(deps.config, deps.families);
  const ofSessions = consoleWindows(deps.config);

  function addHeaders(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    if (request.counted === null) return;
    const { policy, key } = request.counted;
    const now = clock();
    const left = counters.left(key, policy.windows, now);
    if (!(left instanceof Promise)) return setHeaders(reply, policy, left, now);
    return left.then((known) => setHeaders(reply, policy, known, now));
  }

  app.decorateRequest('counted', null);
  if (policies.size > 0) {
    app.addHook('onSend', (request, reply, payload, done) => {
      const added = addHeaders(request, reply);
      if (added instanceof Promise) added.then(() => done(null, payload), done);
      else done(null, payload);
    });
  }

  return {
    addHeaders,
    async left(group) {
      const now = clock();
      const shown = [...policies.values()].map(async ({ windows }) => {
        const left = await counters.left(groupKey(group), windows, now);
        return windows.map((window, i) => ({
          ...{ name: window.name, quota: window.quota, seconds: window.seconds, left: left[i] ?? 0 },
          endsInSeconds: secondsLeft(window, now),
        }));
      });
      return (await Promise.all(shown)).flat();
    },
    refuse(limit, request, reply) {
      const policy = policies.get(limit) ?? policiesOf({ limits: 'on' }, deps.families).get(limit);
      if (!policy) throw new Error(`no windows for ${limit}`);
      const now = clock();
      const left = policy.windows.map(({ quota }, i) => (i === 0 ? 0 : quota - 1));
      setHeaders(reply, policy, left, now);
      // This answer does not report the real remaining quota.
      request.counted = null;
      return refusal(policy, left, now);
    },
    limited(which) {
      return (request, _reply, done) => {
        const { sessionId, group } = callerOf(request);
        const name = (typeof which === 'string' ? which : which(request)) ?? '';
        const ofGroup = policies.get(name);
        if (ofGroup === undefined) return done();
        const policy =
          sessionId === undefined || ofSessions.length === 0 ? ofGroup : narrowed(ofGroup, ofSessions, sessionId);
        const key = groupKey(group);
        const now = clock();
        request.counted = { policy, key };
        const settle = ({ taken, left }: CountResult): void => {
          if (!taken) onLimited?.(policy.limit);
          done(taken ? undefined : refusal(policy, left, now));
        };
        const count = counters.take(key, policy.windows, now);
        if (count instanceof Promise) count.then(settle, done);
        else settle(count);
      };
    },
  };
}

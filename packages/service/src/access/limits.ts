/** The rate limits (docs/contract.md#rate-limits): the hooks that count a call, refuse it, and report the remaining quota. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Config, limitSetting } from '../config/config.ts';
import { readWindows, type Window } from '../contract/limits.ts';
import { countedAs, type LimitNumbers, type ReportFamily } from '../families/family.ts';
import { FAMILIES } from '../families/index.ts';
import { LIMIT_NUMBERS } from '../families/limits.ts';
import type { Operation } from '../http/operation.ts';
import { Problem } from '../http/problems.ts';
import type { ClientLedger } from '../ledger/client.ts';
import type { GroupLedger, OwnLimits } from '../ledger/group.ts';
import { type Caller, callerKey, callerOf, groupKey } from './caller.ts';
import type { CountedWindow, Counters } from './counters.ts';

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
  /** Has the limits that are a group's or a client's own. */
  ledger: Pick<GroupLedger, 'group'> & Pick<ClientLedger, 'client'>;
  /** Further families whose limits are counted, in addition to those of the service. */
  families?: readonly ReportFamily[];
  clock: () => number;
  /** Called for every 429. */
  onLimited?: ((limit: string) => void) | undefined;
}

export interface Limits {
  /**
   * Hooks for a route, to run after that of `requireScopes`: they count the call for its management group, over all of its clients
   * and sessions. `which` returns undefined for a request without a limit. They throw Problem `rate_limited`.
   */
  limited(which: NonNullable<Operation['limited']>): LimitHook;
  /**
   * For the sandbox: the 429 of a call whose first window is used up, with its headers set on the reply, whatever is really left.
   * If limits are off, it uses those of `on`.
   */
  refuse(limit: string, request: FastifyRequest, reply: FastifyReply): Problem;
  /** How many calls of the group remain in each window, and with `clientId` also how many of the client if it has limits of its own. */
  left(of: { group: string; clientId?: string | undefined }): Promise<WindowLeft[]>;
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

/** The names of limits in a group's or a client's own. */
export const LIMIT_WORDS: readonly string[] = Object.keys(LIMIT_NUMBERS).map(kebab);

/** Prefix of the windows of a client's own limits. */
const OF_CLIENT = 'client-';

interface OwnPolicies {
  own?: OwnLimits;
  /** Before the names of windows. */
  prefix?: string;
}

/**
 * The effective policies, by what a call is counted as (`countedAs`): a group's or a client's own limit, or else its setting, or else the
 * numbers that `limits` selects.
 */
export function policiesOf(
  config: LimitsConfig,
  families: readonly ReportFamily[] = [],
  { own = {}, prefix = '' }: OwnPolicies = {},
): Map<string, Policy> {
  const policies = new Map<string, Policy>();
  const configured = (limit: string, { live, generous }: LimitNumbers): readonly Window[] => {
    if (config.limits === 'off') return [];
    return (
      (config[limitSetting(limit)] as Window[] | undefined) ?? readWindows(config.limits === 'live' ? live : generous)
    );
  };
  const known: readonly ReportFamily[] = [...Object.values(FAMILIES), ...families];
  const numbers: Record<string, LimitNumbers> = Object.assign({}, LIMIT_NUMBERS, ...known.map(({ limits }) => limits));
  const add = (key: string, limit: string, word: string, of: LimitNumbers): void => {
    const text = own[kebab(limit)];
    const windows = (text === undefined ? configured(limit, of) : readWindows(text)).map((window) => ({
      ...window,
      name: `${prefix}${word}-${window.unit}`,
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
function narrowed(policy: Policy, further: readonly CountedWindow[], key: string): Policy {
  if (further.length === 0) return policy;
  const windows = [...policy.windows, ...further.map((window) => ({ ...window, key }))];
  return { limit: policy.limit, windows, header: headerOf(windows) };
}

/** How many groups and clients with limits of their own have their policies kept. */
const KEPT = 1000;

/** The policies of a group, and those of a client's own limits; the latter are empty for most. */
function openPolicies({ config, ledger, families = [] }: LimitsDeps) {
  const common = policiesOf(config, families);
  const none = new Map<string, Policy>();
  const kept = new LRUCache<string, Map<string, Policy>>({ max: KEPT });
  const ownOf = (limits: OwnLimits, prefix: string, otherwise: Map<string, Policy>): Map<string, Policy> => {
    if (Object.keys(limits).length === 0) return otherwise;
    const key = prefix + JSON.stringify(limits);
    const policies =
      kept.get(key) ?? policiesOf(prefix ? { limits: 'off' } : config, families, { own: limits, prefix });
    kept.set(key, policies);
    return policies;
  };
  return {
    ofGroup: async (group: string) => ownOf((await ledger.group(group))?.limits ?? {}, '', common),
    async ofClient({ group, clientId }: Pick<Caller, 'group' | 'clientId'>) {
      const client = await ledger.client(clientId);
      // A client of an external issuer is not in the ledger.
      return ownOf((client?.group === group && client.limits) || {}, OF_CLIENT, none);
    },
  };
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
  const [{ key, name } = { name: '' }] = full;
  const whose =
    key === undefined ? 'Your management group' : name.startsWith(OF_CLIENT) ? 'This client' : 'This session';
  return new Problem('rate_limited', `${whose} has used up its limit of ${names}. Wait ${wait} s.`, {
    headers: { 'retry-after': String(wait) },
  });
}

/** The remaining calls of a group, and of a client's own limits. */
function leftOf(policies: ReturnType<typeof openPolicies>, counters: Counters, clock: () => number): Limits['left'] {
  return async ({ group, clientId }) => {
    const now = clock();
    const shown = async (of: Map<string, Policy>, key: string): Promise<WindowLeft[]> => {
      const each = [...of.values()].map(async ({ windows }) => {
        const left = await counters.left(key, windows, now);
        return windows.map((window, i) => ({
          ...{ name: window.name, quota: window.quota, seconds: window.seconds, left: left[i] ?? 0 },
          endsInSeconds: secondsLeft(window, now),
        }));
      });
      return (await Promise.all(each)).flat();
    };
    const ofGroup = await shown(await policies.ofGroup(group), groupKey(group));
    if (clientId === undefined) return ofGroup;
    const caller = { group, clientId };
    return [...ofGroup, ...(await shown(await policies.ofClient(caller), callerKey(caller)))];
  };
}

/**
 * Opens the limits of an app, before its routes are mounted. The remaining quota is that of the moment when the answer is sent, not
 * when the call was counted: a call that waits five seconds may be answered in another window.
 */
export function openLimits(app: FastifyInstance, deps: LimitsDeps): Limits {
  const { counters, clock, onLimited } = deps;
  const policies = openPolicies(deps);
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
  app.addHook('onSend', (request, reply, payload, done) => {
    const added = addHeaders(request, reply);
    if (added instanceof Promise) added.then(() => done(null, payload), done);
    else done(null, payload);
  });

  /** The policy of a call; undefined if it has no limit. */
  async function policyOf({ group, clientId, sessionId }: Caller, name: string): Promise<Policy | undefined> {
    const ofGroup = (await policies.ofGroup(group)).get(name);
    const ofClient = (await policies.ofClient({ group, clientId })).get(name);
    if (ofGroup === undefined && ofClient === undefined) return undefined;
    const limit = ofGroup?.limit ?? ofClient?.limit ?? name;
    const own = narrowed(
      ofGroup ?? { limit, windows: [], header: '' },
      ofClient?.windows ?? [],
      callerKey({ group, clientId }),
    );
    return sessionId === undefined ? own : narrowed(own, ofSessions, sessionId);
  }

  return {
    addHeaders,
    left: leftOf(policies, counters, clock),
    refuse(limit, request, reply) {
      const configured = policiesOf(deps.config, deps.families);
      const policy = configured.get(limit) ?? policiesOf({ limits: 'on' }, deps.families).get(limit);
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
        const caller = callerOf(request);
        const name = typeof which === 'string' ? which : which(request);
        if (name === undefined) return done();
        const count = async (): Promise<Problem | undefined> => {
          const policy = await policyOf(caller, name);
          if (policy === undefined) return undefined;
          const key = groupKey(caller.group);
          const now = clock();
          request.counted = { policy, key };
          const { taken, left } = await counters.take(key, policy.windows, now);
          if (taken) return undefined;
          onLimited?.(policy.limit);
          return refusal(policy, left, now);
        };
        count().then(done, done);
      };
    },
  };
}

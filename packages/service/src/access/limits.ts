/**
 * The rate limits (docs/contract.md#rate-limits): the hooks that count a call, refuse it, and report the remaining
 * quota.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../contract/problems.ts';
import type { Operation } from '../http/operation.ts';
import { type Caller, callerKey, callerOf, groupKey } from './caller.ts';
import type { CountedWindow, Counters } from './counters.ts';
import {
  consoleWindows,
  narrowed,
  OF_CLIENT,
  openPolicies,
  type Policy,
  type PolicySources,
  policiesOf,
} from './policies.ts';

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

interface LimitsDeps extends PolicySources {
  counters: Counters;
  clock: () => number;
  /** Called for every 429. */
  onLimited?: ((limit: string) => void) | undefined;
}

export interface Limits {
  /**
   * Hooks for a route, to run after that of `requireScopes`: they count the call for its management group, over all of
   * its clients and sessions. `which` returns undefined for a request without a limit. They throw Problem
   * `rate_limited`.
   */
  limited(which: NonNullable<Operation['limited']>): LimitHook;
  /**
   * For the sandbox: the 429 of a call whose first window is used up, with its headers set on the reply, whatever is
   * really left. If limits are off, it uses those of `on`.
   */
  refuse(limit: string, request: FastifyRequest, reply: FastifyReply): Problem;
  /**
   * How many calls of the group remain in each window, and with `clientId` also how many of the client if it has limits
   * of its own.
   */
  left(of: { group: string; clientId?: string | undefined }): Promise<WindowLeft[]>;
  /** Sets the headers with the current values, for answers that bypass the framework; it does so for all others. */
  addHeaders(request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
}

interface WindowLeft {
  /** The name in the `RateLimit` header. */
  name: string;
  quota: number;
  /** The length of the window and the time until it ends. */
  seconds: number;
  left: number;
  endsInSeconds: number;
}

type LimitHook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

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
          name: window.name,
          quota: window.quota,
          seconds: window.seconds,
          left: left[i] ?? 0,
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
 * Opens the limits of an app, before its routes are mounted. The remaining quota is that of the moment when the answer
 * is sent, not when the call was counted: a call that waits five seconds may be answered in another window.
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

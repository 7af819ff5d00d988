/**
 * The policies of the rate limits: the windows in which calls are counted, of the settings, of groups, of clients and
 * of sessions.
 */
import { type Config, limitSetting } from '../config/config.ts';
import { readWindows, type Window } from '../contract/limits.ts';
import { countedAs, type LimitNumbers, type ReportFamily } from '../families/family.ts';
import { FAMILIES, LIMIT_NUMBERS } from '../families/index.ts';
import { keepMost } from '../kept.ts';
import type { ClientLedger } from '../ledger/client.ts';
import type { GroupLedger, OwnLimits } from '../ledger/group.ts';
import type { Caller } from './caller.ts';
import type { CountedWindow } from './counters.ts';

type LimitsConfig = Pick<Config, 'limits'> & Partial<Record<`limit${string}`, unknown>>;

export interface Policy {
  limit: string;
  windows: readonly CountedWindow[];
  /** The `RateLimit-Policy` header of its answers. */
  header: string;
}

/** Where the limits are: settings, and those of a group's or a client's own. */
export interface PolicySources {
  config: LimitsConfig;
  ledger: Pick<GroupLedger, 'group'> & Pick<ClientLedger, 'client'>;
  /** Further families whose limits are counted, in addition to those of the service. */
  families?: readonly ReportFamily[];
}

const headerOf = (windows: readonly CountedWindow[]): string =>
  windows.map(({ name, quota, seconds }) => `"${name}";q=${quota};w=${seconds}`).join(', ');

const kebab = (limit: string): string => limit.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The names of limits in a group's or a client's own. */
export const LIMIT_WORDS: readonly string[] = Object.keys(LIMIT_NUMBERS).map(kebab);

/** Prefix of the windows of a client's own limits. */
export const OF_CLIENT = 'client-';

interface OwnPolicies {
  own?: OwnLimits;
  /** Before the names of windows. */
  prefix?: string;
}

/**
 * The effective policies, by what a call is counted as (`countedAs`): a group's or a client's own limit, or else its
 * setting, or else the numbers that `limits` selects.
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
export function consoleWindows(config: LimitsConfig): CountedWindow[] {
  const windows = config.limits === 'off' ? [] : ((config.limitConsole ?? []) as readonly Window[]);
  return windows.map((window) => ({ ...window, name: `console-${window.unit}` }));
}

/** A policy with further windows, which count calls of another key. */
export function narrowed(policy: Policy, further: readonly CountedWindow[], key: string): Policy {
  if (further.length === 0) return policy;
  const windows = [...policy.windows, ...further.map((window) => ({ ...window, key }))];
  return { limit: policy.limit, windows, header: headerOf(windows) };
}

/** How many groups and clients with limits of their own have their policies kept. */
const KEPT = 1000;

/** The policies of a group, and those of a client's own limits; the latter are empty for most. */
export function openPolicies({ config, ledger, families = [] }: PolicySources) {
  const common = policiesOf(config, families);
  const none = new Map<string, Policy>();
  const kept = keepMost<Map<string, Policy>>(KEPT);
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

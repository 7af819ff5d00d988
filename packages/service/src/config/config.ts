/**
 * The one table of settings, each set by a flag or a `DAYPART_*` variable, their parsers and former names, and the only
 * code that reads the environment.
 */
import { BlockList } from 'node:net';
import { totalmem } from 'node:os';
import { closest } from 'fastest-levenshtein';
import { readWindows, type Window } from '../contract/limits.ts';
import type { Dialect } from '../contract/words.ts';
import { LIMIT_NUMBERS, type Limit } from '../families/index.ts';
import { PRIORITIES, type Priority } from '../nice.ts';
import { connectionSettings } from './connection-settings.ts';
import { type Environment, isInjected, readSecretFile } from './environment.ts';
import { FORMER, type FormerName, formerNameOf } from './former-settings.ts';
import { checkServerConfig, serverSettings } from './server-settings.ts';
import {
  addressBlocks,
  bootstrap,
  claimValue,
  dataFolder,
  dialect,
  givenText,
  httpAddress,
  httpUrl,
  isoDate,
  limits,
  listenHost,
  maybeText,
  onOff,
  origins,
  pathPrefix,
  publicAddress,
  type Setting,
  seconds,
  setting,
  whole,
} from './setting.ts';
import { sourceSettings } from './source-settings.ts';

/** A setting that is unknown, missing or wrong: the message names it. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

type LimitSetting = `limit${Capitalize<Limit>}`;
/** The setting for the windows of a limit. */
export const limitSetting = (limit: string): LimitSetting =>
  `limit${limit.charAt(0).toUpperCase()}${limit.slice(1)}` as LimitSetting;
const limitSettings = Object.fromEntries(
  Object.entries(LIMIT_NUMBERS).map(([name, { live, generous, calls, each }]) => [
    limitSetting(name),
    setting<Window[] | undefined>({
      parse: readWindows,
      default: undefined,
      defaultText: generous,
      help: `Limit of ${calls} for each group${each ? ' and endpoint' : ''}, or \`off\`; ${live} with \`--limits live\``,
    }),
  ]),
) as Record<LimitSetting, Setting<Window[] | undefined>>;
const MEGABYTE = 1024 * 1024;

export const SETTINGS = {
  data: setting({
    parse: dataFolder,
    default: './data',
    help: 'Folder that holds everything the service stores; with --ledger, only loads in progress and a cache',
  }),
  ...serverSettings,
  host: setting({ parse: listenHost, default: '127.0.0.1', help: 'Address to listen on' }),
  port: setting({ parse: whole(0, 65535), default: 8080, help: 'Port to listen on; 0 takes a free one' }),
  metricsPort: setting({
    parse: (value): number | undefined => (value === 'off' ? undefined : whole(0, 65535)(value)),
    default: 9464,
    help: 'Port for OpenMetrics at /metrics; 0 takes a free one, `off` disables it',
  }),
  metricsHost: setting({
    parse: listenHost,
    default: '127.0.0.1',
    help: 'Address that OpenMetrics listens on, without authentication',
  }),
  publicUrl: setting({
    parse: httpAddress,
    default: undefined,
    defaultText: 'as called',
    help: 'Address that clients see (https://reports.example.com) behind a proxy',
  }),
  basePath: setting({
    parse: pathPrefix,
    default: '',
    defaultText: '/',
    help: 'Path at which a proxy passes on the whole service (/reports/); the proxy keeps it',
  }),
  console: setting({
    parse: givenText,
    default: 'on',
    help: 'The console at /: on, off, or a folder with another build',
  }),
  corsOrigins: setting({
    parse: origins,
    default: [] as string[],
    defaultText: 'none',
    help: 'Origins of web pages that may call the service from browsers, separated by commas; `*` is any',
  }),
  bootstrapClient: setting({
    parse: bootstrap,
    default: undefined,
    defaultText: 'none',
    help: 'id:secret:group of a client with all scopes that is created at start if it does not exist',
    secret: true,
  }),
  sandbox: setting({
    parse: onOff,
    default: false,
    help: 'Sandbox: reserved GUIDs, each with a fixed status, a delay, or 202 first',
  }),
  limits: setting({
    parse: limits,
    default: 'on' as 'on' | 'live' | 'off',
    help: 'Rate limits of each management group: on, live (the numbers of the live system) or off',
  }),
  ...limitSettings,
  liveRestrictions: setting({
    parse: onOff,
    default: false,
    help: 'Refuse what the live system refuses to clients of the dialect live, for testing integrations',
  }),
  dailyReport: setting({
    parse: onOff,
    default: false,
    help: 'Create a sales report of each management group every day, an hour after its last restaurant has closed the business date',
  }),
  limitConsole: setting<Window[]>({
    parse: readWindows,
    default: [],
    defaultText: 'off',
    help: 'Limit of creates and retrievals of each console session, such as 600/min, or `off`, within the limits of its management group',
  }),
  limitFailedLogins: setting<Window[]>({
    parse: readWindows,
    default: readWindows('60/min'),
    defaultText: '60/min',
    help: 'Failed logins from one address, or `off`; none with `--limits off`',
  }),
  trustedProxies: setting({
    parse: addressBlocks,
    default: new BlockList(),
    defaultText: 'none',
    help: 'Addresses and blocks (10.0.0.0/8) of proxies whose X-Forwarded-For is trusted, separated by commas',
  }),
  ...connectionSettings,
  webhookPrivate: setting({
    parse: onOff,
    default: false,
    help: 'Allow webhooks to plain http and private addresses, including loopback',
  }),
  ...sourceSettings,
  sunset: setting({
    parse: isoDate,
    default: new Date('2028-01-01T00:00:00Z'),
    defaultText: '2028-01-01',
    help: 'When GET /metrics/{timeRange}/{guid} is removed',
  }),
  tokenSeconds: setting({ parse: whole(1, 31 * 86400), default: 86400, help: 'Lifetime of an access token' }),
  externalIssuer: setting({
    parse: maybeText,
    default: undefined,
    defaultText: 'none',
    help: 'External issuer whose access tokens are also accepted',
  }),
  externalAudience: setting({
    parse: maybeText,
    default: undefined,
    defaultText: 'none',
    help: 'Audience that tokens of the external issuer must name',
  }),
  externalJwksUrl: setting({
    parse: httpUrl,
    default: undefined,
    defaultText: 'none',
    help: 'URL of the keys of the external issuer',
  }),
  externalGroupClaim: setting({
    parse: givenText,
    default: 'management_group',
    help: 'Claim of an external token that names the management group',
  }),
  externalGroupsAdmin: setting({
    parse: claimValue,
    default: undefined,
    defaultText: 'none',
    help: 'Claim and value, such as role=vendor, of the external tokens that may use the scope groups:admin',
  }),
  externalDialect: setting({
    parse: dialect,
    default: 'reference' as Dialect,
    help: 'Wire dialect for tokens of the external issuer',
  }),
  cardFingerprints: setting({
    parse: onOff,
    default: false,
    help: 'Fingerprints of cards in guest payments, from the ids of cards in orders that are loaded from then on',
  }),
  guestScope: setting({
    parse: onOff,
    default: false,
    help: 'Require the scope guest-payments:read for guest payments',
  }),
  waitSeconds: setting({
    parse: seconds(0, 30),
    default: 5,
    help: 'How long a retrieval waits for its data',
  }),
  reportDays: setting({
    parse: seconds(0.00001, 3650),
    default: 7,
    help: 'Days for which a reportRequestGuid can be read',
  }),
  attempts: setting({ parse: whole(1, 100), default: 3, help: 'Attempts to gather a report before it fails' }),
  leaseSeconds: setting({
    parse: seconds(0.2, 3600),
    default: 30,
    help: 'Lease of a worker on a report: without a heartbeat for this long, the report is gathered again; with --facts a load has half of it',
  }),
  gatherSeconds: setting({ parse: seconds(0.05, 86400), default: 600, help: 'Longest time for one attempt to gather' }),
  answerSeconds: setting({
    parse: seconds(0.05, 600),
    default: 20,
    help: 'Longest time a call waits for the reporting engine before 504',
  }),
  engineMemory: setting({
    parse: whole(64, 1024 * 1024),
    default: Math.max(256, Math.floor(totalmem() / MEGABYTE / 4)),
    defaultText: 'a quarter of the machine',
    help: 'Megabytes that the reporting engine may use',
  }),
  enginePriority: setting({
    parse: (value): Priority => {
      const priority = PRIORITIES.find((known) => known === value);
      if (priority) return priority;
      throw new Error('must be auto, low or idle');
    },
    default: 'auto' as Priority,
    help: 'Priority of the reporting engine: auto (idle, but low while it would starve), low or idle',
  }),
  maxExpansion: setting({
    parse: whole(1, 100000),
    default: 200,
    help: 'Factor by which a gzip body may expand beyond its first 16 MiB',
  }),
  drainSeconds: setting({
    parse: seconds(0, 60),
    default: 1,
    help: 'How long, after SIGTERM, requests are still answered, each with Connection: close',
  }),
  logLevel: setting({
    parse: (value): string => {
      if (!['debug', 'info', 'warn', 'error', 'silent'].includes(value))
        throw new Error('must be debug, info, warn, error or silent');
      return value;
    },
    default: 'info',
    help: 'debug, info, warn, error or silent',
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type Config = { [K in SettingName]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never } & {
  /** The OTEL_* variables, unchanged: their names and meanings are OpenTelemetry's. */
  otel: Record<string, string>;
  /** Variables that Kubernetes set for a Service, which are ignored. */
  ignored: string[];
  /** Flags and variables with former names that were read, with the current names. */
  deprecated: { former: string; current: string }[];
};

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
export const flagOf = (name: SettingName | FormerName): string => `--${kebab(name)}`;
export const variableOf = (name: SettingName | FormerName): string =>
  `DAYPART_${kebab(name).replaceAll('-', '_').toUpperCase()}`;

/** The variable that names a file with the value. Every secret has one, so that it need not be in the environment. */
export const fileVariableOf = (name: SettingName): string | undefined => {
  const { secret = false }: { secret?: boolean } = SETTINGS[name];
  return secret ? `${variableOf(name)}_FILE` : undefined;
};

/**
 * Flags override environment variables, which override defaults. Throws SettingError naming a bad or unknown setting.
 */
export function readConfig(
  settings: Partial<Record<SettingName | FormerName, string>>,
  env: Environment,
  defaults: Partial<Config> = {},
): Config {
  const variables = SETTING_NAMES.flatMap((name) => [variableOf(name), fileVariableOf(name) ?? []].flat());
  const known = [...variables, ...FORMER.map(variableOf)];
  const ignored = Object.keys(env).filter((variable) => isInjected(variable, env[variable]));
  for (const variable of Object.keys(env)) {
    if (ignored.includes(variable)) continue;
    if (variable.startsWith('DAYPART_') && !known.includes(variable)) {
      throw new SettingError(`unknown setting ${variable}; did you mean ${closest(variable, variables)}?`);
    }
  }
  const otel = Object.entries(env).filter(([name]) => name.startsWith('OTEL_'));
  const deprecated: Config['deprecated'] = [];
  const config: Record<string, unknown> = { otel: Object.fromEntries(otel), ignored, deprecated };
  for (const name of SETTING_NAMES) {
    const [from, read] = formerSource(name, settings, env, deprecated) ?? sourceOf(name, settings[name], env, ignored);
    try {
      const text = read();
      config[name] = text === undefined ? (defaults[name] ?? SETTINGS[name].default) : SETTINGS[name].parse(text);
    } catch (error) {
      throw new SettingError(`${from} ${(error as Error).message}`);
    }
  }
  try {
    checkServerConfig(config as Config);
    const { publicUrl, basePath } = config as Config;
    config.publicUrl = publicUrl && publicAddress(publicUrl, basePath);
  } catch (error) {
    throw new SettingError((error as Error).message);
  }
  return config as Config;
}

type Source = [from: string, read: () => string | undefined];

/** Reads a setting by its former name: a former flag overrides the variables of both names. Adds it to `deprecated`. */
function formerSource(
  name: SettingName,
  settings: Partial<Record<SettingName | FormerName, string>>,
  env: Environment,
  deprecated: Config['deprecated'],
): Source | undefined {
  const former = formerNameOf(name);
  if (!former || settings[name] !== undefined) return undefined;
  const flag = settings[former];
  const value = flag ?? (env[variableOf(name)] === undefined ? env[variableOf(former)] : undefined);
  if (value === undefined) return undefined;
  const spell = flag === undefined ? variableOf : flagOf;
  deprecated.push({ former: spell(former), current: spell(name) });
  return [spell(former), () => value];
}

/**
 * The source of a setting and its text, which is undefined if not set. Throws SettingError if a secret is set twice.
 */
function sourceOf(name: SettingName, flag: string | undefined, env: Environment, ignored: string[]): Source {
  if (flag !== undefined) return [flagOf(name), () => flag];
  const variable = variableOf(name);
  const givenText = ignored.includes(variable) ? undefined : env[variable];
  const fileVariable = fileVariableOf(name);
  const path = fileVariable && env[fileVariable];
  if (!path) return [variable, () => givenText];
  if (givenText !== undefined) throw new SettingError(`${variable} and ${fileVariable} are both set; set one of them`);
  return [fileVariable, () => readSecretFile(path)];
}

/**
 * Variables that any process requires from the system: paths of programs and libraries, the language, the clock, memory
 * allocation.
 */
const PASSED =
  /^(PATH|HOME|LANG|LC_\w+|TZ|TMPDIR|LD_LIBRARY_PATH|LD_PRELOAD|FAKETIME\w*|MALLOC_\w+|NODE_OPTIONS|NODE_COMPILE_CACHE|NODE_V8_COVERAGE)$/;

/**
 * The environment of a child process: only these variables, since settings, and other variables that the service
 * was started with, may contain secrets.
 */
export const environmentOf = (own: Record<string, string>): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED.test(name))),
  ...own,
});

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/**
 * The service that a command calls, and the credentials: flags, environment, stored profiles. The environment also says
 * where the profiles are.
 */
import { chmod, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ParsedArguments } from './arguments.ts';
import { CommandError, EXIT } from './command-error.ts';
import type { Environment } from './effects.ts';
import { UsageError } from './exit.ts';
import { lockFile } from './lock.ts';
import { readSecretVariable } from './prompt.ts';

type Auth = 'oauth' | 'login';
/** What is stored under a name. */
export interface Profile {
  url: string;
  clientId: string;
  clientSecret: string;
  auth: Auth;
}
export interface Connection {
  url: string;
  auth: Auth;
  clientId?: string;
  clientSecret?: string;
  token?: string;
}

const VERSION = 1;
const DEFAULT = 'default';

/** The folder of the user's settings; undefined for a user without a home, as in some containers. */
function settingsFolder({ XDG_CONFIG_HOME: configHome, HOME: home }: Environment): string | undefined {
  if (configHome?.startsWith('/')) return configHome;
  try {
    // Windows has the home elsewhere, even if a shell sets HOME.
    return join((process.platform === 'win32' ? undefined : home) ?? homedir(), '.config');
  } catch {
    return undefined;
  }
}

/** Undefined if the user has no home. */
export function profilesFile(env: Environment): string | undefined {
  const folder = settingsFolder(env);
  return folder && join(folder, 'daypart', 'profiles.json');
}

/** The flags that name a service and its credentials. */
type Stated = Pick<ParsedArguments, 'value' | 'has'>;

/** What the reading of profiles uses of a command: its environment, and where its warnings go. */
interface ProfileContext {
  env: Environment;
  warn(text: string): void;
}

/** As stored, each to be read by `profileOf`, so that a broken one does not affect the others. */
export type Profiles = Record<string, unknown>;

/**
 * The stored profiles by name; empty if there is no file, or no home to have it in. A file that others can read is made
 * private, and `warn` is called. Throws CommandError if it belongs to another user, or is not such a file.
 */
export async function readProfiles({ env, warn }: ProfileContext): Promise<Profiles> {
  const file = profilesFile(env);
  if (file === undefined) return {};
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new CommandError(EXIT.failed, `${file} cannot be read: ${error.message}`);
  });
  if (!found) return {};
  if (process.getuid && found.uid !== process.getuid())
    throw new CommandError(EXIT.refused, `${file} belongs to another user`, `Remove it, then: daypart login`);
  // Windows has no such modes: there the user's folder protects the file.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    await chmod(file, 0o600);
    warn(
      `${file} was readable by others; its mode is corrected now. Replace the secrets in it if others use this machine.`,
    );
  }
  const stored = readJson(await readFile(file, 'utf8'));
  if (stored?.version !== VERSION || !isObject(stored.profiles))
    throw new CommandError(
      EXIT.failed,
      `${file} is not a file of profiles that this version reads`,
      'Move it away, then: daypart login',
    );
  return stored.profiles;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The profile, or what is wrong with it. */
function readProfile(stored: unknown): Profile | string {
  if (!isObject(stored)) return 'it is not an object';
  const { url, clientId, clientSecret, auth } = stored;
  const address = typeof url === 'string' ? addressOf(url) : undefined;
  if (typeof url !== 'string' || !address || !/^https?:$/.test(address.protocol))
    return 'its url is not an http or https address';
  if (hasCredentials(address)) return 'its url contains credentials';
  if (typeof clientId !== 'string' || clientId === '') return 'it has no clientId';
  if (typeof clientSecret !== 'string' || clientSecret === '') return 'it has no clientSecret';
  if (auth !== 'oauth' && auth !== 'login') return 'its auth is neither oauth nor login';
  return { url, clientId, clientSecret, auth };
}

/**
 * What is stored under the name; undefined if nothing is. Throws CommandError, with the reason, if it is not a profile.
 */
export function profileOf(profiles: Profiles, name: string): Profile | undefined {
  if (!Object.hasOwn(profiles, name)) return undefined;
  const profile = readProfile(profiles[name]);
  if (typeof profile !== 'string') return profile;
  const flag = name === DEFAULT ? '' : ` --profile ${name}`;
  throw new CommandError(
    EXIT.failed,
    `the stored profile ${name} is broken: ${profile}`,
    `daypart login${flag} replaces it; daypart logout${flag} removes it.`,
  );
}

/** A run holds the lock of the profiles for milliseconds. */
const LOCK_MS = 5000;

/**
 * Writes what `change` makes of the profiles as they are now: another run may have written since they were read for the
 * user. Throws what `change` throws, and CommandError if there is no home to write it in, the file cannot be read or
 * another run keeps it locked.
 */
export async function changeProfiles(change: (profiles: Profiles) => Profiles, context: ProfileContext): Promise<void> {
  const file = profilesFile(context.env);
  if (file === undefined)
    throw new CommandError(
      EXIT.failed,
      'there is no home folder to save the profile in',
      'Set HOME or XDG_CONFIG_HOME.',
    );
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const unlock = await lockFile(`${file}.lock`, file, LOCK_MS);
  try {
    await writeProfiles(change(await readProfiles(context)), file);
  } finally {
    await unlock();
  }
}

/** Writes all of them, completely or not at all, readable only by the user. */
async function writeProfiles(profiles: Profiles, file: string): Promise<void> {
  // A link to where the user keeps such files is preserved.
  const target = await realpath(file).catch(() => file);
  const temporary = `${target}.${process.pid}.new`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify({ version: VERSION, profiles }, null, 2)}\n`);
    await handle.sync();
    await handle.close();
    await rename(temporary, target);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The name of the profile to use, and whether it was given. */
export function profileName(args: Stated, env: Environment): { name: string; flag: boolean } {
  const flag = args.value('profile');
  const name = flag ?? (env.DAYPART_PROFILE || DEFAULT);
  if (!/^[\w.-]{1,64}$/.test(name)) throw new UsageError(`--profile ${name}: a name is letters, digits, . _ and -`);
  return { name, flag: flag !== undefined };
}

/** Whether the environment names a service. */
export const hasStated = (env: Environment): boolean => Boolean(env.DAYPART_URL || env.DAYPART_PROFILE);

/** The values of flags and environment. */
export function readStated(args: Stated, from: Environment): Partial<Connection> {
  const auth = args.value('auth') ?? (from.DAYPART_AUTH || undefined);
  if (auth !== undefined && auth !== 'oauth' && auth !== 'login')
    throw new UsageError('DAYPART_AUTH must be oauth or login');
  const stated = {
    url: args.value('url') ?? (from.DAYPART_URL || undefined),
    clientId: args.value('client-id') ?? (from.DAYPART_CLIENT_ID || undefined),
    clientSecret: args.value('client-secret') ?? readSecretVariable('DAYPART_CLIENT_SECRET', from),
    // A token from the environment applies only if the command line names no other credentials.
    token: args.has('client-id') || args.has('client-secret') ? undefined : readSecretVariable('DAYPART_TOKEN', from),
  };
  return {
    ...(stated.url === undefined ? {} : { url: readBase(stated.url) }),
    ...(stated.clientId === undefined ? {} : { clientId: stated.clientId }),
    ...(stated.clientSecret === undefined ? {} : { clientSecret: stated.clientSecret }),
    ...(stated.token === undefined ? {} : { token: stated.token }),
    ...(auth === undefined ? {} : { auth }),
  };
}

/** The flags of a command of which only `--profile` is about the service. */
export const profileAlone = ({ value, has }: Stated): Stated => ({
  value: (name) => (name === 'profile' ? value(name) : undefined),
  has: (name) => name === 'profile' && has(name),
});

/**
 * Flags take precedence over the environment, and the environment over the profile, unless `--profile` names it. A
 * stored secret is only sent to the service with which it was stored. Throws CommandError 3 if nothing is stored,
 * UsageError if something is missing.
 */
export async function readConnection(args: Stated, context: ProfileContext): Promise<Connection> {
  const { env } = context;
  const stated = readStated(args, args.has('profile') ? {} : env);
  const { url, token, clientId, clientSecret } = stated;
  const { name, flag } = profileName(args, env);
  if (url && (token || (clientId && clientSecret)) && !flag) return { ...stated, url, auth: stated.auth ?? 'oauth' };
  const profiles = await readProfiles(context);
  const profile = profileOf(profiles, name);
  if (!profile) {
    const known = Object.keys(profiles);
    if (known.length > 0)
      throw new CommandError(
        EXIT.refused,
        `there is no profile ${name}; there are ${known.join(', ')}`,
        `daypart login${name === DEFAULT ? '' : ` --profile ${name}`} makes it.`,
      );
    throw new CommandError(
      EXIT.refused,
      'no credentials',
      'Save some with: daypart login. Or set DAYPART_URL, DAYPART_CLIENT_ID and DAYPART_CLIENT_SECRET.',
    );
  }
  if (url !== undefined && url !== profile.url && !token && !(clientId && clientSecret)) {
    throw new CommandError(
      EXIT.refused,
      `no credentials for ${url}: profile ${name} is for ${profile.url}`,
      `daypart login --profile NAME --url ${url}`,
    );
  }
  const own = clientId === undefined || clientId === profile.clientId;
  if (!token && !own && clientSecret === undefined)
    throw new UsageError(`--client-id ${clientId} needs its secret: --client-secret or DAYPART_CLIENT_SECRET`);
  if (token) return { url: url ?? profile.url, auth: stated.auth ?? profile.auth, token };
  return { ...profile, ...stated };
}

/** The text as a URL; undefined if it is not one. (`URL.parse` exists since Node 22.) */
const addressOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** Calls to such a URL cannot be made, and messages and profiles would show the secret. */
const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== '';

/**
 * The base URL of a service, or only its origin. Throws UsageError for anything else, since paths are appended to it.
 */
export function readBase(text: string): string {
  const url = addressOf(text);
  // First of all, so that no message repeats the secret.
  if (url && hasCredentials(url))
    throw new UsageError(
      'the base URL must not contain credentials: the client id is --client-id, the secret comes on standard input of login or in DAYPART_CLIENT_SECRET',
    );
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`the base URL must be an http or https address, not ${text}`);
  if (text.includes('?') || text.includes('#'))
    throw new UsageError(`the base URL ends with its path, without a query or a fragment, not ${text}`);
  const base = text.replace(/\/+$/, '');
  return url.pathname === '/' ? `${base}/v1` : base;
}

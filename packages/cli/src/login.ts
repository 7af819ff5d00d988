/** `daypart login`, `logout` and `profiles`. */
import { type Daypart, DaypartError, NotFoundError } from '@daypart/client';
import type { ParsedArguments } from './arguments.ts';
import { isNoOperation, likeness } from './base-url.ts';
import { shownText } from './cells.ts';
import { openClient } from './client.ts';
import { CommandError, EXIT } from './command-error.ts';
import { UsageError } from './exit.ts';
import {
  type Connection,
  changeProfiles,
  type Profile,
  type Profiles,
  profileName,
  profileOf,
  profilesFile,
  readBase,
  readProfiles,
  readStated,
} from './profiles.ts';
import { prompt, readPiped } from './prompt.ts';
import type { Terminal } from './terminal.ts';

/** Asks for missing values, verifies them, saves them. Throws the service's error for bad credentials. */
export async function login(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const { name } = profileName(args, terminal.env);
  const before = readable(await readProfiles(terminal), name);
  const profile = await complete(readStated(args, terminal.env), before, terminal);
  const { hostname, protocol } = new URL(profile.url);
  if (protocol === 'http:' && !isLoopback(hostname))
    terminal.warn(`${profile.url} is not https: the secret and all figures can be read in transit`);

  const spinner = terminal.spin(`Trying ${profile.url}`);
  const client = openClient(profile, terminal, false);
  const seen = await tryBase(client, profile.url, terminal.signal).finally(() => spinner.stop());
  await changeProfiles((now) => ({ ...now, [name]: profile }), terminal);
  const restaurants = seen === undefined ? '' : `, ${seen.length} restaurant${seen.length === 1 ? '' : 's'}`;
  terminal.say(`Logged in to ${shownText(profile.url)} as ${shownText(profile.clientId)}${restaurants}.`);
  terminal.say(`Saved as profile ${name} in ${profilesFile(terminal.env)}.`);
  if (name !== 'default') terminal.say(`Use it with --profile ${name}, or DAYPART_PROFILE=${name}.`);
  else terminal.say('Next: daypart report metrics --yesterday');
}

/** The profile whose values are the defaults of the prompts; a broken one is replaced. */
function readable(profiles: Profiles, name: string): Profile | undefined {
  try {
    return profileOf(profiles, name);
  } catch {
    return undefined;
  }
}

/** A GUID that no report has. */
const NO_REPORT = '00000000-0000-4000-8000-0000000004f4';

/**
 * The restaurants; undefined if the service has no list of them. Throws its error, or CommandError if there is no such
 * service.
 */
async function tryBase(client: Daypart, url: string, signal: AbortSignal): Promise<readonly unknown[] | undefined> {
  const none = new CommandError(
    EXIT.failed,
    `there is no reporting service at ${url}`,
    `Check the base URL: ${likeness(url)}`,
  );
  try {
    const list: unknown = await client.restaurants.list({ signal });
    if (Array.isArray(list)) return list;
    throw none;
  } catch (error) {
    // A service without a list accepted the token, since it would have answered 401 otherwise.
    if (!(error instanceof NotFoundError) && !isNoOperation(error)) throw error;
  }
  try {
    await client.metrics.retrieve(NO_REPORT, {}, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DaypartError)) throw error;
    // A service answers with a message of its own for a missing report; another web server answers with a page.
    if (isNoOperation(error)) throw none;
    if (!(error instanceof NotFoundError) && error.status !== 400 && error.status !== 409) throw error;
  }
  return undefined;
}

async function complete(
  stated: Partial<Connection>,
  before: Profile | undefined,
  { input, err }: Terminal,
): Promise<Profile> {
  const auth = stated.auth ?? before?.auth ?? 'oauth';
  if (!input.isTTY) {
    if (stated.url === undefined) throw new UsageError('login needs --url, or a terminal to ask on');
    if (stated.clientId === undefined) throw new UsageError('login needs --client-id, or a terminal to ask on');
    const clientSecret = stated.clientSecret ?? (await readPiped(input));
    if (clientSecret === '')
      throw new UsageError('login needs the secret: on standard input, in DAYPART_CLIENT_SECRET or as --client-secret');
    return { url: stated.url, clientId: stated.clientId, clientSecret, auth };
  }
  const promptUntilAnswered = async (
    question: string,
    fallback: string | undefined,
    hidden = false,
  ): Promise<string> => {
    for (;;) {
      const answer = await prompt(question, { fallback, hidden }, input, err);
      if (answer !== '') return answer;
    }
  };
  const url = stated.url ?? readBase(await promptUntilAnswered('Base URL', before?.url));
  const clientId = stated.clientId ?? (await promptUntilAnswered('Client id', before?.clientId));
  const clientSecret = stated.clientSecret ?? (await promptUntilAnswered('Client secret (not shown)', undefined, true));
  return { url, clientId, clientSecret, auth };
}

const isLoopback = (host: string): boolean => ['localhost', '[::1]'].includes(host) || host.startsWith('127.');

/** `daypart logout`. Throws CommandError if the profile does not exist. */
export async function logout(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const { name } = profileName(args, terminal.env);
  let gone: Profile | undefined;
  await changeProfiles((stored) => {
    const { [name]: _, ...others } = stored;
    if (!Object.hasOwn(stored, name))
      throw new CommandError(EXIT.failed, `there is no profile ${name}`, 'daypart profiles lists the existing ones.');
    gone = readable(stored, name);
    return others;
  }, terminal);
  terminal.say(
    `Deleted profile ${name} (${gone ? `${shownText(gone.clientId)} at ${shownText(gone.url)}` : 'which was broken'}).`,
  );
}

/** `daypart profiles`. */
export async function profiles(_: ParsedArguments, terminal: Terminal): Promise<void> {
  const stored = await readProfiles(terminal);
  const names = Object.keys(stored);
  if (names.length === 0) {
    terminal.say('No profiles yet. Create one with: daypart login');
    return;
  }
  const rows = names.map((name) => {
    const profile = readable(stored, name);
    return profile ? [name, profile.url, profile.clientId, profile.auth] : [name, 'broken', '–', '–'];
  });
  const columns = ['Profile', 'Base URL', 'Client id', 'Tokens by'].map((heading, at) => ({
    heading,
    importance: 9 - at,
  }));
  terminal.table(columns, rows);
}

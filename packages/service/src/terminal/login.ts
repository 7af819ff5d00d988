/** `daypart login`, `logout` and `profiles`. */
import { NotFoundError } from '../../../client/src/index.ts';
import { isLoopback, UsageError } from '../config.ts';
import type { Given } from './arguments.ts';
import { shownText } from './cells.ts';
import { Ending, EXIT } from './endings.ts';
import {
  type Connection,
  type Profile,
  profileName,
  profilesFile,
  readBase,
  readProfiles,
  readStated,
  writeProfiles,
} from './profiles.ts';
import { prompt, readPiped } from './prompt.ts';
import { openClient, type Terminal } from './session.ts';

/** Asks for what is missing, tries it, keeps it. Throws what the service answers to bad credentials. */
export async function login(given: Given, terminal: Terminal): Promise<void> {
  if (given.words[0] !== undefined) throw new UsageError(`unexpected ${given.words[0]}`);
  const { name } = profileName(given);
  const profiles = await readProfiles(terminal.warn);
  const before = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  const profile = await complete(readStated(given), before, terminal);
  const { hostname, protocol } = new URL(profile.url);
  if (protocol === 'http:' && !isLoopback(hostname))
    terminal.warn(`${profile.url} is not https: the secret and every figure can be read on the way`);

  const spinner = terminal.spin(`Trying ${profile.url}`);
  const seen = await openClient(profile, false)
    .restaurants.list({ signal: terminal.signal })
    .catch((error: unknown) => {
      // A service without a list has taken the token all the same, or it would have been a 401.
      if (error instanceof NotFoundError) return undefined;
      throw error;
    })
    .finally(() => spinner.stop());
  await writeProfiles({ ...profiles, [name]: profile });
  const restaurants = seen === undefined ? '' : `, ${seen.length} restaurant${seen.length === 1 ? '' : 's'}`;
  terminal.say(`Logged in to ${shownText(profile.url)} as ${shownText(profile.clientId)}${restaurants}.`);
  terminal.say(`Kept as profile ${name} in ${profilesFile()}.`);
  if (name !== 'default') terminal.say(`Use it with --profile ${name}, or DAYPART_PROFILE=${name}.`);
  else terminal.say('Next: daypart report metrics --yesterday');
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
  const asked = async (question: string, fallback: string | undefined, hidden = false): Promise<string> => {
    for (;;) {
      const answer = await prompt(question, { fallback, hidden }, input, err);
      if (answer !== '') return answer;
    }
  };
  const url = stated.url ?? readBase(await asked('Base URL', before?.url));
  const clientId = stated.clientId ?? (await asked('Client id', before?.clientId));
  const clientSecret = stated.clientSecret ?? (await asked('Client secret (not shown)', undefined, true));
  return { url, clientId, clientSecret, auth };
}

export async function logout(given: Given, terminal: Terminal): Promise<void> {
  if (given.words[0] !== undefined) throw new UsageError(`unexpected ${given.words[0]}`);
  const { name } = profileName(given);
  const { [name]: gone, ...others } = await readProfiles(terminal.warn);
  if (!gone)
    throw new Ending(EXIT.failed, `there is no profile ${name}`, 'daypart profiles shows those that there are.');
  await writeProfiles(others);
  terminal.say(`Forgot profile ${name} (${shownText(gone.clientId)} at ${shownText(gone.url)}).`);
}

export async function profiles(given: Given, terminal: Terminal): Promise<void> {
  if (given.words[0] !== undefined) throw new UsageError(`unexpected ${given.words[0]}`);
  const stored = Object.entries(await readProfiles(terminal.warn));
  if (stored.length === 0) {
    terminal.say('No profiles yet. Make one with: daypart login');
    return;
  }
  const rows = stored.map(([name, { url, clientId, auth }]) => [name, url, clientId, auth].map(shownText));
  const columns = ['Profile', 'Base URL', 'Client id', 'Tokens by'].map((heading, at) => ({
    heading,
    importance: 9 - at,
  }));
  terminal.table(columns, rows);
}

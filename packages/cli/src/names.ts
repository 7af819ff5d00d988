/** `daypart completion restaurants`: the names that shells offer after `--restaurant`. */
import { type ParsedArguments, readArguments } from './arguments.ts';
import { shownText } from './cells.ts';
import { openClient } from './client.ts';
import { CONNECTION } from './flags.ts';
import { readConnection } from './profiles.ts';
import { beforeEnd } from './program.ts';
import { plain } from './restaurants.ts';
import type { Terminal } from './terminal.ts';

/** How long a completion may take. */
const MOST_MS = 3000;
/** More names would not help a person. */
const MOST_NAMES = 500;

/**
 * Prints the names that begin with the typed text, one per line. The first word is the typed text, the others are the
 * command line so far, whose `--profile` and `--url` are used. Prints nothing if the service cannot be reached.
 */
export async function completeRestaurants({ words }: ParsedArguments, terminal: Terminal): Promise<void> {
  const [typed = '', ...line] = words;
  try {
    const connection = await readConnection(connectionOf(line), { env: terminal.env, warn: () => undefined });
    const client = openClient(connection, terminal, false);
    const all = await client.restaurants.list({
      signal: AbortSignal.any([terminal.signal, AbortSignal.timeout(MOST_MS)]),
    });
    const names = all.map(({ restaurantName }) => restaurantName).filter((name) => name);
    const offered = [...new Set(names)].filter((name) => plain(name).startsWith(plain(typed))).sort();
    // A name with a control character could not be typed.
    for (const name of offered.slice(0, MOST_NAMES)) if (shownText(name) === name) terminal.say(name);
  } catch {
    // A message would be written into the line that is being typed.
  }
}

/** The flags of an unfinished line that select the service. */
function connectionOf(line: readonly string[]): ParsedArguments {
  const names = CONNECTION.map(({ name }) => `--${name}`);
  const kept = beforeEnd(line).flatMap((word, at) => {
    const [name = ''] = word.split('=');
    if (!names.includes(name)) return [];
    const next = line[at + 1];
    if (word.includes('=')) return [word];
    // Bash passes `--profile=work` as three words.
    const value = next === '=' ? line[at + 2] : next;
    return value === undefined || value.startsWith('-') ? [] : [`${name}=${value}`];
  });
  return readArguments({ name: 'restaurants', summary: '', args: [], flags: CONNECTION, examples: [] }, kept);
}

/** `daypart completion restaurants`: what shells offer after `--restaurant`. */
import { type ParsedArguments, readArguments } from './arguments.ts';
import { shownText } from './cells.ts';
import { CONNECTION } from './connection.ts';
import { readConnection } from './profiles.ts';
import { plain } from './restaurants.ts';
import { openClient, type Terminal } from './session.ts';

/** Nobody waits longer for a completion. */
const MOST_MS = 3000;
/** More names are no help to a person. */
const MOST_NAMES = 500;

/**
 * Prints the names that begin as what is typed, one a line. The first word is what is typed, the others are the command line
 * as far as it goes, whose `--profile` and `--url` count. Prints nothing where the service cannot be asked.
 */
export async function completeRestaurants({ words }: ParsedArguments, terminal: Terminal): Promise<void> {
  const [typed = '', ...line] = words;
  try {
    const connection = await readConnection(connectionOf(line), () => undefined);
    const client = openClient(connection, terminal, false);
    const all = await client.restaurants.list({
      signal: AbortSignal.any([terminal.signal, AbortSignal.timeout(MOST_MS)]),
    });
    const names = all.map(({ restaurantName }) => restaurantName).filter((name) => name);
    const offered = [...new Set(names)].filter((name) => plain(name).startsWith(plain(typed))).sort();
    // A name with a control character would be another name when it is typed.
    for (const name of offered.slice(0, MOST_NAMES)) if (shownText(name) === name) terminal.say(name);
  } catch {
    // A message would be written into the line that is being typed.
  }
}

/** The flags of an unfinished line that say which service is meant. */
function connectionOf(line: readonly string[]): ParsedArguments {
  const names = CONNECTION.map(({ name }) => `--${name}`);
  const kept = line.flatMap((word, at) => {
    const [name = ''] = word.split('=');
    if (!names.includes(name)) return [];
    const next = line[at + 1];
    if (word.includes('=')) return [word];
    // Bash hands `--profile=work` over as three words.
    const value = next === '=' ? line[at + 2] : next;
    return value === undefined || value.startsWith('-') ? [] : [`${name}=${value}`];
  });
  return readArguments({ name: 'restaurants', summary: '', args: [], flags: CONNECTION, examples: [] }, kept);
}

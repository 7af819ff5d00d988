/** The commands that change a connection, and read its dates again. */
import { type ConnectionInfo, type ConnectionsResource, connectionsOf, type Daypart } from '@daypart/client';
import { shownJson } from '@daypart/client/text';
import type { ParsedArguments } from './arguments.ts';
import { shownText } from './cells.ts';
import { openClient } from './client.ts';
import { findOwnConnection } from './connections.ts';
import { readPointCredentials } from './point-access.ts';
import { profileAlone, readConnection } from './profiles.ts';
import { findRestaurant } from './restaurants.ts';
import { readSpan } from './span.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface Found {
  connections: ConnectionsResource;
  connection: ConnectionInfo;
}

async function find(given: ParsedArguments, client: Daypart, terminal: Terminal): Promise<Found> {
  const connections = connectionsOf(client);
  return { connections, connection: await findOwnConnection(given, connections, terminal.signal) };
}

const open = async (given: ParsedArguments, terminal: Terminal): Promise<Found> =>
  await find(given, openClient(await readConnection(given, terminal), terminal), terminal);

function answer(given: ParsedArguments, terminal: Terminal, json: object, line: string): void {
  terminal.say(given.has('json') ? shownJson(JSON.stringify(json)) : shownText(line));
}

/** `daypart connections read`. */
export async function readAgain(given: ParsedArguments, terminal: Terminal): Promise<void> {
  if (!given.has('from')) throw new UsageError('connections read needs --from, the first date');
  const { start, end } = readSpan(given, terminal.now, terminal.zone);
  const { connections, connection } = await open(given, terminal);
  const named = connection.restaurants.map(({ restaurantGuid, name: restaurantName }) => ({
    restaurantGuid,
    restaurantName,
  }));
  const typed = given.values('restaurant');
  const restaurants = typed.length === 0 ? undefined : typed.map((one) => findRestaurant(one, named));
  const ask = { from: start, to: end, restaurants };
  const asked = await connections.read(connection.id, ask, { signal: terminal.signal });
  const { restaurants: places, dates } = asked;
  const line = `${dates} ${dates === 1 ? 'date' : 'dates'} of ${places} ${places === 1 ? 'restaurant' : 'restaurants'} will be read again.`;
  answer(given, terminal, asked, line);
}

/** `daypart connections pause`. */
export async function pauseConnection(given: ParsedArguments, terminal: Terminal): Promise<void> {
  const { connections, connection } = await open(given, terminal);
  const now = await connections.pause(connection.id, { signal: terminal.signal });
  answer(given, terminal, now, `${now.name}: ${now.message}`);
}

/** `daypart connections resume`. */
export async function resumeConnection(given: ParsedArguments, terminal: Terminal): Promise<void> {
  const { connections, connection } = await open(given, terminal);
  const now = await connections.resume(connection.id, { signal: terminal.signal });
  answer(given, terminal, now, `${now.name}: ${now.message}`);
}

/** `daypart connections credentials`. Throws UsageError for missing values. */
export async function replaceCredentials(given: ParsedArguments, terminal: Terminal): Promise<void> {
  const client = openClient(await readConnection(profileAlone(given), terminal), terminal);
  const { connections, connection } = await find(given, client, terminal);
  const credentials = { ...(await readPointCredentials(given, terminal)) };
  const now = await connections.replaceCredentials(connection.id, credentials, { signal: terminal.signal });
  answer(given, terminal, now, `${now.name}: the new credentials work. ${now.message}`);
}

/** `daypart connections remove`. */
export async function removeConnection(given: ParsedArguments, terminal: Terminal): Promise<void> {
  const { connections, connection } = await open(given, terminal);
  await connections.remove(connection.id, { signal: terminal.signal });
  terminal.say(shownText(`Removed ${connection.name} and its credentials. The data stays.`));
}

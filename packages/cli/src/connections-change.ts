/** The commands that change a connection, and read its dates again. */
import {
  type ConnectionInfo,
  type ConnectionsResource,
  connectionsOf,
  type DateSpan,
  type Daypart,
} from '@daypart/client';
import { shownJson } from '@daypart/client/text';
import type { ParsedArguments } from './arguments.ts';
import { shownText } from './cells.ts';
import { openClient } from './client.ts';
import { findOwnConnection } from './connections.ts';
import { UsageError } from './exit.ts';
import { readPointCredentials } from './point-access.ts';
import { profileAlone, readConnection } from './profiles.ts';
import { readSecretVariable } from './prompt.ts';
import { findRestaurant } from './restaurants.ts';
import { readSpan } from './span.ts';
import type { Terminal } from './terminal.ts';

interface Found {
  connections: ConnectionsResource;
  connection: ConnectionInfo;
}

/** The connection that is named first. Throws UsageError if there is none. */
export async function findConnection(args: ParsedArguments, client: Daypart, terminal: Terminal): Promise<Found> {
  const connections = connectionsOf(client);
  return { connections, connection: await findOwnConnection(args, connections, terminal.signal) };
}

const open = async (args: ParsedArguments, terminal: Terminal): Promise<Found> =>
  await findConnection(args, openClient(await readConnection(args, terminal), terminal), terminal);

function answer(args: ParsedArguments, terminal: Terminal, json: object, line: string): void {
  terminal.say(args.has('json') ? shownJson(JSON.stringify(json)) : shownText(line));
}

/** Dates that were asked to be read again. */
export interface AskedAgain {
  connection: ConnectionInfo;
  span: DateSpan;
  /** Those that were named, or all. */
  restaurants: { restaurantGuid: string; restaurantName: string | null }[];
  /** As the service counts them. */
  counts: { restaurants: number; dates: number };
}

/**
 * Asks for dates to be read again, once `check` has accepted them. Throws UsageError without dates, and for a
 * restaurant that the connection does not have.
 */
export async function askAgain(
  args: ParsedArguments,
  { connections, connection }: Found,
  terminal: Terminal,
  check?: (span: DateSpan) => void,
): Promise<AskedAgain> {
  const span = readSpan(args, terminal.now, terminal.zone);
  check?.(span);
  const all = connection.restaurants.map(({ restaurantGuid, name }) => ({ restaurantGuid, restaurantName: name }));
  const guids = args.values('restaurant').map((one) => findRestaurant(one, all));
  const ask = { from: span.start, to: span.end, restaurants: guids.length === 0 ? undefined : guids };
  const counts = await connections.read(connection.id, ask, { signal: terminal.signal });
  const restaurants = all.filter(({ restaurantGuid }) => guids.length === 0 || guids.includes(restaurantGuid));
  return { connection, span, restaurants, counts };
}

/** `daypart connections read`. */
export async function readAgain(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const { counts } = await askAgain(args, await open(args, terminal), terminal);
  const { restaurants: places, dates } = counts;
  const line = `${dates} ${dates === 1 ? 'date' : 'dates'} of ${places} ${places === 1 ? 'restaurant' : 'restaurants'} will be read again.`;
  answer(args, terminal, counts, line);
}

/** `daypart connections pause`. */
export async function pauseConnection(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const { connections, connection } = await open(args, terminal);
  const now = await connections.pause(connection.id, { signal: terminal.signal });
  answer(args, terminal, now, `${now.name}: ${now.message}`);
}

/** `daypart connections resume`. */
export async function resumeConnection(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const { connections, connection } = await open(args, terminal);
  const now = await connections.resume(connection.id, { signal: terminal.signal });
  answer(args, terminal, now, `${now.name}: ${now.message}`);
}

/** New credentials: of exports those that change, of others all. Throws UsageError for missing values. */
async function credentialsOf(args: ParsedArguments, terminal: Terminal): Promise<Record<string, string>> {
  const [hostKey, user] = [args.value('host-key'), args.value('user')];
  if (hostKey === undefined && user === undefined) return { ...(await readPointCredentials(args, terminal)) };
  if (args.has('client-id')) throw new UsageError('--client-id does not go with --host-key and --user');
  const keyId = readSecretVariable('DAYPART_CONNECT_SECRET', terminal.env);
  const changes = { hostKey, user, keyId };
  return Object.fromEntries(Object.entries(changes).filter((one): one is [string, string] => one[1] !== undefined));
}

/** `daypart connections credentials`. Throws UsageError for missing values. */
export async function replaceCredentials(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const client = openClient(await readConnection(profileAlone(args), terminal), terminal);
  const { connections, connection } = await findConnection(args, client, terminal);
  const credentials = await credentialsOf(args, terminal);
  const now = await connections.replaceCredentials(connection.id, credentials, { signal: terminal.signal });
  answer(args, terminal, now, `${now.name}: the new credentials work. ${now.message}`);
}

/** `daypart connections remove`. */
export async function removeConnection(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const { connections, connection } = await open(args, terminal);
  await connections.remove(connection.id, { signal: terminal.signal });
  terminal.say(shownText(`Removed ${connection.name} and its credentials. The data stays.`));
}

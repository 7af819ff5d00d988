/** `daypart connections` and `connections show`: what is read of points of sale, and how current it is. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ConnectedRestaurantInfo,
  type ConnectionInfo,
  type ConnectionsResource,
  connectionsOf,
  type Daypart,
  groupBy,
} from '@daypart/client';
import { shownJson } from '@daypart/client/text';
import type { ParsedArguments } from './arguments.ts';
import { shownCount, shownText } from './cells.ts';
import { openClient } from './client.ts';
import { CommandError, EXIT } from './command-error.ts';
import { UsageError } from './exit.ts';
import { showListing, shownMinute } from './listing.ts';
import { readConnection } from './profiles.ts';
import { plain } from './restaurants.ts';
import { shownDate } from './span.ts';
import type { Terminal } from './terminal.ts';

/** How often a connection that is followed is asked for. */
export const WATCH_MS = 2000;
const BAR = 10;
const MINUTE = 60;

/**
 * The connection that a word names: by its id, the beginning of it, or its name, case-insensitive. Throws UsageError
 * if there is none, or several.
 */
export async function findOwnConnection(
  { words: [typed] }: ParsedArguments,
  connections: ConnectionsResource,
  signal: AbortSignal,
): Promise<ConnectionInfo> {
  if (typed === undefined) throw new UsageError('which connection? daypart connections lists them');
  const all = await connections.list({ signal });
  const named = all.filter(({ id, name }) => id === typed || plain(name) === plain(typed));
  const found = named.length > 0 ? named : all.filter(({ id }) => id.startsWith(typed));
  const [only] = found;
  if (only && found.length === 1) return only;
  throw new UsageError(
    only
      ? `"${typed}" may be ${found.map(({ id }) => id).join(', ')}`
      : `no connection is called "${typed}"; daypart connections lists them`,
  );
}

/** `current`, or `6 current, 2 reading`; that of the connection if it does not read. */
function stateOf({ state, restaurants }: ConnectionInfo): string {
  if (state !== 'active') return state;
  const counts = [...groupBy(restaurants, (one) => one.state)];
  if (counts.length <= 1) return counts[0]?.[0] ?? '–';
  return counts.map(([each, { length }]) => `${length} ${each}`).join(', ');
}

/** `95 s`, `12 min`, `3 h`. */
function shownLag(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 2 * MINUTE) return `${seconds} s`;
  return seconds < 2 * MINUTE * MINUTE
    ? `${Math.round(seconds / MINUTE)} min`
    : `${Math.round(seconds / MINUTE / MINUTE)} h`;
}

/** The last date that all restaurants have settled; null if one has none. */
function settledOf({ restaurants }: ConnectionInfo): string | null {
  const dates = restaurants.map(({ lastSettledDate }) => lastSettledDate);
  if (dates.length === 0 || dates.includes(null)) return null;
  return dates.reduce((a, b) => (a !== null && b !== null && b < a ? b : a)) ?? null;
}
const shownOrNone = (date: string | null): string => (date === null ? '–' : shownDate(date));

/** `daypart connections`. */
export async function listConnections(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const client = openClient(await readConnection(args, terminal), terminal);
  const all = await connectionsOf(client).list({ signal: terminal.signal });
  const isCsv = args.value('format') === 'csv';
  const counted = (one: ConnectionInfo) => {
    const { id, kind, name, url, state, reason, lagSeconds } = one;
    return {
      id,
      kind,
      name,
      url,
      state,
      reason,
      restaurants: one.restaurants.length,
      lagSeconds,
      lastSettledDate: settledOf(one),
    };
  };
  if (args.has('json')) return terminal.say(shownJson(JSON.stringify(all, null, 2)));
  showListing<object>(args, terminal, {
    rows: isCsv ? all.map(counted) : all,
    fields: ['id', 'kind', 'name', 'url', 'state', 'reason', 'restaurants', 'lagSeconds', 'lastSettledDate'],
    columns: [
      { heading: 'Id', importance: 6 },
      { heading: 'Kind', importance: 1 },
      { heading: 'Name', importance: 5 },
      { heading: 'Restaurants', importance: 2, number: true },
      { heading: 'State', importance: 7 },
      { heading: 'Behind', importance: 4, number: true },
      { heading: 'Settled', importance: 3 },
    ],
    cells: (row) => {
      const one = row as ConnectionInfo;
      const { id, kind, name, restaurants, lagSeconds } = one;
      return [
        id,
        kind,
        name,
        String(restaurants.length),
        stateOf(one),
        shownLag(lagSeconds),
        shownOrNone(settledOf(one)),
      ];
    },
    nothing: 'No point of sale is connected. Connect one with: daypart connect toast',
  });
}

/** `██████░░░░ 51 of 84`. */
function pastOf({ backfill }: ConnectedRestaurantInfo): string {
  if (!backfill) return '–';
  const { done, of } = backfill;
  const full = of === 0 ? BAR : Math.floor((BAR * done) / of);
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done} of ${of}`;
}

/** What could not be read, a line each. */
function troublesOf({ restaurants }: ConnectionInfo): string[] {
  return restaurants.flatMap(({ name, warnings, streams, restaurantGuid }) => {
    const who = name ?? restaurantGuid;
    const rejected = Object.entries(streams).flatMap(([stream, { rejected: count, errors }]) => {
      if (count === 0) return [];
      const [first] = errors;
      const why = first ? `, such as ${first.guid ?? 'one without a GUID'}: ${first.pointer} ${first.message}` : '';
      return [`${who}: ${shownCount(count)} of ${stream} could not be read${why}`];
    });
    return [...warnings.map(({ message }) => `${who}: ${message}`), ...rejected];
  });
}

function showOne(connection: ConnectionInfo, terminal: Terminal): void {
  const { id, kind, name, url, message, clientId, restaurants, pollSeconds, lagSeconds } = connection;
  const lines = [
    `${name} (${kind}), ${url}, ${id}`,
    `${message} Client id ${clientId ?? 'unknown'}; asked every ${pollSeconds} s; behind by ${shownLag(lagSeconds)}.`,
  ];
  for (const line of lines) terminal.say(shownText(line));
  terminal.say('');
  terminal.table(
    ['Restaurant', 'State', 'Past', 'Settled', 'Read until', ''].map((heading) => ({ heading, importance: 1 })),
    restaurants.map((one) =>
      [
        one.name ?? one.restaurantGuid,
        one.state,
        pastOf(one),
        shownOrNone(one.lastSettledDate),
        one.readUntil === null ? '–' : shownMinute(one.readUntil),
        one.message,
      ].map(shownText),
    ),
  );
  const troubles = troublesOf(connection);
  if (troubles.length > 0) terminal.say('');
  for (const line of troubles) terminal.say(shownText(line));
}

/** Failures that nothing ends but a person: they are tried again once a day. */
const LASTING = new Set(['no_permission', 'upstream_changed']);

/** Whether reading has come to where it stays. */
const isFollowed = ({ state, reason, backfill }: ConnectedRestaurantInfo): boolean =>
  state === 'current' ||
  state === 'lost' ||
  (state === 'failing' && LASTING.has(reason ?? '') && backfill !== null && backfill.done >= backfill.of);

function progressOf({ restaurants }: ConnectionInfo): string {
  const [done, of] = restaurants.reduce(
    ([a, b], { backfill }) => [a + (backfill?.done ?? 0), b + (backfill?.of ?? 0)],
    [0, 0],
  );
  const current = restaurants.filter(({ state }) => state === 'current').length;
  return `Reading the past: ${done} of ${of} dates; ${current} of ${restaurants.length} restaurants are current`;
}

/** Asks until reading has come to where it stays. A pipe gets a line for each change of a state. */
async function follow(client: Daypart, id: string, terminal: Terminal, isQuiet: boolean): Promise<ConnectionInfo> {
  const { signal } = terminal;
  const shown = new Map<string, string>();
  const spinner = terminal.spin('Reading');
  terminal.again = `Follow it again with: daypart connections show ${id} --watch`;
  try {
    for (;;) {
      const connection = await connectionsOf(client).get(id, { signal });
      spinner.say(progressOf(connection));
      for (const { upstreamId, name, restaurantGuid, state, message } of connection.restaurants) {
        if (shown.get(upstreamId) === state) continue;
        shown.set(upstreamId, state);
        if (!isQuiet && !terminal.out.isTTY) terminal.say(shownText(`${name ?? restaurantGuid}  ${state}  ${message}`));
      }
      if (connection.state !== 'active' || connection.restaurants.every(isFollowed)) return connection;
      await sleep(WATCH_MS, undefined, { signal });
    }
  } finally {
    spinner.stop();
  }
}

/** Throws CommandError for a connection that does not read. */
export function insistOnReading({ id, state, message }: ConnectionInfo): void {
  if (state === 'refused')
    throw new CommandError(EXIT.refused, message, `daypart connections credentials ${id} --client-id ID`);
  if (state !== 'active') throw new CommandError(EXIT.failed, message, `daypart connections resume ${id}`);
}

/** Throws CommandError for a connection that does not read, and for restaurants that fail. */
function insistOnCurrent(connection: ConnectionInfo): void {
  insistOnReading(connection);
  const failing = connection.restaurants.find((one) => one.state === 'failing');
  if (failing) throw new CommandError(EXIT.failed, `${failing.name ?? failing.restaurantGuid}: ${failing.message}`);
}

/** `daypart connections show`. With `--watch` throws CommandError for what does not become current by itself. */
export async function showConnection(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const client = openClient(await readConnection(args, terminal), terminal);
  const found = await findOwnConnection(args, connectionsOf(client), terminal.signal);
  const isJson = args.has('json');
  const connection = args.has('watch') ? await follow(client, found.id, terminal, isJson) : found;
  if (isJson) terminal.say(shownJson(JSON.stringify(connection, null, 2)));
  else showOne(connection, terminal);
  if (args.has('watch')) insistOnCurrent(connection);
}

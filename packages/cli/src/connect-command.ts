/** `daypart connect toast`: connects a point of sale, or shows what its credentials reach. */
import {
  type ConnectionAsk,
  type ConnectionInfo,
  type ConnectionReach,
  type ConnectionsResource,
  connectionsOf,
  type FoundRestaurant,
} from '@daypart/client';
import { shownJson } from '@daypart/client/text';
import type { ParsedArguments } from './arguments.ts';
import { shownText } from './cells.ts';
import { openClient } from './client.ts';
import { CommandError, EXIT } from './command-error.ts';
import { UsageError } from './exit.ts';
import { readGuid } from './guid.ts';
import { readPointAccess } from './point-access.ts';
import { outcomeOfPointOfSale } from './point-of-sale.ts';
import { profileAlone, readConnection } from './profiles.ts';
import { findRestaurant } from './restaurants.ts';
import { readDate } from './span.ts';
import type { Terminal } from './terminal.ts';

const KIND = 'toast';
/** What credentials reach that the point of sale took. */
export type Reached = Extract<ConnectionReach, { ok: true }>;
type Pace = Pick<ConnectionAsk, 'name' | 'backfillDays' | 'pollSeconds' | 'from'>;

function readWhole(flag: string, pattern: RegExp, args: ParsedArguments): number | undefined {
  const text = args.value(flag);
  if (text === undefined) return undefined;
  const [, digits] = pattern.exec(text) ?? [];
  if (digits === undefined) throw new UsageError(`--${flag} is a whole number, not ${text}`);
  return Number(digits);
}

/** What a connection is made with besides its access; the service checks how much is too much. */
function readPace(args: ParsedArguments): Pace {
  const from = args.value('from');
  return {
    name: args.value('name'),
    backfillDays: readWhole('backfill', /^(\d{1,5})d?$/, args),
    pollSeconds: readWhole('poll', /^(\d{1,5})s?$/, args),
    from: from === undefined ? undefined : readDate('from', from),
  };
}

/** Asks what credentials reach. Throws CommandError if the point of sale refuses. */
export async function reachOf(
  connections: ConnectionsResource,
  access: Parameters<ConnectionsResource['check']>[0],
  terminal: Terminal,
): Promise<Reached> {
  const spinner = terminal.spin(`Asking ${access.url ?? access.credentials.host}`);
  const reach = await connections.check(access, { signal: terminal.signal }).finally(() => spinner.stop());
  if (reach.ok) return reach;
  const { code = EXIT.failed, next } = outcomeOfPointOfSale(reach.code) ?? {};
  throw new CommandError(code, reach.message, next);
}

/** What people call what a stream reads. */
const READS: Record<string, string> = {
  timeEntries: 'time entries',
  jobs: 'names of jobs',
  employees: 'names of employees',
};

function showReach(args: ParsedArguments, terminal: Terminal, reach: Reached): void {
  if (args.has('json')) {
    terminal.say(shownJson(JSON.stringify(reach)));
    return;
  }
  const stateOf = ({ taken, archived }: FoundRestaurant): string =>
    taken ? 'connected' : archived ? 'archived' : 'found';
  terminal.table(
    ['Restaurant', 'GUID', 'Time zone', 'Currency', 'State'].map((heading) => ({ heading, importance: 1 })),
    reach.restaurants.map((one) =>
      [one.name, one.restaurantGuid, one.timeZone, one.currencyCode, stateOf(one)].map(shownText),
    ),
  );
  const named = (isReadable: boolean): string =>
    Object.entries(reach.streams)
      .filter(([, text]) => (text === 'ok') === isReadable)
      .map(([name, text]) => `${READS[name] ?? name}${isReadable || text === 'no_permission' ? '' : ` (${text})`}`)
      .join(', ');
  const [readable, others] = [named(true), named(false)];
  const more = others === '' ? '' : ` Not readable: ${others}.`;
  terminal.say(`Readable: ${shownText(readable || 'nothing')}.${shownText(more)} Nothing was stored.`);
}

/** The GUIDs of `--only`. Names are those of the point of sale, which is asked for them. */
async function chosenOf(only: readonly string[], ask: () => Promise<Reached>): Promise<string[]> {
  const guids = only.flatMap((typed) => readGuid(typed) ?? []);
  if (guids.length === only.length) return guids;
  const { restaurants } = await ask();
  const named = restaurants.map(({ restaurantGuid, name }) => ({
    restaurantGuid,
    restaurantName: name,
  }));
  return only.map((typed) => findRestaurant(typed, named));
}

/**
 * `daypart connect toast`. Throws UsageError for missing values, CommandError if the point of sale refuses, the
 * service's error if it stores nothing.
 */
export async function connectToast(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const pace = readPace(args);
  const only = args.values('only');
  const service = await readConnection(profileAlone(args), terminal);
  const { url, credentials, restaurantGuid } = await readPointAccess(args, terminal);
  const access = { kind: KIND, url, credentials: { ...credentials }, restaurantGuid };
  const connections = connectionsOf(openClient(service, terminal));
  const ask = async (): Promise<Reached> => await reachOf(connections, access, terminal);
  if (args.has('dry-run')) return showReach(args, terminal, await ask());

  const restaurants = only.length === 0 ? 'all' : await chosenOf(only, ask);
  const spinner = terminal.spin(`Connecting ${url}`);
  const body = { ...access, ...pace, restaurants } as const;
  const made = await connections.create(body, { signal: terminal.signal }).finally(() => spinner.stop());
  showMade(args, terminal, made, [`${made.backfillDays} dates before today`, 'Reading has begun']);
}

/** Says what was connected, in so many words: what of it, and what happens now. */
export function showMade(
  args: ParsedArguments,
  terminal: Terminal,
  made: ConnectionInfo,
  [more, now]: readonly [more: string, now: string],
): void {
  // A script gets only the id.
  if (args.has('json') || !terminal.out.isTTY) {
    terminal.say(args.has('json') ? shownJson(JSON.stringify(made)) : made.id);
    return;
  }
  const count = made.restaurants.length;
  const what = [`${count} ${count === 1 ? 'restaurant' : 'restaurants'}`, more].filter(Boolean).join(', ');
  terminal.say(`Connected ${shownText(made.name)}: ${what}.`);
  terminal.say(`${now}. Follow it with: daypart connections show ${made.id} --watch`);
}

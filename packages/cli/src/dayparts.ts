/** `daypart dayparts`: shows and sets how the business day is divided. */
import { type Daypart, type DaypartHours, NotFoundError } from '@daypart/client';
import { shownJson } from '@daypart/client/text';
import type { ParsedArguments } from './arguments.ts';
import { isUnknownRoute } from './base-url.ts';
import { shownText } from './cells.ts';
import { openClient } from './client.ts';
import { CommandError } from './command-error.ts';
import { EXIT, UsageError } from './exit.ts';
import { readConnection } from './profiles.ts';
import { findRestaurant, listRestaurants, needsNames } from './restaurants.ts';
import type { Terminal } from './terminal.ts';

const PART = /^(.+?)\s+(\d{1,2})(?::00)?\s*-\s*(\d{1,2})(?::00)?$/;
const clock = (hour: string): string => `${String(Number(hour) % 24).padStart(2, '0')}:00`;

/** Parses `Breakfast 5-11, Lunch 11-17, Dinner 17-5`. Throws UsageError; the service checks that they cover the day. */
export function readDayparts(text: string): DaypartHours[] {
  return text.split(',').map((part) => {
    const [, name, from, to] = PART.exec(part.trim()) ?? [];
    if (name === undefined || from === undefined || to === undefined || Number(from) > 23 || Number(to) > 24)
      throw new UsageError(`--set ${part.trim()}: a daypart is a name and whole hours, such as "Lunch 11-15"`);
    return { name, from: clock(from), to: clock(to) };
  });
}

const hoursIn = ({ from, to }: DaypartHours): number =>
  ((Number.parseInt(to, 10) - Number.parseInt(from, 10) + 23) % 24) + 1;

/** The named restaurant with its GUID; undefined for the group. */
async function namedRestaurant(
  client: Daypart,
  args: ParsedArguments,
  signal: AbortSignal,
): Promise<string | undefined> {
  const typed = args.value('restaurant');
  if (typed === undefined) return undefined;
  return findRestaurant(typed, needsNames([typed]) ? await listRestaurants(client, signal) : []);
}

/** `daypart dayparts`. Throws UsageError for flags that do not go together. */
export async function dayparts(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const set = args.value('set');
  const wanted = set === undefined ? undefined : readDayparts(set);
  if (args.has('reset') && wanted) throw new UsageError('--set or --reset, not both');
  if (args.has('reset') && args.value('restaurant') === undefined)
    throw new UsageError('--reset needs --restaurant: it gives a restaurant those of the group again');
  const client = openClient(await readConnection(args, terminal), terminal);
  const { signal } = terminal;
  const restaurantGuid = await namedRestaurant(client, args, signal);
  const query = { restaurantGuid };
  try {
    if (args.has('reset') && restaurantGuid !== undefined) await client.dayparts.remove(restaurantGuid, { signal });
    const list = wanted
      ? await client.dayparts.set(wanted, query, { signal })
      : await client.dayparts.get(query, { signal });
    if (args.has('json') || !terminal.out.isTTY) return terminal.say(shownJson(JSON.stringify(list)));
    terminal.table(
      [
        { heading: 'Daypart', importance: 4 },
        { heading: 'From', importance: 3 },
        { heading: 'To', importance: 2 },
        { heading: 'Hours', importance: 1, number: true },
      ],
      list.map((one) => [shownText(one.name), one.from, one.to, String(hoursIn(one))]),
    );
  } catch (error) {
    if (!(error instanceof NotFoundError) || restaurantGuid !== undefined || isUnknownRoute(error)) throw error;
    throw new CommandError(
      EXIT.failed,
      'this service has no dayparts',
      'Reports can be split by hour instead. If they fail too, check the base URL.',
    );
  }
}

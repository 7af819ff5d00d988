/**
 * `daypart events`: loads, status changes of reports and states of connections of the management group, as they happen.
 */
import type { GroupEvent } from '@daypart/client';
import type { ParsedArguments } from './arguments.ts';
import { shownText } from './cells.ts';
import { openClient } from './client.ts';
import { UsageError } from './exit.ts';
import { readConnection } from './profiles.ts';
import { findRestaurant, listRestaurants } from './restaurants.ts';
import { shownDate } from './span.ts';
import { type Terminal, writeTo } from './terminal.ts';

/** How many dates of a load a line shows; JSON has all. */
const DATES_SHOWN = 3;

function readCount(args: ParsedArguments): number {
  const text = args.value('count');
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--count is a number of events from 1 on, not ${text}`);
  return Number(text);
}

/** The time of day in the machine's time zone. */
const timeIn = (zone: string): ((instant: string) => string) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'medium' });
  return (instant) => format.format(new Date(instant));
};

function datesText(dates: readonly string[]): string {
  const more = dates.length - DATES_SHOWN;
  const first = dates.slice(0, DATES_SHOWN).map(shownDate).join(', ');
  return more > 0 ? `${first} and ${more} more dates` : first;
}

function lineFor(event: GroupEvent, nameOf: (guid: string) => string, timeOf: (instant: string) => string): string {
  if (event.event === 'reset')
    return 'Some events are missing here: what happened meanwhile is in daypart restaurants and daypart imports.';
  const time = timeOf(event.at);
  switch (event.event) {
    case 'loaded':
      return `${time}  loaded  ${nameOf(event.restaurantGuid)}  ${event.kind}  ${datesText(event.businessDates)}`;
    case 'report':
      return `${time}  report  ${event.reportRequestGuid}  ${event.status}`;
    case 'connection': {
      const why = event.reason === null ? '' : `  ${event.reason}`;
      return `${time}  connection  ${nameOf(event.restaurantGuid)}  ${event.state}${why}`;
    }
  }
}

export async function events(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const count = readCount(args);
  const kind = args.value('kind');
  const client = openClient(await readConnection(args, terminal), terminal);
  const { signal } = terminal;
  const typed = args.value('restaurant');
  const asLines = (args.value('format') ?? (terminal.out.isTTY ? 'lines' : 'ndjson')) === 'lines';
  // Also where no name is shown: the stream itself is opened again without end, so that it would not say that nobody is
  // there.
  const listed = await listRestaurants(client, signal);
  const names = new Map(listed.map((one) => [one.restaurantGuid, one.restaurantName]));
  const only = typed === undefined ? undefined : findRestaurant(typed, listed);
  const timeOf = timeIn(terminal.zone);
  const nameOf = (guid: string): string => names.get(guid) ?? guid;

  const isWanted = (event: GroupEvent): boolean => {
    if (event.event === 'reset') return true;
    if (kind !== undefined && event.event !== kind) return false;
    return only === undefined || (event.event !== 'report' && event.restaurantGuid === only);
  };
  let shown = 0;
  for await (const event of client.events({ signal, lastEventId: args.value('after') })) {
    terminal.again = `Resume with: daypart events --after ${event.id}`;
    if (!isWanted(event)) continue;
    await writeTo(
      terminal.out,
      asLines ? `${shownText(lineFor(event, nameOf, timeOf))}\n` : `${JSON.stringify(event)}\n`,
    );
    if (++shown >= count) return;
  }
}

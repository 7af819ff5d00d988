/** `daypart connections compare`: reads dates of a point of sale again, and shows what had been stored otherwise. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionDateInfo, type ConnectionsResource, daysBetween } from '@daypart/client';
import { shownJson } from '@daypart/client/text';
import type { ParsedArguments } from './arguments.ts';
import { shownCount, shownText } from './cells.ts';
import { openClient } from './client.ts';
import { insistOnReading, WATCH_MS } from './connections.ts';
import { type AskedAgain, askAgain, findConnection } from './connections-change.ts';
import { UsageError } from './exit.ts';
import { readConnection } from './profiles.ts';
import { shownDate } from './span.ts';
import type { Terminal } from './terminal.ts';

/** Dates that the service lists at once. */
const MOST_DATES = 31;

interface ComparedDate extends ConnectionDateInfo {
  restaurantGuid: string;
  restaurantName: string | null;
}

const isRead = ({ readAt }: ComparedDate): boolean => readAt !== null;

/** Waits until all dates were read again. Throws CommandError for a connection that does not read. */
async function untilRead(
  connections: ConnectionsResource,
  { connection, span, restaurants }: AskedAgain,
  terminal: Terminal,
): Promise<ComparedDate[]> {
  const { signal } = terminal;
  const known = new Map<string, ComparedDate[]>();
  const spinner = terminal.spin('Reading');
  terminal.again = 'Dates that were asked for are read all the same; the same command asks again';
  try {
    for (;;) {
      for (const one of restaurants) {
        if (known.get(one.restaurantGuid)?.every(isRead)) continue;
        const query = { restaurant: one.restaurantGuid, from: span.start, to: span.end };
        const dates = await connections.dates(connection.id, query, { signal });
        known.set(
          one.restaurantGuid,
          dates.map((date) => Object.assign({}, one, date)),
        );
      }
      const dates = [...known.values()].flat();
      const read = dates.filter(isRead).length;
      if (read === dates.length) return dates;
      insistOnReading(await connections.get(connection.id, { signal }));
      spinner.say(`Reading again: ${read} of ${dates.length} dates`);
      await sleep(WATCH_MS, undefined, { signal });
    }
  } finally {
    spinner.stop();
  }
}

const DIFFERENCE_WORDS = {
  missing: 'was not stored',
  changed: 'was stored otherwise',
  deleted: 'was stored, and is not at the point of sale',
} as const;

function showDates(dates: readonly ComparedDate[], terminal: Terminal): void {
  let [orders, entries] = [0, 0];
  for (const { restaurantGuid, restaurantName, businessDate, differences } of dates) {
    if (!differences) continue;
    orders += differences.orderCount;
    entries += differences.timeEntryCount;
    const where = `${restaurantName ?? restaurantGuid}, ${shownDate(businessDate)}`;
    for (const { orderGuid, difference } of differences.orders)
      terminal.say(shownText(`${where}: order ${orderGuid} ${DIFFERENCE_WORDS[difference]}`));
    const more = differences.orderCount - differences.orders.length;
    if (more > 0) terminal.say(shownText(`${where}: and ${shownCount(more)} more orders`));
    if (differences.timeEntryCount > 0)
      terminal.say(shownText(`${where}: ${shownCount(differences.timeEntryCount)} time entries were stored otherwise`));
  }
  const compared = `${shownCount(dates.length)} ${dates.length === 1 ? 'date was' : 'dates were'} read again`;
  terminal.say(
    orders + entries === 0
      ? `${compared}: everything was stored as the point of sale has it.`
      : `${compared}: ${shownCount(orders)} orders and ${shownCount(entries)} time entries differed. They are stored as the point of sale has them now.`,
  );
}

/** `daypart connections compare`. Throws UsageError for more dates than the service lists. */
export async function compareConnection(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const client = openClient(await readConnection(args, terminal), terminal);
  const found = await findConnection(args, client, terminal);
  const request = await askAgain(args, found, terminal, ({ start, end }) => {
    if (daysBetween(start, end) >= MOST_DATES)
      throw new UsageError(`connections compare takes ${MOST_DATES} dates at most`);
  });
  const dates = await untilRead(found.connections, request, terminal);
  if (args.has('json')) terminal.say(shownJson(JSON.stringify(dates, null, 2)));
  else showDates(dates, terminal);
}

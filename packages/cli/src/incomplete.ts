/**
 * The warning about a report that lacks items or payments because an older version loaded its orders, or dates that a
 * connection has yet to read.
 */
import type { Daypart, ReportStatus } from '@daypart/client';
import { listRestaurants } from './restaurants.ts';
import type { Terminal } from './terminal.ts';

/** How many restaurants and dates are named; GET /reports/{guid} lists up to 1,000. */
const MOST_NAMED = 5;
/** A long span is read in parts, each with its own list. */
const MOST_LISTS = 12;

/** A date that a connection has yet to read. */
const STILL_READING = 'still_reading';

type IncompleteDay = NonNullable<ReportStatus['incomplete']>[number];

/** Warns of each incomplete report that was read: how many restaurants and dates, and the first of them. */
export async function warnIncomplete(
  client: Daypart,
  { incomplete, warn }: Pick<Terminal, 'incomplete' | 'warn'>,
  signal: AbortSignal,
): Promise<void> {
  if (incomplete.size === 0) return;
  const count = [...incomplete.values()].reduce((sum, one) => sum + one, 0);
  const days = await daysOf(client, [...incomplete.keys()].slice(0, MOST_LISTS), signal);
  const lacking = days.filter(({ missing }) => missing !== STILL_READING);
  const missing = [...new Set(lacking.map((day) => day.missing))].join(' and ') || 'items or payments';
  const named = await namesIn(client, days.slice(0, MOST_NAMED), signal);
  const more = count - Math.min(days.length, MOST_NAMED);
  const which = days.length === 0 ? '' : `: ${named}${more > 0 ? `, and ${more} more` : ''}`;
  const places = count === 1 ? '1 restaurant and date' : `${count} restaurants and dates`;
  const reading = 'still to be read from the point of sale';
  if (days.length > 0 && lacking.length === 0) {
    warn(
      `The figures are incomplete. ${places} ${count === 1 ? 'is' : 'are'} ${reading}${which}. Read them again later.`,
    );
    return;
  }
  const some = lacking.length < days.length ? ` Some of these dates are ${reading}.` : '';
  warn(
    `The figures are incomplete. Orders of ${places} were loaded without their ${missing}${which}. Load these orders again.${some}`,
  );
}

/** Empty if the service does not return the list; the count is known in any case. */
async function daysOf(client: Daypart, guids: readonly string[], signal: AbortSignal): Promise<IncompleteDay[]> {
  const lists = await Promise.all(
    guids.map((guid) =>
      client.reports.status(guid, { signal }).then(
        ({ incomplete }) => incomplete ?? [],
        () => [],
      ),
    ),
  );
  return lists.flat();
}

/** `Corner Bistro 20260310, 20260312; Pier 7 20260311`. */
async function namesIn(client: Daypart, days: readonly IncompleteDay[], signal: AbortSignal): Promise<string> {
  const known = days.length === 0 ? [] : await listRestaurants(client, signal).catch(() => []);
  const names = new Map(known.map(({ restaurantGuid, restaurantName }) => [restaurantGuid, restaurantName]));
  const dates = new Map<string, string[]>();
  for (const { restaurantGuid: guid, businessDate } of days)
    dates.set(guid, [...(dates.get(guid) ?? []), businessDate]);
  return [...dates].map(([guid, own]) => `${names.get(guid) ?? guid} ${own.join(', ')}`).join('; ');
}

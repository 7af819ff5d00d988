/**
 * What a report lacks because a connection has not read it yet: a date of the past of a connected restaurant without
 * data is not one without sales.
 */
import { addDays, datesIn } from '../contract/dates.ts';
import { type Incomplete, MOST_INCOMPLETE, STILL_READING } from '../contract/report-outcome.ts';
import type { ConnectionLedger } from '../ledger/connection.ts';
import type { ReportRequest } from '../ledger/report.ts';

/** Dates of a restaurant, both included, that a connection has yet to read. */
interface Unread {
  restaurantGuid: string;
  from: number;
  to: number;
}

/**
 * The dates of a report that are still to be read. Asked before the facts are: a date that is read in between is listed
 * although its rows are there, never the other way round.
 */
export async function unreadDates(
  ledger: Pick<ConnectionLedger, 'unreadPasts'>,
  { group, plan }: ReportRequest,
  restaurants: readonly { guid: string }[],
): Promise<Unread[]> {
  const pasts = await ledger.unreadPasts(group);
  if (pasts.length === 0) return [];
  const chosen = new Set(restaurants.map(({ guid }) => guid));
  return pasts.flatMap(({ restaurantGuid, backfillFrom, backfillTo, backfillDone }) => {
    const last = backfillDone === null ? backfillTo : addDays(backfillDone, -1);
    const [from, to] = [Math.max(backfillFrom, plan.startDate), Math.min(last, plan.endDate)];
    return chosen.has(restaurantGuid) && from <= to ? [{ restaurantGuid, from, to }] : [];
  });
}

/** The first of the dates, as many as are listed. */
function* listed(unread: readonly Unread[]): Generator<Incomplete['days'][number]> {
  let left = MOST_INCOMPLETE;
  for (const { restaurantGuid, from, to } of unread)
    for (let businessDate = from; businessDate <= to && left > 0; businessDate = addDays(businessDate, 1)) {
      left--;
      yield { restaurantGuid, businessDate, missing: STILL_READING };
    }
}

/** Adds dates to those of which details are missing; one that is both is still to be read. Null if there are none. */
export function withUnread(incomplete: Incomplete | null, unread: readonly Unread[]): Incomplete | null {
  if (unread.length === 0) return incomplete;
  const byGuid = new Map(unread.map((one) => [one.restaurantGuid, one]));
  const lacking = (incomplete?.days ?? []).filter(({ restaurantGuid, businessDate }) => {
    const of = byGuid.get(restaurantGuid);
    return !of || businessDate < of.from || businessDate > of.to;
  });
  const both = (incomplete?.days.length ?? 0) - lacking.length;
  const count = unread.reduce((sum, { from, to }) => sum + datesIn(from, to), (incomplete?.count ?? 0) - both);
  // They are in the order of the list: years of a thousand restaurants make no list of all.
  const days = [...lacking, ...listed(unread)].sort((a, b) =>
    a.restaurantGuid === b.restaurantGuid
      ? a.businessDate - b.businessDate
      : a.restaurantGuid < b.restaurantGuid
        ? -1
        : 1,
  );
  return { count, days: days.slice(0, MOST_INCOMPLETE) };
}

/** The row of a business date that was read as a whole. */
import { instantsOf } from '../contract/clock.ts';
import { HOUR_MS } from '../contract/time.ts';
import type { ConnectionDate } from '../ledger/connection.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import type { AnyMember } from './member.ts';

/** Orders may be closed late, and the point of sale shows them later still: from then on a date can be checked. */
export const AFTER_CLOSEOUT_MS = HOUR_MS;

/** When a business date has ended (ms since 1970 UTC). */
export const endOf = (date: number, { timeZone, closeoutHour }: Restaurant): number =>
  instantsOf({ startDate: date, endDate: date }, { timeZone, closeoutHour }).until;

/** The row of a date that was read now. An hour after it ended it counts as checked too, and is not read twice. */
export function readRow(
  member: AnyMember,
  businessDate: number,
  differences: ConnectionDate['differences'] = null,
): ConnectionDate {
  const { connection, row, restaurant, deps } = member;
  const now = deps.clock();
  const isOver = member.now() >= endOf(businessDate, restaurant) + AFTER_CLOSEOUT_MS;
  return {
    connection: connection.id,
    upstreamId: row.upstreamId,
    businessDate,
    readAt: now,
    checkedAt: isOver ? now : null,
    checkFound: isOver ? 0 : null,
    differences,
  };
}

/** Time entries: those that were modified, deleted ones included, and those that begin on some dates. No pages. */

import type { RecordStream, SourceContext } from '@daypart/client/source';
import { instantsOf } from '../../../contract/clock.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { type ReadPage, readTail, TAIL_RULES, type TailRules, tailCursor } from '../../tail.ts';
import { get, instantText, objectsIn, type Query } from './calls.ts';

/** A window is a month of the calendar at most, of which the shortest has 28 days. */
const RULES: TailRules = { ...TAIL_RULES, longestMs: 28 * DAY_MS };
/** One date less, because a clock that goes back makes a date longer. */
const DATES = 27;
const PAST_SECONDS = 5;
const PAST_MS = 31 * DAY_MS;

function listOf(ctx: SourceContext, query: Query, until: number): ReadPage {
  const isPast = until < ctx.now() - PAST_MS;
  return async () => {
    const question = { query, ...(isPast && { everySeconds: PAST_SECONDS }) };
    const { json } = await get(ctx, '/labor/v1/timeEntries', question);
    return { records: objectsIn(json), isLast: true };
  };
}

export const timeEntries: RecordStream = {
  everySeconds: 600,
  begin: (now) => ({ until: now }),
  readUntil: (cursor) => tailCursor(cursor).until,
  changed: (ctx, cursor) =>
    readTail(
      ctx.now,
      cursor,
      (from, until) => {
        const query = { modifiedStartDate: instantText(from), modifiedEndDate: instantText(until) };
        return listOf(ctx, query, until);
      },
      RULES,
    ),
  async *dates(ctx, startDate, endDate) {
    if (!ctx.restaurant) throw new TypeError('the call is about a restaurant');
    const { from, until } = instantsOf({ startDate, endDate }, ctx.restaurant);
    const query = { startDate: instantText(from), endDate: instantText(until), includeArchived: 'true' };
    const { records } = await listOf(ctx, query, until)(1);
    if (records.length > 0) yield { records };
  },
  datesAtOnce: DATES,
};

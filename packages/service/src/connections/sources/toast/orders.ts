/** Orders: those that were modified, those of a date, and single ones. They are loaded as they are. */

import type { JsonObject, RecordPage, RecordStream, SourceContext } from '@daypart/client/source';
import { instantsOf } from '../../../contract/clock.ts';
import { addDays } from '../../../contract/dates.ts';
import { isObject } from '../../../contract/json.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { type ReadPage, readPasses, readTail, TAIL_RULES, tailCursor } from '../../tail.ts';
import { changed, get, instantText, objectsIn, type Query } from './calls.ts';

const PAGE_SIZE = 100;
/** The point of sale asks for 5 to 10 s between pages of the past. */
const PAST = { afterDays: 31, everySeconds: 5 };

/** The pages of a list of orders. A page follows where one is named, or this one is full; its address is not called. */
function pagesOf(ctx: SourceContext, query: Query, until: number): ReadPage {
  const isPast = until < ctx.now() - PAST.afterDays * DAY_MS;
  return async (page) => {
    const { headers, json } = await get(ctx, '/orders/v2/ordersBulk', {
      query: { ...query, page, pageSize: PAGE_SIZE },
      ...(isPast && { everySeconds: PAST.everySeconds }),
    });
    const records = objectsIn(json);
    const isNamed = /rel="?next"?/.test(headers.get('link') ?? '');
    return { records, isLast: !isNamed && records.length < PAGE_SIZE };
  };
}

/** The orders of a business date, until a pass over their pages brings nothing new. */
async function* ofDate(ctx: SourceContext, date: number): AsyncGenerator<RecordPage> {
  const { restaurant } = ctx;
  if (!restaurant) throw new TypeError('the call is about a restaurant');
  const { until } = instantsOf({ startDate: date, endDate: date }, restaurant);
  const passes = readPasses(pagesOf(ctx, { businessDate: date }, until), TAIL_RULES.passes);
  let step = await passes.next();
  for (; !step.done; step = await passes.next()) yield { records: step.value };
  const { isSettled, count } = step.value;
  yield isSettled ? { records: [], passes: count } : { records: [], passes: count, warning: 'unstable' };
}

export const orders: RecordStream = {
  everySeconds: 120,
  begin: (now) => ({ until: now }),
  readUntil: (cursor) => tailCursor(cursor).until,
  changed: (ctx, cursor) =>
    readTail(ctx.now, cursor, (from, until) =>
      pagesOf(ctx, { startDate: instantText(from), endDate: instantText(until) }, until),
    ),
  async *dates(ctx, from, to) {
    for (let date = from; date <= to; date = addDays(date, 1)) yield* ofDate(ctx, date);
  },
  datesAtOnce: 1,
  past: PAST,
  async one(ctx, guid): Promise<JsonObject | null> {
    const { status, json } = await get(ctx, `/orders/v2/orders/${encodeURIComponent(guid)}`, { allow: [404] });
    if (status === 404) return null;
    if (!isObject(json)) throw changed('an order');
    return json;
  },
};

/**
 * Dates that somebody asked to be read again. What was stored otherwise than the point of sale has it is kept with the
 * date, to the order: docs/connections.md#compare-with-the-point-of-sale.
 */

import type { JsonObject } from '@daypart/client/source';
import type { DateDifferences, OrderDifference } from '../ledger/connection.ts';
import { readMissing } from './check.ts';
import { readRow } from './date-row.ts';
import { type Member, saveStream } from './member.ts';
import { loadRecords, type ReadTally, readWholeDates } from './record-pages.ts';

/** Orders of a date that are kept; all are counted. */
const MOST_ORDERS = 200;

async function readAgain(member: Member, date: number): Promise<DateDifferences> {
  const { deps, restaurant } = member;
  const found: DateDifferences = { orders: [], orderCount: 0, timeEntryCount: 0 };
  const differs = (orderGuid: string, difference: OrderDifference): void => {
    found.orderCount++;
    if (found.orders.length < MOST_ORDERS) found.orders.push({ orderGuid, difference });
  };
  await readWholeDates(member, 'timeEntries', date, date, async (records, tally) => {
    found.timeEntryCount += await loadRecords(member, 'timeEntries', records, tally);
  });
  const stored = new Set(await deps.facts.ordersOf(restaurant.id, date));
  // An order that has another date now is stored, too.
  const isStored = async (guid: string): Promise<boolean> =>
    stored.has(guid) || (await deps.facts.order(restaurant.id, guid)) !== undefined;
  const loadOrder = async (record: JsonObject, tally: ReadTally): Promise<void> => {
    const guid = String(record.guid).toLowerCase();
    const before = await isStored(guid);
    if ((await loadRecords(member, 'orders', [record], tally)) > 0) differs(guid, before ? 'changed' : 'missing');
  };
  // One by one, because a load says how many of its records changed anything, and not which.
  const tally = await readWholeDates(member, 'orders', date, date, async (records, counts) => {
    for (const record of records) await loadOrder(record, counts);
  });
  if (tally) await readMissing(member, 'backfill', date, tally, differs);
  return found;
}

/** Reads one of them; false if there is none. Throws SourceError, LeaseLost, and what a load throws. */
export async function readRequestedDate(member: Member): Promise<boolean> {
  const { deps, connection, row } = member;
  const [date] = await deps.ledger.unreadDates(connection.id, row.upstreamId, 1);
  if (date === undefined) return false;
  // Earlier dates have orders of exports, under other GUIDs.
  const isOurs = row.notBefore === null || date >= row.notBefore;
  const differences = isOurs ? await readAgain(member, date) : null;
  await saveStream(member, 'backfill', { lastAt: deps.clock() }, [readRow(member, date, differences)]);
  return true;
}

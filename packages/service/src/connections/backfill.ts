/** The past of a restaurant: today first, then date by date backwards, then the dates to come. */
import { businessDateOf, instantsOf } from '../contract/clock.ts';
import { addDays } from '../contract/dates.ts';
import { HOUR_MS } from '../contract/time.ts';
import type { ConnectionDate } from '../ledger/connection.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { type Member, NOT_DUE, type RecordKind, saveRead, saveRow, saveStream, streamOf } from './member.ts';
import { countersOf, type ReadTally, readPages } from './record-pages.ts';

/** Orders may be closed late, and the point of sale shows them later still: from then on a date can be checked. */
export const AFTER_CLOSEOUT_MS = HOUR_MS;
/** How many dates from today on are read once: orders that are scheduled. */
const DATES_AHEAD = 14;

/** Dates that are asked for again, of which the ledger lists so many at once. */
const MOST_ASKED = 50;

/** What the cursor of the stream `backfill` holds. */
interface PastCursor {
  /** Whether the current date was read. */
  today?: boolean;
  /** The first date (YYYYMMDD) of which time entries were read. */
  entriesFrom?: number;
}

/** When a business date has ended (ms since 1970 UTC). */
export const endOf = (date: number, { timeZone, closeoutHour }: Restaurant): number =>
  instantsOf({ startDate: date, endDate: date }, { timeZone, closeoutHour }).until;

/** Reads everything of dates, both included, in as many calls as the source takes. */
async function readDates(member: Member, kind: RecordKind, from: number, to: number): Promise<ReadTally | undefined> {
  const records = member.source[kind];
  if (!records) return undefined;
  const before = streamOf(member, 'backfill');
  const pages = records.dates(member.contextOf('backfill'), from, to);
  const tally = await readPages(member, { stream: 'backfill', kind, pages }, () => member.serveBefore('backfill'));
  await saveStream(member, 'backfill', countersOf(before, tally));
  return tally;
}

/** Reads the current date, which live reading sees only from the moment of connecting on. */
async function readToday(member: Member, cursor: PastCursor): Promise<void> {
  const { restaurant } = member;
  if (cursor.today) return;
  const today = businessDateOf(member.now(), restaurant.timeZone, restaurant.closeoutHour);
  await readDates(member, 'orders', today, today);
  await readDates(member, 'timeEntries', today, today);
  cursor.today = true;
  await saveStream(member, 'backfill', { cursor: { ...cursor } });
}

/** Reads the time entries of a date, together with those of earlier dates as far as one call has them. */
async function readEntries(member: Member, cursor: PastCursor, from: number, date: number): Promise<void> {
  const { timeEntries } = member.source;
  if (!timeEntries || (cursor.entriesFrom !== undefined && cursor.entriesFrom <= date)) return;
  const first = Math.max(from, addDays(date, 1 - timeEntries.datesAtOnce));
  await readDates(member, 'timeEntries', first, date);
  cursor.entriesFrom = first;
}

/** The dates from `from` to `to`, newest first. */
function* datesBackwards(from: number, to: number): Generator<number> {
  for (let date = to; date >= from; date = addDays(date, -1)) yield date;
}

/** The row of a date that was read now. An hour after it ended it counts as checked too, and is not read twice. */
function readRow(member: Member, businessDate: number): ConnectionDate {
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
  };
}

/** Reads the next dates of the past, as many as one call of the source has. False when none is left. */
async function readNextDates(member: Member, cursor: PastCursor): Promise<boolean> {
  const { backfillFrom: from, backfillTo: to, backfillDone } = member.row;
  if (from === null || to === null) return false;
  const date = backfillDone === null ? to : addDays(backfillDone, -1);
  if (date < from) return false;
  const first = Math.max(from, addDays(date, 1 - member.source.orders.datesAtOnce));
  await readEntries(member, cursor, from, first);
  await readEntries(member, cursor, from, date);
  await readDates(member, 'orders', first, date);
  const rows = [...datesBackwards(first, date)].map((one) => readRow(member, one));
  const read = { cursor: { ...cursor }, lastAt: member.deps.clock() };
  await saveStream(member, 'backfill', read, rows);
  await saveRow(member, { backfillDone: first });
  return true;
}

/** Reads dates again that somebody asked for. */
async function readAsked(member: Member): Promise<void> {
  const { deps, connection, row } = member;
  for (;;) {
    const dates = await deps.ledger.unreadDates(connection.id, row.upstreamId, MOST_ASKED);
    if (dates.length === 0) return;
    for (const date of dates) {
      await readDates(member, 'timeEntries', date, date);
      await readDates(member, 'orders', date, date);
      await saveStream(member, 'backfill', { lastAt: deps.clock() }, [readRow(member, date)]);
      await member.serveBefore('backfill');
    }
  }
}

/**
 * Reads the past to its end, and lets whatever is more urgent go first after each page. It resumes at the date at which
 * it stopped. Throws SourceError, LeaseLost, and what a load throws.
 */
export async function readPast(member: Member): Promise<void> {
  const cursor: PastCursor = Object.assign({}, streamOf(member, 'backfill').cursor);
  await readToday(member, cursor);
  await readAsked(member);
  while (await readNextDates(member, cursor)) await member.serveBefore('backfill');
  const { restaurant } = member;
  const today = businessDateOf(member.now(), restaurant.timeZone, restaurant.closeoutHour);
  const last = addDays(today, DATES_AHEAD - 1);
  const { datesAtOnce } = member.source.orders;
  for (let date = addDays(today, 1); date <= last; date = addDays(date, datesAtOnce))
    await readDates(member, 'orders', date, Math.min(last, addDays(date, datesAtOnce - 1)));
  await saveRead(member, 'backfill', NOT_DUE, { cursor: { today: true } });
}

/** The past of a restaurant: today first, then date by date backwards, then the dates to come. */
import { addDays } from '../contract/dates.ts';
import { readRow } from './date-row.ts';
import { type Member, NOT_DUE, saveRead, saveRow, saveStream, streamOf, todayOf } from './member.ts';
import { readWholeDates } from './record-pages.ts';
import { readRequestedDate } from './requested-dates.ts';

/** How many dates from today on are read once: orders that are scheduled. */
const DATES_AHEAD = 14;

/** What the cursor of the stream `backfill` holds. */
interface PastCursor {
  /** Whether the current date was read. */
  today?: boolean;
  /** The first date (YYYYMMDD) of which time entries were read. */
  entriesFrom?: number;
  /** Up to which date (YYYYMMDD) after the current one scheduled orders were read. */
  aheadTo?: number;
}

/** The dates from `from` to `to`, newest first. */
function* datesBackwards(from: number, to: number): Generator<number> {
  for (let date = to; date >= from; date = addDays(date, -1)) yield date;
}

/**
 * Reads the current date, which live reading sees only from the moment of connecting on, and those that were current
 * since the past was planned.
 */
async function readToday(member: Member, cursor: PastCursor): Promise<void> {
  const { backfillTo } = member.row;
  if (cursor.today) return;
  const today = todayOf(member);
  const first = backfillTo === null ? today : Math.min(today, addDays(backfillTo, 1));
  for (const date of datesBackwards(first, today)) {
    await readWholeDates(member, 'orders', date, date);
    await readWholeDates(member, 'timeEntries', date, date);
  }
  cursor.today = true;
  await saveStream(member, 'backfill', { cursor: { ...cursor } });
}

/** Reads the time entries of a date, together with those of earlier dates as far as one call has them. */
async function readEntries(member: Member, cursor: PastCursor, from: number, date: number): Promise<void> {
  const { timeEntries } = member.source;
  if (!timeEntries || (cursor.entriesFrom !== undefined && cursor.entriesFrom <= date)) return;
  const first = Math.max(from, addDays(date, 1 - timeEntries.datesAtOnce));
  await readWholeDates(member, 'timeEntries', first, date);
  cursor.entriesFrom = first;
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
  await readWholeDates(member, 'orders', first, date);
  const rows = [...datesBackwards(first, date)].map((one) => readRow(member, one));
  const read = { cursor: { ...cursor }, lastAt: member.deps.clock() };
  await saveStream(member, 'backfill', read, rows);
  await saveRow(member, { backfillDone: first });
  return true;
}

/** Reads the next dates to come, as many as one call of the source has. False when none is left. */
async function readAhead(member: Member, cursor: PastCursor): Promise<boolean> {
  const today = todayOf(member);
  const from = addDays(Math.max(today, cursor.aheadTo ?? 0), 1);
  const last = addDays(today, DATES_AHEAD - 1);
  if (from > last) return false;
  const to = Math.min(last, addDays(from, member.source.orders.datesAtOnce - 1));
  await readWholeDates(member, 'orders', from, to);
  cursor.aheadTo = to;
  await saveStream(member, 'backfill', { cursor: { ...cursor }, lastAt: member.deps.clock() });
  return true;
}

/**
 * Reads the next part of the past, as much as one call of the source has, and lets whatever is more urgent go first
 * after each page. The stream stays due until its end. Throws SourceError, LeaseLost, and what a load throws.
 */
export async function readPast(member: Member): Promise<void> {
  const cursor: PastCursor = Object.assign({}, streamOf(member, 'backfill').cursor);
  await readToday(member, cursor);
  if ((await readRequestedDate(member)) || (await readNextDates(member, cursor)) || (await readAhead(member, cursor)))
    return;
  await saveRead(member, 'backfill', NOT_DUE, { cursor: { today: true } });
}

/**
 * Restaurants whose dates are files in folders: which dates are imported, when. A date is imported once two listings of
 * its files, ten minutes apart, are equal, and again when they differ from those that were imported.
 */
import { createHash } from 'node:crypto';
import { isSourceError, type SourceError } from '@daypart/client/source';
import { businessDateOf } from '../contract/clock.ts';
import { addDays } from '../contract/dates.ts';
import { Problem } from '../contract/problems.ts';
import { HOUR_MS, MINUTE_MS } from '../contract/time.ts';
import type { DayReport } from '../import/import.ts';
import { LARGEST_EXPORT_BYTES } from '../import/receive.ts';
import type { ConnectionStream, Stream } from '../ledger/connection.ts';
import { AFTER_CLOSEOUT_MS, endOf, readRow } from './date-row.ts';
import { fromSource } from './failures.ts';
import type { ListedDay } from './folder-source.ts';
import { type FolderMember, NOT_DUE, saveRead, saveRow, saveStream, setWarning, streamOf } from './member.ts';
import { saveFound, saveMissing } from './restaurant-settings.ts';

/** Between two listings that have to agree. */
const SETTLE_MS = 10 * MINUTE_MS;
/** While a date is expected, and otherwise. */
const EXPECTED_MS = 20 * MINUTE_MS;
const USUAL_MS = 6 * HOUR_MS;
/** A date that is missing so long after its end is late, or that waits for so long. */
const LATE_MS = 6 * HOUR_MS;
const FOUND_MS = HOUR_MS;
/** The point of sale removes a date after so many days. */
const KEPT_DAYS = 7;
/** For so many days it is remembered what was imported of a date, and shown that it is missing. */
const REMEMBERED_DAYS = 40;
const MOST_REQUESTED = 50;
const MOST_SHOWN = 20;
/** Errors that are of the files of one date: the others are imported all the same. */
const OF_A_DATE: readonly string[] = ['upstream_error', 'upstream_changed', 'no_permission', 'restaurant_unknown'];
/** Who imports, in the list of imports. */
const CLIENT = 'connection';

interface KnownDay {
  /** What was listed last, and since when (ms). */
  seen: string;
  seenAt: number;
  /** Since when it differs from what was imported (ms). */
  waitsSince?: number;
  /** What was imported. */
  imported?: string;
  /** Whether nothing of it could be loaded. */
  isRefused?: boolean;
}

/** What the cursor of the stream `orders` holds. */
interface DaysCursor {
  /** By date, YYYYMMDD. */
  days: Record<string, KnownDay>;
  /** The first date that is expected (YYYYMMDD). */
  from: number;
  /** When the restaurant is late unless a date has come (ms), and which one (YYYYMMDD). */
  lateAt: number;
  awaited: number;
}

/** Names, sizes and times of files in short: one that was written again has another. */
const signatureOf = ({ files }: ListedDay): string =>
  createHash('sha256')
    .update(JSON.stringify(files.map(({ name, size, modifiedAt }) => [name, size, modifiedAt])))
    .digest('base64url')
    .slice(0, 22);

/** The date of the restaurant's clock, and the last one that is over for an hour. */
function folderDates({ restaurant, now }: FolderMember): { today: number; expected: number } {
  const at = now();
  const today = businessDateOf(at, restaurant.timeZone, restaurant.closeoutHour);
  const yesterday = addDays(today, -1);
  const isOver = at >= endOf(yesterday, restaurant) + AFTER_CLOSEOUT_MS;
  return { today, expected: isOver ? yesterday : addDays(yesterday, -1) };
}

async function listedDays(member: FolderMember): Promise<ListedDay[]> {
  const { source, context, row, signal } = member;
  const days = await member.inTurn('orders', () => fromSource(signal, () => source.days(context, row.upstreamId)));
  const { today } = folderDates(member);
  return days.filter(({ date, files }) => files.length > 0 && date <= today && date >= (row.notBefore ?? 0));
}

const bytesOf = ({ files }: ListedDay): number => files.reduce((sum, { size }) => sum + size, 0);

/** Imports a date; undefined if its files are too large. */
async function importDay(member: FolderMember, day: ListedDay): Promise<DayReport | undefined> {
  const { deps, restaurant, row, source, context, signal } = member;
  const bytes = bytesOf(day);
  if (bytes > LARGEST_EXPORT_BYTES) return undefined;
  const fetch = (path: string): Promise<void> =>
    member.inTurn('orders', () => fromSource(signal, () => source.fetch(context, row.upstreamId, day, path)));
  try {
    return await deps.importDay({ restaurant, date: day.date, bytes, clientId: CLIENT, signal, fetch });
  } catch (error) {
    if (error instanceof Problem && error.code === 'body_too_large') return undefined;
    throw error;
  }
}

/** What a report adds to the counters of the stream. */
function countersOf(
  before: ConnectionStream,
  { orders, timeEntries, unchanged, files }: DayReport,
): Pick<ConnectionStream, 'fetched' | 'changed' | 'rejected' | 'errorDetail'> {
  const notRead = files.flatMap(({ file, notRead: rows }) =>
    rows.map((one) => ({ file, line: one.line, message: one.message })),
  );
  const rejected = files.reduce((sum, { notReadCount }) => sum + notReadCount, 0);
  const details = notRead.slice(0, MOST_SHOWN).map(({ file, line, message }) => ({
    guid: null,
    pointer: line === null ? file : `${file}:${line}`,
    message,
  }));
  return {
    fetched: before.fetched + orders + timeEntries + rejected,
    changed: before.changed + orders + timeEntries - unchanged,
    rejected: before.rejected + rejected,
    errorDetail: details.length > 0 ? details : before.errorDetail,
  };
}

/** Imports a date and saves that at once, so that a crash repeats one date at most. */
async function take(member: FolderMember, cursor: DaysCursor, day: ListedDay): Promise<void> {
  const { deps, connection } = member;
  const signature = signatureOf(day);
  const report = await importDay(member, day);
  const before = streamOf(member, 'orders');
  const isRefused = report === undefined || report.problem !== null;
  const known = { seen: signature, seenAt: deps.clock(), imported: signature };
  cursor.days[day.date] = isRefused ? Object.assign(known, { isRefused }) : known;
  const counters = report ? countersOf(before, report) : {};
  const read = { cursor: structuredClone({ ...cursor }), lastAt: deps.clock() };
  await saveStream(member, 'orders', Object.assign(read, counters), isRefused ? [] : [readRow(member, day.date)]);
  if (!report) return;
  const { orders, timeEntries, unchanged } = report;
  const { changed, rejected } = streamOf(member, 'orders');
  const counts = { changed: changed - before.changed, unchanged, rejected: rejected - before.rejected };
  if (orders + timeEntries + rejected > 0) deps.counts?.onRecords(connection.kind, 'orders', counts);
}

/** Up to when everything is read, and when it is read next. */
interface Progress {
  /** Undefined before the first import. */
  readUntil: number | undefined;
  nextAt: number;
  /** The latest date that did not come while the point of sale kept it. */
  missed: number | undefined;
}

function progressOf(member: FolderMember, cursor: DaysCursor): Progress {
  const { restaurant } = member;
  const { today, expected } = folderDates(member);
  const now = member.now();
  const all = Object.values(cursor.days);
  const isDone = (date: number): boolean => cursor.days[date]?.imported !== undefined;
  const oldest = addDays(today, -KEPT_DAYS);
  let [awaited, missed]: [number | undefined, number | undefined] = [undefined, undefined];
  for (let date = Math.max(cursor.from, addDays(today, -REMEMBERED_DAYS)); date <= expected; date = addDays(date, 1)) {
    if (isDone(date)) continue;
    if (date < oldest) missed = date;
    else awaited ??= date;
  }
  cursor.awaited = awaited ?? addDays(expected, 1);
  // One that was found later than it should have come is not late while it settles.
  const found = cursor.days[cursor.awaited]?.waitsSince ?? 0;
  cursor.lateAt = Math.max(endOf(cursor.awaited, restaurant) + LATE_MS, found + FOUND_MS);
  const waiting = all.filter(({ seen, imported }) => seen !== imported).map(({ seenAt }) => seenAt + SETTLE_MS);
  const usual = Math.min(now + USUAL_MS, endOf(addDays(expected, 1), restaurant) + AFTER_CLOSEOUT_MS);
  const nextAt = Math.min(...waiting, awaited === undefined ? usual : now + EXPECTED_MS);
  const hasBegun = all.some(({ imported }) => imported !== undefined);
  const readUntil = hasBegun ? endOf(addDays(cursor.awaited, -1), restaurant) : undefined;
  return { readUntil, nextAt: Math.max(nextAt, now + MINUTE_MS), missed };
}

/** The cursor as it was kept, without dates that the point of sale removed long ago. */
function cursorOf(member: FolderMember, listed: readonly ListedDay[]): DaysCursor {
  const { today, expected } = folderDates(member);
  const kept = streamOf(member, 'orders').cursor as DaysCursor | null;
  const first = Math.max(member.row.notBefore ?? 0, Math.min(listed[0]?.date ?? expected, expected));
  const oldest = addDays(today, -REMEMBERED_DAYS);
  const dates = new Set(listed.map(({ date }) => date));
  const days = Object.entries(kept?.days ?? {}).filter(([date, { imported }]) =>
    dates.has(Number(date)) ? true : imported !== undefined && Number(date) >= oldest,
  );
  return {
    days: Object.fromEntries(days.map(([date, day]) => [date, dates.has(Number(date)) ? day : gone(day)])),
    from: kept?.from ?? first,
    lateAt: kept?.lateAt ?? 0,
    awaited: kept?.awaited ?? 0,
  };
}

/** A date whose folder was removed waits for nothing. */
const gone = (day: KnownDay): KnownDay => Object.assign({}, day, { seen: day.imported ?? day.seen });

/** Whether a date is to be imported now; notes what was listed of it. */
function isDue({ deps }: FolderMember, { days }: DaysCursor, day: ListedDay): boolean {
  const signature = signatureOf(day);
  const known = days[day.date];
  if (known?.seen !== signature) {
    const seenAt = deps.clock();
    days[day.date] = Object.assign({ waitsSince: seenAt }, known, { seen: signature, seenAt });
    return false;
  }
  return known.imported !== signature && deps.clock() - known.seenAt >= SETTLE_MS;
}

/** Lists the dates and imports those that are new, were written again, or are asked for. */
async function readDays(member: FolderMember): Promise<void> {
  const listed = await listedDays(member);
  const cursor = cursorOf(member, listed);
  let failed: SourceError | undefined;
  for (const day of listed) {
    if (!isDue(member, cursor, day)) continue;
    member.signal.throwIfAborted();
    try {
      await take(member, cursor, day);
    } catch (error) {
      if (!isSourceError(error) || !OF_A_DATE.includes(error.code)) throw error;
      failed ??= error;
    }
  }
  const { readUntil, nextAt, missed } = progressOf(member, cursor);
  const refused = Object.values(cursor.days).some(({ isRefused }) => isRefused);
  await setWarning(member, 'export_missed', missed !== undefined);
  await setWarning(member, 'export_refused', refused);
  const read = { cursor: structuredClone({ ...cursor }), readUntil: readUntil ?? null };
  if (!failed) return await saveRead(member, 'orders', nextAt, read);
  await saveStream(member, 'orders', read);
  throw failed;
}

/** Makes dates that somebody asked for due, as if they had not been imported. */
async function readRequestedDate(member: FolderMember): Promise<void> {
  const { deps, connection, row } = member;
  for (;;) {
    const dates = await deps.ledger.unreadDates(connection.id, row.upstreamId, MOST_REQUESTED);
    if (dates.length === 0) break;
    const { cursor, nextAt } = streamOf(member, 'orders');
    const kept = structuredClone(cursor) as DaysCursor | null;
    for (const date of dates) delete kept?.days[date]?.imported;
    await saveStream(member, 'orders', { cursor: kept && { ...kept }, nextAt: Math.min(nextAt, deps.clock()) });
    for (const date of dates) {
      const [known] = await deps.ledger.connectionDates(connection.id, row.upstreamId, date, date);
      await saveStream(member, 'backfill', {}, [
        Object.assign(readRow(member, date), { checkedAt: known?.checkedAt ?? null }),
      ]);
    }
  }
  await saveRead(member, 'backfill', NOT_DUE);
}

/** Looks whether the folder of the restaurant is there; its settings are ours. */
async function readFolder(member: FolderMember): Promise<void> {
  const { source, context, row, signal } = member;
  const { folders } = await member.inTurn('settings', () => fromSource(signal, () => source.folders(context)));
  if (!folders.includes(row.upstreamId)) return await saveMissing(member);
  if (row.backfillFrom === null) {
    // No past is read date by date: what the server has is read at once.
    const { today } = folderDates(member);
    await saveRow(member, { backfillFrom: today, backfillTo: addDays(today, -1) });
  }
  await saveFound(member);
}

/** Reads a stream of such a restaurant. Throws SourceError, LeaseLost, and what an import throws. */
export async function readFolderStream(member: FolderMember, stream: Stream): Promise<void> {
  if (stream === 'settings') await readFolder(member);
  else if (stream === 'backfill') await readRequestedDate(member);
  else await readDays(member);
}

/**
 * The nightly check: a date that is over is read again as a whole, and later once more, so that what live reading has
 * missed is found, counted and loaded.
 */
import { businessDateOf } from '../contract/clock.ts';
import { addDays } from '../contract/dates.ts';
import { Problem } from '../contract/problems.ts';
import { DAY_MS, HOUR_MS } from '../contract/time.ts';
import { removeOrder } from '../ingest/remove-order.ts';
import type { ConnectionDate, OrderDifference, Stream } from '../ledger/connection.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { isImported } from './choose.ts';
import { AFTER_CLOSEOUT_MS, endOf } from './date-row.ts';
import { fromSource } from './failures.ts';
import { type Member, type RecordKind, saveRead, saveStream, streamOf, todayOf } from './member.ts';
import { countersOf, loadRecords, type ReadTally, readPages } from './record-pages.ts';

/** Dates that are remembered. */
const REMEMBERED_DAYS = 400;
/** Stored orders that an answer lacks, which are read one by one: the most of a date. */
const MOST_SINGLE = 50;
/** It is remembered for so long that an order was missing: longer than between two checks of its date. */
const MISSING_MS = 40 * DAY_MS;

/** When a date is checked (ms): an hour after it ended, and then some days later each. */
function checkTimes(date: number, restaurant: Restaurant, checkDays: readonly number[]): number[] {
  const first = endOf(date, restaurant) + AFTER_CLOSEOUT_MS;
  return [first, ...checkDays.map((days) => first + days * DAY_MS)];
}

interface Due {
  /** Newest first. */
  dates: number[];
  /** When the next check is due after these (ms). */
  nextAt: number;
}

/**
 * The dates to check now: those whose last check was before one of their times, or that were never checked. A date of
 * the past that is not read yet is not among them.
 */
function dueChecks(
  {
    rows,
    backfillTo,
    restaurant,
    checkDays,
  }: {
    /** When each was checked last, by the clock of the point of sale. */
    rows: readonly Pick<ConnectionDate, 'businessDate' | 'checkedAt'>[];
    backfillTo: number;
    restaurant: Restaurant;
    checkDays: readonly number[];
  },
  now: number,
): Due {
  const today = businessDateOf(now, restaurant.timeZone, restaurant.closeoutHour);
  const byDate = new Map(rows.map((row) => [row.businessDate, row]));
  const live: number[] = [];
  for (
    let date = Math.max(addDays(backfillTo, 1), addDays(today, -REMEMBERED_DAYS));
    date <= today;
    date = addDays(date, 1)
  )
    live.push(date);
  const dates: number[] = [];
  let nextAt = Number.POSITIVE_INFINITY;
  for (const date of new Set([...live, ...byDate.keys()])) {
    const checkedAt = byDate.get(date)?.checkedAt ?? Number.NEGATIVE_INFINITY;
    const times = checkTimes(date, restaurant, checkDays).filter((time) => time > checkedAt);
    if (times.some((time) => time <= now)) dates.push(date);
    nextAt = Math.min(nextAt, ...times.filter((time) => time > now));
  }
  return { dates: dates.sort((a, b) => b - a), nextAt };
}

/** Reads a date again, and counts records that live reading should have brought. */
async function checkKind(member: Member, kind: RecordKind, date: number): Promise<ReadTally | undefined> {
  const records = member.source[kind];
  if (!records) return undefined;
  const before = streamOf(member, 'check');
  const { readUntil } = streamOf(member, kind);
  const read = { stream: 'check', kind, pages: records.dates(member.contextOf('check'), date, date) } as const;
  const tally = await readPages(member, readUntil === null ? read : { ...read, knownUntil: readUntil }, () =>
    member.serveBefore('check'),
  );
  if (kind === 'orders') await readMissing(member, 'check', date, tally);
  await saveStream(member, 'check', countersOf(before, tally));
  if (tally.missed > 0) member.deps.counts?.onCheckFound(kind, tally.missed);
  return tally;
}

/** When orders were missing at the point of sale for the first time (ms), by GUID: in the cursor of `check`. */
const missingOf = (member: Member): Record<string, number> =>
  Object.assign({}, streamOf(member, 'check').cursor?.missing as Record<string, number> | undefined);

/**
 * Orders of the date that are stored and were not in the answer: read one by one, and deleted where they are gone
 * twice, an hour apart. `differs` is called with each that was stored otherwise.
 */
export async function readMissing(
  member: Member,
  stream: Stream,
  date: number,
  tally: ReadTally,
  differs?: (guid: string, difference: OrderDifference) => void,
): Promise<void> {
  const { deps, source, restaurant, signal } = member;
  const { one } = source.orders;
  // A point of sale that shows nothing of a date at all is more likely not to show it than to have deleted everything.
  if (!one || tally.guids.size === 0) return;
  const now = deps.clock();
  const missing = missingOf(member);
  for (const [guid, since] of Object.entries(missing)) if (since < now - MISSING_MS) delete missing[guid];
  const stored = await deps.facts.ordersOf(restaurant.id, date);
  const unlisted = stored.filter((each) => !tally.guids.has(each) && !isImported(each));
  // As on most dates: nothing is remembered, and nothing to be.
  if (unlisted.length === 0 && Object.keys(missing).length === 0) return;
  for (const guid of unlisted.slice(0, MOST_SINGLE)) {
    const record = await member.inTurn(stream, () => fromSource(signal, () => one(member.contextOf(stream), guid)));
    const changed = record ? await loadRecords(member, 'orders', [record], tally) : 1;
    tally.missed += changed;
    if (changed > 0) differs?.(guid, record ? 'changed' : 'deleted');
    if (record) {
      delete missing[guid];
      continue;
    }
    const since = missing[guid] ?? now;
    missing[guid] = since;
    if (since > now - HOUR_MS) continue;
    delete missing[guid];
    await removeOrder(deps, restaurant, guid, false).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
    });
  }
  await saveStream(member, 'check', { cursor: { missing } });
}

/**
 * Checks the newest date that is due; the stream stays due while others are. Throws SourceError, LeaseLost, and what a
 * load throws.
 */
export async function checkDates(member: Member): Promise<void> {
  const { deps, connection, row, restaurant } = member;
  const { backfillTo } = row;
  if (backfillTo === null) return await saveRead(member, 'check', deps.clock() + DAY_MS);
  const today = todayOf(member);
  const from = addDays(today, -REMEMBERED_DAYS);
  const rows = await deps.ledger.connectionDates(connection.id, row.upstreamId, from, today);
  const ofSource = member.now() - deps.clock();
  const { dates, nextAt } = dueChecks(
    {
      rows: rows.map(({ businessDate, checkedAt }) => ({
        businessDate,
        checkedAt: checkedAt === null ? null : checkedAt + ofSource,
      })),
      backfillTo,
      restaurant,
      checkDays: connection.settings.checkDays,
    },
    member.now(),
  );
  const date = dates.find((one) => row.notBefore === null || one >= row.notBefore);
  if (date === undefined) return await saveRead(member, 'check', nextAt - ofSource);
  const entries = await checkKind(member, 'timeEntries', date);
  const orders = await checkKind(member, 'orders', date);
  const found = (orders?.missed ?? 0) + (entries?.missed ?? 0);
  const now = deps.clock();
  const known = rows.find(({ businessDate }) => businessDate === date);
  const checked = {
    connection: connection.id,
    upstreamId: row.upstreamId,
    businessDate: date,
    readAt: known?.readAt ?? now,
    checkedAt: now,
    checkFound: (known?.checkFound ?? 0) + found,
    differences: known?.differences ?? null,
  };
  await saveStream(member, 'check', { lastAt: now }, [checked]);
}

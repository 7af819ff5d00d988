/** Instants, and the local business date and hour that they fall on (docs/metrics.md#sales-metrics). */
import { addDays, toUtc } from './dates.ts';
import { DAY_MS, HOUR_MS } from './time.ts';

/**
 * Offsets are cached by quarter hours of UTC; since SLOTS_FROM only a few changes fall inside one (Casey 2020, 0:01). A
 * quarter hour takes two calls of Intl, a day without a change five: no zone has two changes within six hours.
 */
const SLOT_MS = 15 * 60_000;
const PROBE_MS = 6 * HOUR_MS;
const SLOTS_FROM = Date.UTC(1973, 0, 1);
/** A year has 35,040 slots, but only days on which the offset changes have any. */
const SLOTS_KEPT = 40_000;
const ZONES_KEPT = 16;

/** From here on, local dates are within the years 1000 to 9999 in every zone. */
const FIRST_INSTANT = Date.UTC(1000, 0, 2);
const LAST_INSTANT = Date.UTC(9999, 11, 30);

interface Zone {
  format: Intl.DateTimeFormat;
  /** UTC offset in milliseconds by slot; NaN if it changes inside the slot. */
  offsets: Map<number, number>;
  /** The same by day of UTC. */
  dayOffsets: Map<number, number>;
}

const zones = new Map<string, Zone>();

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

/** Whether the text names an IANA time zone; bare offsets such as `+02:00` do not count. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    makeFormat(name);
    return true;
  } catch {
    return false;
  }
}

function zoneOf(timeZone: string): Zone {
  let zone = zones.get(timeZone);
  if (!zone) {
    if (zones.size >= ZONES_KEPT) zones.clear();
    zone = { format: makeFormat(timeZone), offsets: new Map(), dayOffsets: new Map() };
    zones.set(timeZone, zone);
  }
  return zone;
}

/** The zone's UTC offset in milliseconds at a whole second. */
function offsetAt(format: Intl.DateTimeFormat, instant: number): number {
  const at: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(instant)) at[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = at;
  return Date.UTC(year, month - 1, day, hour, minute, second) - instant;
}

/** The offset of a span of UTC in milliseconds, NaN if it is not the same at the instants that divide it. */
function steadyOffset(format: Intl.DateTimeFormat, from: number, length: number, step: number): number {
  const offset = offsetAt(format, from);
  for (let at = step; at < length; at += step) if (offsetAt(format, from + at) !== offset) return Number.NaN;
  return offsetAt(format, from + length - 1000) === offset ? offset : Number.NaN;
}

/** The offset of the span that an instant is in, computed once. */
function spanOffset(
  { format }: Zone,
  known: Map<number, number>,
  instant: number,
  length: number,
  step: number,
): number {
  const span = Math.floor(instant / length);
  let offset = known.get(span);
  if (offset === undefined) {
    if (known.size >= SLOTS_KEPT) known.clear();
    offset = steadyOffset(format, span * length, length, step);
    known.set(span, offset);
  }
  return offset;
}

/** The instant plus the zone's offset (ms): formatted as UTC, it shows the local time. */
export function wallClock(instant: number, timeZone: string): number {
  const zone = zoneOf(timeZone);
  const second = Math.floor(instant / 1000) * 1000;
  if (instant < SLOTS_FROM) return instant + offsetAt(zone.format, second);
  const ofDay = spanOffset(zone, zone.dayOffsets, instant, DAY_MS, PROBE_MS);
  if (!Number.isNaN(ofDay)) return instant + ofDay;
  const offset = spanOffset(zone, zone.offsets, instant, SLOT_MS, SLOT_MS);
  return instant + (Number.isNaN(offset) ? offsetAt(zone.format, second) : offset);
}

/** The local time at an instant (ms since 1970 UTC), cut to the second, in milliseconds as if it were UTC. */
export const wallSecond = (instant: number, timeZone: string): number =>
  Math.floor(wallClock(instant, timeZone) / 1000) * 1000;

let lastDay = Number.NaN;
let lastDate = 0;

/** YYYYMMDD of a day counted from 1970; cached, because consecutive calls mostly ask for the same day. */
function dateOfDay(day: number): number {
  if (day !== lastDay) {
    const at = new Date(day * DAY_MS);
    lastDay = day;
    lastDate = at.getUTCFullYear() * 10000 + (at.getUTCMonth() + 1) * 100 + at.getUTCDate();
  }
  return lastDate;
}

/** The local calendar date (YYYYMMDD) and clock hour (0 to 23) of an instant (ms UTC) in an IANA time zone. */
export function localTime(instantMs: number, timeZone: string): { date: number; hour: number } {
  const wall = wallClock(instantMs, timeZone);
  const day = Math.floor(wall / DAY_MS);
  return { date: dateOfDay(day), hour: Math.floor((wall - day * DAY_MS) / HOUR_MS) };
}

/**
 * The local date, or the date before if the local hour is before the closeout hour (businessDate in
 * docs/metrics.md#sales-metrics).
 */
export function businessDateOf(instantMs: number, timeZone: string, closeoutHour: number): number {
  const { date, hour } = localTime(instantMs, timeZone);
  return hour < closeoutHour ? addDays(date, -1) : date;
}

/** The first instant at which the clock of a zone changes between two, whose offsets differ. */
function changeBetween(before: number, after: number, timeZone: string): number {
  const offset = wallClock(before, timeZone) - before;
  let [same, other] = [before, after];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (wallClock(middle, timeZone) - middle === offset) same = middle;
    else other = middle;
  }
  return other;
}

/**
 * When the clock of a zone first shows a local time or a later one, and from when on it shows no earlier one;
 * milliseconds.
 */
function passagesOf(wall: number, timeZone: string): { first: number; last: number } {
  // No zone is farther than 14 hours from UTC, and none changes its clock twice within two days.
  const [earlier, later] = [wall - DAY_MS, wall + DAY_MS];
  const before = wall - (wallClock(earlier, timeZone) - earlier);
  const after = wall - (wallClock(later, timeZone) - later);
  if (before === after) return { first: before, last: before };
  const change = changeBetween(earlier, later, timeZone);
  return {
    first: before < change ? before : Math.max(change, after),
    last: after > change ? after : Math.min(change, before),
  };
}

/**
 * The instants (ms UTC) on the business dates of a span (YYYYMMDD, both inclusive): `from` is the first, `until`
 * follows the last. Where a clock goes back over the closeout hour, as in Chatham, the minutes that are on the next
 * date before that are among them.
 */
export function instantsOf(
  { startDate, endDate }: { startDate: number; endDate: number },
  { timeZone, closeoutHour }: { timeZone: string; closeoutHour: number },
): { from: number; until: number } {
  const opens = (date: number): number => toUtc(date) + closeoutHour * HOUR_MS;
  return {
    from: passagesOf(opens(startDate), timeZone).first,
    until: passagesOf(opens(addDays(endDate, 1)), timeZone).last,
  };
}

const digit = (text: string, at: number): number => {
  const code = text.charCodeAt(at) - 48;
  return code >= 0 && code <= 9 ? code : Number.NaN;
};
const two = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1);

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const daysIn = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (MONTH_DAYS[month - 1] ?? 0);

let lastRead = Number.NaN;
let lastMidnight = 0;

/**
 * The start of a date in UTC, in ms since 1970; cached, because the dates of an order and of the one after it are
 * mostly the same.
 */
function midnightOf(year: number, month: number, day: number): number {
  const date = year * 10000 + month * 100 + day;
  if (date !== lastRead) {
    lastRead = date;
    lastMidnight = Date.UTC(year, month - 1, day);
  }
  return lastMidnight;
}

/**
 * Reads `2026-01-01T14:13:12.000+0000`, `…Z`, `…+01:00`, with or without a fraction (cut to milliseconds), as
 * milliseconds since 1970 UTC. Undefined if it is not a date-time of the calendar from the year 1000 to 9999, or has no
 * offset.
 */
export function parseInstant(text: string): number | undefined {
  const { length } = text;
  if (length < 20 || length > 40) return undefined;
  if (text[4] !== '-' || text[7] !== '-' || text[13] !== ':' || text[16] !== ':') return undefined;
  if (text[10] !== 'T' && text[10] !== 't' && text[10] !== ' ') return undefined;
  const year = two(text, 0) * 100 + two(text, 2);
  const month = two(text, 5);
  const day = two(text, 8);
  const hour = two(text, 11);
  const minute = two(text, 14);
  const second = two(text, 17);
  // NaN, the value of anything that is not a digit, fails every comparison.
  if (!(year >= 1000 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return undefined;
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  let at = 19;
  let milliseconds = 0;
  if (text[at] === '.') {
    at++;
    const first = at;
    for (let weight = 100; digit(text, at) >= 0; at++, weight /= 10) {
      if (weight >= 1) milliseconds += digit(text, at) * weight;
    }
    if (at === first) return undefined;
  }
  const offset = readOffset(text, at);
  if (offset === undefined) return undefined;
  const instant = midnightOf(year, month, day) + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds;
  return instant >= FIRST_INSTANT && instant <= LAST_INSTANT ? instant : undefined;
}

/**
 * What the fraction of a date-time that `parseInstant` reads has beyond milliseconds, in nanoseconds; more digits are
 * cut.
 */
export function nanosOf(text: string): number {
  let nanos = 0;
  if (text[19] !== '.') return nanos;
  for (let at = 20, weight = 1e8; digit(text, at) >= 0 && weight >= 1; at++, weight /= 10) {
    if (weight < 1e6) nanos += digit(text, at) * weight;
  }
  return nanos;
}

/** The minutes of `Z`, `+0000`, `+00:00` or `+00` at this place, which must end the text. */
function readOffset(text: string, at: number): number | undefined {
  const sign = text[at];
  const rest = text.length - at;
  if (sign === 'Z' || sign === 'z') return rest === 1 ? 0 : undefined;
  if (sign !== '+' && sign !== '-') return undefined;
  const hours = two(text, at + 1);
  let minutes = 0;
  if (rest === 5) minutes = two(text, at + 3);
  else if (rest === 6 && text[at + 3] === ':') minutes = two(text, at + 4);
  else if (rest !== 3) return undefined;
  if (!(hours <= 18 && minutes <= 59)) return undefined;
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
}

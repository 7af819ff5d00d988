/** Wall clocks of the naive model: what Intl writes for an instant, read back from its text. */
import fc from 'fast-check';
import { LAWS, SEED } from './laws.ts';

export const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
/**
 * All of them where as many cases are asked for; else so many, drawn by the seed of the laws, and those that are named.
 */
export const drawZones = (...named: string[]): string[] => {
  if (LAWS >= ZONES.length) return ZONES;
  const size = { minLength: LAWS, maxLength: LAWS };
  const [drawn = []] = fc.sample(fc.shuffledSubarray(ZONES, size), { seed: SEED, numRuns: 1 });
  return [...new Set([...named, ...drawn])];
};
const START = Date.UTC(2020, 0, 1);
const END = Date.UTC(2036, 0, 1);
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The wall clock of a zone as `2026-03-08 03:00:00`. */
export function wallText(instant: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    // Swedish writes dates and times as ISO 8601 does.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(timeZone, format);
  }
  return format.format(instant);
}

export const instantOf = (text: string): number => new Date(text.replace(/\+0000$/, 'Z')).getTime();

export function wallClock(instant: number, timeZone: string): { date: string; hour: number } {
  const text = wallText(instant, timeZone);
  return { date: text.slice(0, 10).replaceAll('-', ''), hour: Number(text.slice(11, 13)) };
}

/** The day before, walking back from noon. */
export function dayBefore(date: string): string {
  const day = new Date(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T12:00:00Z`);
  day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10).replaceAll('-', '');
}

export function businessDateOf(instant: number, place: { timeZone: string; closeoutHour: number }): string {
  const { date, hour } = wallClock(instant, place.timeZone);
  return hour >= place.closeoutHour ? date : dayBefore(date);
}

/** How far the wall clock is from UTC, at a whole second. */
export const offsetAt = (instant: number, zone: string): number =>
  Date.parse(`${wallText(instant, zone).replace(' ', 'T')}Z`) - instant;

/**
 * The first instants of each offset from 2020 to 2035, by looking at every day and halving the days on which it
 * differs.
 */
export function changesOf(zone: string): number[] {
  const changes: number[] = [];
  let offset = offsetAt(START, zone);
  for (let day = START; day < END; day += DAY) {
    if (offsetAt(day + DAY, zone) === offset) continue;
    let [same, other] = [day, day + DAY];
    while (other - same > 1000) {
      const middle = Math.floor((same + other) / 2000) * 1000;
      if (offsetAt(middle, zone) === offset) same = middle;
      else other = middle;
    }
    changes.push(other);
    offset = offsetAt(day + DAY, zone);
  }
  return changes;
}

const hours = new Map<string, Map<number, number>>();

/** The clock hour of a minute; kept, since a shift asks for each of its minutes. */
function hourOf(minute: number, timeZone: string): number {
  const known = hours.get(timeZone) ?? new Map<number, number>();
  hours.set(timeZone, known);
  const hour = known.get(minute) ?? wallClock(minute, timeZone).hour;
  known.set(minute, hour);
  return hour;
}

/**
 * Milliseconds that a shift spends in each local clock hour, minute by minute, the hour that it meets first at first.
 */
export function clockHours(inAt: number, outAt: number, timeZone: string): Map<number, bigint> {
  const first = Math.floor(inAt / MINUTE) * MINUTE;
  // Without length it is wholly in its first hour, and so is one of more than 31 days: a mistyped date.
  if (outAt <= inAt || outAt - inAt > 31 * DAY) return new Map([[hourOf(first, timeZone), 1n]]);
  const spent = new Map<number, bigint>();
  for (let minute = first; minute < outAt; minute += MINUTE) {
    const elapsed = Math.min(outAt, minute + MINUTE) - Math.max(inAt, minute);
    const hour = hourOf(minute, timeZone);
    spent.set(hour, (spent.get(hour) ?? 0n) + BigInt(elapsed));
  }
  return spent;
}

/** Converts local date-times of an export, which have no zone, to instants. */

import { parseInstant, wallClock } from '../contract/clock.ts';
import { DAY_MS } from '../contract/time.ts';
import { CellProblem } from './cell-values.ts';

/** When a local clock showed a time. */
export interface Moment {
  /** Milliseconds since 1970 UTC; the first of the two if the clock showed it twice. */
  at: number;
  /** The second of the two; otherwise the same. */
  again: number;
}

const DATE = /^(\d{1,2}\/\d{1,2}\/(\d{4}|\d{2})|\d{4}-\d{1,2}-\d{1,2})$/;
const SPACE = '[\\s,]+';
const CLOCK = '(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.\\d{1,9})?)?(?:\\s*([AP])\\.?M\\.?)?';
const MONTH_FIRST = new RegExp(`^(\\d{1,2})/(\\d{1,2})/(\\d{4}|\\d{2})${SPACE}${CLOCK}$`, 'i');
const YEAR_FIRST = new RegExp(`^(\\d{4})-(\\d{1,2})-(\\d{1,2})(?:T|${SPACE})${CLOCK}$`, 'i');

/**
 * Reads `10/08/2026 17:18:09`, `10/08/2026 17:18`, `10/8/26 5:18 PM` (with or without seconds, two or four digits of
 * the year) and
 * `2026-10-08 17:18:09`; with an offset (`…Z`, `…+00:00`) it is that instant. The month comes first, as in the export.
 */
export function readMoment(text: string, timeZone: string): Moment {
  const instant = parseInstant(text);
  if (instant !== undefined) return { at: instant, again: instant };
  return momentOf(readWall(text), timeZone);
}

/** As `readMoment`, or the date alone: YYYYMMDD. */
export function readMomentOrDate(text: string, timeZone: string): Moment | number {
  if (!DATE.test(text)) return readMoment(text, timeZone);
  const noon = new Date(readWall(`${text} 12:00`));
  return noon.getUTCFullYear() * 10000 + (noon.getUTCMonth() + 1) * 100 + noon.getUTCDate();
}

/** A local date and time, as the milliseconds at which UTC shows the same. */
function readWall(text: string): number {
  const monthFirst = MONTH_FIRST.exec(text);
  const [, a, b, c, hourText, minute, second, half] = monthFirst ?? YEAR_FIRST.exec(text) ?? [];
  const [year, month, day] = monthFirst ? [c, a, b] : [a, b, c];
  const hour = hourOf(Number(hourText), half);
  const fullYear = year?.length === 2 ? 2000 + Number(year) : Number(year);
  const wall = Date.UTC(fullYear, Number(month) - 1, Number(day), hour, Number(minute), Number(second ?? 0));
  // Date.UTC accepts dates that do not exist: 02/30 would become 03/02.
  const shown = new Date(wall);
  const stands =
    fullYear >= 1000 &&
    shown.getUTCMonth() + 1 === Number(month) &&
    shown.getUTCDate() === Number(day) &&
    shown.getUTCHours() === hour &&
    shown.getUTCMinutes() === Number(minute) &&
    shown.getUTCSeconds() === Number(second ?? 0);
  if (stands) return wall;
  throw new CellProblem('must be a date and time such as 10/08/2026 17:18:09 or 10/8/26 5:18 PM');
}

/** The hour of the day; NaN if the clock cannot show it. */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
}

/**
 * The instants at which the zone's clock shows a local time. If it never does, because the clock was put forward over
 * it, the offset from before is used: 2:30 of such a night is what the clock then shows as 3:30.
 */
export function momentOf(wall: number, timeZone: string): Moment {
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((instant) => wallClock(instant, timeZone) - instant);
  const [before = 0, after = 0] = offsets;
  const shows = (offset: number): boolean => wallClock(wall - offset, timeZone) === wall;
  if (!shows(before))
    return shows(after) ? { at: wall - after, again: wall - after } : { at: wall - before, again: wall - before };
  return { at: wall - before, again: shows(after) ? wall - after : wall - before };
}

/** The instant in the format of source records. */
export const isoInstant = (instant: number): string => new Date(instant).toISOString();

/** Local wall clock times to instants (milliseconds UTC), and how the source writes them. */

const MINUTE = 60_000;
/** Every clock change of the zones in use falls on a quarter of an hour UTC, so within one the offset is fixed. */
const QUARTER = 15 * MINUTE;

interface Zone {
  format: Intl.DateTimeFormat;
  offsets: Map<number, number>;
}
const zones = new Map<string, Zone>();

function zoneOf(timeZone: string): Zone {
  let zone = zones.get(timeZone);
  if (!zone) {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    zone = { format, offsets: new Map() };
    zones.set(timeZone, zone);
  }
  return zone;
}

/** How far local time is ahead of UTC, in milliseconds. */
function offsetAt(timeZone: string, instant: number): number {
  const { format, offsets } = zoneOf(timeZone);
  const quarter = Math.floor(instant / QUARTER);
  let offset = offsets.get(quarter);
  if (offset === undefined) {
    const at: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(quarter * QUARTER)) at[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = at;
    offset = Date.UTC(year, month - 1, day, hour, minute) - quarter * QUARTER;
    offsets.set(quarter, offset);
  }
  return offset;
}

/**
 * The instant at which the clocks of a zone show `seconds` after midnight of a date (YYYYMMDD); more than a day means
 * the small hours of the next. A time that a clock change skips is taken an hour earlier, which keeps it on its
 * business date; of a time that comes twice either may be answered.
 */
export function instantAt(timeZone: string, date: number, seconds: number): number {
  const wall = Date.UTC(Math.trunc(date / 10000), (Math.trunc(date / 100) % 100) - 1, date % 100) + seconds * 1000;
  for (const guess of [wall, wall - offsetAt(timeZone, wall)]) {
    const offset = offsetAt(timeZone, guess);
    if (offsetAt(timeZone, wall - offset) === offset) return wall - offset;
  }
  return instantAt(timeZone, date, seconds - 3600);
}

/** As orders carry it: `2026-01-01T14:13:12.000+0000`. */
export const stamp = (instant: number): string => `${new Date(instant).toISOString().slice(0, 23)}+0000`;

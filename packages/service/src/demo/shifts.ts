/** The time entries of a restaurant's staff on one business date. */
import { MINUTE_MS } from '../contract/time.ts';
import { instantAt, stamp } from './clock.ts';
import { dayNumberOf, isClosed, weekdayOf } from './openings.ts';
import type { Random } from './random.ts';
import type { Duty, Employee, Establishment } from './reference.ts';
import type { DemoRestaurant } from './restaurants.ts';
import type { SourceEntry } from './shapes.ts';
import { type Shift, TRADES } from './trades.ts';

/** Time beyond this in one shift is overtime. */
const REGULAR_MINUTES = 8 * 60;

const hours = (minutes: number): number => Math.round((minutes / 60) * 10000) / 10000;

interface Day {
  restaurant: DemoRestaurant;
  /** YYYYMMDD. */
  date: number;
  /** Milliseconds since 1970 UTC. */
  now: number;
}

function buildEntry(random: Random, { restaurant, date, now }: Day, shift: Shift, duty: Duty): SourceEntry {
  const { wage } = duty;
  const begin = Math.round(shift.from * 60) + random.whole(-8, 6);
  const length = Math.round((shift.until - shift.from) * 60) + random.whole(-10, 25);
  const unpaid = length > 6 * 60 ? 30 : 0;
  const clockedIn = instantAt(restaurant.timeZone, date, begin * 60 + random.whole(0, 59));
  const clockedOut = clockedIn + length * MINUTE_MS;
  const deleted = random.chance(0.006);
  const withPay = random.chance(0.2);
  const entry = {
    guid: random.guid(),
    employeeReference: { guid: duty.employee.guid },
    jobReference: { guid: duty.jobGuid },
    inDate: stamp(clockedIn),
    businessDate: String(date),
    hourlyWage: wage === null ? null : wage / 100,
    deleted,
  };
  if (clockedOut > now)
    return { ...entry, outDate: null, regularHours: 0, overtimeHours: 0, modifiedDate: entry.inDate };
  const worked = length - unpaid;
  const regularHours = hours(Math.min(worked, REGULAR_MINUTES));
  const overtimeHours = hours(Math.max(0, worked - REGULAR_MINUTES));
  const pay =
    withPay && wage !== null
      ? {
          regularPay: Math.round(regularHours * wage) / 100,
          overtimePay: Math.round(overtimeHours * wage * 1.5) / 100,
        }
      : {};
  return {
    ...entry,
    outDate: stamp(clockedOut),
    regularHours,
    overtimeHours,
    ...pay,
    modifiedDate: stamp(clockedOut + MINUTE_MS),
  };
}

/**
 * Who is on a shift: one after the other of those with the job, one time in eight somebody for whom it is the second
 * job; the next one who is free.
 */
function dutyOf(
  random: Random,
  { crews }: Establishment,
  title: string,
  turn: number,
  busy: Set<Employee>,
): Duty | undefined {
  const { own = [], second = [] } = crews.get(title) ?? {};
  const free = (able: readonly Duty[]): Duty | undefined =>
    able.map((_, step) => able[(turn + step) % able.length]).find((duty) => duty && !busy.has(duty.employee));
  return (random.chance(0.12) ? free(second) : undefined) ?? free(own);
}

/** The time entries of one business date (YYYYMMDD) that begin by `now`, in ms since 1970 UTC. */
export function demoEntries(
  random: Random,
  restaurant: DemoRestaurant,
  house: Establishment,
  date: number,
  now: number,
): SourceEntry[] {
  const { rota } = TRADES[restaurant.trade];
  const weekday = weekdayOf(date);
  // On a day on which it is closed, the first of the kitchen prepares the next one.
  const worked = isClosed(restaurant, date)
    ? rota.slice(0, 1)
    : rota.filter(({ days }) => days === undefined || days.includes(weekday));
  const busy = new Set<Employee>();
  const entries: SourceEntry[] = [];
  for (const [index, shift] of worked.entries()) {
    const duty = dutyOf(random, house, shift.job, dayNumberOf(date) + index, busy);
    if (!duty) continue;
    busy.add(duty.employee);
    entries.push(buildEntry(random, { restaurant, date, now }, shift, duty));
  }
  return entries.filter(({ inDate }) => Date.parse(inDate.replace('+0000', 'Z')) <= now);
}

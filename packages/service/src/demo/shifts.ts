/** The time entries of a restaurant's staff on one business date. */
import { instantAt, stamp } from './clock.ts';
import type { Random } from './random.ts';
import type { Employee, Establishment } from './reference.ts';
import type { DemoRestaurant } from './restaurants.ts';
import type { SourceEntry } from './shapes.ts';

const MINUTE = 60_000;
/** Time beyond this in one shift is overtime. */
const REGULAR_MINUTES = 8 * 60;

/** Of staff with two jobs, this many of 256 shifts are in the second. */
const SECOND_JOB_OF_256 = 80;

const hours = (minutes: number): number => Math.round((minutes / 60) * 10000) / 10000;

function buildEntry(
  random: Random,
  restaurant: DemoRestaurant,
  date: number,
  employee: Employee,
  newest: boolean,
): SourceEntry {
  const { starts, lasts } = employee.job;
  const guid = random.guid();
  // Derived from the GUID, so that the random numbers that follow are the same as without second jobs.
  const second = Number.parseInt(guid.slice(0, 2), 16) < SECOND_JOB_OF_256 ? employee.second : undefined;
  const wage = second ? second.job.wageCents : employee.wageCents;
  const begin = random.whole(starts[0] * 60, starts[1] * 60);
  const length = random.whole(lasts[0] * 60, lasts[1] * 60);
  const unpaid = length > 6 * 60 ? 30 : 0;
  const clockedIn = instantAt(restaurant.timeZone, date, begin * 60 + random.whole(0, 59));
  const clockedOut = clockedIn + length * MINUTE;
  const forgotten = random.chance(0.05);
  const deleted = random.chance(0.006);
  const withPay = random.chance(0.2);
  const entry = {
    guid,
    employeeReference: { guid: employee.guid },
    jobReference: { guid: second?.jobGuid ?? employee.jobGuid },
    inDate: stamp(clockedIn),
    businessDate: String(date),
    hourlyWage: wage === null ? null : wage / 100,
    deleted,
  };
  if (newest && forgotten) {
    return { ...entry, outDate: null, regularHours: 0, overtimeHours: 0, modifiedDate: entry.inDate };
  }
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
    modifiedDate: stamp(clockedOut + MINUTE),
  };
}

/** The time entries of one business date (YYYYMMDD). With `newest` some have not clocked out yet. */
export function demoEntries(
  random: Random,
  restaurant: DemoRestaurant,
  house: Establishment,
  date: number,
  newest: boolean,
): SourceEntry[] {
  return house.staff
    .filter(() => random.chance(0.72))
    .map((employee) => buildEntry(random, restaurant, date, employee, newest));
}

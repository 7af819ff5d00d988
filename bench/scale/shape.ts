/**
 * The restaurants of the scale measurements: the sizes, the names behind the GUIDs, and the distribution of their
 * orders.
 */
import { datesIn } from '../../packages/service/src/contract/dates.ts';
import type { Reference } from '../../packages/service/src/facts/reference.ts';

/** The parameters of generated data: the same shape always gives the same rows in the same order. */
export interface Shape {
  /** They have the ids from 1 on. */
  restaurants: number;
  /** Business dates from FIRST_DATE on. */
  days: number;
  /** Checks of an average restaurant on an average day. */
  checksPerDay: number;
  /** Time entries of a restaurant a day. */
  shiftsPerDay: number;
  /** Another seed, other data. */
  seed: number;
  /** Whether each check has four items, each of two modifiers. */
  hasLines?: boolean;
}

/** A leap year, so that a year is 366 days. YYYYMMDD. */
export const FIRST_DATE = 20240101;
export const LAST_DATE = 20241231;
const DAYS = datesIn(FIRST_DATE, LAST_DATE);
export const RESTAURANTS = 1000;
/** Local hour at which each restaurant's business date ends. */
export const CLOSEOUT_HOUR = 4;
/** A restaurant has that of its id modulo their number. */
export const TIME_ZONES = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'] as const;

/** Millions of checks that can be measured; 91 is 1000 restaurants of 250 checks a day. */
export const SIZES = [1, 10, 91] as const;

/**
 * The shape of so many million checks: always 1000 restaurants and a year, so that every question can be put to every
 * size, and fewer checks a day where the size is smaller. Staff shrinks with them.
 */
export function shapeOf(millions: number): Shape {
  const checksPerDay = millions === 91 ? 250 : (millions * 1e6) / (RESTAURANTS * DAYS);
  const shiftsPerDay = Math.min(12, Math.ceil(checksPerDay / 20));
  return { restaurants: RESTAURANTS, days: DAYS, checksPerDay, shiftsPerDay, seed: 1 };
}

const KINDS = ['dining', 'revenue', 'job', 'employee'] as const;
/** The GUID of the n-th of a kind, from 1 on; the same in every restaurant. */
export const nameGuid = (kind: (typeof KINDS)[number], n: number): string =>
  `0000000${KINDS.indexOf(kind) + 1}-0000-4000-8000-${String(n).padStart(12, '0')}`;

const DINING = ['Dine In', 'Take Out', 'Delivery', 'Curbside', 'Catering'];
const REVENUE = ['Dining Room', 'Bar', 'Patio', 'Counter'];
const SOURCES = ['IN_STORE', 'ONLINE', 'KIOSK', 'API'];
const JOBS = ['Server', 'Line Cook', 'Bartender', 'Host', 'Dishwasher'];
export const EMPLOYEES = 24;

/** One in a hundred each: dining option, revenue center and source go together, 14 of the 80 combinations occur. */
export const COMBINATIONS: readonly (readonly [percent: number, dining: number, revenue: number, source: number])[] = [
  [34, 1, 1, 1],
  [14, 1, 2, 1],
  [7, 1, 3, 1],
  [5, 1, 4, 3],
  [10, 2, 4, 1],
  [8, 2, 4, 2],
  [3, 2, 4, 3],
  [1, 2, 2, 1],
  [7, 3, 4, 2],
  [6, 3, 4, 4],
  [2, 4, 4, 2],
  [1, 4, 4, 1],
  [1, 5, 1, 1],
  [1, 5, 4, 2],
];

/**
 * Percent of a day's orders opened in each local hour, from FIRST_HOUR on: lunch and dinner, and a few after midnight.
 */
export const FIRST_HOUR = 10;
export const HOURS = [2, 9, 15, 11, 5, 3, 4, 9, 14, 13, 8, 4, 2, 0.6, 0.4] as const;
/** A day of the week's share of an average day, from Sunday on; they add up to 7. */
export const WEEKDAYS = [1.05, 0.75, 0.8, 0.9, 1, 1.25, 1.25] as const;

export const sourceName = (n: number): string => SOURCES[n - 1] ?? '';

/** What every restaurant calls its GUIDs. The host's job stays out of reports. */
export const reference = (): Reference => ({
  diningOptions: DINING.map((name, i) => ({ guid: nameGuid('dining', i + 1), name })),
  revenueCenters: REVENUE.map((name, i) => ({ guid: nameGuid('revenue', i + 1), name })),
  jobs: JOBS.map((title, i) => ({
    guid: nameGuid('job', i + 1),
    title,
    code: `J${i + 1}`,
    wageFrequency: 'HOURLY',
    excludeFromReporting: title === 'Host',
  })),
  employees: Array.from({ length: EMPLOYEES }, (_, i) => ({
    guid: nameGuid('employee', i + 1),
    firstName: `First ${i + 1}`,
    lastName: `Last ${i + 1}`,
    chosenName: '',
  })),
});

/** Dayparts by hours of the clock. */
import type { DaypartHours } from '@daypart/client';

/** Chosen abbreviations, for dayparts of so few hours that their names have no room. */
const SHORT: Record<string, string> = {
  Afternoon: 'Aft.',
  Breakfast: 'Bkfst',
  'Late night': 'Late',
};

/** The abbreviation of a name of a daypart; the name itself if it has none. */
export const shortNameOf = (name: string): string => SHORT[name] ?? name;

const hourOf = (text: string): number => Number(text.slice(0, 2)) % 24;

/** The hours of the day in the order of the business day, beginning with the closeout hour. */
export const hoursFrom = (closeoutHour: number): number[] =>
  Array.from({ length: 24 }, (_, at) => (closeoutHour + at) % 24);

/** Whether the hour of the clock belongs to the daypart. */
export function hasHour({ from, to }: DaypartHours, hour: number): boolean {
  const [first, end] = [hourOf(from), hourOf(to)];
  if (first === end) return true;
  return first < end ? hour >= first && hour < end : hour >= first || hour < end;
}

/**
 * Runs of hours that belong to one daypart, in the order of `hours`. A daypart that contains the closeout hour has two
 * runs.
 */
export function runsOf(hours: number[], dayparts: DaypartHours[]): { daypart: DaypartHours; hours: number[] }[] {
  const runs: { daypart: DaypartHours; hours: number[] }[] = [];
  for (const hour of hours) {
    const daypart = dayparts.find((one) => hasHour(one, hour));
    if (!daypart) continue;
    const last = runs.at(-1);
    if (last?.daypart === daypart) last.hours.push(hour);
    else runs.push({ daypart, hours: [hour] });
  }
  return runs;
}

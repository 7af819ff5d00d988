/** Dayparts by hours of the clock. */

/** "HH:00", local; `from` is included, `to` is not. The last daypart may continue past midnight. */
export interface Daypart {
  name: string;
  from: string;
  to: string;
}

const hourOf = (text: string): number => Number(text.slice(0, 2)) % 24;

/** The hours of the day in the order of the business day, beginning with the closeout hour. */
export const hoursFrom = (closeoutHour: number): number[] =>
  Array.from({ length: 24 }, (_, at) => (closeoutHour + at) % 24);

/** Whether the hour of the clock belongs to the daypart. */
export function hasHour({ from, to }: Daypart, hour: number): boolean {
  const [first, end] = [hourOf(from), hourOf(to)];
  if (first === end) return true;
  return first < end ? hour >= first && hour < end : hour >= first || hour < end;
}

/** Runs of hours that belong to one daypart, in the order of `hours`. A daypart that contains the closeout hour has two runs. */
export function runsOf(hours: number[], dayparts: Daypart[]): { daypart: Daypart; hours: number[] }[] {
  const runs: { daypart: Daypart; hours: number[] }[] = [];
  for (const hour of hours) {
    const daypart = dayparts.find((one) => hasHour(one, hour));
    if (!daypart) continue;
    const last = runs.at(-1);
    if (last?.daypart === daypart) last.hours.push(hour);
    else runs.push({ daypart, hours: [hour] });
  }
  return runs;
}

/** Dayparts: named parts of the business day, by local hours. */

export interface Daypart {
  name: string;
  /** The local hour at which it begins, 0 to 23. */
  from: number;
  /**
   * The local hour at which it ends, 0 to 23, exclusive. Less than `from` if it passes midnight; equal to `from` if it
   * is the whole day.
   */
  to: number;
}

/** The dayparts of a group that has set none. */
export const DEFAULT_DAYPARTS: readonly Daypart[] = [
  { name: 'Breakfast', from: 5, to: 11 },
  { name: 'Lunch', from: 11, to: 15 },
  { name: 'Afternoon', from: 15, to: 17 },
  { name: 'Dinner', from: 17, to: 22 },
  { name: 'Late night', from: 22, to: 5 },
];

/** The local hours of a daypart, in order. */
export const hoursOf = ({ from, to }: Daypart): number[] =>
  Array.from({ length: ((to - from + 23) % 24) + 1 }, (_, index) => (from + index) % 24);

/** The dayparts that a report was made with: those of the group, and those of restaurants that differ. */
export interface ReportDayparts {
  group: readonly Daypart[];
  restaurants: { guid: string; dayparts: readonly Daypart[] }[];
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** In the format of the wire: `from` and `to` as `HH:00`. */
export const shownDayparts = (dayparts: readonly Daypart[]): { name: string; from: string; to: string }[] =>
  dayparts.map(({ name, from, to }) => ({ name, from: clock(from), to: clock(to) }));

/** What a click in a card keeps: a daypart or an hour, and a dining option or an order source. It is in the address. */
import type { DaypartHours } from '@daypart/client';
import { sayHour } from './dates.ts';
import { hasHour, hoursFrom } from './dayparts.ts';
import { constantWords } from './locale.ts';

/** What sales are split by. */
export type SourceField = 'diningOption' | 'orderSource';

/** The parameters of the address; `at` is a restaurant. */
export type FilterBy = 'daypart' | 'hour' | SourceField | 'at';

/** Of these only one filters at a time. */
const SIBLING: Partial<Record<FilterBy, FilterBy>> = {
  daypart: 'hour',
  hour: 'daypart',
  diningOption: 'orderSource',
  orderSource: 'diningOption',
};

export interface Filter {
  /** Hours of the clock, 0 to 23; undefined for all. */
  hours: readonly number[] | undefined;
  /** The field that has `value`; undefined for all. */
  field: SourceField | undefined;
  value: string;
  /** The parameters that filter, each with what it keeps in words: "Lunch". */
  names: [FilterBy, string][];
}

/** Why a longer period cannot be filtered by hours. */
export const HOURS_LIMIT = 'hours are reported for at most 31 dates';

/** The parts of a row that a filter reads. A row without one of them is not split by it. */
interface Filtered {
  businessHour?: string | null | undefined;
  diningOption?: string | null;
  orderSource?: string | null;
}

/** A source of the point of sale in words: "In store" for IN_STORE; a short one, such as API, is unchanged. */
export function sourceName(source: string): string {
  if (source === 'UNKNOWN') return 'Unknown source';
  if (!/^[A-Z_]{5,}$/.test(source)) return source;
  return constantWords(source);
}

/** The filter of an address; undefined if it has none. A restaurant (`at`) is not part of it. */
export function filterOf(parameters: URLSearchParams, dayparts: readonly DaypartHours[]): Filter | undefined {
  const daypart = dayparts.find(({ name }) => name === parameters.get('daypart'));
  const hour = parameters.get('hour') ?? '';
  const one = /^\d+$/.test(hour) && Number(hour) < 24 ? [Number(hour)] : undefined;
  const field = (['diningOption', 'orderSource'] as const).find((name) => parameters.get(name));
  const value = (field && parameters.get(field)) ?? '';
  const names: Filter['names'] = [];
  if (daypart) names.push(['daypart', daypart.name]);
  else if (one) names.push(['hour', sayHour(Number(hour))]);
  if (field) names.push([field, sourceName(value)]);
  if (names.length === 0) return undefined;
  return { hours: daypart ? hoursFrom(0).filter((some) => hasHour(daypart, some)) : one, field, value, names };
}

/** The values that the parameters of an address can have, for `readView`. Sources are known only by their figures. */
export const filterValues = (group: {
  dayparts: readonly DaypartHours[];
  byGuid: ReadonlyMap<string, unknown>;
}): Partial<Record<FilterBy, Iterable<string>>> => ({
  daypart: group.dayparts.map(({ name }) => name),
  hour: hoursFrom(0).map(String),
  at: group.byGuid.keys(),
});

/** The parameters with one value chosen, or with none; what filters the same is replaced. */
export function choosing(parameters: URLSearchParams, by: FilterBy, value: string | undefined): URLSearchParams {
  const next = new URLSearchParams(parameters);
  next.delete(by);
  const sibling = SIBLING[by];
  if (value !== undefined && sibling) next.delete(sibling);
  if (value !== undefined) next.set(by, value);
  return next;
}

/**
 * Returns whether a row belongs to what the filter keeps. A card that is split by `own` shows all of these, so that
 * another can be chosen.
 */
export function keeps({ hours, field, value }: Filter, row: Filtered, own?: 'businessHour' | SourceField): boolean {
  const { businessHour } = row;
  const inHours =
    !hours || own === 'businessHour' || businessHour === undefined || hours.includes(Number(businessHour));
  return inHours && (!field || own === field || row[field] === undefined || row[field] === value);
}

/** The group whose figures are shown: its restaurants, and what is derived from them. */
import type { DaypartHours } from '@daypart/client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { currenciesOf, inUse, lastDates, type Restaurant } from './restaurants.ts';

export interface Group {
  restaurants: Restaurant[];
  /** The GUID of the one restaurant that a filter keeps. */
  only?: string;
  /** The restaurants that reports count if the request names none. */
  used: Restaurant[];
  byGuid: ReadonlyMap<string, Restaurant>;
  currencies: ReadonlyMap<string, string | null>;
  /** Currencies of the restaurants in use, the one with the most restaurants first. */
  order: (string | null)[];
  /** The last business date that every restaurant in use has. */
  latest: string;
  /** The last business date that any of them has: later than `latest` while others have not reported. */
  newest: string;
  /** The closeout hour of most restaurants, for charts of hours of all restaurants. */
  closeoutHour: number;
  dayparts: DaypartHours[];
  /** Changes with the data. It is part of the key of everything that is loaded. */
  watermark: string;
}

/** Counts restaurants by currency: the currency with the most first, equal counts by code, none last. */
function currencyOrder(restaurants: Restaurant[]): (string | null)[] {
  const counts = new Map<string | null, number>();
  for (const { currencyCode } of restaurants) counts.set(currencyCode, (counts.get(currencyCode) ?? 0) + 1);
  const rank = (code: string | null): string => code ?? '\uffff';
  return [...counts.entries()]
    .sort(([one, many], [other, more]) => more - many || (rank(one) < rank(other) ? -1 : 1))
    .map(([code]) => code);
}

/** The most frequent value among the restaurants. */
function commonOf<T>(restaurants: Restaurant[], of: (one: Restaurant) => T, otherwise: T): T {
  const alike = [...Map.groupBy(restaurants, (one) => JSON.stringify(of(one))).values()];
  const [most] = alike.sort((a, b) => b.length - a.length);
  return most?.[0] ? of(most[0]) : otherwise;
}

/** What follows from the restaurants of a group; `watermark` changes whenever its data do. */
export function groupOf(restaurants: Restaurant[], watermark: string): Group {
  const used = restaurants.filter(inUse);
  return {
    restaurants,
    used,
    byGuid: new Map(restaurants.map((restaurant) => [restaurant.guid, restaurant])),
    currencies: currenciesOf(restaurants),
    order: currencyOrder(used),
    ...lastDates(restaurants),
    closeoutHour: commonOf(used, ({ closeoutHour }) => closeoutHour, 4),
    dayparts: commonOf(used, ({ dayparts }) => dayparts, []),
    watermark,
  };
}

/** The group with one restaurant only; its dates are those of the whole group. */
export function narrowed({ latest, newest, watermark }: Group, one: Restaurant): Group {
  const group = groupOf([one], watermark);
  return Object.assign(group, { used: [one], order: [one.currencyCode], latest, newest, only: one.guid });
}

export const GroupContext = createContext<Group | undefined>(undefined);

/** The group of the screen. Throws Error above the group in the tree. */
export function useGroup(): Group {
  const group = useContext(GroupContext);
  if (!group) throw new Error('A screen with numbers is below the group');
  return group;
}

/** The restaurants that an address names, GUIDs separated by commas, each once. */
export const restaurantsIn = ({ byGuid }: Group, guids: string | null): Restaurant[] => [
  ...new Set((guids ?? '').split(',').flatMap((guid) => byGuid.get(guid) ?? [])),
];

/** The currencies as addresses have them. */
export const codesOf = ({ order }: Group): string[] => order.map((code) => code ?? 'none');

/** The currency in the address, or the one with the most restaurants. */
export const chosenCurrency = (group: Group, code: string | undefined): string | null =>
  group.order[Math.max(0, codesOf(group).indexOf(code ?? ''))] ?? null;

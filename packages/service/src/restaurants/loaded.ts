/** The loaded data of restaurants, in the format of the wire: docs/loading.md#what-is-loaded. */

import { businessDateOf } from '../contract/clock.ts';
import { shownDate } from '../contract/dates.ts';
import { DEFAULT_DAYPARTS, shownDayparts } from '../contract/dayparts.ts';
import { shownTime } from '../contract/time.ts';
import type { Facts } from '../facts/facts.ts';
import type { Coverage, LoadedDay } from '../facts/loaded.ts';
import { etagOfAll } from '../http/conditional.ts';
import { type CodedText, codedText } from '../http/content-coding.ts';
import type { ConnectedState, ConnectionLedger } from '../ledger/connection.ts';
import type { DaypartLedger, DaypartSets, Restaurant } from '../ledger/restaurant.ts';
import { daysDates } from './loaded-operations.ts';

/** The last dates that were read, by restaurant, for a version of its data and a current date. */
const lastDates = new WeakMap<Facts, Map<number, { key: string; last: number | undefined }>>();

/**
 * What is loaded for restaurants, up to the current business date of each at `now` (ms since 1970 UTC): an order that
 * is scheduled for a date to come leaves the last date as it is. Restaurants with such orders alone have no dates.
 */
async function coverageUntil(
  facts: Facts,
  restaurants: readonly Restaurant[],
  now: number,
): Promise<Map<number, Coverage>> {
  const coverage = await facts.coverage(restaurants.map(({ id }) => id));
  const known = lastDates.get(facts) ?? new Map<number, { key: string; last: number | undefined }>();
  lastDates.set(facts, known);
  const ahead = restaurants.flatMap(({ id, timeZone, closeoutHour }) => {
    const of = coverage.get(id);
    if (!of?.lastDate) return [];
    const today = businessDateOf(now, timeZone, closeoutHour);
    return of.lastDate > today ? [{ id, of, today, key: `${of.version} ${today}` }] : [];
  });
  const unread = ahead.filter(({ id, key }) => known.get(id)?.key !== key);
  for (const [today, some] of Map.groupBy(unread, (one) => one.today)) {
    const found = await facts.lastDates(
      some.map(({ id }) => id),
      today,
    );
    for (const { id, key } of some) known.set(id, { key, last: found.get(id) });
  }
  for (const { id, of } of ahead) {
    const last = known.get(id)?.last ?? null;
    coverage.set(id, { ...of, lastDate: last, firstDate: last === null ? null : of.firstDate });
  }
  return coverage;
}

const NOT_LOADED: Coverage = { firstDate: null, lastDate: null, loadedAt: null, version: '' };

/** What the list says of a connection. One that is not active has a state of its own, which its restaurants have. */
const shownConnection = ({ connection, connectionState, state, readUntil, lastSettledDate }: ConnectedState) => ({
  id: connection,
  state: connectionState === 'active' ? state : connectionState,
  readUntil: shownTime(readUntil),
  lastSettledDate: shownDate(lastSettledDate),
});

/** What the records are made from, besides the restaurants. */
interface Listing {
  dayparts: DaypartSets;
  /** By the restaurant's id. */
  coverage: ReadonlyMap<number, Coverage>;
  /** Of the restaurants that have a connection. */
  connected: readonly ConnectedState[];
}

/** A record of GET /restaurants. */
function listed(
  restaurant: Restaurant,
  sets: DaypartSets,
  { firstDate, lastDate, loadedAt }: Coverage,
  connected: ConnectedState | undefined,
) {
  const { guid, name, locationName, locationCode, timeZone, closeoutHour, currencyCode } = restaurant;
  const { active, archived, testMode } = restaurant;
  return {
    guid,
    name,
    locationName,
    locationCode,
    timeZone,
    closeoutHour,
    currencyCode,
    active,
    archived,
    testMode,
    dayparts: shownDayparts(sets.restaurants[guid] ?? sets.group ?? DEFAULT_DAYPARTS),
    firstBusinessDate: shownDate(firstDate),
    lastBusinessDate: shownDate(lastDate),
    loadedAt: shownTime(loadedAt),
    connection: connected ? shownConnection(connected) : null,
  };
}

/**
 * The answer of GET /restaurants, and a tag that changes with everything that the group's reports are made from. Up to
 * when restaurants are read moves with every read, and leaves the tag as it is.
 */
interface RestaurantList {
  etag: string;
  json: CodedText;
}

/**
 * Answers are cached by the list that they were made from: writing a thousand restaurants takes 3 ms of the event loop.
 */
const kept = new WeakMap<readonly Restaurant[], { versions: string; reads: string; list: RestaurantList }>();

/**
 * `restaurants` must be the ledger's list of the group, which is the same object until one of them or a daypart
 * changes.
 */
function restaurantList(
  restaurants: readonly Restaurant[],
  { dayparts, coverage, connected }: Listing,
): RestaurantList {
  // The last date also changes when a date with scheduled orders becomes the current one.
  const loaded = restaurants
    .map(({ id }) => coverage.get(id) ?? NOT_LOADED)
    .map(({ version, lastDate }) => `${version} ${lastDate}`);
  const states = connected.map(({ restaurantGuid, connection, connectionState, state, lastSettledDate }) =>
    [restaurantGuid, connection, connectionState, state, lastSettledDate].join(' '),
  );
  const versions = [...loaded, ...states].join();
  const reads = connected.map(({ readUntil }) => readUntil).join();
  const known = kept.get(restaurants);
  if (known?.versions === versions && known.reads === reads) return known.list;
  const byGuid = new Map(connected.map((one) => [one.restaurantGuid, one]));
  const rows = restaurants.map((one) =>
    listed(one, dayparts, coverage.get(one.id) ?? NOT_LOADED, byGuid.get(one.guid)),
  );
  const isSame = known?.versions === versions;
  const etag = isSame ? known.list.etag : etagOfAll(restaurants, dayparts, versions);
  const list = { etag, json: codedText(JSON.stringify(rows)) };
  kept.set(restaurants, { versions, reads, list });
  return list;
}

export type ListLedger = DaypartLedger & Pick<ConnectionLedger, 'connectedStates'>;

/**
 * The list of a group's restaurants, which its ledger holds, at `now` (ms since 1970 UTC): read again at each call.
 */
export async function readRestaurantList(
  { ledger, facts }: { ledger: ListLedger; facts: Facts },
  group: string,
  restaurants: readonly Restaurant[],
  now: number,
): Promise<RestaurantList> {
  const coverage = await coverageUntil(facts, restaurants, now);
  const [dayparts, connected] = await Promise.all([ledger.dayparts(group), ledger.connectedStates(group)]);
  return restaurantList(restaurants, { dayparts, coverage, connected });
}

/** A record of GET /restaurants/{guid}/days. */
export const dayAnswer = ({ businessDate, orders, checks, timeEntries, hasDetails, loadedAt }: LoadedDay) => ({
  businessDate: String(businessDate),
  orders,
  checks,
  timeEntries,
  itemsFrom: orders > 0 && hasDetails ? shownTime(loadedAt) : null,
  loadedAt: shownTime(loadedAt),
});

const FIRST = 10000101;
const LAST = 99991231;

/**
 * Reads `from` and `to` (YYYYMMDD integers, inclusive); all dates by default. Throws a Problem that names the
 * parameter.
 */
export function readSpan(query: Record<string, unknown>): { from: number; to: number } {
  const { from = FIRST, to = LAST } = daysDates.read(query);
  return { from, to };
}

/** Which restaurants join a connection, and what prevents them. */

import type { UpstreamRestaurant } from '@daypart/client/source';
import { businessDateOf } from '../contract/clock.ts';
import { addDays } from '../contract/dates.ts';
import { fieldProblem } from '../contract/problems.ts';
import { DAY_MS } from '../contract/time.ts';
import type { Facts } from '../facts/facts.ts';
import { invalidField } from '../http/body-fields.ts';
import type { ConnectionLedger, JoiningRestaurant } from '../ledger/connection.ts';
import type { RestaurantLedger } from '../ledger/restaurant.ts';
import type { FolderChoice, WantedRestaurants } from './connection-bodies.ts';
import { changedSettings, pastOf, settingsOf } from './found-settings.ts';
import { guidOfFound, type PointOfSale, type Reached } from './reach.ts';

export interface ChooseDeps {
  ledger: RestaurantLedger & Pick<ConnectionLedger, 'connectedStates'>;
  facts: Pick<Facts, 'coverage' | 'ordersOf'>;
}

/** A restaurant of the point of sale under the GUID that it has here. */
export interface Chosen {
  guid: string;
  upstreamId: string;
  name: string;
  /** What the point of sale says of it; undefined for a kind that says nothing, of a restaurant that exists. */
  found: UpstreamRestaurant | undefined;
}

const isFolder = (one: string | FolderChoice): one is FolderChoice => typeof one === 'object';

/**
 * Those that were found and are wanted. Throws Problem restaurant_unknown for one that was not found, and
 * unknown_restaurant for one of a folder that the management group does not have.
 */
export async function chooseOf(
  { ledger }: ChooseDeps,
  group: string,
  access: Pick<PointOfSale, 'kind' | 'url'>,
  { restaurants, folders }: Pick<Reached, 'restaurants' | 'folders'>,
  wanted: WantedRestaurants,
): Promise<Chosen[]> {
  if (!folders) return chooseFound(access, restaurants, wanted);
  if (wanted === 'all' || !wanted.every(isFolder))
    throw invalidField('/restaurants', 'a list of folders with their restaurants');
  const guids = wanted.map(({ restaurantGuid }) => restaurantGuid);
  const known = await ledger.restaurantsOf(group, guids);
  return wanted.map(({ folder, restaurantGuid }, index) => {
    const at = `/restaurants/${index}`;
    const restaurant = known.find(({ guid }) => guid === restaurantGuid);
    if (!restaurant || guids.indexOf(restaurantGuid) !== index)
      throw fieldProblem(
        'unknown_restaurant',
        `${at}/restaurantGuid`,
        'The management group does not have this restaurant, or it is named twice.',
      );
    if (!folders.folders.includes(folder))
      throw fieldProblem('restaurant_unknown', `${at}/folder`, 'The server does not have this folder.');
    return { guid: restaurantGuid, upstreamId: folder, name: restaurant.name, found: undefined };
  });
}

function chooseFound(
  access: Pick<PointOfSale, 'kind' | 'url'>,
  found: readonly UpstreamRestaurant[],
  wanted: WantedRestaurants,
): Chosen[] {
  const all = found.map((one) => {
    const { upstreamId, name } = one;
    return { guid: guidOfFound(access, one), upstreamId, name, found: one };
  });
  if (wanted === 'all') {
    const used = all.filter((one) => !one.found.archived);
    return used.filter(({ guid }, index) => used.findIndex((one) => one.guid === guid) === index);
  }
  const guids = wanted.filter((one) => !isFolder(one));
  if (guids.length < wanted.length) throw invalidField('/restaurants', 'all, or GUIDs');
  return [...new Set(guids)].map((guid, index) => {
    const chosen = all.find((one) => one.guid === guid);
    if (chosen) return chosen;
    const text = 'The credentials do not reach this restaurant.';
    throw fieldProblem('restaurant_unknown', `/restaurants/${index}`, text);
  });
}

/** How far ahead the first date of a connection may be, for those who change from exports on a date to come. */
const MOST_AHEAD = 31;

/** Throws Problem date_in_future for a first date of which nobody could mean the year. */
export function refuseFarFrom(from: number | null, now: number): void {
  if (from === null || from <= addDays(lastDateAnywhere(now), MOST_AHEAD)) return;
  throw fieldProblem('date_in_future', '/from', `from must be at most ${MOST_AHEAD} days from now.`);
}

/** The latest business date (YYYYMMDD) that any restaurant can have: no zone is farther ahead than 14 hours. */
export const lastDateAnywhere = (now: number): number => businessDateOf(now, 'Pacific/Kiritimati', 0);

/** Orders of exports have GUIDs of version 5, which no point of sale gives. */
export const isImported = (guid: string): boolean => guid[14] === '5';

/** Whether orders of the first or the last date with data, from a date (YYYYMMDD) on, came from exports. */
async function hasImports({ facts }: ChooseDeps, restaurantId: number, from: number): Promise<boolean> {
  const { firstDate = null, lastDate = null } = (await facts.coverage([restaurantId])).get(restaurantId) ?? {};
  for (const date of new Set([firstDate, lastDate]))
    if (date !== null && date >= from && (await facts.ordersOf(restaurantId, date)).some(isImported)) return true;
  return false;
}

/**
 * Throws Problem restaurant_guid_taken for a restaurant of another group, restaurant_is_connected for one of another
 * connection, and, where the records are not those of exports, restaurant_has_imports for imported ones from `from` on.
 */
export async function refuseTaken(
  deps: ChooseDeps,
  group: string,
  chosen: readonly Chosen[],
  { from, connection, fromExports }: { from: number | null; connection?: string; fromExports: boolean },
): Promise<void> {
  const states = await deps.ledger.connectedStates(group);
  const connected = new Map(states.map((state) => [state.restaurantGuid, state.connection]));
  for (const { guid, name } of chosen) {
    const stored = await deps.ledger.restaurant(guid);
    if (!stored) continue;
    if (stored.group !== group)
      throw fieldProblem(
        'restaurant_guid_taken',
        '/restaurants',
        `${name}: a restaurant of another management group has the GUID ${guid}.`,
      );
    const other = connected.get(guid);
    if (other !== undefined && other !== connection) throw isConnected(guid, name);
    if (!fromExports && (await hasImports(deps, stored.id, from ?? 0)))
      throw fieldProblem(
        'restaurant_has_imports',
        '/from',
        `${name} has orders that were imported from exports. Send from, a business date after all of them: the first that this connection loads.`,
      );
  }
}

/** The problem of a restaurant that another connection has. */
export const isConnected = (guid: string, name = 'A restaurant') =>
  fieldProblem('restaurant_is_connected', '/restaurants', `${name} (${guid}) has another connection.`);

/**
 * Creates the restaurants that are missing. Returns the GUIDs of those that are stored as the point of sale has just
 * described them; of others, which exist and differ, the settings are read with the first stream.
 */
export async function addRestaurants(
  { ledger }: Pick<ChooseDeps, 'ledger'>,
  group: string,
  chosen: readonly Chosen[],
): Promise<ReadonlySet<string>> {
  const described = new Set<string>();
  for (const { guid, found } of chosen) {
    if (!found) continue;
    const stored = await ledger.restaurant(guid);
    if (stored && changedSettings(stored, found).differing.length > 0) continue;
    if (!stored && !(await ledger.putRestaurant(Object.assign(settingsOf(found), { guid, group }))))
      throw fieldProblem('restaurant_guid_taken', '/restaurants', `Another management group has the GUID ${guid}.`);
    described.add(guid);
  }
  return described;
}

/**
 * The rows of restaurants that join. The settings of those that were described are due over the second half of a day,
 * so that the calls for them are not all due at once; how far back others are read follows from their settings, which
 * are read first.
 */
export const joining = (
  connection: string,
  chosen: readonly Chosen[],
  of: { from: number | null; now: number; backfillDays: number; described: ReadonlySet<string> },
): JoiningRestaurant[] =>
  chosen.map(({ upstreamId, guid, found }, index) => {
    const { from: notBefore, now, backfillDays, described } = of;
    const row: JoiningRestaurant = {
      connection,
      upstreamId,
      restaurantGuid: guid,
      state: 'chosen',
      reason: null,
      since: now,
      warnings: [],
      backfillFrom: null,
      backfillTo: null,
      backfillDone: null,
      notBefore,
      settingsDueAt: null,
    };
    if (!found || !described.has(guid)) return row;
    const settingsDueAt = now + Math.round((DAY_MS / 2) * (1 + (index + 1) / chosen.length));
    return Object.assign(row, pastOf(found, { backfillDays, notBefore, now }), { settingsDueAt });
  });

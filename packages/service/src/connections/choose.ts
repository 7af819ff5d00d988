/** Which restaurants join a connection, and what prevents them. */
import { fieldProblem } from '../contract/problems.ts';
import type { Facts } from '../facts/facts.ts';
import type { ConnectedRestaurant, ConnectionLedger, Stream } from '../ledger/connection.ts';
import type { RestaurantLedger } from '../ledger/restaurant.ts';
import { guidOfFound, type PointOfSale } from './reach.ts';
import type { ConnectionSource, FoundRestaurant } from './source.ts';

export interface ChooseDeps {
  ledger: RestaurantLedger & Pick<ConnectionLedger, 'connectedStates'>;
  facts: Pick<Facts, 'coverage' | 'ordersOf'>;
}

/** A restaurant of the point of sale under the GUID that it has here. */
export interface Chosen {
  found: FoundRestaurant;
  guid: string;
}

/** The streams of a source. */
export const streamsOfSource = ({ timeEntries, names, menus }: ConnectionSource): Stream[] => [
  'settings',
  'orders',
  ...(timeEntries ? (['timeEntries'] as const) : []),
  ...(names ? (['names'] as const) : []),
  'check',
  ...(menus ? (['menus'] as const) : []),
  'backfill',
];

/** Those that were found and are wanted. Throws Problem restaurant_unknown for one that was not found. */
export function chooseOf(
  access: Pick<PointOfSale, 'kind' | 'url'>,
  found: readonly FoundRestaurant[],
  wanted: 'all' | readonly string[],
): Chosen[] {
  const all = found.map((one) => ({ found: one, guid: guidOfFound(access, one) }));
  if (wanted === 'all') return all.filter((one) => !one.found.archived);
  return [...new Set(wanted)].map((guid, place) => {
    const chosen = all.find((one) => one.guid === guid);
    if (chosen) return chosen;
    const text = 'The credentials do not reach this restaurant.';
    throw fieldProblem('restaurant_unknown', `/restaurants/${place}`, text);
  });
}

/** Orders of exports have GUIDs of version 5, which no point of sale gives. */
const isImported = (guid: string): boolean => guid[14] === '5';

/** Whether orders of the first or the last date with data came from exports. */
async function hasImports({ facts }: ChooseDeps, restaurantId: number): Promise<boolean> {
  const { firstDate = null, lastDate = null } = (await facts.coverage([restaurantId])).get(restaurantId) ?? {};
  for (const date of new Set([firstDate, lastDate]))
    if (date !== null && (await facts.ordersOf(restaurantId, date)).some(isImported)) return true;
  return false;
}

/**
 * Throws Problem restaurant_guid_taken for a restaurant of another group, restaurant_is_connected for one of another
 * connection, and, without `from`, restaurant_has_imports.
 */
export async function refuseTaken(
  deps: ChooseDeps,
  group: string,
  chosen: readonly Chosen[],
  { from, connection }: { from: number | null; connection?: string },
): Promise<void> {
  const states = await deps.ledger.connectedStates(group);
  const connected = new Map(states.map((state) => [state.restaurantGuid, state.connection]));
  for (const { guid, found } of chosen) {
    const stored = await deps.ledger.restaurant(guid);
    if (!stored) continue;
    if (stored.group !== group)
      throw fieldProblem(
        'restaurant_guid_taken',
        '/restaurants',
        `${found.name}: a restaurant of another management group has the GUID ${guid}.`,
      );
    const other = connected.get(guid);
    if (other !== undefined && other !== connection) throw isConnected(guid, found.name);
    if (from === null && (await hasImports(deps, stored.id)))
      throw fieldProblem(
        'restaurant_has_imports',
        '/from',
        `${found.name} has orders that were imported from exports. Send from, the first business date that this connection loads.`,
      );
  }
}

/** The problem of a restaurant that another connection has. */
export const isConnected = (guid: string, name = 'A restaurant') =>
  fieldProblem('restaurant_is_connected', '/restaurants', `${name} (${guid}) has another connection.`);

/** Creates the restaurants that are missing. Settings of those that exist are read with the first stream. */
export async function addRestaurants({ ledger }: ChooseDeps, group: string, chosen: readonly Chosen[]): Promise<void> {
  for (const { guid, found } of chosen) {
    if (await ledger.restaurant(guid)) continue;
    const { name, timeZone, closeoutHour, locationName = null, locationCode = null, currencyCode, archived } = found;

    const put = await ledger.putRestaurant({
      guid,
      group,
      name,
      timeZone,
      closeoutHour,
      locationName,
      locationCode,
      currencyCode,
      archived,
      overtimeMultiplier: 1.5,
      refundsOn: 'refund',
      active: true,
      testMode: false,
    });
    if (!put)
      throw fieldProblem('restaurant_guid_taken', '/restaurants', `Another management group has the GUID ${guid}.`);
  }
}

/** The rows of restaurants that join; how far back they are read follows from their settings, which are read first. */
export const joining = (
  connection: string,
  chosen: readonly Chosen[],
  { from, now }: { from: number | null; now: number },
): ConnectedRestaurant[] =>
  chosen.map(({ found, guid }) => ({
    connection,
    upstreamId: found.upstreamId,
    restaurantGuid: guid,
    state: 'chosen',
    reason: null,
    since: now,
    warnings: [],
    backfillFrom: null,
    backfillTo: null,
    backfillDone: null,
    notBefore: from,
  }));

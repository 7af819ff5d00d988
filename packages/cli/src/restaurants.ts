/** Finds restaurants by typed names. */

import { type Daypart, NotFoundError, type Restaurant } from '@daypart/client';
import { distance } from 'fastest-levenshtein';
import { isNoOperation } from './base-url.ts';
import { shownText } from './cells.ts';
import { CommandError, EXIT } from './command-error.ts';
import { UsageError } from './exit.ts';
import { readGuid } from './guid.ts';

/** A name for comparing, without case and blanks; some restaurants have none. */
export const plain = (name: string | null): string =>
  (name ?? '').normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
const quotedNames = (names: (string | null)[]): string => names.map((name) => `"${shownText(name ?? '–')}"`).join(', ');

/** What is found by a name. */
type Named = Pick<Restaurant, 'restaurantGuid'> & { restaurantName: string | null };

/** How many names a message shows. */
const NAMES_SHOWN = 5;

/**
 * The GUID of a restaurant, from its GUID, its name, or an unambiguous beginning of its name; case-insensitive.
 * Throws UsageError with the possible names.
 */
export function findRestaurant(typed: string, restaurants: readonly Named[]): string {
  const guid = readGuid(typed);
  if (guid !== undefined) return guid;
  const wanted = plain(typed);
  const exact = restaurants.filter(({ restaurantName }) => plain(restaurantName) === wanted);
  const found = exact.length > 0 ? exact : restaurants.filter((one) => plain(one.restaurantName).startsWith(wanted));
  const [only] = found;
  if (only && found.length === 1) return only.restaurantGuid;
  if (only && exact.length > 1) {
    throw new UsageError(
      `${exact.length} restaurants are called "${typed}"; name it by its GUID: ${exact.map((one) => one.restaurantGuid).join(', ')}`,
    );
  }
  if (only)
    throw new UsageError(
      `"${typed}" may be ${quotedNames(found.slice(0, NAMES_SHOWN).map((one) => one.restaurantName))}${found.length > NAMES_SHOWN ? ', …' : ''}; type more of its name`,
    );
  throw new UsageError(`no restaurant is called "${typed}"${nearestNames(wanted, restaurants)}`);
}

function nearestNames(wanted: string, restaurants: readonly Named[]): string {
  // The beginning of a long name may be nearer than the whole name.
  const off = ({ restaurantName }: Named): number => {
    const name = plain(restaurantName);
    return Math.min(distance(wanted, name), distance(wanted, name.slice(0, wanted.length)));
  };
  const near = [...restaurants].sort((a, b) => off(a) - off(b)).slice(0, 3);
  return near.length === 0
    ? '; these credentials see none'
    : `; the nearest: ${quotedNames(near.map((one) => one.restaurantName))}`;
}

/** Whether finding these requires the list of restaurants. */
export const needsNames = (typed: readonly string[]): boolean => typed.some((word) => readGuid(word) === undefined);

const lists = new WeakMap<Daypart, Promise<Restaurant[]>>();

/**
 * What the service lists, asked for once by each client: names, currencies and warnings of a command are of one answer.
 */
export function askRestaurants(client: Daypart, signal: AbortSignal): Promise<Restaurant[]> {
  const list = lists.get(client) ?? client.restaurants.list({ signal });
  lists.set(client, list);
  return list;
}

/** The restaurants that the credentials can see. Throws CommandError if the service does not list them. */
export async function listRestaurants(client: Daypart, signal: AbortSignal): Promise<Restaurant[]> {
  try {
    const all: unknown = await askRestaurants(client, signal);
    if (Array.isArray(all)) return all;
    throw new CommandError(
      EXIT.failed,
      'the answer of the service is not a list of restaurants',
      'Check the base URL.',
    );
  } catch (error) {
    // The client's error for a list that is cut off would not name the reason.
    signal.throwIfAborted();
    if (!(error instanceof NotFoundError) || isNoOperation(error)) throw error;
    throw new CommandError(EXIT.failed, 'this service does not list its restaurants', 'Name them by their GUIDs.');
  }
}

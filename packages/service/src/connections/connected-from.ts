/** From which date on a connection reads a restaurant, for imports of what it reads as well. */
import type { ConnectionLedger } from '../ledger/connection.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { isFolderSource } from './folder-source.ts';
import { CONNECTION_SOURCES } from './sources/index.ts';

/** Kinds that import the files which a person may import too. */
const FOLDER_KINDS = new Set(CONNECTION_SOURCES.filter(isFolderSource).map(({ kind }) => kind));

type FromLedger = Pick<ConnectionLedger, 'connectedStates' | 'connection' | 'connectedRestaurants'>;

/**
 * Returns a function that answers the first business date (YYYYMMDD) that a connection reads of a restaurant, 0 for
 * all; undefined for a restaurant without a connection, or with one that imports files.
 */
export const connectedFromOf =
  (ledger: FromLedger) =>
  async ({ group, guid }: Pick<Restaurant, 'group' | 'guid'>): Promise<number | undefined> => {
    const states = await ledger.connectedStates(group);
    const id = states.find(({ restaurantGuid }) => restaurantGuid === guid)?.connection;
    const connection = id === undefined ? undefined : await ledger.connection(id);
    if (!connection || FOLDER_KINDS.has(connection.kind)) return undefined;
    const rows = await ledger.connectedRestaurants(connection.id);
    return rows.find(({ restaurantGuid }) => restaurantGuid === guid)?.notBefore ?? 0;
  };

/**
 * The target of `daypart import`: a restaurant of a running service, or of a data folder that no service is running on.
 */
import { type Effects, type ParsedArguments, UsageError } from '@daypart/cli';
import { findRestaurant, hasStated, listRestaurants, needsNames } from '@daypart/cli/connect';
import { NotFoundError } from '@daypart/client';
import { type Config, variableOf } from '../config/config.ts';
import { connectedFromOf } from '../connections/connected-from.ts';
import { type Destination, dryDestination, storesDestination } from '../import/destination.ts';
import type { ClientLedger } from '../ledger/client.ts';
import type { Restaurant, RestaurantLedger } from '../ledger/restaurant.ts';
import { openLog } from '../log.ts';
import { FolderHeld, openStores, PLACES } from '../stores.ts';
import type { ServiceTarget } from './import-upload.ts';
import { requireLedger } from './ledger.ts';
import { openClientOf } from './remote-client.ts';

/** A restaurant of a data folder. */
interface FolderTarget {
  destination: Destination;
  close(): Promise<void>;
}

/** The longest time for finding the restaurant, including retries. */
const FIND_MS = 30 * 60_000;

/**
 * Whether the target is a service, named by `--url`, `--profile` or the environment, rather than the data folder of
 * `--data`. By default it is the data folder if it exists, otherwise the service of the default profile. Throws
 * UsageError if both are named.
 */
export async function namesService(args: ParsedArguments, config: Config, { env }: Effects): Promise<boolean> {
  const named = ['url', 'profile'].find((name) => args.has(name));
  const isFolderNamed = args.settings.data !== undefined;
  if (named !== undefined && isFolderNamed) throw new UsageError(`--${named} or --data, not both`);
  return named !== undefined || (!isFolderNamed && (hasStated(env) || !(await PLACES.ledger.isIn(config.data))));
}

/** Finds the restaurant at the service. Throws UsageError if none has the name, Error if it does not exist there. */
export async function openService(args: ParsedArguments, restaurant: string, effects: Effects): Promise<ServiceTarget> {
  const client = await openClientOf(args, effects);
  const known = needsNames([restaurant]) ? await listRestaurants(client, AbortSignal.timeout(FIND_MS)) : [];
  const restaurantGuid = findRestaurant(restaurant, known);
  try {
    await client.request('GET', `/restaurants/${restaurantGuid}`);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new Error(
      `${error.message} Create it with: daypart restaurants add NAME --time-zone ZONE --guid ${restaurantGuid}`,
    );
  }
  return { client, restaurantGuid };
}

/** The restaurants of every group that has clients. */
async function everyRestaurant(ledger: ClientLedger & RestaurantLedger): Promise<Restaurant[]> {
  const groups = new Set((await ledger.clients()).map(({ group }) => group));
  return (await Promise.all([...groups].map((group) => ledger.restaurantsOf(group)))).flat();
}

/**
 * Opens the data folder and finds the restaurant in it. Throws UsageError if none has the name, Error if it does not
 * exist there.
 */
export async function openFolder(
  config: Config,
  { restaurant, isDryRun }: { restaurant: string; isDryRun: boolean },
  { stderr }: Effects,
): Promise<FolderTarget> {
  await requireLedger(config.data);
  const stores = await openStores(config, openLog(config.logLevel, stderr)).catch((error: Error) => {
    throw error instanceof FolderHeld
      ? new Error(`a daypart service is running on the data folder ${config.data}; import through it with --url`)
      : error;
  });
  try {
    const all = needsNames([restaurant]) ? await everyRestaurant(stores.ledger) : [];
    const guid = findRestaurant(
      restaurant,
      all.map((one) => ({ ...one, restaurantGuid: one.guid, restaurantName: one.name })),
    );
    const there = await stores.ledger.restaurant(guid);
    if (!there)
      throw new Error(
        `there is no restaurant ${guid} in ${config.data} (${variableOf('data')}); daypart restaurants add creates one`,
      );
    const connectedFrom = await connectedFromOf(stores.ledger)(there);
    return {
      destination: isDryRun
        ? dryDestination(Object.assign({}, there, { connectedFrom }))
        : storesDestination(stores, there, connectedFrom),
      close: () => stores.close(),
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

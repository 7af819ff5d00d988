/** The target of `daypart import`: a running service, through the client, or a data folder that no service is running on. */
import { type Effects, type ParsedArguments, UsageError } from '@daypart/cli';
import { findRestaurant, hasStated, listRestaurants, needsNames } from '@daypart/cli/connect';
import { type Daypart, NotFoundError } from '@daypart/client';
import { type Config, variableOf } from '../config/config.ts';
import {
  type Destination,
  dryDestination,
  type RestaurantThere,
  type Send,
  serviceDestination,
  storesDestination,
} from '../import/destination.ts';
import type { ClientLedger } from '../ledger/client.ts';
import type { Restaurant, RestaurantLedger } from '../ledger/restaurant.ts';
import { openLog } from '../log.ts';
import { FolderHeld, openStores, PLACES } from '../stores.ts';
import { requireLedger } from './ledger.ts';
import { openClientOf } from './remote-client.ts';

export interface Target {
  destination: Destination;
  close(): Promise<void>;
}

/** The longest time for loading one day, including retries. */
const LOAD_MS = 30 * 60_000;

/**
 * Opens the target that the command line names: `--data`, or a service by `--url`, `--profile` or the environment. By default it
 * is the data folder if it exists, otherwise the default profile. Throws UsageError if both are named, or no restaurant
 * has the name.
 */
export async function openTarget(
  given: ParsedArguments,
  config: Config,
  asked: { restaurant: string; isDryRun: boolean },
  effects: Effects,
): Promise<Target> {
  const isService = await namesService(given, config, effects);
  return isService ? await openService(given, asked, effects) : await openFolder(config, asked, effects);
}

/** The service that the command line names. Throws UsageError if it names a data folder. */
export async function openUploadTarget(
  given: ParsedArguments,
  config: Config,
  restaurant: string,
  effects: Effects,
): Promise<{ client: Daypart; restaurantGuid: string }> {
  if (!(await namesService(given, config, effects)))
    throw new UsageError('--upload needs a service: name it by --url or --profile');
  const client = await openClientOf(given, effects);
  const { guid } = await findThere(client, restaurant);
  return { client, restaurantGuid: guid };
}

/** Whether the target is a service rather than a data folder. Throws UsageError if both are named. */
async function namesService(given: ParsedArguments, config: Config, { env }: Effects): Promise<boolean> {
  const named = ['url', 'profile'].find((name) => given.has(name));
  const isFolderNamed = given.settings.data !== undefined;
  if (named !== undefined && isFolderNamed) throw new UsageError(`--${named} or --data, not both`);
  return named !== undefined || (!isFolderNamed && (hasStated(env) || !(await PLACES.ledger.isIn(config.data))));
}

async function openService(
  given: ParsedArguments,
  { restaurant, isDryRun }: { restaurant: string; isDryRun: boolean },
  effects: Effects,
): Promise<Target> {
  const client = await openClientOf(given, effects);
  const there = await findThere(client, restaurant);
  const send: Send = (method, path, body) =>
    client.request(method, `/restaurants/${there.guid}/${path}`, {
      ...(body === undefined ? {} : { body }),
      timeoutMs: LOAD_MS,
    });
  const destination = isDryRun ? dryDestination(there) : serviceDestination(there, send);
  return { destination, close: async () => undefined };
}

async function findThere(client: Daypart, restaurant: string): Promise<RestaurantThere> {
  const known = needsNames([restaurant]) ? await listRestaurants(client, AbortSignal.timeout(LOAD_MS)) : [];
  const guid = findRestaurant(restaurant, known);
  try {
    return { ...(await client.request<RestaurantThere>('GET', `/restaurants/${guid}`)), guid };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new Error(`${error.message} Create it with: daypart restaurants add NAME --time-zone ZONE --guid ${guid}`);
  }
}

/** The restaurants of every group that has clients. */
async function everyRestaurant(ledger: ClientLedger & RestaurantLedger): Promise<Restaurant[]> {
  const groups = new Set((await ledger.clients()).map(({ group }) => group));
  return (await Promise.all([...groups].map((group) => ledger.restaurantsOf(group)))).flat();
}

async function openFolder(
  config: Config,
  { restaurant, isDryRun }: { restaurant: string; isDryRun: boolean },
  { stderr }: Effects,
): Promise<Target> {
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
    return {
      destination: isDryRun ? dryDestination(there) : storesDestination(stores, there),
      close: () => stores.close(),
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** Asks a point of sale what credentials reach, before anything is stored. */

import {
  isSourceError,
  type JsonObject,
  SourceError,
  type SourceErrorCode,
  type UpstreamRestaurant,
} from '@daypart/client/source';
import { businessDateOf } from '../contract/clock.ts';
import { addDays } from '../contract/dates.ts';
import { fieldProblem, Problem } from '../contract/problems.ts';
import { readGuid } from '../contract/words.ts';
import { namedGuid } from '../ingest/guids.ts';
import { fromSource } from './failures.ts';
import { type FolderContext, type FolderSource, type FoldersReached, hostKeyText } from './folder-source.ts';
import { settingsOf } from './found-settings.ts';
import type { OpenSource } from './open-source.ts';
import { callsOfDate, type PastTime, pastTimes } from './past-time.ts';

/** What is asked of a point of sale. */
export interface PointOfSale {
  kind: string;
  url: string;
  credentials: Record<string, string>;
  /** One restaurant, by its id at the point of sale, to find the others. */
  first: string | null;
}

/** What the credentials reach. */
export interface Reached {
  access: string;
  restaurants: UpstreamRestaurant[];
  /** Whether each stream, and each list of names, can be read: `ok` or a code of a SourceError. */
  streams: Record<string, 'ok' | SourceErrorCode>;
  /** How long the past of all that are not archived takes. */
  past: PastTime[];
  /** What the sign-in brought, so that a connection that is made of it need not sign in again; null without one. */
  session: (JsonObject & { until: number }) | null;
  /** Of kinds that read folders. */
  folders?: FoldersReached;
}

/** What is asked with. */
type Opened = Pick<OpenSource, 'source' | 'context'>;

/** Signs in and asks. Throws SourceError. */
export type CheckConnection = (access: PointOfSale, signal: AbortSignal) => Promise<Reached>;

/** A namespace of ours, for restaurants of a point of sale that gives them no GUIDs. */
const NAMESPACE = '6c1f60a2-5f0e-4d3b-9a57-c0b1de7f2a41';

/** The GUID of a restaurant: its own, or one made of where it is. */
export const guidOfFound = (
  { kind, url }: Pick<PointOfSale, 'kind' | 'url'>,
  { guid, upstreamId }: UpstreamRestaurant,
) => guid?.toLowerCase() ?? namedGuid(NAMESPACE, `${kind} ${url} ${upstreamId}`);

/** Reads the first page of a stream. */
async function firstPage(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pages) return;
}

/** What of a restaurant can be read, by asking for a little of each stream, and in how many calls it reads a date. */
async function tryStreams(
  { source, context: contextOf }: Opened,
  restaurant: UpstreamRestaurant,
  signal: AbortSignal,
): Promise<{ streams: Reached['streams']; calls: number }> {
  const context = contextOf({ restaurant, stream: 'check', priority: 0, signal });
  const now = context.now();
  const streams: Reached['streams'] = {};
  let calls = 1;
  async function ask(name: string, work: (() => Promise<unknown>) | undefined): Promise<void> {
    if (!work) return;
    try {
      await fromSource(signal, work);
      streams[name] = 'ok';
    } catch (error) {
      if (!isSourceError(error)) throw error;
      streams[name] = error.code;
    }
  }
  const { orders, timeEntries, names, menus } = source;
  await ask('orders', async () => {
    await firstPage(orders.changed(context, orders.begin(now)));
    const yesterday = addDays(businessDateOf(now, restaurant.timeZone, restaurant.closeoutHour), -1);
    calls = await callsOfDate(source, context, yesterday);
  });
  await ask('timeEntries', timeEntries && (() => firstPage(timeEntries.changed(context, timeEntries.begin(now)))));
  await ask(
    'names',
    names &&
      (async () => {
        for (const list of (await names.read(context)).forbidden) streams[list] = 'no_permission';
      }),
  );
  await ask('menus', menus && (() => menus.read(context, {})));
  return { streams, calls };
}

/** Throws SourceError upstream_changed for a restaurant whose settings cannot be stored. */
function insistOnSettings(found: UpstreamRestaurant): void {
  const { guid, upstreamId } = found;
  try {
    if (guid !== undefined && readGuid(guid) === undefined) throw new Error('it has no valid GUID');
    settingsOf(found);
  } catch (error) {
    const text = `the restaurant ${upstreamId.slice(0, 100)} cannot be stored: ${(error as Error).message}`;
    throw new SourceError('upstream_changed', text, { cause: error });
  }
}

/** Asks an opened source; streams are those of the first restaurant that is not archived. Throws SourceError. */
export async function reach(
  open: Opened,
  first: string | null,
  signal: AbortSignal,
): Promise<Omit<Reached, 'session'>> {
  const context = open.context({ restaurant: null, stream: 'check', priority: 0, signal });
  const found = await fromSource(signal, () => open.source.restaurants(context, first ?? undefined));
  found.restaurants.forEach(insistOnSettings);
  const used = found.restaurants.filter(({ archived }) => !archived);
  const { streams, calls } = used[0] ? await tryStreams(open, used[0], signal) : { streams: {}, calls: 1 };
  const past = pastTimes(open.source, { restaurants: used.length, calls });
  return { access: found.access, restaurants: found.restaurants, streams, past };
}

/** Asks for the folders of a server. Throws SourceError, and Problem package_missing. */
export async function reachFolders(source: FolderSource, context: FolderContext): Promise<Reached> {
  await source.check();
  const folders = await fromSource(context.signal, () => source.folders(context));
  return { access: 'folders', restaurants: [], streams: {}, past: [], session: null, folders };
}

const SENTENCES: Record<SourceErrorCode, string> = {
  upstream_unreachable: 'The point of sale cannot be reached at this address. Check the address.',
  upstream_error: 'The point of sale answers with an error. Try again later.',
  credentials_refused: 'The point of sale refuses the client id or secret.',
  no_permission: 'The credentials may not read the list of restaurants. Add the permission where you made them.',
  restaurant_unknown:
    'The point of sale does not have this restaurant, or the credentials do not reach it. Enter the GUID of one that they reach.',
  upstream_changed: 'What answers at this address is no point of sale that Daypart can read. Check the address.',
  throttled: 'The point of sale limits how often it may be asked. Try again later.',
  key_refused:
    'The server does not accept the key for this user. Enter the public key where the point of sale takes it, and check the user.',
  host_key_changed: 'The server identifies itself by a host key that was not confirmed.',
};

/** What a refusal means, and what to do. */
export const refusalText = ({ code, message }: Pick<SourceError, 'code' | 'message'>): string =>
  // It has the fingerprint to compare.
  code === 'host_key_changed' ? message : SENTENCES[code];

/** The problem that a caller gets who asked for something to be stored. */
export function refusalOf(error: SourceError): Problem {
  const text = refusalText(error);
  if (error.code === 'credentials_refused' || error.code === 'key_refused')
    return new Problem('credentials_refused', text, { cause: error });
  if (error.code === 'host_key_changed') return new Problem('host_key_unconfirmed', text, { cause: error });
  if (error.code === 'restaurant_unknown') return fieldProblem('restaurant_unknown', '/restaurantGuid', text);
  return new Problem('upstream_unreachable', text, { cause: error });
}

/** Throws Problem host_key_unconfirmed for a server whose key nobody has compared. */
export function requireHostKey({ credentials }: PointOfSale, { folders }: Reached): void {
  if (folders && credentials.hostKey === undefined)
    throw refusalOf(new SourceError('host_key_changed', hostKeyText(folders.hostKey)));
}

/** The credentials of a stored secret. Throws Error if it has something else. */
export function credentialsOf(content: JsonObject): Record<string, string> {
  const entries = Object.entries(content);
  if (entries.some(([, value]) => typeof value !== 'string')) throw new Error('stored credentials are not texts');
  return Object.fromEntries(entries) as Record<string, string>;
}

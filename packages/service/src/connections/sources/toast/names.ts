/** Names for the GUIDs in orders and time entries, as docs/loading.md#reference-data takes them, and menus. */
import {
  type Cursor,
  isSourceError,
  type JsonObject,
  type Names,
  type SourceContext,
  SourceError,
} from '@daypart/client/source';
import { isObject } from '../../../contract/json.ts';
import { changed, get, objectsIn, textOf } from './calls.ts';

/** At most so many jobs are asked for by GUID at once. */
const IDS = 100;
/** How often a list is begun again that was published while it was read. */
const MOST_BEGINS = 5;
const NEXT = 'toast-next-page-token';

/** All pages of a list of the configuration; undefined if it was published meanwhile. */
async function configPages(ctx: SourceContext, path: string): Promise<JsonObject[] | undefined> {
  const all: JsonObject[] = [];
  for (let pageToken: string | undefined; ; ) {
    const answer = await get(ctx, path, { ...(pageToken !== undefined && { query: { pageToken } }), allow: [409] });
    if (answer.status === 409) return undefined;
    all.push(...objectsIn(answer.json));
    const next = answer.headers.get(NEXT) ?? undefined;
    if (next === undefined || next === pageToken) return all;
    pageToken = next;
  }
}

async function configList(ctx: SourceContext, path: string): Promise<JsonObject[]> {
  for (let begins = 0; begins < MOST_BEGINS; begins++) {
    const all = await configPages(ctx, path);
    if (all) return all;
  }
  throw new SourceError('upstream_error', 'The configuration was published again and again while it was read.', {
    status: 409,
  });
}

/** Entries with a GUID and these properties, without those that are empty; each GUID once. */
function pick(list: readonly JsonObject[], properties: readonly string[], required?: string): JsonObject[] {
  const byGuid = new Map<string, JsonObject>();
  for (const entry of list) {
    const guid = textOf(entry.guid);
    if (guid === undefined || (required !== undefined && textOf(entry[required]) === undefined)) continue;
    const kept = properties.flatMap((name) => (entry[name] == null ? [] : [[name, entry[name]]]));
    byGuid.set(guid.toLowerCase(), Object.assign({ guid }, Object.fromEntries(kept)));
  }
  return [...byGuid.values()];
}

/** The jobs, and those that are stored and were deleted since: records of the past still refer to them. */
async function jobs(ctx: SourceContext, known: readonly string[]): Promise<JsonObject[]> {
  const path = '/labor/v1/jobs';
  const all = objectsIn((await get(ctx, path)).json);
  const listed = new Set(all.flatMap(({ guid }) => textOf(guid)?.toLowerCase() ?? []));
  const gone = known.filter((guid) => !listed.has(guid.toLowerCase()));
  for (let at = 0; at < gone.length; at += IDS) {
    const query = { jobIds: gone.slice(at, at + IDS).join(',') };
    all.push(...objectsIn((await get(ctx, path, { query })).json));
  }
  return all;
}

/** Reads all lists that the credentials may read. Throws SourceError. */
export async function readNamesOfToast(
  ctx: SourceContext,
  known: Record<string, readonly string[]> = {},
): Promise<Names> {
  const lists: Record<string, JsonObject[]> = {};
  const forbidden: string[] = [];
  const read = async (name: string, list: () => Promise<JsonObject[]>): Promise<void> => {
    try {
      lists[name] = await list();
    } catch (error) {
      if (!(isSourceError(error) && error.code === 'no_permission')) throw error;
      forbidden.push(name);
    }
  };
  await read('diningOptions', async () => pick(await configList(ctx, '/config/v2/diningOptions'), ['name'], 'name'));
  await read('revenueCenters', async () => pick(await configList(ctx, '/config/v2/revenueCenters'), ['name'], 'name'));
  await read('jobs', async () =>
    pick(await jobs(ctx, known.jobs ?? []), ['title', 'code', 'wageFrequency', 'excludeFromReporting']),
  );
  await read('employees', async () =>
    pick(objectsIn((await get(ctx, '/labor/v1/employees')).json), ['firstName', 'lastName', 'chosenName']),
  );
  return { lists, forbidden };
}

/** The point of sale allows one call a second for each restaurant. */
const MENUS_SECONDS = 2;

/**
 * The menus as `PUT …/menus` takes them, read only if they were published since the cursor, because they may be large;
 * null if none were. Throws SourceError.
 */
export async function readMenusOfToast(
  ctx: SourceContext,
  cursor: Cursor,
): Promise<{ menus: JsonObject; cursor: Cursor } | null> {
  const metadata = (await get(ctx, '/menus/v2/metadata')).json;
  const lastUpdated = isObject(metadata) ? textOf(metadata.lastUpdated) : undefined;
  if (lastUpdated === undefined) throw changed('the time of its menus');
  if (lastUpdated === cursor.lastUpdated) return null;
  const { json } = await get(ctx, '/menus/v2/menus', { everySeconds: MENUS_SECONDS });
  if (!isObject(json) || !Array.isArray(json.menus)) throw changed('menus');
  // They may have been published between the two calls.
  return { menus: { menus: json.menus }, cursor: { lastUpdated: textOf(json.lastUpdated) ?? lastUpdated } };
}

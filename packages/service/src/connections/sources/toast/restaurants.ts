/** Sign-in, the restaurants that credentials reach, and their settings. */

import type { JsonObject, SourceContext, SourceSession, UpstreamRestaurant } from '@daypart/client/source';
import { SourceError } from '@daypart/client/source';
import { isObject } from '../../../contract/json.ts';
import { changed, get, objectsIn, textOf } from './calls.ts';

/** A page of the restaurants of a partner. */
const PAGE_SIZE = 200;

/** Signs in; the time that is left counts from the answer, in whole seconds that are cut. Throws SourceError. */
export async function signInToToast(ctx: SourceContext): Promise<SourceSession> {
  const { clientId, clientSecret } = ctx.credentials;
  const body = { clientId, clientSecret, userAccessType: 'TOAST_MACHINE_CLIENT' };
  const { json } = await ctx.request('POST', '/authentication/v1/authentication/login', { body });
  const token = isObject(json) && isObject(json.token) ? json.token : {};
  const accessToken = textOf(token.accessToken);
  const { expiresIn } = token;
  if (accessToken === undefined || typeof expiresIn !== 'number') throw changed('a token');
  return { headers: { Authorization: `Bearer ${accessToken}` }, until: ctx.now() + (expiresIn + 1) * 1000 };
}

interface Described {
  restaurant: UpstreamRestaurant;
  managementGroup: string | undefined;
}

/** The settings of a restaurant; null if the credentials do not reach it, or may not read it. */
async function describe(ctx: SourceContext, guid: string): Promise<Described | null> {
  const { status, json } = await get(ctx, `/restaurants/v1/restaurants/${encodeURIComponent(guid)}`, {
    restaurant: guid,
    query: { includeArchived: 'true' },
    // 400: the header is no GUID.
    allow: [400, 403, 404],
  });
  if (status !== 200) return null;
  const general = isObject(json) && isObject(json.general) ? json.general : undefined;
  if (!general) throw changed('the settings of the restaurant');
  const { closeoutHour, firstBusinessDate, archived } = general;
  const name = textOf(general.name);
  const timeZone = textOf(general.timeZone);
  const currencyCode = textOf(general.currencyCode);
  if (name === undefined || timeZone === undefined || currencyCode === undefined || typeof closeoutHour !== 'number')
    throw changed('the name, time zone, closeout hour or currency of the restaurant');
  const [locationName, locationCode] = [textOf(general.locationName), textOf(general.locationCode)];
  const first = Number(firstBusinessDate);
  return {
    managementGroup: textOf(general.managementGroupGuid),
    restaurant: {
      upstreamId: guid,
      guid,
      name,
      timeZone,
      closeoutHour,
      currencyCode,
      archived: archived === true,
      ...(locationName !== undefined && { locationName }),
      ...(locationCode !== undefined && { locationCode }),
      ...(first >= 19700101 && first <= 99991231 && { firstBusinessDate: first }),
    },
  };
}

/** The settings of the context's restaurant; null if the credentials do not reach it. Throws SourceError. */
export async function settings(ctx: SourceContext): Promise<UpstreamRestaurant | null> {
  const found = await describe(ctx, ctx.restaurant?.upstreamId ?? '');
  return found?.restaurant ?? null;
}

/** Of one connection. */
const MOST_RESTAURANTS = 2000;
/** Restaurants that are described at once. */
const AT_ONCE = 20;

const tooMany = (): SourceError =>
  new SourceError(
    'upstream_changed',
    `The point of sale lists more than ${MOST_RESTAURANTS} restaurants, or pages without end.`,
  );

/** The GUIDs of a partner's restaurants; null for credentials of another kind. */
async function ofPartner(ctx: SourceContext): Promise<string[] | null> {
  const guids: string[] = [];
  let pages = 0;
  for (let pageToken: string | undefined; ; ) {
    const query = { pageSize: PAGE_SIZE, ...(pageToken !== undefined && { pageToken }) };
    const answer = await ctx.request('GET', '/partners/v1/connectedRestaurants', { query, allow: [403, 404] });
    if (answer.status !== 200) return null;
    const page: JsonObject = isObject(answer.json) ? answer.json : {};
    const rows = objectsIn(page.results).filter(({ deleted }) => deleted !== true);
    guids.push(...rows.flatMap(({ restaurantGuid }) => textOf(restaurantGuid) ?? []));
    if (guids.length > MOST_RESTAURANTS || pages++ > MOST_RESTAURANTS / PAGE_SIZE) throw tooMany();
    const next = textOf(page.nextPageToken);
    if (next === undefined || next === pageToken) return guids;
    pageToken = next;
  }
}

/** The GUIDs of the restaurants of a management group, of which one is known. */
async function ofGroup(ctx: SourceContext, first: string | undefined): Promise<string[]> {
  const known = first === undefined ? null : await describe(ctx, first);
  if (first === undefined || !known)
    throw new SourceError('restaurant_unknown', 'The credentials do not reach this restaurant, or may not read it.');
  if (known.managementGroup === undefined) return [first];
  const path = `/restaurants/v1/groups/${encodeURIComponent(known.managementGroup)}/restaurants`;
  const { json } = await get(ctx, path, { restaurant: first });
  const guids = objectsIn(json).flatMap(({ guid }) => textOf(guid) ?? []);
  return [...new Set([first, ...guids])];
}

/** All restaurants that the credentials reach. Throws SourceError. */
export async function restaurants(
  ctx: SourceContext,
  first: string | undefined,
): Promise<{ access: string; restaurants: UpstreamRestaurant[] }> {
  const partner = await ofPartner(ctx);
  const guids = [...new Set(partner ?? (await ofGroup(ctx, first)))];
  if (guids.length > MOST_RESTAURANTS) throw tooMany();
  const found: Awaited<ReturnType<typeof describe>>[] = [];
  for (let at = 0; at < guids.length; at += AT_ONCE)
    found.push(...(await Promise.all(guids.slice(at, at + AT_ONCE).map((guid) => describe(ctx, guid)))));
  return {
    access: partner ? 'partner' : 'group',
    restaurants: found.flatMap((one) => one?.restaurant ?? []),
  };
}

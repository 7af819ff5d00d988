/** Menus, read only if they were published since the last time: they may be large. */

import type { Cursor, JsonObject, SourceContext } from '@daypart/client/source';
import { isObject } from '../../../contract/json.ts';
import { changed, get, textOf } from './calls.ts';

/** The point of sale allows one call a second for each restaurant. */
const MENUS_SECONDS = 2;

/** The menus as `PUT …/menus` takes them; null if none were published since the cursor. Throws SourceError. */
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

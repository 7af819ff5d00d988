/** Settings of a connected restaurant, and its menus, as the point of sale has them. */

import { isSourceError, type UpstreamRestaurant } from '@daypart/client/source';
import { DAY_MS, HOUR_MS } from '../contract/time.ts';
import { menusBody } from '../ingest/menus.ts';
import { fromSource } from './failures.ts';
import { changedSettings, pastOf } from './found-settings.ts';
import { type AnyMember, type Member, saveRead, saveRow, saveStream, setWarning, streamOf } from './member.ts';

/** The client that the audit log names. */
const AUDIT_CLIENT = 'connection';

/** Writes the settings that differ, with a line in the audit log. */
async function writeSettings(member: Member, found: UpstreamRestaurant): Promise<void> {
  const { deps, connection, restaurant } = member;
  const { next, differing } = await fromSource(member.signal, async () => changedSettings(restaurant, found));
  if (differing.length === 0) return;
  await deps.ledger.addAudit({
    at: deps.clock(),
    group: connection.group,
    byGroup: connection.group,
    clientId: AUDIT_CLIENT,
    name: connection.name,
    action: 'restaurant.changed',
    target: restaurant.guid,
    detail: Object.fromEntries(differing.map((name) => [name, next[name]])),
  });
  const put = await deps.ledger.putRestaurant(next);
  if (put) member.restaurant = put.restaurant;
  const isRead = member.row.backfillDone !== null;
  if (isRead && (differing.includes('timeZone') || differing.includes('closeoutHour')))
    await setWarning(member, 'day_changed', true);
}

/** Decides which dates of the past are read, the first time that the settings are known. */
async function planPast(member: Member, found: UpstreamRestaurant): Promise<void> {
  const { connection, row } = member;
  const { notBefore } = row;
  if (row.backfillFrom !== null) return;
  const { backfillDays } = connection.settings;
  await saveRow(member, pastOf(found, { backfillDays, notBefore, now: member.now() }));
}

/**
 * Reads the settings. A restaurant that the credentials do not reach twice, an hour apart, is lost; it is tried again
 * daily. Throws SourceError and LeaseLost.
 */
export async function readRestaurantSettings(member: Member): Promise<void> {
  const { source, signal } = member;
  const found = await member.inTurn('settings', () =>
    fromSource(signal, () => source.settings(member.contextOf('settings'))),
  );
  if (!found) return await saveMissing(member);
  await writeSettings(member, found);
  await planPast(member, found);
  await saveFound(member);
}

/** Saves that the restaurant is there. Throws LeaseLost. */
export async function saveFound(member: AnyMember): Promise<void> {
  const now = member.deps.clock();
  // What was not read meanwhile is due now.
  if (member.row.state === 'lost') await saveRow(member, { state: 'chosen', reason: null, since: now });
  await saveRead(member, 'settings', now + DAY_MS, { cursor: null });
}

/** Saves that the restaurant was not found; the second time, an hour later, it is lost. Throws LeaseLost. */
export async function saveMissing(member: AnyMember): Promise<void> {
  const now = member.deps.clock();
  const { cursor, failures, error } = streamOf(member, 'settings');
  const since = typeof cursor?.missingSince === 'number' && error === 'restaurant_unknown' ? cursor.missingSince : now;
  const isLost = now - since >= HOUR_MS;
  await saveStream(member, 'settings', {
    error: 'restaurant_unknown',
    failures: failures + 1,
    lastAt: now,
    nextAt: now + (isLost ? DAY_MS : HOUR_MS),
    cursor: { missingSince: since },
  });
  if (isLost && member.row.state !== 'lost') await saveLost(member);
}

async function saveLost(member: AnyMember): Promise<void> {
  const { deps, connection, row } = member;
  await saveRow(member, { state: 'lost', reason: 'restaurant_lost', since: deps.clock() });
  const { restaurantGuid } = row;
  const change = { connectionId: connection.id, restaurantGuid, state: 'lost', reason: 'restaurant_lost' } as const;
  deps.log.warn(change, 'a connected restaurant is lost: the credentials no longer reach it');
  deps.onState(Object.assign({ group: connection.group }, change));
}

/** Reads the menus if they changed. Throws SourceError, LeaseLost, and what the facts throw. */
export async function readMenus(member: Member): Promise<void> {
  const { deps, source, restaurant, signal } = member;
  const { menus } = source;
  if (!menus) return;
  const cursor = streamOf(member, 'menus').cursor ?? {};
  const read = await member.inTurn('menus', () =>
    fromSource(signal, () => menus.read(member.contextOf('menus'), cursor)),
  );
  const nextAt = deps.clock() + Math.round(menus.everySeconds * member.stretch) * 1000;
  if (!read) return await saveRead(member, 'menus', nextAt, { cursor });
  const list = await fromSource(signal, async () => menusBody.read(read.menus));
  await deps.facts.putMenus(restaurant.id, list.menus);
  // Of these menus only, since they replace the ones before.
  await saveRead(member, 'menus', nextAt, { cursor: read.cursor, rejected: list.skipped });
}

/** The error of a call that found the restaurant unknown makes its settings due: they decide whether it is lost. */
export async function suspectLoss(member: AnyMember, error: unknown): Promise<void> {
  const isUnknown = isSourceError(error) && error.code === 'restaurant_unknown';
  const settings = streamOf(member, 'settings');
  if (isUnknown && settings.error === null) await saveStream(member, 'settings', { nextAt: member.deps.clock() });
}

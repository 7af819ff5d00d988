/** Names of a connected restaurant: its lists of reference data are replaced as a whole by what is read. */

import type { JsonObject } from '@daypart/client/source';
import { HOUR_MS } from '../contract/time.ts';
import type { Reference } from '../facts/reference.ts';
import { readReference } from '../ingest/reference.ts';
import { fromSource } from './failures.ts';
import { type Member, type RecordKind, saveRead, saveStream, setWarning, streamOf } from './member.ts';

type ListName = keyof Reference;
const LISTS: readonly ListName[] = ['diningOptions', 'revenueCenters', 'employees', 'jobs'];

/** Where records name what the lists have. */
const NAMED: Record<RecordKind, [property: string, list: ListName][]> = {
  orders: [
    ['diningOption', 'diningOptions'],
    ['revenueCenter', 'revenueCenters'],
  ],
  timeEntries: [
    ['jobReference', 'jobs'],
    ['employeeReference', 'employees'],
  ],
};
/** GUIDs without a name that are remembered, so that they are not asked for again every hour. */
const MOST_REQUESTED = 500;

/** What the cursor of the stream `names` holds. */
type NamesCursor = {
  /** GUIDs whose names were asked for. */
  asked?: string[];
  /** Since when (ms) a list that is stored came empty. */
  emptySince?: Partial<Record<ListName, number>>;
};

function* namedIn(kind: RecordKind, records: readonly JsonObject[]): Generator<[ListName, string]> {
  for (const record of records)
    for (const [property, list] of NAMED[kind]) {
      const guid = (record[property] as { guid?: unknown } | null | undefined)?.guid;
      if (typeof guid === 'string') yield [list, guid.toLowerCase()];
    }
}

/** Makes names due, at most hourly, if records refer to something that the stored lists lack. Throws LeaseLost. */
export async function wantNames(member: Member, kind: RecordKind, records: readonly JsonObject[]): Promise<void> {
  const { deps, source, restaurant } = member;
  const row = streamOf(member, 'names');
  // Names that were never read are due anyway.
  if (!source.names || records.length === 0 || row.lastAt === null) return;
  const cursor: NamesCursor = row.cursor ?? {};
  const requested = new Set(cursor.asked);
  const reference = await deps.facts.reference(restaurant.id);
  const known = new Set(LISTS.flatMap((list) => reference[list].map(({ guid }) => `${list} ${guid}`)));
  const lacking = [...new Set([...namedIn(kind, records)].map((pair) => pair.join(' ')))].filter(
    (one) => !known.has(one) && !requested.has(one),
  );
  if (lacking.length === 0) return;
  const nextAt = Math.min(row.nextAt, Math.max(deps.clock(), row.lastAt + HOUR_MS));
  const all = [...requested, ...lacking].slice(-MOST_REQUESTED);
  await saveStream(member, 'names', { nextAt, cursor: Object.assign({}, cursor, { asked: all }) });
}

/**
 * Reads names and stores the lists that differ. A list that comes empty where one is stored is stored only if it comes
 * so twice, an hour apart. Throws SourceError, LeaseLost, and what the facts throw.
 */
export async function readNames(member: Member): Promise<void> {
  const { deps, source, restaurant, signal } = member;
  const { names } = source;
  if (!names) return;
  const cursor: NamesCursor = streamOf(member, 'names').cursor ?? {};
  const stored = await deps.facts.reference(restaurant.id);
  const known = guidsToName(stored, cursor.asked ?? []);
  const { lists, forbidden } = await member.inTurn('names', () =>
    fromSource(signal, () => names.read(member.contextOf('names'), known)),
  );
  const read = await fromSource(signal, async () => readReference(lists));
  const now = deps.clock();
  const emptySince: NamesCursor['emptySince'] = {};
  const changed: Record<string, unknown> = {};
  for (const list of LISTS) {
    const entries = read[list];
    if (entries === undefined) continue;
    if (entries.length === 0 && stored[list].length > 0) {
      const since = cursor.emptySince?.[list] ?? now;
      if (now - since < HOUR_MS) {
        emptySince[list] = since;
        continue;
      }
    }
    if (!isSameList(entries, stored[list])) changed[list] = entries;
  }
  if (Object.keys(changed).length > 0) await deps.facts.putReference(restaurant.id, changed);
  await setWarning(member, 'names_forbidden', forbidden.length > 0);
  const waits = Object.keys(emptySince).length > 0;
  const nextAt = now + (waits ? HOUR_MS : names.everySeconds * 1000);
  await saveRead(member, 'names', nextAt, {
    cursor: waits ? { asked: cursor.asked ?? [], emptySince } : { asked: cursor.asked ?? [] },
  });
}

/** The GUIDs by list that are stored, or that records refer to. */
function guidsToName(stored: Reference, requested: readonly string[]): Record<ListName, string[]> {
  const of = (list: ListName): string[] => [
    ...stored[list].map(({ guid }) => guid),
    ...requested.filter((one) => one.startsWith(`${list} `)).map((one) => one.slice(list.length + 1)),
  ];
  return {
    diningOptions: of('diningOptions'),
    revenueCenters: of('revenueCenters'),
    employees: of('employees'),
    jobs: of('jobs'),
  };
}

/** Whether two lists have the same entries, in any order. */
function isSameList(one: readonly { guid: string }[], other: readonly { guid: string }[]): boolean {
  const text = (list: readonly { guid: string }[]): string =>
    JSON.stringify([...list].sort((a, b) => (a.guid < b.guid ? -1 : 1)).map((entry) => Object.entries(entry).sort()));
  return text(one) === text(other);
}

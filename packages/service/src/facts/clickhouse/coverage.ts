/**
 * What is loaded for each restaurant, cached in memory, because every page about a group asks for it. Any node may
 * load, so the load log is asked each time which restaurants were loaded since; only those are read again.
 */
import type { Coverage } from '../loaded.ts';
import type { PostgresLog } from './load-log/postgres-log.ts';
import type { Seen } from './protocol.ts';
import { integers, ofRestaurants, promotedWords, visible } from './reads.ts';
import type { ServerRow } from './row-types.ts';
import { type Server, serverPart } from './server.ts';
import type { Snapshot } from './snapshot.ts';

const ASKED = { deadlineMs: 30_000 };
/** Beyond this many restaurants the cache is emptied: some 20 MB. */
const MOST_KNOWN = 100_000;

export interface ServerCoverage {
  of(restaurants: readonly number[]): Promise<Map<number, Coverage>>;
  /** As `LoadedFacts.lastDates`. */
  lastDates(restaurants: readonly number[], until: number): Promise<Map<number, number>>;
  /** Empties the cache. */
  forget(): void;
}

const NOT_LOADED: Coverage = { firstDate: null, lastDate: null, loadedAt: null, version: '0.' };

export function openCoverage(server: Server, log: PostgresLog): ServerCoverage {
  let known = new Map<number, Coverage>();
  /** The snapshot of `known`. */
  let at: Snapshot | undefined;

  /** The words for what a snapshot sees of restaurants, with the query of their loaded days. */
  function wordsOf(ids: readonly number[], { snapshot, promoted }: Seen) {
    const words = { restaurants: ofRestaurants(ids), visible: visible(snapshot), ...promotedWords(promoted) };
    const more = (name: string) => (promoted ? serverPart(name, words) : '');
    const days = serverPart('loadedDays', { ...words, promoted: more('promotedDays') });
    const items = serverPart('soldItems', { ...words, promoted: more('promotedItems') });
    return { ...words, days: serverPart('daysWithData', { days, items }), hasData: serverPart('hasData') };
  }

  async function read(ids: readonly number[], seen: Seen): Promise<Map<number, Coverage>> {
    const { days, hasData, ...words } = wordsOf(ids, seen);
    const [loaded, lists] = await Promise.all([
      server.rows('loaded', { days, hasData }, ASKED),
      server.rows('listsVersion', words, ASKED),
    ]);
    const listsOf = new Map(lists.map((row) => [row.restaurant_id, row.lists_version]));
    const rowOf = new Map(loaded.map((row) => [row.restaurant_id, row]));
    return new Map(ids.map((id) => [id, coverageOf(rowOf.get(id), listsOf.get(id) ?? '')]));
  }

  /** Removes restaurants that were loaded since they were read. */
  async function forgetLoaded({ snapshot, forgotten }: Seen): Promise<void> {
    if (at && at.high < forgotten) known = new Map();
    else if (at && (at.high !== snapshot.high || at.except.length > 0))
      for (const id of await log.since(at)) known.delete(id);
    at = snapshot;
  }

  return {
    async lastDates(ids, until) {
      const { days, hasData } = wordsOf(ids, await log.seen());
      const rows = await server.rows('lastDates', { days, hasData, until: integers([until]) }, ASKED);
      return new Map(rows.map((row) => [row.restaurant_id, row.last_date]));
    },
    forget() {
      known = new Map();
      at = undefined;
    },
    async of(ids) {
      const seen = await log.seen();
      await forgetLoaded(seen);
      if (known.size > MOST_KNOWN) known = new Map();
      const before = new Map(ids.map((id) => [id, known.get(id)]));
      const missing = ids.filter((id) => !before.get(id));
      const found = missing.length > 0 ? await read(missing, seen) : new Map<number, Coverage>();
      // `at` is the snapshot of these rows, so the next call sees what was committed meanwhile.
      if (at === seen.snapshot) for (const [id, coverage] of found) known.set(id, coverage);
      return new Map(ids.map((id) => [id, found.get(id) ?? before.get(id) ?? NOT_LOADED]));
    },
  };
}

function coverageOf(row: ServerRow<'loaded'> | undefined, lists: string): Coverage {
  if (!row) return { ...NOT_LOADED, version: `0.${lists}` };
  return {
    firstDate: row.first_date,
    lastDate: row.last_date,
    loadedAt: row.loaded_at,
    version: `${row.load_id}.${lists}`,
  };
}

/** Where an import loads to: the stores of this process, or nowhere. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spool } from '../facts/load.ts';
import type { Menu } from '../facts/reference.ts';
import type { EntryPlace } from '../ingest/entry.ts';
import { type LoadAnswer, type LoadDeps, load } from '../ingest/load.ts';
import type { OrderPlace } from '../ingest/order.ts';
import { readBody } from '../ingest/read.ts';
import { ndjson } from '../ingest/records.ts';
import type { Restaurant } from '../ledger/restaurant.ts';

export interface Destination {
  restaurantGuid: string;
  /** The IANA time zone of the export's times. */
  timeZone: string;
  /** Its name, and its location name if it has one. */
  restaurantNames: readonly string[];
  /**
   * The first business date (YYYYMMDD) that a connection reads, whose records have other GUIDs; undefined without one.
   */
  connectedFrom: number | undefined;
  /** Loads records in one step, all or nothing; throws if it cannot. */
  load(kind: Spool['kind'], records: readonly object[]): Promise<LoadAnswer>;
  /**
   * Replaces the menus by those of an export of `date` (YYYYMMDD). Returns false and keeps the stored menus, if any,
   * when orders or time entries of a later date are loaded: importing an old day again must not restore old menus.
   */
  putMenus(menus: readonly Menu[], date: number): Promise<boolean>;
}

/** A destination that takes the records as bodies with one JSON text per line. */
export interface BodyDestination extends Pick<Destination, 'putMenus'> {
  /** Loads a body in one step, all or nothing; throws if it cannot. */
  loadBody(kind: Spool['kind'], body: AsyncIterable<Buffer>): Promise<LoadAnswer>;
}

/** How files of an export may call the restaurant. */
export const namesOfRestaurant = ({ name, locationName }: Pick<Restaurant, 'name' | 'locationName'>): string[] => [
  ...new Set([name, ...(locationName ? [locationName] : [])]),
];

/** Loads into the stores of this process. */
export function storesDestination(
  stores: LoadDeps,
  restaurant: Restaurant,
  connectedFrom?: number,
): Destination & BodyDestination {
  const loadBody: BodyDestination['loadBody'] = (kind, body) =>
    load(stores, restaurant, { kind, body, format: 'ndjson' });
  return {
    restaurantGuid: restaurant.guid,
    timeZone: restaurant.timeZone,
    restaurantNames: namesOfRestaurant(restaurant),
    connectedFrom,
    loadBody,
    load: (kind, records) => loadBody(kind, chunks(records)),
    async putMenus(menus, date) {
      const { facts } = stores;
      const { lastDate = null } = (await facts.coverage([restaurant.id])).get(restaurant.id) ?? {};
      if ((lastDate ?? 0) > date && (await facts.menus(restaurant.id)).length > 0) return false;
      await facts.putMenus(restaurant.id, menus);
      return true;
    },
  };
}

async function* chunks(records: readonly object[]): AsyncGenerator<Buffer> {
  yield* ndjson(records);
}

/** Properties of the restaurant that every destination knows. */
export interface RestaurantThere extends EntryPlace, OrderPlace, Pick<Restaurant, 'name' | 'locationName'> {
  guid: string;
  /** As of `Destination`. */
  connectedFrom?: number | undefined;
}

/** Reads and checks all records as a load does, in a temporary folder, and loads none. */
export function dryDestination(there: RestaurantThere): Destination {
  const { guid, timeZone, connectedFrom } = there;
  return {
    restaurantGuid: guid,
    timeZone,
    restaurantNames: namesOfRestaurant(there),
    connectedFrom,
    async load(kind, records) {
      const spoolFolder = await mkdtemp(join(tmpdir(), 'daypart-dry-run-'));
      try {
        const read = await readBody({ kind, format: 'ndjson', place: there, spoolFolder }, chunks(records));
        const { rejected, rejectedCount } = read;
        return { accepted: read.count - rejectedCount, unchanged: 0, rejected, rejectedCount };
      } finally {
        await rm(spoolFolder, { recursive: true, force: true });
      }
    },
    putMenus: async () => true,
  };
}

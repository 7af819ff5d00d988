/** An engine for a file of laws, with restaurants of their own for every case. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckdbFacts, openDuckdbFacts } from '../../packages/service/src/facts/duckdb.ts';
import type { RestaurantScope, Spool } from '../../packages/service/src/facts/facts.ts';
import { load } from '../../packages/service/src/ingest/load.ts';
import type { Restaurant } from '../../packages/service/src/ledger/ledger.ts';
import type { Json, NaiveRestaurant } from './naive.ts';

export interface Opened {
  facts: DuckdbFacts;
  folder: string;
  /** A restaurant that has not been there before, with its reference data. */
  restaurant(like: NaiveRestaurant): Promise<Restaurant>;
  /** Loads records and insists that none is rejected. */
  put(of: Restaurant, kind: Spool['kind'], records: Json[]): Promise<void>;
  close(): Promise<void>;
}

export async function openFacts(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-laws-'));
  await mkdir(join(folder, 'spool'));
  const facts = await openDuckdbFacts({ folder: join(folder, 'facts'), memoryMb: 1024, readable: [folder] });
  let lastId = 0;
  const named = (names: Record<string, string>) => Object.entries(names).map(([guid, name]) => ({ guid, name }));
  return {
    facts,
    folder,
    async restaurant(like) {
      const id = ++lastId;
      await facts.putReference(id, {
        diningOptions: named(like.diningOptions),
        revenueCenters: named(like.revenueCenters),
        jobs: Object.entries(like.jobs).map(([guid, job]) => ({ guid, title: guid, ...job })),
      });
      const { guid, name, timeZone, closeoutHour, overtimeMultiplier } = like;
      return {
        ...{ id, guid, name, timeZone, closeoutHour, overtimeMultiplier },
        group: 'g',
        locationName: null,
        locationCode: null,
        currencyCode: null,
        active: true,
        testMode: false,
        archived: false,
      };
    },
    async put(of, kind, records) {
      const body = (async function* () {
        yield Buffer.from(JSON.stringify(records));
      })();
      const { rejected } = await load({ facts, spoolFolder: join(folder, 'spool') }, of, kind, body, 'array');
      assert.deepEqual(rejected, []);
    },
    async close() {
      await facts.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What a gather needs to know of a restaurant. */
export const scopeOf = ({ id, guid, name, closeoutHour }: Restaurant): RestaurantScope => ({
  ...{ id, guid, name, closeoutHour },
});

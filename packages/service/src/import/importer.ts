/** The thread that imports: reads and joins the files of a day, and has import-thread.ts load the records. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Spool } from '../facts/load.ts';
import type { Menu } from '../facts/reference.ts';
import type { LoadAnswer } from '../ingest/load.ts';
import { ndjson } from '../ingest/records.ts';
import { lowerThisThread } from '../nice.ts';
import { isDiskFull } from '../storage/disk-fault.ts';
import { serveCalls } from '../threads/calls.ts';
import { parentThread } from '../threads/peers.ts';
import type { Force } from './belonging.ts';
import type { FoundFolders } from './day-folder.ts';
import { type Destination, dryDestination, namesOfRestaurant, type RestaurantThere } from './destination.ts';
import { type ImportReport, importDays } from './import.ts';
import type { Mapping } from './mapping.ts';

/** An import to carry out. */
export interface ImportWork {
  found: FoundFolders;
  restaurant: RestaurantThere;
  mapping: Mapping;
  force: Force;
  /** Read and check everything, load nothing. */
  dryRun: boolean;
  /** The folder for the files of records to load. */
  folder: string;
}

/** What the thread may be called for. */
export type ImporterCalls = {
  import(input: { id: number; work: ImportWork }): Promise<ImportReport>;
};

/** What the thread calls while it carries out the import of this id. */
export type DestinationCalls = {
  /** The records are in the file, one JSON text per line. */
  load(records: { id: number; of: Spool['kind']; path: string }): Promise<LoadAnswer>;
  putMenus(menus: { id: number; menus: readonly Menu[]; date: number }): Promise<boolean>;
};

lowerThisThread();

const service = serveCalls<DestinationCalls>(parentThread(), { import: run } satisfies ImporterCalls);

/** The service's destination, called from this thread. */
const remoteDestination = (id: number, { restaurant, folder }: ImportWork): Destination => ({
  restaurantGuid: restaurant.guid,
  timeZone: restaurant.timeZone,
  restaurantNames: namesOfRestaurant(restaurant),
  connectedFrom: restaurant.connectedFrom,
  async load(of, records) {
    const path = join(folder, `${of}.ndjson`);
    try {
      await pipeline(ndjson(records), createWriteStream(path, { mode: 0o600 }));
    } catch (cause) {
      throw isDiskFull(cause) ? new Error('the disk is full', { cause }) : cause;
    }
    return await service.call('load', { id, of, path });
  },
  putMenus: (menus, date) => service.call('putMenus', { id, menus, date }),
});

async function run({ id, work }: { id: number; work: ImportWork }): Promise<ImportReport> {
  const { found, mapping, force, restaurant, dryRun } = work;
  const destination = dryRun ? dryDestination(restaurant) : remoteDestination(id, work);
  return await importDays(found, destination, { mapping, force, progress: () => undefined });
}

/** The thread that imports: reads and joins the files of a day, and has import-thread.ts load the records. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parentPort } from 'node:worker_threads';
import type { Spool } from '../facts/load.ts';
import type { Menu } from '../facts/menus.ts';
import type { LoadAnswer } from '../ingest/load.ts';
import { ndjson } from '../ingest/ndjson.ts';
import { lowerThisThread } from '../nice.ts';
import { isDiskFull } from '../storage/full.ts';
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

export type ToImporter =
  | { kind: 'import'; id: number; work: ImportWork }
  | { kind: 'loaded'; call: number; answer: LoadAnswer | boolean }
  | { kind: 'refused'; call: number; message: string; code: unknown };

export type FromImporter =
  /** The records are in the file, one JSON text per line. */
  | { kind: 'load'; id: number; call: number; of: Spool['kind']; path: string }
  | { kind: 'menus'; id: number; call: number; menus: readonly Menu[]; date: number }
  | { kind: 'done'; id: number; report: ImportReport }
  | { kind: 'failed'; id: number; message: string; code: unknown; stack: string | undefined };

lowerThisThread();

const port = parentPort;
if (!port) throw new Error('this is the entry of a thread');
const send = (message: FromImporter): void => port.postMessage(message);

type Answer = LoadAnswer | boolean;
const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
let lastCall = 0;

/** Sends a call of the destination, and waits for its answer. */
function call<T extends Answer>(message: (call: number) => FromImporter): Promise<T> {
  const id = ++lastCall;
  return new Promise<T>((resolve, reject) => {
    waiting.set(id, { resolve: resolve as (answer: Answer) => void, reject });
    send(message(id));
  });
}

/** The service's destination, called from this thread. */
const remoteDestination = (id: number, { restaurant, folder }: ImportWork): Destination => ({
  restaurantGuid: restaurant.guid,
  timeZone: restaurant.timeZone,
  restaurantNames: namesOfRestaurant(restaurant),
  async load(of, records) {
    const path = join(folder, `${of}.ndjson`);
    try {
      await pipeline(ndjson(records), createWriteStream(path, { mode: 0o600 }));
    } catch (cause) {
      throw isDiskFull(cause) ? new Error('the disk is full', { cause }) : cause;
    }
    return await call<LoadAnswer>((nth) => ({ kind: 'load', id, call: nth, of, path }));
  },
  putMenus: (menus, date) => call<boolean>((nth) => ({ kind: 'menus', id, call: nth, menus, date })),
});

async function run(id: number, work: ImportWork): Promise<void> {
  const { found, mapping, force, restaurant, dryRun } = work;
  const destination = dryRun ? dryDestination(restaurant) : remoteDestination(id, work);
  try {
    send({
      kind: 'done',
      id,
      report: await importDays(found, destination, { mapping, force, progress: () => undefined }),
    });
  } catch (error) {
    const { message, code, stack } = error as NodeJS.ErrnoException;
    send({ kind: 'failed', id, message, code, stack });
  }
}

port.on('message', (message: ToImporter) => {
  if (message.kind === 'import') return void run(message.id, message.work);
  const caller = waiting.get(message.call);
  waiting.delete(message.call);
  if (message.kind === 'loaded') caller?.resolve(message.answer);
  else caller?.reject(Object.assign(new Error(message.message), { code: message.code }));
});

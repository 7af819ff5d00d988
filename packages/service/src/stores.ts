/**
 * Opens the three stores according to the settings: in a data folder, or on servers (server-stores.ts). The only file
 * that names their embedded forms: SQLite, DuckDB and a folder of files; everything else uses interfaces
 * (test/rooms.test.ts).
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { type StoreAddresses, storeAddresses } from './config/server-settings.ts';
import { openDuckdbFacts } from './facts/duckdb/duckdb.ts';
import { DUCKDB_PLACE, factsFolder } from './facts/duckdb/place.ts';
import type { Facts } from './facts/facts.ts';
import { openFiles } from './files/file-helper.ts';
import type { Files } from './files/files.ts';
import type { Ledger } from './ledger/ledger.ts';
import { lockFile } from './ledger/sqlite/folder-lock.ts';
import { SQLITE_PLACE } from './ledger/sqlite/place.ts';
import { openReserve, type Reserve, withWholeReserve } from './ledger/sqlite/reserve.ts';
import { openReservedLedger, reserveFile } from './ledger/sqlite/reserved.ts';
import { openThreadedLedger } from './ledger/sqlite/thread.ts';
import { joinStores, refuseWithoutFacts, refuseWithoutLedger } from './maintenance/identity.ts';
import { FOLDER_PLACE, openFolderResults, resultsFolder } from './results/folder/folder.ts';
import type { Results } from './results/results.ts';
import { explainFault, explaining, refuseNoFolder } from './storage/folder-fault.ts';
import { type FolderWatch, watchFolder } from './storage/folder-watch.ts';
import { makeFolder } from './storage/folders.ts';
import type { StorePlaces } from './storage/store-place.ts';
import { type Closing, closerOf } from './store-closing.ts';

/** The places of the stores in a data folder. */
export const PLACES: StorePlaces = { ledger: SQLITE_PLACE, facts: DUCKDB_PLACE, results: FOLDER_PLACE };

export interface Stores {
  ledger: Ledger;
  facts: Facts;
  results: Results;
  files: Files;
  places: StorePlaces;
  spoolFolder: string;
  /** Notices that the data folder is lost; undefined if the stores are on servers. */
  folder: FolderWatch | undefined;
  /** How often the reporting engine was restarted. */
  engineRestarts(): number;
  close(): Promise<void>;
}

const LOCK_FILE = 'service.lock';

/** Another process holds the data folder. */
export class FolderHeld extends Error {
  override readonly name = 'FolderHeld';
}

/**
 * A command that waits for a service takes the lock for an instant to check whether the service still runs; that must
 * not prevent a start.
 */
const LOCK_MS = 250;

/**
 * Creates the data folder and locks it for this process, until the returned function is called. Throws FolderHeld if
 * another process still holds it after `waitMs`, Error with a sentence if the folder cannot be written.
 */
export async function holdFolder(data: string, waitMs: number): Promise<() => void> {
  const release = await explaining(data, async () => {
    await refuseNoFolder(data);
    await makeFolder(data);
    return lockFile(join(data, LOCK_FILE), waitMs);
  });
  if (release) return release;
  throw new FolderHeld(
    `another daypart service is running on the data folder ${data}; stop it or choose another with --data`,
  );
}

/**
 * Opens the ledger for a command, whether or not a service runs. Creates a data folder and its ledger if missing; on a
 * server the ledger must have been migrated. Throws Error with a sentence if the folder cannot be written or its disk
 * is full.
 */
export async function openLedger({ data, ledger }: { data: string; ledger?: string | undefined }): Promise<Ledger> {
  if (ledger === undefined) return await explaining(data, () => openReservedLedger(data));
  return await (await import('./server-stores.ts')).openServerLedger(ledger);
}

/** Report families in addition to those of the service, with their SQL. */
export type FurtherFamilies = Pick<Parameters<typeof openDuckdbFacts>[0], 'families' | 'familySql'>;

type StoreConfig = Pick<Config, 'data' | 'engineMemory'> &
  Partial<Pick<Config, 'enginePriority' | 'resultsCache' | 'leaseSeconds' | 'ledger' | 'facts' | 'results'>>;

/**
 * Opens the three stores. Throws FolderHeld if another service holds the data folder, StoresApart if they are from
 * different folders, Error with a sentence if the folder cannot be written, its disk is full even without the reserve,
 * a server does not answer, or its stores do not belong to this installation.
 */
export async function openStores(config: StoreConfig, log: Logger, more: FurtherFamilies = {}): Promise<Stores> {
  const { ledger, facts, results } = config;
  const addresses = storeAddresses({ ledger, facts, results });
  return addresses ? await openOnServers(addresses, config, log, more) : await openInFolder(config, log, more);
}

/** Opens the stores on servers; the folder is for this node alone, and is emptied. */
async function openOnServers(
  addresses: StoreAddresses,
  config: StoreConfig,
  log: Logger,
  more: FurtherFamilies,
): Promise<Stores> {
  const { data } = config;
  const { openServerStores } = await import('./server-stores.ts');
  const release = await holdFolder(data, LOCK_MS);
  const opened: Closing[] = [async () => release()];
  const close = closerOf(opened);
  try {
    const spoolFolder = await emptySpool(data);
    const stores = await openServerStores(addresses, config, { data, spoolFolder }, log, more);
    opened.push(stores.close);
    const files = openFiles();
    opened.push(files.close);
    return { ...stores, files, spoolFolder, folder: undefined, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openInFolder(config: StoreConfig, log: Logger, more: FurtherFamilies): Promise<Stores> {
  const { data } = config;
  // Before anything is created in the folder, the lock included.
  await refuseWithoutLedger(data, PLACES);
  const release = await holdFolder(data, LOCK_MS);
  const opened: Closing[] = [async () => release()];
  const close = closerOf(opened);
  try {
    const reserve = await openReserve(reserveFile(data));
    opened.push(reserve.close);
    // A start writes to the ledger and the facts, which a full disk would refuse: then nothing could be deleted any
    // more.
    const stores = await withWholeReserve(reserve, () => openParts(config, reserve, log, more));
    opened.push(stores.close);
    return { ...stores, close };
  } catch (error) {
    await close();
    throw await explainFault(error, data);
  }
}

/** Opens the stores of a folder that this process holds. If one cannot be opened, closes the others. */
async function openParts(config: StoreConfig, reserve: Reserve, log: Logger, more: FurtherFamilies): Promise<Stores> {
  const { data } = config;
  const opened: Closing[] = [];
  const close = closerOf(opened);
  try {
    const folder = watchFolder(data);
    opened.push(async () => folder.stop());
    const ledger = await openThreadedLedger(data, reserve, {
      isKept: folder.check,
      onDamage: (err) => log.error({ err }, 'the ledger is damaged'),
    });
    opened.push(() => ledger.close());
    await refuseWithoutFacts(data, PLACES, ledger);
    const results = await openFolderResults(resultsFolder(data));
    await results.sweep();
    const spoolFolder = await emptySpool(data);
    const facts = await openDuckdbFacts({
      folder: factsFolder(data),
      memoryMb: config.engineMemory,
      priority: config.enginePriority,
      readable: [spoolFolder, resultsFolder(data)],
      ...more,
      log,
    });
    opened.push(() => facts.close());
    const files = openFiles();
    opened.push(() => files.close());
    folder.hold([LOCK_FILE, ...Object.values(PLACES).flatMap(({ held }) => held)]);
    // What is closed writes and removes files by their names, which may be those of another folder by then.
    opened.push(async () => folder.check());
    const { resultsLost } = await joinStores({ ledger, facts, results }, data);
    if (resultsLost) log.warn(`the results are missing in ${data}: reports made before cannot be read`);
    const { engineRestarts } = facts;
    return { ledger, facts, results, files, places: PLACES, spoolFolder, folder, engineRestarts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Empties the spool: its files belong to loads that were interrupted and never acknowledged. */
async function emptySpool(data: string): Promise<string> {
  const folder = join(data, 'spool');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

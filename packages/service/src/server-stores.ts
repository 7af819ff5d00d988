/**
 * Opens stores on servers: PostgreSQL, ClickHouse and a bucket, which any number of nodes share. Loaded only if they
 * are configured; beside stores.ts the only file that names them.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { StoreAddresses } from './config/server-settings.ts';
import { migrateFacts, openClickHouseFacts, openIdentity, type StoredIdentity } from './facts/clickhouse/clickhouse.ts';
import type { Facts } from './facts/facts.ts';
import { isStoreAway } from './http/store-problem.ts';
import type { IdentityLedger } from './ledger/folder-identity.ts';
import type { Ledger } from './ledger/ledger.ts';
import { identifyOnce, migrateLedger } from './ledger/postgres/migrate.ts';
import { openPostgresLedger } from './ledger/postgres/postgres.ts';
import type { Priority } from './nice.ts';
import type { Results } from './results/results.ts';
import { openS3Results, type S3Results } from './results/s3/s3.ts';
import { folderSize } from './storage/folders.ts';
import type { StorePlaces } from './storage/store-place.ts';
import { type Closing, closerOf } from './store-closing.ts';

/** How long a node that starts waits for a store that is unavailable, and how often it tries. */
const WAIT_MS = 30_000;
const TRY_MS = 1000;
const MEGABYTE = 1024 * 1024;

/** Node's error codes for a connection that cannot be made. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EPIPE',
]);
const isAway = (error: unknown): boolean =>
  isStoreAway(error) || UNREACHABLE.has((error as NodeJS.ErrnoException).code ?? '');

/**
 * The result of `open`, once the store is available. Throws Error with a sentence after 30 s, and immediately for any
 * other error.
 */
async function awaitStore<T>(name: string, open: () => Promise<T>, log: Logger, waitMs = WAIT_MS): Promise<T> {
  const end = performance.now() + waitMs;
  for (let tries = 0; ; tries++) {
    try {
      return await open();
    } catch (error) {
      if (!isAway(error)) throw error;
      const { message } = error as Error;
      if (performance.now() >= end)
        throw new Error(`the ${name} did not answer within ${waitMs / 1000} s: ${message}`, { cause: error });
      if (tries === 0)
        log.warn({ store: name, reason: message }, `waiting for the ${name}, for up to ${waitMs / 1000} s`);
      await sleep(TRY_MS);
    }
  }
}

/** Opens the results; throws while the bucket does not answer. */
async function openResults(url: string, folder: string, cacheBytes: number): Promise<S3Results> {
  const results = await openS3Results({ url, folder, cacheBytes });
  try {
    await results.ping();
    return results;
  } catch (error) {
    await results.close();
    throw error;
  }
}

/** Opens only the ledger, for a command. */
export const openServerLedger = (url: string): Promise<Ledger> => openPostgresLedger({ url });

interface ServerFolders {
  /** A folder of this node alone, which may be lost. */
  data: string;
  spoolFolder: string;
}

interface ServerStores {
  ledger: Ledger;
  facts: Facts;
  results: Results;
  /** What the node's own disk has of the stores. */
  places: StorePlaces;
  /** How often the node's own engine was restarted. */
  engineRestarts(): number;
  close(): Promise<void>;
}

type NodeConfig = Pick<Config, 'engineMemory'> &
  Partial<Pick<Config, 'enginePriority' | 'resultsCache' | 'leaseSeconds' | 'answerSeconds'>>;

/**
 * Opens the stores, waiting up to 30 s for each. Throws Error with a sentence if one does not answer, must be migrated
 * first, or belongs to another installation.
 */
export async function openServerStores(
  addresses: StoreAddresses,
  config: NodeConfig,
  { data, spoolFolder }: ServerFolders,
  log: Logger,
  more: object = {},
): Promise<ServerStores> {
  const [cache, scratch] = [join(data, 'cache'), join(data, 'scratch')];
  const opened: Closing[] = [];
  const close = closerOf(opened);
  try {
    const ledger = await awaitStore('ledger', () => openPostgresLedger({ url: addresses.ledger, log }), log);
    opened.push(() => ledger.close());
    const cacheBytes = (config.resultsCache ?? 1024) * MEGABYTE;
    const results = await awaitStore('results', () => openResults(addresses.results, cache, cacheBytes), log);
    opened.push(() => results.close());
    await results.sweep();
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const openFacts = () =>
      openClickHouseFacts({
        url: addresses.facts,
        ledgerUrl: addresses.ledger,
        scratch,
        log,
        ...more,
        // Half the lease of a report.
        ...(config.leaseSeconds === undefined ? {} : { leaseMs: config.leaseSeconds * 500 }),
        memoryMb: config.engineMemory,
        priority: priorityOf(config),
        readable: [spoolFolder, cache],
        ...(config.answerSeconds === undefined ? {} : { waitMs: config.answerSeconds * 1000 }),
      });
    const facts = await awaitStore('facts', openFacts, log);
    opened.push(() => facts.close());
    await refuseStrangers({ ledger, facts, results });
    const { engineRestarts } = facts;
    return { ledger, facts, results, places: placesOf(cache), engineRestarts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Of the node's engine. A restaurant is held on all nodes while a load of it is merged, so the engine does not enter
 * the idle class by itself: on busy cores a load of one order took 580 ms there, 426 ms at `low`.
 */
const priorityOf = ({ enginePriority = 'auto' }: NodeConfig): Priority =>
  enginePriority === 'auto' ? 'low' : enginePriority;

interface Identified {
  ledger: IdentityLedger;
  facts: Pick<Facts, 'identity'>;
  results: Pick<Results, 'identity'>;
}

/** Throws Error if a store belongs to another installation, or to none yet. */
async function refuseStrangers({ ledger, facts, results }: Identified): Promise<void> {
  const ours = (await ledger.identity())?.id;
  const theirs = { facts: (await facts.identity())?.id, results: await results.identity() };
  for (const [name, id] of Object.entries({ ledger: ours, ...theirs })) {
    if (id === undefined)
      throw new Error(
        `the ${name} are of no installation yet; run daypart migrate first`.replace('ledger are', 'ledger is'),
      );
    if (id !== ours)
      throw new Error(
        `the ${name} belong to another installation than the ledger: check DAYPART_${name.toUpperCase()}; nothing was changed`,
      );
  }
}

/** The node's disk has nothing of the ledger and the facts, and a cache of the results. */
function placesOf(cache: string): StorePlaces {
  const elsewhere = { file: '', held: [], isIn: async () => false, size: async () => undefined, newestSchema: () => 0 };
  return {
    ledger: { ...elsewhere, settleCopy: () => undefined },
    facts: elsewhere,
    results: { ...elsewhere, size: () => folderSize(cache) },
  };
}

/**
 * Migrates the schema of the ledger and then of the facts to that of this version, and gives all three stores the id of
 * the installation if they have none. Of several calls at once, one migrates each store. Throws Error if a store
 * belongs to another installation.
 */
export async function migrateServers(
  addresses: StoreAddresses,
  scratch: string,
  log: Logger,
): Promise<{ from: number; to: number }> {
  const migrated = await awaitStore('ledger', () => migrateLedger(addresses.ledger), log);
  await awaitStore('facts', () => migrateFacts(addresses.facts, addresses.ledger), log);
  const opened: Closing[] = [];
  try {
    const ledger = await openPostgresLedger({ url: addresses.ledger });
    opened.push(() => ledger.close());
    const results = await awaitStore('results', () => openResults(addresses.results, join(scratch, 'cache'), 0), log);
    opened.push(() => results.close());
    const facts = openIdentity(addresses.facts);
    opened.push(() => facts.close());
    await identify(addresses.ledger, { ledger, facts, results });
    return migrated;
  } finally {
    await closerOf(opened)();
  }
}

/** Gives the stores an id, the same if several do so at once. A store that has one already must have the ledger's. */
async function identify(
  ledgerUrl: string,
  stores: { ledger: IdentityLedger; facts: StoredIdentity; results: Results },
): Promise<void> {
  const { ledger, facts, results } = stores;
  // The ledger gets its id first, so it is read last: another migration may be giving ids to the others.
  const [ofFacts, ofResults] = [(await facts.identity())?.id, await results.identity()];
  const known = (await ledger.identity())?.id;
  if (known === undefined && (ofFacts !== undefined || ofResults !== undefined))
    throw new Error(
      `the ledger is empty, and the ${ofFacts === undefined ? 'results' : 'facts'} are of an installation: check DAYPART_LEDGER; nothing was changed`,
    );
  // Stores on servers are never restored separately by daypart, so the epoch does not change.
  const id = known ?? (await identifyOnce(ledgerUrl, randomUUID(), EPOCH));
  if (ofFacts === undefined) await facts.identify({ id, epoch: EPOCH });
  if (ofResults === undefined) await results.identify(id);
  await refuseStrangers(stores);
}
const EPOCH = '1.servers';

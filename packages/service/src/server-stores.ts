/**
 * Opens the stores of the server form: PostgreSQL, ClickHouse and a bucket, which any number of nodes share. Loaded only where they are
 * set; beside stores.ts the only place that names them.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { migrateFacts, openClickHouseFacts } from './facts/clickhouse/clickhouse.ts';
import type { Facts } from './facts/facts.ts';
import { folderSize } from './files/size.ts';
import type { IdentityLedger } from './ledger/folder-identity.ts';
import type { Ledger } from './ledger/ledger.ts';
import { identifyOnce, migrateLedger } from './ledger/postgres/migrate.ts';
import { openPostgresLedger } from './ledger/postgres/postgres.ts';
import type { Results } from './results/results.ts';
import { openS3Results, type S3Results } from './results/s3/s3.ts';
import type { StoreAddresses } from './server-settings.ts';
import type { StorePlaces } from './store-place.ts';
import { isStoreAway } from './store-problem.ts';

/** How long a store that is away when a node starts is waited for, and how often it is tried. */
const WAIT_MS = 30_000;
const TRY_MS = 1000;
const MEGABYTE = 1024 * 1024;

/** What keeps a connection from being made, by Node's codes. */
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

/** What `open` answers, once the store is there. Throws Error with a sentence after 30 s, and at once for anything but an absence. */
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

/** The results; throws while the bucket does not answer. */
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

/** Opens the ledger alone, for a command. */
export const openServerLedger = (url: string): Promise<Ledger> => openPostgresLedger({ url });

export interface ServerFolders {
  /** A folder of this node alone, which may be lost. */
  data: string;
  spoolFolder: string;
}

export interface ServerStores {
  ledger: Ledger;
  facts: Facts;
  results: Results;
  /** Of what the node's own disk has of them. */
  places: StorePlaces;
  /** How often the node's own engine was started again. */
  engineRestarts(): number;
  close(): Promise<void>;
}

type NodeConfig = Pick<Config, 'engineMemory'> &
  Partial<Pick<Config, 'enginePriority' | 'resultsCache' | 'leaseSeconds' | 'answerSeconds'>>;

/**
 * Opens the stores, waiting up to 30 s for each. Throws Error with a sentence where one does not answer, has to be migrated first, or is of
 * another installation.
 */
export async function openServerStores(
  addresses: StoreAddresses,
  config: NodeConfig,
  { data, spoolFolder }: ServerFolders,
  log: Logger,
  more: object = {},
): Promise<ServerStores> {
  const [cache, scratch] = [join(data, 'cache'), join(data, 'scratch')];
  const opened: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of opened.splice(0).reverse()) await step();
  };
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
        ...{ url: addresses.facts, ledgerUrl: addresses.ledger, scratch, log, ...more },
        // Half of what a report has.
        ...(config.leaseSeconds === undefined ? {} : { leaseMs: config.leaseSeconds * 500 }),
        ...{ memoryMb: config.engineMemory, priority: config.enginePriority, readable: [spoolFolder, cache] },
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

interface Identified {
  ledger: IdentityLedger;
  facts: Pick<Facts, 'identity'>;
  results: Pick<Results, 'identity'>;
}

/** Throws Error where a store is of another installation, or of none yet. */
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

/** The node's disk holds nothing of the ledger and the facts, and a cache of the results. */
function placesOf(cache: string): StorePlaces {
  const elsewhere = { file: '', isIn: async () => false, size: async () => 0, newestSchema: () => 0 };
  return { ledger: elsewhere, facts: elsewhere, results: { ...elsewhere, size: () => folderSize(cache) } };
}

/**
 * Brings the schema of the ledger and then of the facts to that of this version, and gives all three stores the id of the installation where they
 * have none. Of several at once, one migrates each store. Throws Error where a store is of another installation.
 */
export async function migrateServers(
  addresses: StoreAddresses,
  config: NodeConfig,
  scratch: string,
  log: Logger,
): Promise<{ from: number; to: number }> {
  const migrated = await awaitStore('ledger', () => migrateLedger(addresses.ledger), log);
  await awaitStore('facts', () => migrateFacts(addresses.facts, addresses.ledger), log);
  const closing: (() => Promise<void>)[] = [];
  try {
    const ledger = await openPostgresLedger({ url: addresses.ledger });
    closing.push(() => ledger.close());
    const results = await awaitStore('results', () => openResults(addresses.results, join(scratch, 'cache'), 0), log);
    closing.push(() => results.close());
    const facts = await openClickHouseFacts({
      ...{ url: addresses.facts, ledgerUrl: addresses.ledger, scratch: join(scratch, 'facts') },
      ...{ memoryMb: config.engineMemory, log },
    });
    closing.push(() => facts.close());
    await identify(addresses.ledger, { ledger, facts, results });
    return migrated;
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** Gives the stores an id, of several at once the same. What has one already must have the ledger's. */
async function identify(
  ledgerUrl: string,
  stores: { ledger: IdentityLedger; facts: Facts; results: Results },
): Promise<void> {
  const { ledger, facts, results } = stores;
  // The ledger is given its id first, so it is asked last: another migration may be giving them theirs.
  const [ofFacts, ofResults] = [(await facts.identity())?.id, await results.identity()];
  const known = (await ledger.identity())?.id;
  if (known === undefined && (ofFacts !== undefined || ofResults !== undefined))
    throw new Error(
      `the ledger is empty, and the ${ofFacts === undefined ? 'results' : 'facts'} are of an installation: check DAYPART_LEDGER; nothing was changed`,
    );
  // Nothing is ever restored part by part on servers, so the epoch stays.
  const id = known ?? (await identifyOnce(ledgerUrl, randomUUID(), EPOCH));
  if (ofFacts === undefined) await facts.identify({ id, epoch: EPOCH });
  if (ofResults === undefined) await results.identify(id);
  await refuseStrangers(stores);
}
const EPOCH = '1.servers';

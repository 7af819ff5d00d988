/** Data folders whose parts are exchanged, lost or of several times, and starts on them. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import { openDuckdbFacts } from '../../packages/service/src/facts/duckdb/duckdb.ts';
import { openLedgerIn } from '../../packages/service/src/ledger/sqlite/sqlite.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { joinStores, StoresApart } from '../../packages/service/src/maintenance/identity.ts';
import { openFolderResults } from '../../packages/service/src/results/folder/folder.ts';
import { openStores, type Stores } from '../../packages/service/src/stores.ts';
import { mergeLines, orderFact, recordsOf } from '../conformance/facts.ts';
import { putRestaurant } from '../conformance/ledger.ts';

/** The files of the ledger in a data folder. */
export const LEDGER = ['ledger.sqlite', 'ledger.sqlite-wal', 'ledger.sqlite-shm'];
/** The files of the facts. */
export const FACTS = ['facts'];

/** Folders to try things in; all go when the work is done. */
export async function inFolders(work: (folder: (name: string) => string) => Promise<void>): Promise<void> {
  const all = await mkdtemp(join(tmpdir(), 'daypart-identity-'));
  try {
    await work((name) => join(all, name));
  } finally {
    await rm(all, { recursive: true, force: true });
  }
}

/** Opens the stores of the folder, as a start of the service does, and closes them after the work. */
export async function started(
  data: string,
  work: (stores: Stores) => Promise<void> = async () => undefined,
): Promise<void> {
  const stores = await openStores({ data, engineMemory: 256 }, openLog('silent'));
  try {
    await work(stores);
  } finally {
    await stores.close();
  }
}

/** A restaurant of the group with one order. */
export const trade =
  (group: string) =>
  async (stores: Stores): Promise<void> => {
    const { id } = await putRestaurant(stores.ledger, { group });
    await mergeLines({ facts: stores.facts, folder: stores.spoolFolder }, id, { orders: [orderFact()] });
  };

/** The number of orders that the facts have of a restaurant. */
export const ordersOf = async ({ facts, spoolFolder }: Stores, id: number): Promise<unknown> =>
  (await recordsOf({ facts, folder: spoolFolder }, id))[0]?.ordersCount;

/** Puts parts of one data folder in the place of those of another. */
export async function put(parts: string[], from: string, to: string): Promise<void> {
  for (const part of parts) {
    await rm(join(to, part), { recursive: true, force: true });
    if (existsSync(join(from, part))) await cp(join(from, part), join(to, part), { recursive: true });
  }
}

/** A start on the folder is refused with the message, which says what to do. */
export async function refused(data: string, what: RegExp): Promise<void> {
  await assert.rejects(
    started(data),
    (error) => error instanceof StoresApart && what.test(error.message) && /restore a backup/.test(error.message),
    `${what}`,
  );
}

/** The ids of the ledger, the facts and the results. */
export async function identitiesOf({ ledger, facts, results }: Stores): Promise<unknown[]> {
  return [(await ledger.identity())?.id, (await facts.identity())?.id, await results.identity()];
}

/** A start that is killed after so many writes. */
export async function cutShort(data: string, writes: number): Promise<void> {
  const ledger = await openLedgerIn(data);
  const facts = await openDuckdbFacts({ folder: join(data, 'facts'), memoryMb: 256 });
  const results = await openFolderResults(join(data, 'results'));
  let left = writes;
  const cut =
    <A extends unknown[]>(write: (...args: A) => Promise<void>) =>
    async (...args: A): Promise<void> => {
      if (left-- === 0) throw new Error('killed');
      await write(...args);
    };
  try {
    const joined = joinStores(
      {
        ledger: { ...ledger, identify: cut(ledger.identify) },
        facts: { ...facts, identify: cut(facts.identify) },
        results: { ...results, identify: cut(results.identify) },
      },
      data,
    );
    await assert.rejects(joined, /^Error: killed$/);
  } finally {
    await facts.close();
    await ledger.close();
  }
}

/** Turns a folder into one of a version before identities whose schemas have been upgraded: its stores have no ids. */
export async function forgetIdentities(data: string): Promise<void> {
  const db = new DatabaseSync(join(data, 'ledger.sqlite'));
  db.exec('delete from identity');
  db.close();
  const instance = await DuckDBInstance.create(join(data, 'facts', 'facts.duckdb'));
  const connection = await instance.connect();
  await connection.run('delete from identity');
  connection.closeSync();
  instance.closeSync();
  await rm(join(data, 'results', 'identity'));
}

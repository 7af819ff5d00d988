import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { mergeLines, orderFact, recordsOf } from '../../../../test/conformance/facts.ts';
import { putRestaurant } from '../../../../test/conformance/ledger.ts';
import { openDuckdbFacts } from '../facts/duckdb/duckdb.ts';
import { openLedgerIn } from '../ledger/sqlite/sqlite.ts';
import { openLog } from '../log.ts';
import { openFolderResults } from '../results/folder/folder.ts';
import { openStores, type Stores } from '../stores.ts';
import { makeBackup } from './backup.ts';
import { joinStores, StoresApart } from './identity.ts';

const LEDGER = ['ledger.sqlite', 'ledger.sqlite-wal', 'ledger.sqlite-shm'];
const FACTS = ['facts'];

/** Folders to try things in; all go when the work is done. */
async function inFolders(work: (folder: (name: string) => string) => Promise<void>): Promise<void> {
  const all = await mkdtemp(join(tmpdir(), 'daypart-identity-'));
  try {
    await work((name) => join(all, name));
  } finally {
    await rm(all, { recursive: true, force: true });
  }
}

/** Opens the stores of the folder, as a start of the service does, and closes them after the work. */
async function started(data: string, work: (stores: Stores) => Promise<void> = async () => undefined): Promise<void> {
  const stores = await openStores({ data, engineMemory: 256 }, openLog('silent'));
  try {
    await work(stores);
  } finally {
    await stores.close();
  }
}

/** A restaurant of the group with one order. */
const trade =
  (group: string) =>
  async (stores: Stores): Promise<void> => {
    const { id } = await putRestaurant(stores.ledger, { group });
    await mergeLines({ facts: stores.facts, folder: stores.spoolFolder }, id, { orders: [orderFact()] });
  };

const ordersOf = async ({ facts, spoolFolder }: Stores, id: number): Promise<unknown> =>
  (await recordsOf({ facts, folder: spoolFolder }, id))[0]?.ordersCount;

async function put(parts: string[], from: string, to: string): Promise<void> {
  for (const part of parts) {
    await rm(join(to, part), { recursive: true, force: true });
    if (existsSync(join(from, part))) await cp(join(from, part), join(to, part), { recursive: true });
  }
}

async function refused(data: string, what: RegExp): Promise<void> {
  await assert.rejects(
    started(data),
    (error) => error instanceof StoresApart && what.test(error.message) && /restore a backup/.test(error.message),
    `${what}`,
  );
}

async function identitiesOf({ ledger, facts, results }: Stores): Promise<unknown[]> {
  return [(await ledger.identity())?.id, (await facts.identity())?.id, await results.identity()];
}

// Each start waits for the disk and the engine, not for a core: side by side they take half the time.
describe('the stores of a data folder', { concurrency: 3 }, () => {
  it('carry one id, and another epoch after every start', () =>
    inFolders(async (folder) => {
      const epochs: unknown[] = [];
      let ids: unknown[] = [];
      for (let start = 0; start < 2; start++) {
        await started(folder('a'), async (stores) => {
          ids = await identitiesOf(stores);
          const { epoch, nextEpoch } = (await stores.ledger.identity()) ?? {};
          assert.deepEqual([(await stores.facts.identity())?.epoch, nextEpoch], [epoch, null]);
          epochs.push(epoch);
        });
      }
      assert.match(String(ids[0]), /^[0-9a-f-]{36}$/);
      assert.equal(new Set(ids).size, 1);
      assert.equal(new Set(epochs).size, 2);
    }));

  it('are refused without their ledger, and none is made', () =>
    inFolders(async (folder) => {
      await started(folder('a'), trade('blue'));
      await rm(join(folder('a'), 'ledger.sqlite'));

      await refused(folder('a'), /no ledger \(ledger\.sqlite\) beside the facts/);
      await rm(join(folder('a'), 'facts'), { recursive: true });
      await refused(folder('a'), /no ledger \(ledger\.sqlite\) beside the results/);

      assert.equal(existsSync(join(folder('a'), 'ledger.sqlite')), false);
    }));

  it('are refused without their facts, and none are made', () =>
    inFolders(async (folder) => {
      await started(folder('a'), trade('blue'));
      await rm(join(folder('a'), 'facts'), { recursive: true });

      await refused(folder('a'), /the facts \(facts\/facts\.duckdb\) are missing/);

      assert.equal(existsSync(join(folder('a'), 'facts')), false);
    }));

  it('are refused beside the ledger, facts or results of another folder', () =>
    inFolders(async (folder) => {
      await started(folder('a'), trade('blue'));
      await started(folder('b'), trade('red'));
      for (const [parts, what] of [
        [LEDGER, /the facts belong to another ledger/],
        [FACTS, /the facts belong to another ledger/],
        [['results'], /the results belong to another ledger/],
      ] as const) {
        await cp(folder('a'), folder('c'), { recursive: true });
        await put([...parts], folder('b'), folder('c'));
        await refused(folder('c'), what);
        await put([...parts], folder('a'), folder('c'));
        await started(folder('c'), async (stores) => assert.equal(await ordersOf(stores, 1), 1));
        await rm(folder('c'), { recursive: true });
      }
    }));

  it('are refused when the ledger or the facts are of an earlier start', () =>
    inFolders(async (folder) => {
      await started(folder('a'), trade('blue'));
      await cp(folder('a'), folder('earlier'), { recursive: true });
      await started(folder('a'));
      await cp(folder('a'), folder('later'), { recursive: true });

      await put(LEDGER, folder('earlier'), folder('a'));
      await refused(folder('a'), /the ledger is older than the facts/);
      await put(LEDGER, folder('later'), folder('a'));
      await put(FACTS, folder('earlier'), folder('a'));
      await refused(folder('a'), /the facts are older than the ledger/);

      await started(folder('earlier'));
      await put(LEDGER, folder('earlier'), folder('later'));
      await refused(folder('later'), /the ledger and the facts are of two copies/);
    }));

  it('are refused when a ledger that was copied from a running service lacks a restaurant of the facts', () =>
    inFolders(async (folder) => {
      await started(folder('a'), async (stores) => {
        await trade('blue')(stores);
        await mkdir(folder('copied'));
        await stores.ledger.backup(folder('copied'));
        await trade('red')(stores);
      });
      await put(LEDGER, folder('nothing'), folder('a'));
      await put(LEDGER, folder('copied'), folder('a'));

      await refused(folder('a'), /lacks restaurants that they know/);
    }));

  it('are refused when the ledger is that of a backup, and taken when all of it is', () =>
    inFolders(async (folder) => {
      await started(folder('a'), async (stores) => {
        await trade('blue')(stores);
        const deps = { ...stores, data: folder('a'), clock: () => 0 };
        await makeBackup(deps, { guid: 'g', to: folder('backup') }, new AbortController().signal);
      });
      await cp(folder('a'), folder('mixed'), { recursive: true });
      await put(LEDGER, folder('backup'), folder('mixed'));

      await refused(folder('mixed'), /the ledger is older than the facts/);
      await started(folder('a'));
      await started(folder('backup'), async (stores) => assert.equal(await ordersOf(stores, 1), 1));
    }));

  it('start again after a kill between any two of the writes of a start, a first start too', () =>
    inFolders(async (folder) => {
      await started(folder('now'), trade('blue'));
      await cp(folder('now'), folder('before'), { recursive: true });
      await forgetIdentities(folder('before'));
      for (const first of [true, false]) {
        // A later start does not write to the results.
        for (const writes of first ? [0, 1, 2, 3] : [0, 1, 2]) {
          const data = folder(`${first}-${writes}`);
          await cp(folder(first ? 'before' : 'now'), data, { recursive: true });
          await cutShort(data, writes);
          await started(data, async (stores) => {
            assert.equal(await ordersOf(stores, 1), 1);
            assert.equal(new Set(await identitiesOf(stores)).size, 1);
          });
        }
      }
    }));

  it('of the version before are given an id when they plainly belong together, and are refused when not', () =>
    inFolders(async (folder) => {
      await started(folder('small'), trade('blue'));
      await started(folder('large'), async (stores) => {
        await trade('red')(stores);
        await trade('red')(stores);
      });
      await forgetIdentities(folder('small'));
      await forgetIdentities(folder('large'));
      await cp(folder('large'), folder('mixed'), { recursive: true });
      await put(LEDGER, folder('small'), folder('mixed'));

      await refused(folder('mixed'), /lacks restaurants that they know/);
      await started(folder('large'), async (stores) => {
        assert.equal(new Set(await identitiesOf(stores)).size, 1);
        assert.deepEqual([await ordersOf(stores, 1), await ordersOf(stores, 2)], [1, 1]);
        assert.deepEqual(await stores.facts.verify({ deadlineMs: 20_000 }), []);
      });
      await put(FACTS, folder('small'), folder('large'));
      await refused(folder('large'), /the facts are not those that belong to the ledger/);
    }));

  it('start without results, without their reports, and write their id again', () =>
    inFolders(async (folder) => {
      await started(folder('a'), trade('blue'));
      const id = await readFile(join(folder('a'), 'results', 'identity'), 'utf8');
      await rm(join(folder('a'), 'results'), { recursive: true });

      await started(folder('a'));

      assert.equal(await readFile(join(folder('a'), 'results', 'identity'), 'utf8'), id);
    }));
});

/** A start that is killed after so many writes. */
async function cutShort(data: string, writes: number): Promise<void> {
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
async function forgetIdentities(data: string): Promise<void> {
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

/**
 * The stores of a data folder that do not belong together, in every combination, and starts that are cut short at every
 * write.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeBackup } from '../../packages/service/src/maintenance/backup.ts';
import {
  cutShort,
  FACTS,
  forgetIdentities,
  identitiesOf,
  inFolders,
  LEDGER,
  ordersOf,
  put,
  refused,
  started,
  trade,
} from './identity.ts';

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

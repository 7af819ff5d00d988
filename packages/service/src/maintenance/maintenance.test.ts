import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { claimOne } from '../../../../test/conformance/claim.ts';
import { CONNECTED_AT, connection, member, members } from '../../../../test/conformance/connection-rows.ts';
import { createClient } from '../access/clients.ts';
import { openLog } from '../log.ts';
import { openStores, type Stores } from '../stores.ts';
import { exportGroup } from './export-group.ts';
import { cleanup, type MaintenanceDeps, startMaintenance } from './maintenance.ts';

const NOW = Date.UTC(2026, 2, 20, 18);
const HOUR = 3_600_000;
const BISTRO = 'b1500000-0000-4000-8000-000000000001';

async function withStores(
  work: (stores: Stores, deps: MaintenanceDeps, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-maintenance-'));
  const data = join(folder, 'data');
  const log = openLog('silent');
  const stores = await openStores({ data, engineMemory: 512 }, log);
  try {
    await work(stores, { ...stores, log, data, clock: () => NOW, config: { reportDays: 7 } }, folder);
  } finally {
    await stores.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function ended({ ledger }: Stores, guid: string): Promise<string | undefined> {
  for (let waited = 0; waited < 20_000; waited += 20) {
    const task = await ledger.task(guid);
    if (task && task.finishedAt !== null) return task.state;
    await setTimeout(20);
  }
  return undefined;
}

describe('maintenance', () => {
  it('does one task after the other, and continues after one that failed', () =>
    withStores(async (stores, deps, folder) => {
      const { ledger } = stores;
      await ledger.addTask({
        guid: 'a',
        kind: 'backup',
        argument: { to: join(folder, 'no', 'where') },
        createdAt: NOW,
      });
      await ledger.addTask({ guid: 'b', kind: 'rebuild', argument: {}, createdAt: NOW + 1 });
      const maintenance = await startMaintenance(deps);
      await maintenance.stop();
      assert.deepEqual(await ledger.unfinishedTasks(), []);

      await ledger.addTask({
        guid: 'c',
        kind: 'backup',
        argument: { to: join(folder, 'no', 'where') },
        createdAt: NOW,
      });
      const again = await startMaintenance(deps);
      assert.equal(await ended(stores, 'c'), 'failed');
      await ledger.addTask({
        guid: 'd',
        kind: 'backup',
        argument: { to: join(folder, 'no', 'where') },
        createdAt: NOW,
      });
      await ledger.addTask({ guid: 'e', kind: 'verify', argument: {}, createdAt: NOW + 1 });
      assert.deepEqual([await ended(stores, 'd'), await ended(stores, 'e')], ['failed', 'done']);
      await again.stop();

      assert.match((await ledger.task('d'))?.failure ?? '', /is there a folder/);
      assert.deepEqual((await ledger.task('e'))?.result, {
        sheets: ['daily rollups', 'menu rollups', 'labor rollups', 'loaded days', 'order dates'].map((sheet) => ({
          sheet,
          faults: 0,
          first: [],
        })),
      });
    }));

  it('records that a task failed as soon as the ledger takes it: one that counts as running is not run again', () =>
    withStores(async (stores, deps, folder) => {
      const { ledger } = stores;
      let refused = 0;
      const full: MaintenanceDeps['ledger'] = Object.assign(Object.create(ledger), {
        failTask: async (...of: Parameters<typeof ledger.failTask>) => {
          if (refused++ === 0) throw new Error('database or disk is full');
          return await ledger.failTask(...of);
        },
      });
      const to = join(folder, 'no', 'where');
      const maintenance = await startMaintenance({ ...deps, ledger: full });
      try {
        await ledger.addTask({ guid: 'a', kind: 'backup', argument: { to }, createdAt: NOW });
        assert.equal(await ended(stores, 'a'), 'failed');
        assert.equal(refused, 2);
      } finally {
        await maintenance.stop();
      }
    }));

  it('ends what a service before it left undone, and removes what that left behind', () =>
    withStores(async ({ ledger }, deps, folder) => {
      const to = join(folder, 'backup');
      await ledger.addTask({ guid: 'a', kind: 'backup', argument: { to }, createdAt: NOW });
      await ledger.claimTask(NOW);
      await mkdir(join(`${to}.partial-a`, 'facts'), { recursive: true });
      await mkdir(`${to}.partial-another`);
      await ledger.addTask({ guid: 'b', kind: 'verify', argument: {}, createdAt: NOW });

      await (await startMaintenance(deps)).stop();

      for (const guid of ['a', 'b']) {
        const task = await ledger.task(guid);
        assert.deepEqual([task?.state, /the service ended/.test(task?.failure ?? '')], ['failed', true], guid);
      }
      assert.deepEqual([existsSync(`${to}.partial-a`), existsSync(`${to}.partial-another`)], [false, true]);
    }));

  it('removes the files of reports that expired, were cancelled or are unknown, and no others', () =>
    withStores(async ({ ledger, results }, deps) => {
      await ledger.ensureGroup('blue', NOW);
      const keep = async (guid: string) => {
        const scratch = await results.scratch('a.json');
        await writeFile(scratch, guid);
        const [form] = await results.keep(guid, 1, [{ name: 'a.json', scratch, digest: true }]);
        // Of a form that was being made meanwhile, the row came and the file went, or the other way round.
        if (form && guid !== 'unknown') await ledger.addForm({ guid, attempt: 1, ...form });
      };
      for (const [guid, expiresAt] of [
        ['expired', NOW - HOUR],
        ['gathering', NOW + HOUR],
        ['queued', NOW + HOUR],
        ['cancelled', NOW + HOUR],
      ] as const) {
        await ledger.addReport({
          guid,
          group: 'blue',
          clientId: 'c',
          kind: 'check',
          dialect: 'live',
          createdAt: NOW - 2 * HOUR,
          plan: { span: 'day', startDate: 1, endDate: 1, aggregate: 'DAY', groups: [], restaurantIds: [] },
          cost: 5,
          lane: 'short' as const,
          request: { path: '/check/day', body: {} },
          expiresAt,
        });
        await keep(guid);
      }
      await keep('unknown');
      // As a service left it that was killed after the update and before the removal.
      await ledger.expireReports(NOW);
      await ledger.cancelReport('cancelled');
      assert.equal((await claimOne(ledger, 'w', NOW, NOW + HOUR))?.guid, 'gathering');

      await cleanup(deps, () => false);

      const left: string[] = [];
      for await (const guid of results.reports()) left.push(guid);
      assert.deepEqual(left.sort(), ['gathering', 'queued']);
      assert.deepEqual((await ledger.forms('expired')).concat(await ledger.forms('cancelled')), []);
      assert.equal((await ledger.forms('queued')).length, 1);
    }));

  it('deletes versions that no report can refer to any more', () =>
    withStores(async ({ facts }, deps) => {
      const forgotten: number[] = [];
      const watched = { ...facts, forgetReplaced: async (before: number) => void forgotten.push(before) };

      await cleanup({ ...deps, facts: watched }, () => false);

      assert.deepEqual(forgotten, [NOW - 7 * 24 * HOUR]);
    }));

  it('forgets connections a month after they were removed', () =>
    withStores(async ({ ledger }, deps) => {
      await createClient(ledger, { group: 'blue' }, NOW);
      await ledger.addConnection(connection('a'), members(member('a', 'u1', BISTRO)));
      await ledger.removeConnection('con_a', CONNECTED_AT);
      const at = (days: number) => cleanup({ ...deps, clock: () => CONNECTED_AT + days * 24 * HOUR }, () => false);

      await at(30);
      assert.equal((await ledger.connection('con_a'))?.state, 'removed');
      await at(31);
      assert.equal(await ledger.connection('con_a'), undefined);
    }));

  it('exports the connections of a group without what they sign in with', () =>
    withStores(async ({ ledger }, deps, folder) => {
      await createClient(ledger, { group: 'blue' }, NOW);
      await ledger.addConnection(connection('a', { token: 'sealed-token' }), members(member('a', 'u1', BISTRO)));
      const to = join(folder, 'exported');

      const { files } = await exportGroup(deps, { group: 'blue', to }, { deadlineMs: 60_000 });

      assert.ok(files.includes('connections.json'));
      const text = await readFile(join(to, 'connections.json'), 'utf8');
      const [exported] = JSON.parse(text);
      assert.deepEqual([exported.id, exported.restaurants[0].restaurantGuid], ['con_a', BISTRO]);
      assert.doesNotMatch(text, /sealed/);
    }));
});

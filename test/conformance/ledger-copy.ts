/** The part of the ledger's suite that is about the copy that a backup makes. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';
import { claimOne } from './claim.ts';

const NOW = 1_700_000_000_000;

let made = 0;
const newGuid = (): string => `0f000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;

/** Runs it; `withLedger` opens an empty ledger that knows the group `blue`, `reopen` opens a copy of one. */
export function copyConformance(
  name: string,
  withLedger: (work: (ledger: Ledger) => Promise<void>) => Promise<void>,
  reopen: (folder: string) => Promise<Ledger>,
): void {
  describe(`ledger: ${name}: its copy`, () => {
    async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
      const folder = await mkdtemp(join(tmpdir(), 'daypart-copy-'));
      try {
        await work(folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
    async function complete(ledger: Ledger): Promise<string> {
      const guid = newGuid();
      await ledger.addReport({
        guid,
        group: 'blue',
        clientId: 'c',
        kind: 'check',
        dialect: 'live',
        createdAt: NOW,
        plan: { span: 'day', startDate: 1, endDate: 1, aggregate: 'DAY', groups: [], restaurantIds: [] },
        cost: 5,
        lane: 'short' as const,
        request: { path: '/check/day', body: {} },
        expiresAt: NOW + 1000,
      });
      await claimOne(ledger, 'w', NOW, NOW + 500);
      assert.ok(
        await ledger.completeReport(guid, 'w', 1, {
          now: NOW,
          asOf: NOW,
          rows: 1,
          bytes: 1,
          snapshot: '1',
          totals: [],
        }),
      );
      return guid;
    }

    it('holds what was there, names the completed reports, and leaves the tasks behind', () =>
      withLedger((ledger) =>
        inFolder(async (folder) => {
          const guid = await complete(ledger);
          const task = newGuid();
          await ledger.addTask({ guid: task, kind: 'verify', argument: {}, createdAt: NOW });

          assert.deepEqual(await ledger.backup(folder), [{ guid, attempt: 1 }]);
          await ledger.ensureGroup('red', NOW);

          const copy = await reopen(folder);
          assert.deepEqual(await copy.groups(), ['blue']);
          assert.deepEqual(await copy.report(guid), await ledger.report(guid));
          assert.equal(await copy.task(task), undefined);
          await copy.close();
          assert.equal((await ledger.task(task))?.state, 'queued');
        }),
      ));

    it('is whole while others write: what comes in order is there up to one point', () =>
      withLedger((ledger) =>
        inFolder(async (folder) => {
          for (let i = 0; i < 50; i++) await ledger.ensureGroup(`before-${i}`, NOW);
          let copying = true;
          const copied = ledger.backup(folder).finally(() => {
            copying = false;
          });
          let written = 0;
          do {
            await ledger.ensureGroup(`during-${String(written++).padStart(5, '0')}`, NOW);
            await new Promise(setImmediate);
          } while (copying);
          await copied;

          const copy = await reopen(folder);
          const groups = await copy.groups();
          await copy.close();
          assert.equal(groups.filter((group) => group.startsWith('before')).length, 50);
          const during = groups.filter((group) => group.startsWith('during'));
          assert.deepEqual(
            during,
            during.map((_, i) => `during-${String(i).padStart(5, '0')}`),
          );
        }),
      ));

    it('is not made over a file that is there, or where nothing can be written', () =>
      withLedger((ledger) =>
        inFolder(async (folder) => {
          await ledger.backup(folder);

          await assert.rejects(ledger.backup(folder), /EEXIST/);
          await assert.rejects(ledger.backup(join(folder, 'missing')), /ENOENT/);

          await ledger.ping();
        }),
      ));
  });
}

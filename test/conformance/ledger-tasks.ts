/** The part of the ledger's suite that is about tasks. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';

const NOW = 1_700_000_000_000;

let made = 0;
const newGuid = (): string => `0c000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;

/** Runs it; `withLedger` opens an empty ledger that knows the group `blue`. */
export function taskConformance(
  name: string,
  withLedger: (work: (ledger: Ledger) => Promise<void>) => Promise<void>,
): void {
  async function queued(ledger: Ledger, createdAt = NOW): Promise<string> {
    const guid = newGuid();
    await ledger.addTask({ guid, kind: 'verify', argument: {}, createdAt });
    return guid;
  }
  async function running(ledger: Ledger): Promise<string> {
    const guid = await queued(ledger);
    assert.equal((await ledger.claimTask(NOW + 1))?.guid, guid);
    return guid;
  }
  const stateOf = async (ledger: Ledger, guid: string) => (await ledger.task(guid))?.state;

  describe(`ledger: ${name}: tasks`, () => {
    it('queues what was asked for, and undefined is a task that it does not know', () =>
      withLedger(async (ledger) => {
        const guid = newGuid();
        await ledger.addTask({ guid, kind: 'backup', argument: { to: '/far/away' }, createdAt: NOW });

        assert.deepEqual(await ledger.task(guid), {
          guid,
          kind: 'backup',
          argument: { to: '/far/away' },
          state: 'queued',
          createdAt: NOW,
          startedAt: null,
          finishedAt: null,
          result: null,
          failure: null,
        });
        assert.equal(await ledger.task(newGuid()), undefined);
      }));

    it('runs one at a time, oldest first', () =>
      withLedger(async (ledger) => {
        const later = await queued(ledger, NOW + 1);
        const first = await queued(ledger, NOW);
        assert.equal((await ledger.claimTask(NOW + 2))?.guid, first);

        assert.equal(await ledger.claimTask(NOW + 3), undefined);

        assert.deepEqual(
          (await ledger.unfinishedTasks()).map(({ guid, state }) => [guid, state]),
          [
            [first, 'running'],
            [later, 'queued'],
          ],
        );
        assert.equal(await ledger.finishTask(first, NOW + 4, {}), true);
        assert.equal((await ledger.claimTask(NOW + 5))?.guid, later);
        assert.equal(await ledger.claimTask(NOW + 6), undefined);
      }));

    it('keeps the result of one that is done', () =>
      withLedger(async (ledger) => {
        const guid = await running(ledger);

        assert.equal(await ledger.finishTask(guid, NOW + 2, { faults: [] }), true);

        const task = await ledger.task(guid);
        assert.deepEqual(
          [task?.state, task?.startedAt, task?.finishedAt, task?.result],
          ['done', NOW + 1, NOW + 2, { faults: [] }],
        );
        assert.deepEqual(await ledger.unfinishedTasks(), []);
      }));

    it('fails and cancels a queued one and a running one, and says why one failed', () =>
      withLedger(async (ledger) => {
        for (const make of [queued, running]) {
          const failing = await make(ledger);
          assert.equal(await ledger.failTask(failing, NOW + 2, 'no space left'), true);
          const failed = await ledger.task(failing);
          assert.deepEqual([failed?.state, failed?.failure], ['failed', 'no space left']);
          const leaving = await make(ledger);
          assert.equal(await ledger.cancelTask(leaving, NOW + 2), true);
          assert.equal(await stateOf(ledger, leaving), 'cancelled');
        }
      }));

    it('moves nothing that has ended, and finishes nothing that does not run', () =>
      withLedger(async (ledger) => {
        const waiting = await queued(ledger);
        assert.equal(await ledger.finishTask(waiting, NOW, {}), false);
        await ledger.cancelTask(waiting, NOW);
        const done = await running(ledger);
        await ledger.finishTask(done, NOW + 2, {});

        for (const guid of [waiting, done, newGuid()]) {
          assert.equal(await ledger.finishTask(guid, NOW + 3, {}), false);
          assert.equal(await ledger.failTask(guid, NOW + 3, 'late'), false);
          assert.equal(await ledger.cancelTask(guid, NOW + 3), false);
        }

        assert.deepEqual([await stateOf(ledger, waiting), await stateOf(ledger, done)], ['cancelled', 'done']);
        assert.equal(await ledger.claimTask(NOW + 4), undefined);
      }));

    it('deletes those that ended before an instant', () =>
      withLedger(async (ledger) => {
        const early = await running(ledger);
        await ledger.finishTask(early, NOW + 10, {});
        const late = await running(ledger);
        await ledger.finishTask(late, NOW + 20, {});
        const waiting = await queued(ledger, NOW - 100);

        assert.equal(await ledger.forgetTasks(NOW + 20), 1);

        assert.deepEqual(await Promise.all([early, late, waiting].map((guid) => stateOf(ledger, guid))), [
          undefined,
          'done',
          'queued',
        ]);
      }));
  });
}

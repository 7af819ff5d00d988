/** The part of the ledger's suite about webhooks: which deliveries are due, and which node sends them. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';
import { LAWS } from '../laws/laws.ts';
import { claimOne } from './claim.ts';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const FAILURE = { code: 'report_failed', message: 'attempts are used up' } as const;
const DONE = { now: NOW, asOf: NOW, rows: 1, bytes: 2, snapshot: '1', totals: [] };
const HOOK = {
  group: 'blue',
  clientId: 'c1',
  url: 'https://example.com/',
  secret: 'whsec_one',
  rotate: false,
  now: NOW,
  oldUntil: NOW + MINUTE,
};

let made = 0;
const newGuid = (): string => `0d000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;

/** Runs it; `withLedger` opens an empty ledger that knows the group `blue`, `reopen` opens a copy of one. */
export function webhookConformance(
  name: string,
  withLedger: (work: (ledger: Ledger) => Promise<void>) => Promise<void>,
  reopen?: (folder: string) => Promise<Ledger>,
): void {
  async function held(ledger: Ledger, clientId = 'c1', leaseUntil = NOW + 1000): Promise<string> {
    const guid = newGuid();
    await ledger.addReport({
      guid,
      group: 'blue',
      clientId,
      kind: 'check',
      dialect: 'live',
      createdAt: NOW,
      expiresAt: NOW + 1e9,
      plan: { span: 'day', startDate: 20260101, endDate: 20260101, aggregate: 'DAY', groups: [], restaurantIds: [1] },
      request: { path: '/check/day', body: {} },
      cost: 5,
      lane: 'short' as const,
    });
    assert.equal((await claimOne(ledger, 'w', NOW, leaseUntil))?.guid, guid);
    return guid;
  }
  const told = async (ledger: Ledger, clientId = 'c1') =>
    (await ledger.deliveries('blue', clientId, 100)).map(({ type, reportGuid, state }) => [type, reportGuid, state]);

  /** Of each delivery, the oldest first: its state, and the answer to its last attempt. */
  const outcomes = async (ledger: Ledger) =>
    (await ledger.deliveries('blue', 'c1', 100)).reverse().map(({ state, status, error }) => [state, status, error]);

  describe(`ledger: ${name}: webhooks`, () => {
    it('keeps one for each client, its secret until it is rotated, and the one before for a while', () =>
      withLedger(async (ledger) => {
        const first = await ledger.putWebhook(HOOK);
        const moved = await ledger.putWebhook({ ...HOOK, url: 'https://example.org/', secret: 'whsec_two' });
        const rotated = await ledger.putWebhook({ ...HOOK, secret: 'whsec_three', rotate: true });

        assert.deepEqual(first, {
          created: true,
          webhook: {
            group: 'blue',
            clientId: 'c1',
            url: HOOK.url,
            secret: 'whsec_one',
            createdAt: NOW,
            oldSecrets: [],
            offAt: null,
          },
        });
        assert.deepEqual(
          [moved.created, moved.webhook.url, moved.webhook.secret],
          [false, 'https://example.org/', 'whsec_one'],
        );
        const { secret, oldSecrets } = rotated.webhook;
        assert.deepEqual([secret, oldSecrets], ['whsec_three', [{ secret: 'whsec_one', until: NOW + MINUTE }]]);
        assert.deepEqual(await ledger.webhook('blue', 'c1'), rotated.webhook);
        assert.equal(await ledger.webhook('red', 'c1'), undefined);
        assert.equal(await ledger.removeWebhook('blue', 'c1'), true);
        assert.equal(await ledger.removeWebhook('blue', 'c1'), false);
      }));

    it('keeps the secrets before a rotation, each until its own time, and five of them at most', () =>
      withLedger(async (ledger) => {
        await ledger.putWebhook({ ...HOOK, secret: 'whsec_0' });
        const rotate = (n: number, now: number) =>
          ledger.putWebhook({ ...HOOK, secret: `whsec_${n}`, rotate: true, now, oldUntil: now + MINUTE });
        const old = (n: number, until: number) => ({ secret: `whsec_${n}`, until });
        for (const n of [1, 2, 3, 4, 5, 6]) await rotate(n, NOW + n);

        const many = await ledger.webhook('blue', 'c1');
        const moved = await ledger.putWebhook(HOOK);
        const { webhook: later } = await rotate(7, NOW + 5 + MINUTE);

        assert.equal(many?.secret, 'whsec_6');
        assert.deepEqual(
          many.oldSecrets,
          [5, 4, 3, 2, 1].map((n) => old(n, NOW + n + 1 + MINUTE)),
        );
        assert.deepEqual(moved.webhook.oldSecrets, many.oldSecrets);
        assert.deepEqual(later.oldSecrets, [old(6, NOW + 5 + 2 * MINUTE), old(5, NOW + 6 + MINUTE)]);
      }));

    it('adds a delivery in the same step that ends a report, of its own client, and only of a step that counts', () =>
      withLedger(async (ledger) => {
        await ledger.putWebhook(HOOK);
        const [completed, failed, lost] = [await held(ledger), await held(ledger), await held(ledger)];
        const other = await held(ledger, 'c2');
        const reclaimed = await held(ledger, 'c1', NOW);

        assert.equal(await ledger.completeReport(completed, 'w', 1, DONE), true);
        assert.equal(await ledger.completeReport(completed, 'w', 1, DONE), false);
        assert.equal(await ledger.failReport(failed, 'w', 1, NOW, FAILURE), true);
        assert.equal(await ledger.completeReport(lost, 'other', 1, DONE), false);
        assert.equal(await ledger.completeReport(other, 'w', 1, DONE), true);
        assert.deepEqual(await ledger.reclaimReports(NOW + 1, 1, FAILURE), [reclaimed]);

        assert.deepEqual(await told(ledger), [
          ['report.failed', reclaimed, 'waiting'],
          ['report.failed', failed, 'waiting'],
          ['report.completed', completed, 'waiting'],
        ]);
        assert.deepEqual(await told(ledger, 'c2'), []);
      }));

    it('gives a delivery to one attempt at a time, and again when that is lost', () =>
      withLedger(async (ledger) => {
        await ledger.putWebhook(HOOK);
        assert.equal(await ledger.addTestDelivery('t1', 'blue', 'c1', NOW), true);
        assert.equal(await ledger.addTestDelivery('t2', 'blue', 'c2', NOW), false);

        const first = await ledger.claimDelivery('blue', 'c1', NOW, NOW + MINUTE);
        const second = await ledger.claimDelivery('blue', 'c1', NOW, NOW + MINUTE);
        const dueMeanwhile = await ledger.dueWebhooks(NOW);
        const again = await ledger.claimDelivery('blue', 'c1', NOW + MINUTE, NOW + 2 * MINUTE);

        assert.deepEqual([first?.id, first?.attempt, second, again?.id, again?.attempt], ['t1', 1, undefined, 't1', 2]);
        assert.deepEqual(dueMeanwhile, []);
        assert.equal(await ledger.finishDelivery({ id: 't1', attempt: 1, attemptedAt: NOW }, 200), false);
        assert.equal(await ledger.releaseDelivery({ id: 't1', attempt: 2, attemptedAt: NOW + MINUTE }), true);
        assert.deepEqual(
          (await ledger.dueWebhooks(NOW + MINUTE)).map(({ clientId }) => clientId),
          ['c1'],
        );
        assert.equal((await ledger.claimDelivery('blue', 'c1', NOW + MINUTE, NOW + 2 * MINUTE))?.attempt, 2);
        assert.equal(await ledger.finishDelivery({ id: 't1', attempt: 2, attemptedAt: NOW + MINUTE }, 204), true);
        assert.deepEqual(await told(ledger), [['webhook.test', null, 'delivered']]);
      }));

    it('makes calls due at once that were under way when the last run died, and leaves those that wait for a retry', () =>
      withLedger(async (ledger) => {
        await ledger.putWebhook(HOOK);
        for (const id of ['t1', 't2', 't3']) await ledger.addTestDelivery(id, 'blue', 'c1', NOW);
        await ledger.claimDelivery('blue', 'c1', NOW, NOW + MINUTE);
        await ledger.claimDelivery('blue', 'c1', NOW, NOW + MINUTE);
        await ledger.postponeDelivery({ id: 't2', attempt: 1, attemptedAt: NOW }, NOW + MINUTE, {
          status: 500,
          error: 'it answered 500',
        });

        const taken = await ledger.reclaimOrphans(NOW + 1, 3, FAILURE);

        const claim = async () => (await ledger.claimDelivery('blue', 'c1', NOW + 1, NOW + MINUTE))?.id;
        assert.deepEqual(taken, { failed: [], requeued: [], deliveries: 1 });
        assert.deepEqual([await claim(), await claim(), await claim()], ['t3', 't1', undefined]);
      }));

    it('turns a webhook off at the address that asked for it, and on again when it is put', () =>
      withLedger(async (ledger) => {
        const { webhook } = await ledger.putWebhook(HOOK);
        for (const id of ['t1', 't2', 't3']) await ledger.addTestDelivery(id, 'blue', 'c1', NOW);
        const gone = (id: string) => ({ id, attempt: 1, attemptedAt: NOW, status: 410, error: 'it answered 410' });
        for (let i = 0; i < 2; i++) await ledger.claimDelivery('blue', 'c1', NOW, NOW + MINUTE);
        await ledger.turnOffWebhook({ ...webhook, url: 'https://example.net/' }, gone('t1'), NOW, 'gone');
        const before = await outcomes(ledger);

        await ledger.turnOffWebhook(webhook, gone('t2'), NOW, 'gone');

        const guid = await held(ledger);
        await ledger.completeReport(guid, 'w', 1, DONE);
        const givenUp = ['given_up', 410, 'it answered 410'];
        const waiting = ['waiting', null, null];
        assert.deepEqual(before, [givenUp, waiting, waiting]);
        assert.deepEqual(await outcomes(ledger), [givenUp, givenUp, ['given_up', null, 'gone']]);
        assert.equal(await ledger.addTestDelivery('t4', 'blue', 'c1', NOW), false);
        assert.equal((await ledger.webhook('blue', 'c1'))?.offAt, NOW);
        assert.equal((await ledger.putWebhook(HOOK)).webhook.offAt, null);
      }));

    it('deletes deliveries with their webhook, and those that ended long ago', () =>
      withLedger(async (ledger) => {
        await ledger.putWebhook(HOOK);
        for (const id of ['t1', 't2', 't3']) await ledger.addTestDelivery(id, 'blue', 'c1', NOW);
        const claimed = await ledger.claimDelivery('blue', 'c1', NOW, NOW + MINUTE);
        await ledger.dropDelivery(
          { id: claimed?.id ?? '', attempt: 1, attemptedAt: NOW },
          { status: 500, error: 'it answered 500' },
        );

        assert.equal(await ledger.forgetDeliveries(NOW), 0);
        assert.equal(await ledger.forgetDeliveries(NOW + 1), 1);
        await ledger.removeWebhook('blue', 'c1');

        await ledger.putWebhook(HOOK);
        assert.deepEqual(await told(ledger), []);
      }));

    if (reopen)
      it('copies webhooks and their past deliveries, but not their pending ones', () =>
        withLedger(async (ledger) => {
          const folder = await mkdtemp(join(tmpdir(), 'daypart-copy-'));
          const { webhook } = await ledger.putWebhook(HOOK);
          for (const id of ['t1', 't2']) await ledger.addTestDelivery(id, 'blue', 'c1', NOW);
          const claimed = await ledger.claimDelivery('blue', 'c1', NOW, NOW + MINUTE);
          await ledger.finishDelivery({ id: claimed?.id ?? '', attempt: 1, attemptedAt: NOW }, 200);

          await ledger.backup(folder);

          const copy = await reopen(folder);
          assert.deepEqual(await copy.webhook('blue', 'c1'), webhook);
          assert.deepEqual(await told(copy), [['webhook.test', null, 'delivered']]);
          await copy.close();
          await rm(folder, { recursive: true });
        }));

    it('adds exactly one delivery for each report that ended, for any steps in any order', () =>
      withLedger(async (ledger) => {
        await ledger.putWebhook(HOOK);
        const step = fc.constantFrom('complete', 'fail', 'release', 'reclaim', 'claim');

        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
            const guid = await held(ledger, 'c1', NOW);
            let attempt = 1;
            for (const one of steps) {
              if (one === 'complete') await ledger.completeReport(guid, 'w', attempt, DONE);
              if (one === 'fail') await ledger.failReport(guid, 'w', attempt, NOW, FAILURE);
              if (one === 'release') await ledger.releaseReport(guid, 'w', attempt, true);
              if (one === 'reclaim') await ledger.reclaimReports(NOW, 2, FAILURE);
              if (one === 'claim') attempt = (await claimOne(ledger, 'w', NOW, NOW))?.attempt ?? attempt;
            }
            const report = await ledger.report(guid);
            const of = (await ledger.deliveries('blue', 'c1', 1000)).filter(({ reportGuid }) => reportGuid === guid);
            const ended = report?.state === 'completed' || report?.state === 'failed';
            assert.deepEqual(
              of.map(({ id, type }) => [id, type]),
              ended ? [[`msg_${guid}`, `report.${report.state}`]] : [],
            );
            // What is left unfinished would be claimed in the next case.
            await ledger.removeWebhook('blue', 'c1');
            await ledger.expireReports(NOW + 2e9);
            await ledger.reclaimReports(NOW, 0, FAILURE);
            await ledger.expireReports(NOW + 2e9);
            await ledger.putWebhook(HOOK);
          }),
          { numRuns: Math.ceil(LAWS * 0.06) },
        );
      }));
  });
}

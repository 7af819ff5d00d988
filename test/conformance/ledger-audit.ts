/**
 * The part of the ledger's suite that is about what is changed over HTTP: the audit log, secrets, deliveries sent
 * again.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuditEntry } from '../../packages/service/src/ledger/audit.ts';
import type { Client } from '../../packages/service/src/ledger/client.ts';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';

const NOW = 1_700_000_000_000;

const entry = (changes: Partial<AuditEntry> = {}): Omit<AuditEntry, 'id'> => ({
  at: NOW,
  group: 'blue',
  byGroup: 'red',
  clientId: 'c1',
  name: null,
  action: 'client.created',
  target: 'till',
  detail: { scopes: ['a'] },
  ...changes,
});
const client: Client = {
  id: 'c1',
  name: null,
  group: 'blue',
  scopes: ['a'],
  dialect: 'live',
  createdAt: NOW,
  revokedAt: null,
  secretHash: 'scrypt$2$b25l$b25l',
};

/** Runs it; `withLedger` opens an empty ledger that knows the group `blue`. */
export function auditConformance(
  name: string,
  withLedger: (work: (ledger: Ledger) => Promise<void>) => Promise<void>,
): void {
  describe(`ledger: ${name}: changes over HTTP`, () => {
    it('lists the audit log of a group, newest first and by pages', () =>
      withLedger(async (ledger) => {
        for (const target of ['one', 'two', 'three']) await ledger.addAudit(entry({ target }));
        await ledger.addAudit(entry({ group: 'red' }));

        const [newest, second] = await ledger.audit('blue', { limit: 2 });
        const { id: _id, ...shown } = newest as AuditEntry;
        assert.deepEqual(shown, entry({ target: 'three' }));
        const rest = await ledger.audit('blue', { limit: 2, before: second?.id });
        assert.deepEqual([second?.target, rest.map(({ target }) => target)], ['two', ['one']]);
      }));

    it('lists the imports of a group, newest first, of one restaurant where asked, and forgets old ones', () =>
      withLedger(async (ledger) => {
        const run = { group: 'blue', businessDate: 20260310, clientId: 'c1', report: { files: [{ rows: 2 }] } };
        for (const [id, restaurantGuid, at] of [
          ['one', 'r1', NOW],
          ['two', 'r2', NOW + 1],
          ['three', 'r1', NOW + 2],
        ] as const)
          await ledger.addImport({ ...run, id, restaurantGuid, at });
        const idsOf = async (of: { since?: number; limit?: number; restaurantGuid?: string }): Promise<string[]> =>
          (await ledger.imports('blue', { since: 0, limit: 9, ...of })).map(({ id }) => id);

        assert.deepEqual(await idsOf({}), ['three', 'two', 'one']);
        assert.deepEqual(await idsOf({ restaurantGuid: 'r1', limit: 1 }), ['three']);
        assert.deepEqual(await idsOf({ since: NOW, restaurantGuid: 'r1' }), ['three']);
        assert.deepEqual((await ledger.imports('blue', { since: 0, limit: 1 }))[0]?.report, run.report);
        assert.equal(await ledger.forgetImports(NOW + 2), 2);
        assert.deepEqual(await idsOf({}), ['three']);
      }));

    it('keeps the secret before the last rotation, and none of a client that is revoked or put again', () =>
      withLedger(async (ledger) => {
        await ledger.addClient(client);
        assert.equal(await ledger.rotateSecret('c1', 'scrypt$2$dHdv$dHdv', NOW + 5), true);
        const rotated = {
          ...client,
          secretHash: 'scrypt$2$dHdv$dHdv',
          oldSecret: { hash: client.secretHash, until: NOW + 5 },
        };
        assert.deepEqual(await ledger.client('c1'), rotated);

        await ledger.putClient(client);
        assert.deepEqual(await ledger.client('c1'), client);
        await ledger.revokeClient('c1', NOW);
        assert.equal(await ledger.rotateSecret('c1', 'scrypt$2$dHdv$dHdv', NOW), false);
        assert.equal(await ledger.rotateSecret('c2', 'scrypt$2$dHdv$dHdv', NOW), false);
      }));

    it('sends a delivery again with all of its attempts, of a webhook that is on', () =>
      withLedger(async (ledger) => {
        const url = 'https://receiver.example/hook';
        await ledger.putWebhook({
          group: 'blue',
          clientId: 'c1',
          url,
          secret: 'whsec_a',
          rotate: false,
          now: NOW,
          oldUntil: NOW,
        });
        await ledger.addTestDelivery('msg_1', 'blue', 'c1', NOW);
        await ledger.claimDelivery('blue', 'c1', NOW, NOW + 1);
        const first = { id: 'msg_1', attempt: 1, attemptedAt: NOW };
        await ledger.finishDelivery(first, 200);

        assert.equal(await ledger.replayDelivery('msg_1', 'blue', 'c2', NOW + 9), false);
        assert.equal(await ledger.replayDelivery('msg_1', 'blue', 'c1', NOW + 9), true);
        const [delivery] = await ledger.deliveries('blue', 'c1', 1);
        assert.deepEqual([delivery?.state, delivery?.attempt, delivery?.nextAt], ['waiting', 0, NOW + 9]);
        const again = await ledger.claimDelivery('blue', 'c1', NOW + 9, NOW + 99);
        assert.equal(again?.attempt, 1);
        // The outcome of the attempt before the replay comes late.
        const failed = { status: 500, error: 'it answered 500' };
        assert.deepEqual(
          [
            await ledger.finishDelivery(first, 200),
            await ledger.postponeDelivery(first, NOW + 999, failed),
            await ledger.dropDelivery(first, failed),
            await ledger.releaseDelivery(first),
          ],
          [false, false, false, false],
        );
        assert.equal(await ledger.postponeDelivery({ ...first, attemptedAt: NOW + 9 }, NOW + 99, failed), true);
        const gone = { id: 'msg_1', attempt: 1, attemptedAt: NOW + 9, status: 410, error: 'gone' };
        await ledger.turnOffWebhook({ group: 'blue', clientId: 'c1', url }, gone, NOW, 'gone');
        assert.equal(await ledger.replayDelivery('msg_1', 'blue', 'c1', NOW + 9), false);
      }));
  });
}

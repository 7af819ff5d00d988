/** The part of the ledger's suite that is about management groups: their names, and limits that are a group's or a client's own. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../../packages/service/src/ledger/client.ts';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';

const NOW = 1_700_000_000_000;
const client: Client = {
  ...{ id: 'c1', name: null, group: 'blue', scopes: ['a'], dialect: 'live', createdAt: NOW, revokedAt: null },
  secretHash: 'scrypt$2$b25l$b25l',
};

/** Runs it; `withLedger` opens an empty ledger that knows the group `blue`. */
export function groupConformance(
  name: string,
  withLedger: (work: (ledger: Ledger) => Promise<void>) => Promise<void>,
): void {
  describe(`ledger: ${name}: settings of groups`, () => {
    it('names a group by itself until it has a name, and keeps its limits apart from that', () =>
      withLedger(async (ledger) => {
        const blue = { group: 'blue', name: 'blue', limits: {} };
        assert.deepEqual(await ledger.group('blue'), blue);
        assert.equal(await ledger.group('red'), undefined);

        await ledger.limitGroup('blue', { check: '5/min', 'long-metrics': 'off' });
        assert.deepEqual(await ledger.group('blue'), { ...blue, limits: { check: '5/min', 'long-metrics': 'off' } });
        await ledger.nameGroup('blue', 'Blue Ltd');
        await ledger.limitGroup('blue', { check: '6/min' });
        await ledger.ensureGroup('amber', NOW);

        const named = { group: 'blue', name: 'Blue Ltd', limits: { check: '6/min' } };
        assert.deepEqual(await ledger.group('blue'), named);
        assert.deepEqual(await ledger.groupList(), [{ group: 'amber', name: 'amber', limits: {} }, named]);
        await assert.rejects(ledger.nameGroup('red', 'Red'));
      }));

    it('keeps the limits of a client, whatever else changes of it', () =>
      withLedger(async (ledger) => {
        await ledger.addClient(client);
        assert.equal((await ledger.client('c1'))?.limits, undefined);
        await ledger.limitClient('c1', { check: '5/min' });
        await ledger.putClient(client);

        assert.deepEqual(await ledger.client('c1'), { ...client, limits: { check: '5/min' } });
        assert.deepEqual(await ledger.clients(), [{ ...client, limits: { check: '5/min' } }]);
        await ledger.limitClient('c1', {});
        assert.deepEqual(await ledger.client('c1'), client);
        await assert.rejects(ledger.limitClient('c2', {}));
      }));
  });
}

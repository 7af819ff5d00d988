/**
 * The part of the ledger's suite that is about management groups: their names, and limits that are a group's or a
 * client's own.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../../packages/service/src/ledger/client.ts';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';

const NOW = 1_700_000_000_000;
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
export function groupConformance(
  name: string,
  withLedger: (work: (ledger: Ledger) => Promise<void>) => Promise<void>,
): void {
  describe(`ledger: ${name}: settings of groups`, () => {
    it('names a group by itself until it has a name, and keeps its limits apart from that', () =>
      withLedger(async (ledger) => {
        const blue = { group: 'blue', name: 'blue', limits: {}, removing: false };
        assert.deepEqual(await ledger.group('blue'), blue);
        assert.equal(await ledger.group('red'), undefined);

        await ledger.limitGroup('blue', { check: '5/min', 'long-metrics': 'off' });
        assert.deepEqual(await ledger.group('blue'), { ...blue, limits: { check: '5/min', 'long-metrics': 'off' } });
        await ledger.nameGroup('blue', 'Blue Ltd');
        await ledger.limitGroup('blue', { check: '6/min' });
        await ledger.ensureGroup('amber', NOW);

        const named = { group: 'blue', name: 'Blue Ltd', limits: { check: '6/min' }, removing: false };
        assert.deepEqual(await ledger.group('blue'), named);
        assert.deepEqual(await ledger.groupList(), [{ ...blue, group: 'amber', name: 'amber' }, named]);
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

    it('removes a group with all of its rows, none of others, and gives no number of a restaurant again', () =>
      withLedger(async (ledger) => {
        await ledger.ensureGroup('red', NOW);
        const ids: Record<string, number> = {};
        for (const group of ['red', 'blue']) {
          const guid = `0b000000-0000-4000-8000-00000000000${group === 'red' ? 1 : 2}`;
          const place = {
            timeZone: 'UTC',
            closeoutHour: 4,
            locationName: null,
            locationCode: null,
            currencyCode: null,
          };
          const flags = {
            refundsOn: 'refund' as const,
            overtimeMultiplier: 1.5,
            active: true,
            testMode: false,
            archived: false,
          };
          const put = await ledger.putRestaurant({ guid, group, name: group, ...place, ...flags });
          ids[group] = put?.restaurant.id ?? 0;
          await ledger.addClient({ ...client, id: group, group });
          await ledger.limitClient(group, { check: '5/min' });
          await ledger.nameGroup(group, `${group} Ltd`);
          await ledger.putDayparts(group, null, [{ name: 'All', from: 4, to: 4 }]);
          await ledger.addFingerprintKey(group, 'a2V5', NOW);
          const use = { group, clientId: group, path: '/orders', key: 'k', fingerprint: 'f', answer: 1 };
          await ledger.addKeyUse({ ...use, endsAt: NOW + 9 }, NOW);
          await ledger.addAudit({
            at: NOW,
            group,
            byGroup: 'red',
            clientId: 'red',
            name: null,
            action: 'client.created',
            target: 't',
            detail: {},
          });
          const run = { restaurantGuid: guid, businessDate: 20260310, clientId: group, at: NOW, report: {} };
          await ledger.addImport({ ...run, id: group, group });
          const hook = { url: 'https://receiver.example/hook', secret: 'whsec_a', rotate: false };
          await ledger.putWebhook({ ...hook, group, clientId: group, now: NOW, oldUntil: NOW });
          await ledger.addTestDelivery(`msg_${group}`, group, group, NOW);
          const session = { clientId: group, name: null, scopes: [], createdAt: NOW, seenAt: NOW, endsAt: NOW + 9 };
          await ledger.addSession({ ...session, id: `s-${group}`, group, cookieHash: group });
        }

        assert.equal(await ledger.beginRemoval('green', NOW), false);
        assert.equal(await ledger.beginRemoval('blue', NOW), true);
        assert.equal(await ledger.beginRemoval('blue', NOW), true, 'again');
        assert.deepEqual([await ledger.removals(), (await ledger.group('blue'))?.removing], [['blue'], true]);
        assert.equal((await ledger.client('blue'))?.revokedAt, NOW);
        assert.equal((await ledger.client('red'))?.revokedAt, null);
        assert.equal(await ledger.session('s-blue'), undefined);
        assert.deepEqual(await ledger.deliveries('blue', 'blue', 9), []);

        await ledger.dropGroup('blue', NOW + 5);
        assert.deepEqual(await ledger.removals(), ['blue'], 'the files are not rewritten yet');
        await ledger.compact();
        await ledger.endRemoval('blue');

        const left = async (group: string) => [
          await ledger.group(group),
          await ledger.restaurantsOf(group),
          (await ledger.clients()).filter((one) => one.group === group),
          (await ledger.dayparts(group)).group,
          await ledger.fingerprintKey(group),
          await ledger.audit(group, { limit: 9 }),
          await ledger.imports(group, { since: 0, limit: 9 }),
          await ledger.deliveries(group, group, 9),
          await ledger.keyUse({ group, clientId: group, path: '/orders', key: 'k' }, NOW),
        ];
        assert.deepEqual(await left('blue'), [undefined, [], [], null, undefined, [], [], [], undefined]);
        assert.ok((await left('red')).every((one) => one != null && (!Array.isArray(one) || one.length === 1)));
        assert.deepEqual([await ledger.removals(), await ledger.groups()], [[], ['red']]);
        assert.deepEqual(await ledger.removedRestaurants(NOW + 5), [ids.blue]);
        assert.deepEqual(await ledger.removedRestaurants(NOW + 6), []);
        assert.equal((await ledger.highest()).restaurantId, ids.blue);

        await ledger.ensureGroup('blue', NOW);
        const [red] = await ledger.restaurantsOf('red');
        assert.ok(red);
        const { id: _id, ...like } = red;
        const again = await ledger.putRestaurant({
          ...like,
          group: 'blue',
          guid: '0b000000-0000-4000-8000-000000000002',
        });
        assert.ok((again?.restaurant.id ?? 0) > (ids.blue ?? 0));

        const stray = { group: 'gone', clientId: 'c', path: '/orders', key: 'k', fingerprint: 'f', answer: 1 };
        await ledger.addKeyUse({ ...stray, endsAt: NOW + 9 }, NOW);
        assert.deepEqual([await ledger.dropStrays(), await ledger.dropStrays()], [1, 0]);
      }));
  });
}

/** What every ledger must do; run against each form of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../../packages/service/src/ledger/client.ts';
import type { SigningKey } from '../../packages/service/src/ledger/keys.ts';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';
import type { Restaurant } from '../../packages/service/src/ledger/restaurant.ts';
import { auditConformance } from './ledger-audit.ts';
import { connectionConformance } from './ledger-connections.ts';
import { copyConformance } from './ledger-copy.ts';
import { daypartConformance } from './ledger-dayparts.ts';
import { fingerprintConformance } from './ledger-fingerprints.ts';
import { formConformance } from './ledger-forms.ts';
import { groupConformance } from './ledger-groups.ts';
import { keyConformance } from './ledger-keys.ts';
import { queueConformance } from './ledger-queue.ts';
import { reportConformance } from './ledger-reports.ts';
import { sessionConformance } from './ledger-sessions.ts';
import { taskConformance } from './ledger-tasks.ts';
import { webhookConformance } from './ledger-webhooks.ts';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;

let made = 0;
const newGuid = (): string => `0a000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;

function client(changes: Partial<Client> = {}): Client {
  return {
    id: 'client-1',
    name: 'till',
    group: 'blue',
    scopes: ['a', 'b'],
    dialect: 'reference',
    secretHash: 'scrypt$16384$c2FsdA$aGFzaA',
    createdAt: NOW,
    revokedAt: null,
    ...changes,
  };
}

function key(kid: string, createdAt: number): SigningKey {
  return { kid, algorithm: 'RS256', privateJwk: '{"d":1}', publicJwk: '{"n":1}', createdAt, retiredAt: null };
}

function bistro(changes: Partial<Omit<Restaurant, 'id'>> = {}): Omit<Restaurant, 'id'> {
  return {
    guid: newGuid(),
    group: 'blue',
    name: 'Bistro',
    timeZone: 'America/New_York',
    closeoutHour: 4,
    locationName: null,
    locationCode: 'NY-1',
    currencyCode: 'USD',
    overtimeMultiplier: 1.5,
    refundsOn: 'refund',
    active: true,
    testMode: false,
    archived: false,
    ...changes,
  };
}

/** Adds a restaurant and its group, as a service does before it loads facts. */
export async function putRestaurant(
  ledger: Ledger,
  changes: Partial<Omit<Restaurant, 'id'>> = {},
): Promise<Restaurant> {
  const wanted = bistro(changes);
  await ledger.ensureGroup(wanted.group, NOW);
  const put = await ledger.putRestaurant(wanted);
  if (!put) throw new Error('the restaurant is of another group');
  return put.restaurant;
}

/**
 * Runs the suite; `open` makes an empty ledger each time, `reopen` opens a copy of one: left out where the form is not
 * copied.
 */
export function ledgerConformance(
  name: string,
  open: () => Promise<{ ledger: Ledger; close(): Promise<void> }>,
  reopen?: (folder: string) => Promise<Ledger>,
): void {
  async function withLedger(work: (ledger: Ledger) => Promise<void>): Promise<void> {
    const { ledger, close } = await open();
    try {
      await ledger.ensureGroup('blue', NOW);
      await work(ledger);
    } finally {
      await close();
    }
  }
  describe(`ledger: ${name}: groups and clients`, () => {
    it('keeps a group once, however often it is made sure of', () =>
      withLedger(async (ledger) => {
        await ledger.ensureGroup('amber', NOW + 1);
        await ledger.ensureGroup('blue', NOW + 2);

        assert.deepEqual(await ledger.groups(), ['amber', 'blue']);
      }));

    it('answers a client as it was added, and undefined for one it does not know', () =>
      withLedger(async (ledger) => {
        const added = client({ name: null, dialect: 'live' });
        await ledger.addClient(added);

        assert.deepEqual(await ledger.client('client-1'), added);
        assert.deepEqual(await ledger.clients(), [added]);
        assert.equal(await ledger.client('client-2'), undefined);
      }));

    it('refuses a second client of one id, and a client of a group it does not know', () =>
      withLedger(async (ledger) => {
        await ledger.addClient(client());

        await assert.rejects(ledger.addClient(client({ name: 'another' })));
        await assert.rejects(ledger.addClient(client({ id: 'client-2', group: 'nowhere' })));
        assert.equal((await ledger.clients()).length, 1);
      }));

    it('revokes a client once', () =>
      withLedger(async (ledger) => {
        await ledger.addClient(client());

        assert.equal(await ledger.revokeClient('client-1', NOW + 5), true);
        assert.equal(await ledger.revokeClient('client-1', NOW + 6), false);
        assert.equal(await ledger.revokeClient('client-2', NOW + 6), false);
        assert.equal((await ledger.client('client-1'))?.revokedAt, NOW + 5);
      }));

    it('puts a client that was not there, and one that was, un-revoked', () =>
      withLedger(async (ledger) => {
        await ledger.putClient(client());
        await ledger.revokeClient('client-1', NOW + 5);
        const changed = client({ scopes: ['c'], dialect: 'live', secretHash: 'scrypt$1$x$y' });

        await ledger.putClient(changed);

        assert.deepEqual(await ledger.clients(), [changed]);
      }));
  });

  describe(`ledger: ${name}: keys`, () => {
    it('has no key at first', () => withLedger(async (ledger) => assert.deepEqual(await ledger.keys(), [])));

    it('retires the key before when it rotates, and answers the newest first', () =>
      withLedger(async (ledger) => {
        await ledger.rotateKey(key('k1', NOW));
        await ledger.rotateKey(key('k2', NOW + HOUR));
        await ledger.rotateKey(key('k3', NOW + HOUR));

        assert.deepEqual(await ledger.keys(), [
          key('k3', NOW + HOUR),
          { ...key('k2', NOW + HOUR), retiredAt: NOW + HOUR },
          { ...key('k1', NOW), retiredAt: NOW + HOUR },
        ]);
      }));

    it('keeps the key that signs when the same one is rotated in again', () =>
      withLedger(async (ledger) => {
        await ledger.rotateKey(key('k1', NOW));

        await assert.rejects(ledger.rotateKey(key('k1', NOW + 1)));

        assert.deepEqual(await ledger.keys(), [key('k1', NOW)]);
      }));

    it('drops the keys that were retired before an instant, never the one that signs', () =>
      withLedger(async (ledger) => {
        await ledger.rotateKey(key('k1', NOW));
        await ledger.rotateKey(key('k2', NOW + 10));
        await ledger.rotateKey(key('k3', NOW + 20));

        await ledger.dropKeys(NOW + 20);
        assert.deepEqual(
          (await ledger.keys()).map(({ kid }) => kid),
          ['k3', 'k2'],
        );
        await ledger.dropKeys(NOW + HOUR);
        assert.deepEqual(
          (await ledger.keys()).map(({ kid }) => kid),
          ['k3'],
        );
      }));
  });

  describe(`ledger: ${name}: restaurants`, () => {
    it('adds a restaurant, then replaces it under the same id', () =>
      withLedger(async (ledger) => {
        const first = bistro();
        const added = await ledger.putRestaurant(first);
        const second = {
          ...first,
          name: 'Brasserie',
          overtimeMultiplier: 2,
          refundsOn: 'order' as const,
          active: false,
          testMode: true,
          archived: true,
        };

        const replaced = await ledger.putRestaurant(second);

        assert.equal(added?.created, true);
        assert.deepEqual(replaced, { created: false, restaurant: { id: added?.restaurant.id, ...second } });
        assert.deepEqual(await ledger.restaurant(first.guid), replaced?.restaurant);
      }));

    it("leaves another group's restaurant as it is", () =>
      withLedger(async (ledger) => {
        await ledger.ensureGroup('amber', NOW);
        const ours = bistro();
        const added = await ledger.putRestaurant(ours);

        assert.equal(await ledger.putRestaurant({ ...ours, group: 'amber', name: 'Theirs' }), undefined);

        assert.deepEqual(await ledger.restaurant(ours.guid), added?.restaurant);
        assert.deepEqual(await ledger.restaurantsOf('amber'), []);
      }));

    it('lists by group and by id, ordered by GUID', () =>
      withLedger(async (ledger) => {
        await ledger.ensureGroup('amber', NOW);
        const [a, b, c] = [bistro(), bistro(), bistro({ group: 'amber' })];
        const ids: number[] = [];
        for (const each of [b, c, a]) ids.push((await ledger.putRestaurant(each))?.restaurant.id ?? 0);

        const names = (list: readonly Restaurant[]) => list.map(({ guid }) => guid);
        assert.deepEqual(names(await ledger.restaurantsOf('blue')), [a.guid, b.guid]);
        assert.deepEqual(names(await ledger.restaurantsOf('blue', [c.guid, b.guid])), [b.guid]);
        assert.deepEqual(names(await ledger.restaurantsById(ids)), [a.guid, b.guid, c.guid]);
        assert.deepEqual(await ledger.restaurantsById([]), []);
        assert.deepEqual(await ledger.restaurantsById([999_999]), []);
        assert.equal(await ledger.restaurant(newGuid()), undefined);
      }));
  });

  describe(`ledger: ${name}: identity`, () => {
    it('is kept as it was last written, and there is none before', () =>
      withLedger(async (ledger) => {
        assert.equal(await ledger.identity(), undefined);
        for (const identity of [
          { id: 'a', epoch: null, nextEpoch: '1' },
          { id: 'a', epoch: '1', nextEpoch: null },
        ]) {
          await ledger.identify(identity);
          assert.deepEqual(await ledger.identity(), identity);
        }
      }));

    it('goes with the highest restaurant that it has numbered', () =>
      withLedger(async (ledger) => {
        assert.deepEqual(await ledger.highest(), { restaurantId: 0, snapshot: null });
        const { id } = await putRestaurant(ledger);
        assert.deepEqual(await ledger.highest(), { restaurantId: id, snapshot: null });
      }));
  });

  reportConformance(name, withLedger);
  fingerprintConformance(name, withLedger);
  formConformance(name, withLedger);

  queueConformance(name, withLedger);

  keyConformance(name, withLedger);
  daypartConformance(name, withLedger);
  taskConformance(name, withLedger);
  if (reopen) copyConformance(name, withLedger, reopen);
  webhookConformance(name, withLedger, reopen);
  connectionConformance(name, withLedger, reopen);
  sessionConformance(name, withLedger);
  auditConformance(name, withLedger);
  groupConformance(name, withLedger);

  describe(`ledger: ${name}: readiness`, () => {
    it('answers a ping until it is closed, and may be closed twice', () =>
      withLedger(async (ledger) => {
        await ledger.ping();
        await ledger.close();
        await ledger.close();

        await assert.rejects(ledger.ping());
      }));
  });
}

/** The part of the ledger's suite about connections: who reads one, and what a person changes meanwhile. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Connection, ConnectionDate, ConnectionStream } from '../../packages/service/src/ledger/connection.ts';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';
import { connection, member, members, CONNECTED_AT as NOW } from './connection-rows.ts';

const MINUTE = 60_000;
const [CAFE, BAR] = ['0f100000-0000-4000-8000-000000000001', '0f100000-0000-4000-8000-000000000002'] as const;

function stream(changes: Partial<ConnectionStream> = {}): ConnectionStream {
  return {
    connection: 'con_a',
    upstreamId: 'u1',
    stream: 'orders',
    cursor: null,
    nextAt: NOW,
    failures: 0,
    readUntil: null,
    lastAt: null,
    lastOkAt: null,
    error: null,
    errorDetail: null,
    upstreamRequest: null,
    fetched: 0,
    changed: 0,
    rejected: 0,
    ...changes,
  };
}

const date = (businessDate: number, changes: Partial<ConnectionDate> = {}): ConnectionDate => ({
  connection: 'con_a',
  upstreamId: 'u1',
  businessDate,
  readAt: NOW,
  checkedAt: null,
  checkFound: null,
  differences: null,
  ...changes,
});

const READ = stream({
  cursor: { until: NOW + MINUTE },
  nextAt: NOW + 2 * MINUTE,
  failures: 2,
  readUntil: NOW + MINUTE,
  lastAt: NOW + 3,
  lastOkAt: NOW + 2,
  error: 'upstream_error',
  errorDetail: [{ guid: null, pointer: '/0/guid', message: 'is missing' }],
  upstreamRequest: 'r-1',
  fetched: 30,
  changed: 20,
  rejected: 1,
});

const REFUSED = { state: 'refused' as const, reason: 'credentials_refused', throttledUntil: null };

/** Runs it; `withLedger` opens an empty ledger that knows the group `blue`, `reopen` opens a copy of one. */
export function connectionConformance(
  name: string,
  withLedger: (work: (ledger: Ledger) => Promise<void>) => Promise<void>,
  reopen?: (folder: string) => Promise<Ledger>,
): void {
  async function added(ledger: Ledger): Promise<void> {
    assert.deepEqual(await ledger.addConnection(connection('a'), members(member('a', 'u1', CAFE))), []);
  }
  async function claimed(ledger: Ledger, now = NOW, worker = 'w'): Promise<Connection> {
    const got = await ledger.claimConnection(worker, now, now + MINUTE);
    assert.ok(got);
    return got;
  }

  describe(`ledger: ${name}: connections`, () => {
    it('keeps what was added, with its streams due at once', () =>
      withLedger(async (ledger) => {
        await ledger.ensureGroup('red', NOW);
        await added(ledger);
        await ledger.addConnection(connection('b', { group: 'red', createdAt: NOW + 1, nextAt: NOW + 1 }), members());

        assert.deepEqual(await ledger.connections('blue'), [connection('a')]);
        assert.deepEqual(await ledger.connection('con_a'), connection('a'));
        assert.equal(await ledger.connection('con_c'), undefined);
        assert.deepEqual(await ledger.connectedRestaurants('con_a'), [member('a', 'u1', CAFE)]);
        assert.deepEqual(await ledger.connectionStreams('con_a'), [stream({ stream: 'backfill' }), stream()]);
      }));

    it('adds nothing when a restaurant has another connection, until that one is removed', () =>
      withLedger(async (ledger) => {
        await added(ledger);
        const both = members(member('b', 'x', BAR), member('b', 'y', CAFE));

        assert.deepEqual(await ledger.addConnection(connection('b'), both), [CAFE]);
        assert.equal(await ledger.connection('con_b'), undefined);
        assert.deepEqual(await ledger.connectedRestaurants('con_b'), []);

        assert.equal(await ledger.removeConnection('con_a', NOW + 5), true);
        assert.deepEqual(await ledger.addConnection(connection('b'), both), []);
      }));

    it('has one winner of many connections to one restaurant at once', () =>
      withLedger(async (ledger) => {
        const ids = ['a', 'b', 'c', 'd', 'e'];

        const answers = await Promise.all(
          ids.map((id) => ledger.addConnection(connection(id), members(member(id, 'u', CAFE)))),
        );

        assert.equal(answers.filter((taken) => taken.length === 0).length, 1);
        assert.equal((await ledger.connections('blue')).length, 1);
      }));

    it('is claimed by one worker, the one due longest first, and again when the lease has expired', () =>
      withLedger(async (ledger) => {
        await added(ledger);
        await ledger.addConnection(connection('b', { createdAt: NOW - 1 }), members(member('b', 'u', BAR)));

        assert.equal(await ledger.claimConnection('w', NOW - 2, NOW), undefined);
        const first = await claimed(ledger);
        assert.deepEqual(
          first,
          connection('b', {
            createdAt: NOW - 1,
            nextAt: NOW - 1,
            worker: 'w',
            leaseUntil: NOW + MINUTE,
            attempt: 1,
          }),
        );
        assert.equal((await claimed(ledger, NOW, 'v')).id, 'con_a');
        assert.equal(await ledger.claimConnection('v', NOW + 1, NOW + MINUTE), undefined);

        assert.equal(await ledger.extendConnection(first, NOW + 2 * MINUTE), true);
        assert.equal((await claimed(ledger, NOW + MINUTE)).id, 'con_a');
        const again = await claimed(ledger, NOW + 2 * MINUTE, 'v');
        assert.deepEqual([again.id, again.worker, again.attempt], ['con_b', 'v', 2]);
        assert.equal(await ledger.extendConnection(first, NOW + 9 * MINUTE), false);
      }));

    it('has one winner of many workers at once', () =>
      withLedger(async (ledger) => {
        await added(ledger);

        const got = await Promise.all(['a', 'b', 'c', 'd'].map((one) => ledger.claimConnection(one, NOW, NOW + 1)));

        assert.equal(got.filter((one) => one !== undefined).length, 1);
      }));

    it('keeps what is saved under the lease, in one commit', () =>
      withLedger(async (ledger) => {
        await added(ledger);
        const lease = await claimed(ledger);
        const reading = {
          ...member('a', 'u1', CAFE),
          state: 'reading' as const,
          reason: 'late',
          since: NOW + 4,
          warnings: [{ code: 'unstable', since: NOW }],
          backfillDone: 20231110,
        };

        assert.equal(await ledger.saveStream(lease, READ, [date(20231111)]), true);
        assert.equal(await ledger.saveConnectedRestaurant(lease, reading), true);
        const token = { token: 'sealed', tokenUntil: NOW + MINUTE, signedInAt: NOW };
        assert.equal(await ledger.saveConnection(lease, token, NOW), true);

        assert.deepEqual(await ledger.connectionStreams('con_a'), [stream({ stream: 'backfill' }), READ]);
        assert.deepEqual(await ledger.connectedRestaurants('con_a'), [reading]);
        assert.deepEqual(await ledger.connectionDates('con_a', 'u1', 20231111, 20231111), [date(20231111)]);
        assert.deepEqual(await ledger.connectionDates('con_a', 'u1', 20231112, 99999999), []);
        assert.equal((await ledger.connection('con_a'))?.token, 'sealed');
        const checked = date(20231111, { checkedAt: NOW + 7, checkFound: 2 });
        assert.equal(await ledger.saveStream(lease, READ, [checked]), true);
        assert.deepEqual(await ledger.connectionDates('con_a', 'u1', 0, 99999999), [checked]);
        assert.equal(await ledger.saveConnectedRestaurant(lease, { ...reading, state: 'current' }), true);
        assert.equal((await ledger.connectedRestaurants('con_a'))[0]?.state, 'current');
      }));

    it('refuses everything of a worker that has lost the lease', () =>
      withLedger(async (ledger) => {
        await added(ledger);
        const lost = await claimed(ledger);
        const lease = await claimed(ledger, NOW + MINUTE);
        assert.deepEqual(await ledger.heldConnections('w'), [{ id: 'con_a', attempt: 2 }]);
        assert.deepEqual(await ledger.heldConnections('v'), []);
        const restaurant = { ...member('a', 'u1', CAFE), state: 'lost' as const };

        assert.equal(await ledger.saveStream(lost, READ, [date(20231111)]), false);
        assert.equal(await ledger.saveConnectedRestaurant(lost, restaurant), false);
        assert.equal(await ledger.saveConnection(lost, { token: 't' }, NOW), false);
        assert.equal(await ledger.extendConnection(lost, NOW + 9 * MINUTE), false);
        assert.equal(await ledger.releaseConnection(lost), false);

        assert.deepEqual(await ledger.connection('con_a'), lease);
        assert.deepEqual(await ledger.connectedRestaurants('con_a'), [member('a', 'u1', CAFE)]);
        assert.deepEqual(await ledger.connectionDates('con_a', 'u1', 0, 99999999), []);
        assert.deepEqual(await ledger.connectionStreams('con_a'), [stream({ stream: 'backfill' }), stream()]);
      }));

    it('is due with its earliest stream once it is released, or when it says, and not while it is limited', () =>
      withLedger(async (ledger) => {
        await added(ledger);
        const lease = await claimed(ledger);
        await ledger.saveStream(lease, stream({ stream: 'backfill', nextAt: NOW + MINUTE }));
        await ledger.saveStream(lease, stream({ nextAt: NOW + 2 * MINUTE }));

        assert.equal(await ledger.saveConnection(lease, { throttledUntil: NOW + 90_000 }, NOW + 1), true);
        assert.equal(await ledger.releaseConnection(lease), true);
        const throttled = { attempt: 1, nextAt: NOW + MINUTE, throttledUntil: NOW + 90_000 };
        assert.deepEqual(await ledger.connection('con_a'), connection('a', throttled));
        assert.equal(await ledger.claimConnection('w', NOW + MINUTE, NOW + 9 * MINUTE), undefined);

        const next = await claimed(ledger, NOW + 90_000);
        await ledger.saveConnection(next, REFUSED, NOW + 7);
        await ledger.releaseConnection(next, NOW + 3 * MINUTE);
        const refused = { ...REFUSED, attempt: 2, nextAt: NOW + 3 * MINUTE, changedAt: NOW + 7 };
        assert.deepEqual(await ledger.connection('con_a'), connection('a', refused));
        const last = await claimed(ledger, NOW + 3 * MINUTE);
        assert.equal(last.state, 'refused');
        await ledger.releaseConnection(last, NOW);
        assert.equal((await ledger.connection('con_a'))?.nextAt, NOW + MINUTE);
      }));

    it('keeps settings that are known as read, and due when it says', () =>
      withLedger(async (ledger) => {
        const known = { ...member('a', 'u1', CAFE), settingsDueAt: NOW + MINUTE };
        const unknown = member('a', 'u2', BAR);
        await ledger.addConnection(connection('a'), { ...members(known, unknown), streams: ['settings', 'orders'] });
        const rows = await ledger.connectionStreams('con_a');
        assert.deepEqual(
          rows.map(({ upstreamId, stream: name, nextAt, lastAt, lastOkAt }) => [
            upstreamId,
            name,
            nextAt,
            lastAt,
            lastOkAt,
          ]),
          [
            ['u1', 'orders', NOW, null, null],
            ['u1', 'settings', NOW + MINUTE, NOW, NOW],
            ['u2', 'orders', NOW, null, null],
            ['u2', 'settings', NOW, null, null],
          ],
        );
      }));

    it('is due at once where a service has the folder alone', () =>
      withLedger(async (ledger) => {
        await added(ledger);
        const lost = await claimed(ledger);

        assert.equal(await ledger.reclaimConnections(NOW + 3), 1);
        assert.equal(await ledger.extendConnection(lost, NOW + 9), false);
        assert.equal(await ledger.claimConnection('w', NOW + 2, NOW + 9), undefined);
        assert.equal((await claimed(ledger, NOW + 3)).attempt, 2);
      }));
  });

  describe(`ledger: ${name}: changes of connections`, () => {
    it('pauses and resumes one, and nobody reads it meanwhile', () =>
      withLedger(async (ledger) => {
        await added(ledger);
        const lease = await claimed(ledger);

        const paused = { state: 'paused' as const, reason: null };
        assert.equal(await ledger.setConnectionState('con_a', paused, NOW + 1), true);
        assert.equal(await ledger.saveStream(lease, READ), false);
        assert.equal(await ledger.claimConnection('w', NOW + MINUTE, NOW + 9 * MINUTE), undefined);
        assert.equal(await ledger.setConnectionState('con_a', { state: 'active', reason: null }, NOW + 2), true);
        assert.equal((await claimed(ledger, NOW + 2)).changedAt, NOW + 2);
        assert.equal(await ledger.setConnectionState('con_c', paused, NOW + 2), false);
      }));

    it('takes restaurants in and out, and ends the lease', () =>
      withLedger(async (ledger) => {
        await added(ledger);
        await ledger.addConnection(connection('b', { createdAt: NOW + 5 }), members(member('b', 'u', BAR)));
        const lease = await claimed(ledger);
        await ledger.saveStream(lease, READ, [date(20231111)]);
        const settings = { ...connection('a').settings, pollSeconds: 300 };
        const change = { name: 'Tills', settings, leave: [], backfills: [], ...members() };

        const backfills = [{ upstreamId: 'u1', backfillFrom: 20230901 }];
        assert.deepEqual(await ledger.changeConnection('con_a', { ...change, backfills }, NOW + 6), []);
        assert.equal(await ledger.extendConnection(lease, NOW + 9), false);
        assert.deepEqual(
          await ledger.connection('con_a'),
          connection('a', { name: 'Tills', settings, attempt: 1, nextAt: NOW + 6, changedAt: NOW + 6 }),
        );
        assert.equal((await ledger.connectedRestaurants('con_a'))[0]?.backfillFrom, 20230901);

        const joining = members(member('a', 'u2', BAR), member('a', 'u1', CAFE));
        assert.deepEqual(await ledger.changeConnection('con_a', { ...change, ...joining, name: 'No' }, NOW), [BAR]);
        assert.equal((await ledger.connection('con_a'))?.name, 'Tills');

        await ledger.changeConnection('con_a', { ...change, leave: ['u1'] }, NOW + 7);
        const [left] = await ledger.connectedRestaurants('con_a');
        assert.deepEqual([left?.state, left?.since], ['left', NOW + 7]);
        assert.deepEqual(await ledger.connectionStreams('con_a'), []);
        assert.deepEqual(
          (await ledger.connectedStates('blue')).map(({ restaurantGuid }) => restaurantGuid),
          [BAR],
        );
        await ledger.changeConnection('con_a', { ...change, ...members(member('a', 'u1', CAFE)) }, NOW + 8);
        assert.deepEqual(await ledger.connectedRestaurants('con_a'), [member('a', 'u1', CAFE)]);
        assert.deepEqual(
          (await ledger.connectionStreams('con_a')).map(({ nextAt }) => nextAt),
          [NOW + 8, NOW + 8],
        );
        assert.equal(await ledger.changeConnection('con_c', change, NOW), undefined);
      }));

    it('replaces the credentials of one that was refused, not the pause of a person', () =>
      withLedger(async (ledger) => {
        await added(ledger);
        const lease = await claimed(ledger);
        await ledger.saveConnection(lease, { token: 'sealed', tokenUntil: NOW + MINUTE, signedInAt: NOW }, NOW);
        await ledger.saveConnection(lease, { ...REFUSED, throttledUntil: NOW + MINUTE }, NOW);
        await ledger.releaseConnection(lease, NOW + 60 * MINUTE);

        assert.equal(await ledger.replaceCredentials('con_a', 'new', NOW + 3), true);

        const active = { credentials: 'new', credentialsSetAt: NOW + 3, changedAt: NOW + 3, nextAt: NOW + 3 };
        assert.deepEqual(await ledger.connection('con_a'), connection('a', { ...active, attempt: 1 }));
        await ledger.setConnectionState('con_a', { state: 'paused', reason: null }, NOW + 4);
        await ledger.replaceCredentials('con_a', 'newer', NOW + 5);
        assert.equal((await ledger.connection('con_a'))?.state, 'paused');
        await ledger.setConnectionState('con_a', { state: 'paused', reason: 'credentials_unreadable' }, NOW + 6);
        await ledger.replaceCredentials('con_a', 'newest', NOW + 7);
        const last = await ledger.connection('con_a');
        assert.deepEqual([last?.state, last?.reason], ['active', null]);
        assert.equal(await ledger.replaceCredentials('con_c', 'new', NOW), false);
      }));

    it('encrypts credentials again, unless others came meanwhile, under the lease of another', () =>
      withLedger(async (ledger) => {
        await added(ledger);
        const lease = await claimed(ledger);

        assert.deepEqual(await ledger.storedCredentials(), [{ id: 'con_a', credentials: 'sealed-a' }]);
        assert.equal(await ledger.rewriteCredentials('con_a', 'other', 'again'), false);
        assert.equal(await ledger.rewriteCredentials('con_a', 'sealed-a', 'again'), true);
        assert.deepEqual(await ledger.storedCredentials(), [{ id: 'con_a', credentials: 'again' }]);
        assert.equal(await ledger.extendConnection(lease, NOW + 9), true);
      }));

    it('asks for dates to be read again, newest first, and ends the lease', () =>
      withLedger(async (ledger) => {
        await added(ledger);
        const lease = await claimed(ledger);
        const checked = date(20231111, { checkedAt: NOW, checkFound: 0 });
        await ledger.saveStream(lease, stream({ stream: 'backfill', nextAt: NOW + 9 * MINUTE }), [checked]);
        const requested = [20231110, 20231111].map((businessDate) => ({ upstreamId: 'u1', businessDate }));

        assert.equal(await ledger.askDates('con_a', requested, NOW + 5), true);

        assert.deepEqual(await ledger.unreadDates('con_a', 'u1', 9), [20231111, 20231110]);
        assert.deepEqual(await ledger.unreadDates('con_a', 'u1', 1), [20231111]);
        assert.deepEqual(await ledger.connectionDates('con_a', 'u1', 20231111, 20231111), [
          { ...checked, readAt: null },
        ]);
        assert.equal((await ledger.connectionStreams('con_a'))[0]?.nextAt, NOW + 5);
        assert.equal(await ledger.extendConnection(lease, NOW + 9), false);
        assert.equal(await ledger.askDates('con_c', requested, NOW), false);
      }));

    it('forgets the credentials of one that is removed, and itself later', () =>
      withLedger(async (ledger) => {
        await added(ledger);
        const lease = await claimed(ledger);
        await ledger.saveConnection(lease, { token: 'sealed', tokenUntil: NOW + MINUTE, signedInAt: NOW }, NOW);
        const read = [date(20221001), date(20231111)];
        await ledger.saveStream(lease, READ, read);

        assert.equal(await ledger.removeConnection('con_a', NOW + 5), true);
        assert.equal(await ledger.removeConnection('con_a', NOW + 6), false);

        const removed = await ledger.connection('con_a');
        assert.deepEqual(
          [removed?.state, removed?.credentials, removed?.token, removed?.nextAt],
          ['removed', null, null, null],
        );
        assert.deepEqual(await ledger.connections('blue'), []);
        assert.deepEqual(await ledger.storedCredentials(), []);
        assert.equal(await ledger.claimConnection('w', NOW + 9 * MINUTE, NOW + 10 * MINUTE), undefined);
        assert.equal(await ledger.saveStream(lease, READ), false);
        assert.equal(await ledger.setConnectionState('con_a', { state: 'active', reason: null }, NOW), false);
        assert.equal(await ledger.replaceCredentials('con_a', 'new', NOW), false);

        assert.equal(await ledger.forgetConnections(NOW + 5, 20231101), 0);
        assert.deepEqual(await ledger.connectionDates('con_a', 'u1', 0, 99999999), [date(20231111)]);
        assert.equal(await ledger.forgetConnections(NOW + 6, 0), 1);
        assert.equal(await ledger.connection('con_a'), undefined);
        assert.deepEqual(await ledger.connectedRestaurants('con_a'), []);
        assert.deepEqual(await ledger.connectionDates('con_a', 'u1', 0, 99999999), []);
      }));

    it('says of each restaurant and of all connections how far they are read', () =>
      withLedger(async (ledger) => {
        await ledger.addConnection(connection('a'), members(member('a', 'u1', CAFE), member('a', 'u2', BAR)));
        await ledger.addConnection(connection('b', { createdAt: NOW + 1 }), members());
        await ledger.setConnectionState('con_b', { state: 'paused', reason: null }, NOW + 2);
        const lease = await claimed(ledger);
        const read = [date(20231110, { checkedAt: NOW }), date(20231111, { checkedAt: NOW }), date(20231112)];
        const failing = { ...member('a', 'u1', CAFE), state: 'failing' as const };
        await ledger.saveStream(lease, READ, read);
        await ledger.saveConnectedRestaurant(lease, failing);
        const lost = { ...member('a', 'u2', BAR), state: 'lost' as const };
        const old = stream({ upstreamId: 'u2', readUntil: NOW - MINUTE });
        await ledger.saveStream(lease, old);
        await ledger.saveConnectedRestaurant(lease, lost);

        const of = { connection: 'con_a', connectionState: 'active' };
        assert.deepEqual(await ledger.connectedStates('blue'), [
          { ...of, restaurantGuid: CAFE, state: 'failing', readUntil: READ.readUntil, lastSettledDate: 20231111 },
          { ...of, restaurantGuid: BAR, state: 'lost', readUntil: NOW - MINUTE, lastSettledDate: null },
        ]);
        assert.deepEqual(await ledger.connectedStates('red'), []);
        const backfill = { backfillFrom: 20231001, backfillTo: 20231113, backfillDone: null };
        const unread = [CAFE, BAR].map((restaurantGuid) => ({ restaurantGuid, ...backfill }));
        assert.deepEqual(await ledger.unreadPasts('blue'), unread);
        assert.deepEqual(await ledger.unreadPasts('red'), []);
        await ledger.saveConnectedRestaurant(lease, { ...lost, backfillDone: 20231001 });
        assert.deepEqual(await ledger.unreadPasts('blue'), unread.slice(0, 1));
        assert.deepEqual(await ledger.connectionHealth(), [
          { kind: 'toast', state: 'active', connections: 1, failing: 1, readUntil: READ.readUntil },
          { kind: 'toast', state: 'paused', connections: 1, failing: 0, readUntil: null },
        ]);
      }));

    it('goes with its group', () =>
      withLedger(async (ledger) => {
        await added(ledger);
        const lease = await claimed(ledger);

        await ledger.beginRemoval('blue', NOW);
        assert.deepEqual([await ledger.storedCredentials(), await ledger.saveStream(lease, READ)], [[], false]);
        await ledger.dropGroup('blue', NOW);

        assert.equal(await ledger.connection('con_a'), undefined);
        assert.deepEqual(await ledger.connectedRestaurants('con_a'), []);
        assert.deepEqual(await ledger.connectionStreams('con_a'), []);
      }));

    if (reopen)
      it('has no lease and no session in a copy', () =>
        withLedger(async (ledger) => {
          const folder = await mkdtemp(join(tmpdir(), 'daypart-copy-'));
          try {
            await added(ledger);
            await ledger.saveConnection(
              await claimed(ledger),
              { token: 'sealed', tokenUntil: NOW + 9, signedInAt: NOW },
              NOW,
            );
            await ledger.backup(folder);

            const copy = await reopen(folder);
            assert.deepEqual(await copy.connection('con_a'), connection('a', { attempt: 1, signedInAt: NOW }));
            await copy.close();
          } finally {
            await rm(folder, { recursive: true, force: true });
          }
        }));
  });
}

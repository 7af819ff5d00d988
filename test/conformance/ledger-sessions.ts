/** The part of the ledger's suite that is about sessions and one-time links. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../../packages/service/src/ledger/client.ts';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';
import type { Session, SignInLink } from '../../packages/service/src/ledger/session.ts';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;

const session = (changes: Partial<Session> = {}): Session => ({
  id: 's1',
  cookieHash: 'h1',
  group: 'blue',
  clientId: 'c1',
  name: 'Ada',
  scopes: ['a', 'b'],
  createdAt: NOW,
  seenAt: NOW,
  endsAt: NOW + 24 * HOUR,
  ...changes,
});
const link = (changes: Partial<SignInLink> = {}): Omit<SignInLink, 'spentAt'> => ({
  keyHash: 'k1',
  clientId: 'c1',
  name: null,
  scopes: ['a'],
  createdAt: NOW,
  endsAt: NOW + HOUR,
  ...changes,
});

/** Runs it; `withLedger` opens an empty ledger that knows the group `blue`. */
export function sessionConformance(
  name: string,
  withLedger: (work: (ledger: Ledger) => Promise<void>) => Promise<void>,
): void {
  const withClients = (work: (ledger: Ledger) => Promise<void>): Promise<void> =>
    withLedger(async (ledger) => {
      await ledger.ensureGroup('red', NOW);
      const client: Client = {
        id: 'c1',
        name: null,
        group: 'blue',
        scopes: ['a', 'b'],
        dialect: 'live',
        createdAt: NOW,
        revokedAt: null,
        secretHash: 'scrypt$2$c2FsdA$aGFzaA',
      };
      await ledger.addClient(client);
      await ledger.addClient({ ...client, id: 'c2', group: 'red' });
      await work(ledger);
    });
  const opened = { id: 's9', cookieHash: 'h9', endsAt: NOW + 24 * HOUR };

  describe(`ledger: ${name}: sessions`, () => {
    it('answers a session by its id and by its cookie, and lists those of a group, newest first', () =>
      withClients(async (ledger) => {
        const [older, newer] = [session(), session({ id: 's2', cookieHash: 'h2', name: null, createdAt: NOW + 1 })];
        for (const one of [older, newer]) await ledger.addSession(one);
        await ledger.addSession(session({ id: 's3', cookieHash: 'h3', clientId: 'c2' }));

        assert.deepEqual(await ledger.session('s1'), older);
        assert.deepEqual(await ledger.sessionByCookie('h2'), newer);
        assert.deepEqual(await ledger.sessionsOf('blue'), [newer, older]);
        assert.equal((await ledger.session('s3'))?.group, 'red');
        assert.equal(await ledger.session('s4'), undefined);
        assert.equal(await ledger.sessionByCookie('s1'), undefined);
        await assert.rejects(ledger.addSession(session({ id: 's5', cookieHash: 'h5', clientId: 'nobody' })));
      }));

    it('notes when one was used, never earlier than it was before', () =>
      withClients(async (ledger) => {
        await ledger.addSession(session());
        await ledger.seeSession('s1', NOW + 5);
        await ledger.seeSession('s1', NOW + 3);
        await ledger.seeSession('nobody', NOW + 9);

        assert.equal((await ledger.session('s1'))?.seenAt, NOW + 5);
      }));

    it('ends one once, and deletes those that are idle or over', () =>
      withClients(async (ledger) => {
        await ledger.addSession(session());
        await ledger.addSession(session({ id: 's2', cookieHash: 'h2', seenAt: NOW - HOUR }));
        await ledger.addSession(session({ id: 's3', cookieHash: 'h3', endsAt: NOW - 1 }));
        await ledger.addSession(session({ id: 's4', cookieHash: 'h4' }));

        assert.deepEqual([await ledger.endSession('s4'), await ledger.endSession('s4')], [true, false]);
        assert.equal(await ledger.forgetSessions(NOW - HOUR + 1, NOW), 2);
        assert.deepEqual(
          (await ledger.sessionsOf('blue')).map(({ id }) => id),
          ['s1'],
        );
      }));
  });

  describe(`ledger: ${name}: one-time links`, () => {
    it('opens a session of its client with its name and scopes, once', () =>
      withClients(async (ledger) => {
        await ledger.addLink(link());
        const begun = session({ ...opened, name: null, scopes: ['a'], createdAt: NOW + 1, seenAt: NOW + 1 });

        assert.deepEqual(await ledger.spendLink('k1', opened, NOW + 1), begun);
        assert.deepEqual(await ledger.session('s9'), begun);
        assert.equal(await ledger.spendLink('k1', { ...opened, id: 's8', cookieHash: 'h8' }, NOW + 2), undefined);
        assert.equal(await ledger.session('s8'), undefined);
        assert.deepEqual(await ledger.link('k1'), { ...link(), spentAt: NOW + 1 });
      }));

    it('opens none when it is over, unknown, or of a revoked client', () =>
      withClients(async (ledger) => {
        await ledger.addLink(link());
        await ledger.addLink(link({ keyHash: 'k2', clientId: 'c2' }));
        await ledger.revokeClient('c2', NOW);

        assert.equal(await ledger.spendLink('k1', opened, NOW + HOUR), undefined);
        assert.equal(await ledger.spendLink('k2', opened, NOW), undefined);
        assert.equal(await ledger.spendLink('k3', opened, NOW), undefined);
        assert.equal((await ledger.link('k1'))?.spentAt, null);
        assert.equal(await ledger.link('k3'), undefined);
        assert.deepEqual(await ledger.sessionsOf('blue'), []);
      }));

    it('opens one session for many that spend it at once', () =>
      withClients(async (ledger) => {
        await ledger.addLink(link());
        const tries = [1, 2, 3, 4].map((n) =>
          ledger.spendLink('k1', { ...opened, id: `s${n}`, cookieHash: `h${n}` }, NOW),
        );

        assert.equal((await Promise.all(tries)).filter((begun) => begun !== undefined).length, 1);
        assert.equal((await ledger.sessionsOf('blue')).length, 1);
      }));

    it('deletes those that ended before an instant', () =>
      withClients(async (ledger) => {
        await ledger.addLink(link());
        await ledger.addLink(link({ keyHash: 'k2', endsAt: NOW + 2 * HOUR }));

        assert.equal(await ledger.forgetLinks(NOW + HOUR + 1), 1);
        assert.notEqual(await ledger.link('k2'), undefined);
      }));
  });
}

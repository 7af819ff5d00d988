/** Several services on one ledger in PostgreSQL: changes by one take effect in the others. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import {
  type ConnectedRestaurant,
  type Connection,
  newConnection,
} from '../../packages/service/src/ledger/connection.ts';
import type { Notification } from '../../packages/service/src/ledger/notifications.ts';
import {
  checkSchema,
  identifyOnce,
  migrateLedger,
  newestPostgresSchema,
  SchemaMismatch,
} from '../../packages/service/src/ledger/postgres/migrate.ts';
import { openPool } from '../../packages/service/src/ledger/postgres/pool.ts';
import { openPostgresLedger, type PostgresLedger } from '../../packages/service/src/ledger/postgres/postgres.ts';
import { OWN_MS } from '../../packages/service/src/ledger/report.ts';
import { claimOne } from '../conformance/claim.ts';
import { askOnce } from '../postgres.ts';
import { startLedgerDatabases } from './ledger-databases.ts';

const databases = await startLedgerDatabases();
after(() => databases.close());

const HOUR = 3_600_000;
const USED_UP = { code: 'report_failed', message: 'attempts are used up' } as const;
const DONE = { asOf: 1, rows: 1, bytes: 2, snapshot: '1', totals: [] };
const HOOK = { group: 'blue', clientId: 'c1', url: 'https://example.com/', secret: 'whsec_one', rotate: false };

async function addReport(
  ledger: PostgresLedger,
  group = 'blue',
  createdAt?: number,
  queuedBy?: string,
): Promise<string> {
  const guid = randomUUID();
  const now = createdAt ?? (await ledger.now());
  await ledger.addReport({
    guid,
    group,
    clientId: 'c1',
    kind: 'metrics',
    dialect: 'reference',
    cost: 5,
    lane: 'long',
    plan: { span: 'day', startDate: 1, endDate: 1, aggregate: 'DAY', groups: [], restaurantIds: [] },
    request: { path: '/metrics/day', body: {} },
    createdAt: now,
    expiresAt: now + 24 * HOUR,
    queuedBy,
  });
  return guid;
}

/** Resolves with the first notification that matches. */
function nextNotification(ledger: PostgresLedger, matches: (move: Notification) => boolean): Promise<Notification> {
  return new Promise((resolve) => {
    const stop = ledger.onNotification((move) => {
      if (!matches(move)) return;
      stop();
      resolve(move);
    });
  });
}

const withTwo = (work: (one: PostgresLedger, other: PostgresLedger, url: string) => Promise<void>): Promise<void> =>
  databases.withLedgers(2, async ([one, other], url) => {
    if (!one || !other) assert.fail();
    await one.ensureGroup('blue', await one.now());
    await work(one, other, url);
  });

const till = (): Connection =>
  newConnection(
    {
      id: 'con_a',
      group: 'blue',
      kind: 'toast',
      name: 'Till',
      url: 'https://till.example',
      settings: { pollSeconds: 120, backfillDays: 84, requestsPerSecond: null, checkDays: [], first: null },
      credentials: 'sealed',
      createdBy: 'c1',
    },
    1,
  );

const cafe = (): ConnectedRestaurant => ({
  connection: 'con_a',
  upstreamId: 'u1',
  restaurantGuid: '0f200000-0000-4000-8000-000000000001',
  state: 'chosen',
  reason: null,
  since: 1,
  warnings: [],
  backfillFrom: null,
  backfillTo: null,
  backfillDone: null,
  notBefore: null,
});

const client = {
  id: 'c1',
  name: null,
  group: 'blue',
  scopes: ['a'],
  dialect: 'live' as const,
  createdAt: 1,
  revokedAt: null,
  secretHash: 'scrypt$2$c2FsdA$aGFzaA',
};

describe('services on one ledger in PostgreSQL', () => {
  it('claim each report once, and take turns between groups as one service does', () =>
    databases.withLedgers(4, async (ledgers) => {
      const [first] = ledgers;
      if (!first) assert.fail();
      const groups = ['a', 'b', 'c', 'd', 'e'];
      for (const group of groups) await first.ensureGroup(group, 1);
      const each = 8;
      const asked = await first.now();
      const guids: string[] = [];
      for (const group of groups) for (let i = 0; i < each; i++) guids.push(await addReport(first, group, asked + i));

      const order: { guid: string; group: string }[] = [];
      await Promise.all(
        ledgers.map(async (ledger, i) => {
          for (;;) {
            const now = await ledger.now();
            const claim = await claimOne(ledger, `w${i}`, now, now + HOUR);
            if (!claim) return;
            order.push(claim);
          }
        }),
      );

      assert.deepEqual(order.map(({ guid }) => guid).toSorted(), guids.toSorted());
      assert.deepEqual(await first.reportCounts(), { gathering: guids.length });
      // All stay gathering, so no group is ever two claims ahead of another.
      const counts = new Map(groups.map((group) => [group, 0]));
      const [most, least] = [Math.max, Math.min].map((of) => () => of(...counts.values()));
      for (const { group } of order) {
        counts.set(group, (counts.get(group) ?? 0) + 1);
        // Four services note their claims in an order that may differ by as many.
        assert.ok((most?.() ?? 0) - (least?.() ?? 0) <= 1 + ledgers.length, JSON.stringify([...counts]));
      }
    }));

  it('leave a report to the worker of the service that queued it for a tenth of a second, and no longer', () =>
    withTwo(async (one, other) => {
      const now = await one.now();
      const [old, own, more] = await Promise.all([
        addReport(one, 'blue', now - OWN_MS, 'mine'),
        addReport(one, 'blue', now - OWN_MS + 1, 'mine'),
        addReport(one, 'blue', now, 'mine'),
      ]);
      const claim = async (ledger: PostgresLedger, worker: string, at: number): Promise<string | undefined> =>
        (await claimOne(ledger, worker, at, at + HOUR))?.guid;
      assert.equal(await claim(other, 'other', now), old);
      assert.equal(await claim(other, 'other', now), undefined);
      assert.equal(await claim(one, 'mine', now), own);
      // Handed back, it is left to nobody.
      assert.equal(await one.releaseReport(own, 'mine', 1, false), true);
      assert.equal(await claim(other, 'other', now), own);
      assert.equal(await claim(other, 'other', now + OWN_MS), more);
    }));

  it('hear what a person changes of a connection, and the states of its restaurants, not each lease', () =>
    withTwo(async (one, other) => {
      const heard: Notification[] = [];
      const stop = other.onNotification((notification) => heard.push(notification));
      const paused = nextNotification(other, ({ kind }) => kind === 'connection' && heard.length >= 3);
      await one.addConnection(till(), { join: [{ ...cafe(), settingsDueAt: null }], streams: ['orders'] });
      const lease = (await one.claimConnection('w', 1, 2)) ?? assert.fail();
      await one.extendConnection(lease, 3);
      await one.saveConnectedRestaurant(lease, cafe());
      await one.saveConnectedRestaurant(lease, { ...cafe(), state: 'failing', reason: 'no_permission', since: 5 });
      await one.releaseConnection(lease);
      await one.setConnectionState(lease.id, { state: 'paused', reason: null }, 7);
      await paused;
      stop();

      const of = { kind: 'connected' as const, connection: 'con_a', restaurantGuid: cafe().restaurantGuid };
      assert.deepEqual(heard, [
        { kind: 'connection', id: 'con_a' },
        { ...of, state: 'chosen', reason: null, at: 1 },
        { ...of, state: 'failing', reason: 'no_permission', at: 5 },
        { kind: 'connection', id: 'con_a' },
      ]);
    }));

  it('hear what another does in the commit that does it', () =>
    withTwo(async (one, other) => {
      const heard: Notification[] = [];
      const stop = other.onNotification((notification) => heard.push(notification));
      const own: Notification[] = [];
      one.onNotification((notification) => own.push(notification));
      await one.putWebhook({ ...HOOK, now: 1, oldUntil: 1 });
      const guid = await addReport(one);
      const now = await one.now();
      await claimOne(one, 'w', now, now + HOUR);
      await one.extendLease(guid, 'w', 1, now + 2 * HOUR);
      const progressed = nextNotification(other, ({ kind }) => kind === 'progress');
      one.notifyProgress(guid, 1, 0.25);
      one.notifyProgress(guid, 1, 0.5);
      await progressed;
      await one.addTask({ guid: randomUUID(), kind: 'verify', argument: {}, createdAt: now });
      const last = [
        nextNotification(other, ({ kind }) => kind === 'delivery'),
        nextNotification(other, (heard) => heard.kind === 'report' && heard.state === 'completed'),
      ];
      await one.completeReport(guid, 'w', 1, { now, ...DONE });
      await Promise.all(last);
      stop();

      assert.deepEqual(
        heard.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
        [
          { kind: 'delivery' },
          { kind: 'progress', guid, attempt: 1, done: 0.25 },
          { kind: 'report', guid, state: 'queued', group: 'blue' },
          { kind: 'report', guid, state: 'gathering', group: 'blue' },
          { kind: 'report', guid, state: 'completed', group: 'blue' },
          { kind: 'task' },
        ],
      );
      assert.deepEqual(own, []);
    }));

  it('can see a report as another left it before they hear of it', () =>
    withTwo(async (one, other, url) => {
      const guid = await addReport(one);
      assert.equal((await other.report(guid))?.state, 'queued');
      // As if the notification were still to come.
      await askOnce(url, "set session_replication_role = replica; update report_request set state = 'cancelled'");
      assert.equal((await other.currentReport(guid))?.state, 'cancelled');
      assert.equal((await other.report(guid))?.state, 'cancelled');
    }));

  it('see a report as another left it once they hear of it, and within a second without', () =>
    withTwo(async (one, other) => {
      const guid = await addReport(one);
      const heard = nextNotification(other, (heard) => heard.kind === 'report' && heard.state === 'cancelled');
      assert.equal((await other.report(guid))?.state, 'queued');
      await one.cancelReport(guid);
      await heard;
      assert.equal((await other.report(guid))?.state, 'cancelled');
      assert.equal((await one.report(guid))?.state, 'cancelled');
    }));

  it('refuse a client that another revoked within a second, even if no notification arrives', () =>
    withTwo(async (one, other, url) => {
      await one.addClient(client);
      const readAt = performance.now();
      assert.equal((await other.client('c1'))?.revokedAt, null);
      // As if the notification were lost.
      await askOnce(url, 'set session_replication_role = replica; update client set revoked_at = 5');
      const { revokedAt } = (await other.client('c1')) ?? assert.fail();
      // On a machine that was slow the second may be over.
      assert.ok(revokedAt === null || performance.now() - readAt >= 1000, 'nothing was cached');
      await sleep(1000);
      assert.equal((await other.client('c1'))?.revokedAt, 5);

      await one.putClient(client);
      await sleep(1000);
      assert.equal((await other.client('c1'))?.revokedAt, null);
    }));

  it('refuse a client that another revoked once they hear of it, without waiting for a second', () =>
    withTwo(async (one, other) => {
      // Notifications arrive in their order, so that of a report says that those before it were heard.
      const heard = async (): Promise<void> => {
        const later = nextNotification(other, ({ kind }) => kind === 'report');
        await addReport(one);
        await later;
      };
      await one.addClient(client);
      let early = 0;
      for (let round = 1; round <= 10; round++) {
        await one.putClient(client);
        await heard();
        const readAt = performance.now();
        assert.equal((await other.client('c1'))?.revokedAt, null);
        await one.revokeClient('c1', round);
        await heard();
        assert.equal((await other.client('c1'))?.revokedAt, round);
        if (performance.now() - readAt < 1000) early++;
      }
      assert.ok(early > 0, 'each round took a second');
    }));

  it('take over a lease that ran out, and the one who held it changes nothing any more', () =>
    withTwo(async (one, other) => {
      const guid = await addReport(one);
      const now = await one.now();
      assert.equal((await claimOne(one, 'w1', now, now + 100))?.guid, guid);
      assert.deepEqual(await other.reclaimReports(now + 99, 3, USED_UP), []);
      assert.equal(await claimOne(other, 'w2', now + 99, now + HOUR), undefined);

      const [a, b] = await Promise.all([one, other].map((ledger) => ledger.reclaimReports(now + 100, 3, USED_UP)));
      assert.deepEqual([a, b], [[], []]);
      assert.equal((await claimOne(other, 'w2', now + 100, now + HOUR))?.attempt, 2);

      assert.equal(await one.extendLease(guid, 'w1', 1, now + HOUR), false);
      assert.equal(await one.completeReport(guid, 'w1', 1, { now, ...DONE }), false);
      assert.equal(await other.completeReport(guid, 'w2', 2, { now, ...DONE }), true);
      assert.equal((await one.report(guid))?.attempt, 2);
    }));

  it('give each delivery to one of many that look for it', () =>
    withTwo(async (one, other) => {
      await one.putWebhook({ ...HOOK, now: 1, oldUntil: 1 });
      for (let i = 0; i < 20; i++) await one.addTestDelivery(`t${i}`, 'blue', 'c1', i);
      const claims = await Promise.all(
        Array.from({ length: 40 }, (_, i) => (i % 2 ? one : other).claimDelivery('blue', 'c1', 100, 100 + HOUR)),
      );
      const ids = claims.flatMap((claim) => claim?.id ?? []);
      assert.equal(new Set(ids).size, ids.length);
      // A delivery whose row another just claimed is passed over: it is found at the next look.
      while (ids.length < 20) {
        const claim = await one.claimDelivery('blue', 'c1', 100, 100 + HOUR);
        ids.push(claim?.id ?? assert.fail());
      }
      assert.equal(new Set(ids).size, 20);
    }));

  it('give one answer to a key that is used on two at once, for any interleaving', () =>
    withTwo(async (one, other) => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 8 }), async (calls) => {
          const key = randomUUID();
          const uses = calls.map((which, i) => {
            const use = { group: 'blue', clientId: 'c1', path: '/p', key, fingerprint: 'f', answer: i, endsAt: 10 };
            return (which ? one : other).addKeyUse(use, 1);
          });
          const found = await Promise.all(uses);
          const winner = found.indexOf(undefined);
          assert.equal(found.filter((use) => use === undefined).length, 1);
          for (const use of found) if (use) assert.equal(use.answer, winner);
        }),
        { numRuns: 20 },
      );
    }));

  it('hold a key for one of them, until it is freed or the holder is silent for too long', () =>
    withTwo(async (one, other) => {
      const of = { group: 'blue', clientId: 'c1', path: '/p', key: 'k' };
      const held = await Promise.all(
        [one, other, one, other].map((ledger, i) => ledger.keyHolds.holdKey(of, `h${i}`, HOUR)),
      );
      assert.equal(held.filter(Boolean).length, 1);
      const holder = `h${held.indexOf(true)}`;
      assert.equal(await one.keyHolds.holdKey({ ...of, key: 'other' }, 'x', HOUR), true);
      await other.keyHolds.freeKey(of, 'x');
      assert.equal(await other.keyHolds.holdKey(of, 'x', HOUR), false, 'freed by another');
      await one.keyHolds.freeKey(of, holder);
      assert.equal(await other.keyHolds.holdKey(of, 'extended', 1), true);
      await other.keyHolds.extendHold(of, 'extended', HOUR);
      await sleep(10);
      assert.equal(await one.keyHolds.holdKey(of, 'next', HOUR), false, 'extended');
      await other.keyHolds.extendHold(of, 'extended', 1);
      await sleep(10);
      assert.equal(await one.keyHolds.holdKey(of, 'next', 1), true);
      await other.keyHolds.extendHold(of, 'extended', HOUR);
      await sleep(10);
      await other.forgetKeyUses(1);
      assert.equal(await other.keyHolds.holdKey(of, 'last', HOUR), true);
    }));

  it('fail the task of a node that says nothing for a minute, and run the next', () =>
    withTwo(async (one, other) => {
      const [lost, next] = [randomUUID(), randomUUID()];
      const now = await one.now();
      for (const [i, guid] of [lost, next].entries())
        await one.addTask({ guid, kind: 'verify', argument: {}, createdAt: now + i });
      assert.equal((await one.claimTask(now))?.guid, lost);
      await one.extendTask(lost, now + 30_000);

      assert.equal(await other.claimTask(now + 89_999), undefined);
      assert.equal((await other.claimTask(now + 90_000))?.guid, next);
      assert.equal((await one.task(lost))?.state, 'failed');
      assert.equal(await one.finishTask(lost, now, {}), false);
    }));

  it('agree on the time, which is the database’s', () =>
    withTwo(async (one, other, url) => {
      const asked = async (): Promise<number> =>
        Number((await askOnce(url, 'select extract(epoch from clock_timestamp()) * 1000 as now'))[0]?.now);
      const from = await asked();
      const all = [...(await Promise.all([one.now(), other.now()])), one.clock()];
      const to = await asked();
      for (const now of all) assert.ok(now > from - 1000 && now < to + 1000, `${from} ${now} ${to}`);
    }));

  it('postpone expiry once for a jump of the clock that all of them see', () =>
    databases.withLedgers(3, async (ledgers) => {
      const [first] = ledgers;
      if (!first) assert.fail();
      await first.ensureGroup('blue', 1);
      const guid = await addReport(first, 'blue', 0);
      await first.seeTime(0, HOUR);
      const seen = await Promise.all(ledgers.map((ledger) => ledger.seeTime(10 * HOUR, HOUR)));
      assert.deepEqual(
        seen.map(({ movedMs }) => movedMs).toSorted((a, b) => a - b),
        [0, 0, 9 * HOUR],
      );
      assert.equal((await first.report(guid))?.expiresAt, 33 * HOUR);
    }));

  it('make a signing key at the same time, and one of them signs', () =>
    withTwo(async (one, other) => {
      const key = (kid: string) => ({
        kid,
        algorithm: 'RS256',
        privateJwk: '{}',
        publicJwk: '{}',
        createdAt: 1,
        retiredAt: null,
      });
      await Promise.all([one.rotateKey(key('k1')), other.rotateKey(key('k2'))]);
      const keys = await one.keys();
      assert.equal(keys.length, 2);
      assert.equal(keys.filter(({ retiredAt }) => retiredAt === null).length, 1);
    }));
});

describe('the schema of the ledger in PostgreSQL', () => {
  async function emptyDatabase(): Promise<string> {
    const name = `empty_${randomUUID().slice(0, 8)}`;
    await databases.cluster.run(`create database ${name}`);
    return databases.cluster.url(name);
  }
  const setVersion = (url: string, version: number) =>
    askOnce(url, 'update schema_version set version = $1', [version]);

  it('is made once by many that migrate at the same time', async () => {
    const url = await emptyDatabase();
    const newest = newestPostgresSchema();

    const outcomes = await Promise.all(Array.from({ length: 6 }, () => migrateLedger(url)));

    assert.deepEqual(
      outcomes.toSorted((a, b) => a.from - b.from),
      [{ from: 0, to: newest }, ...Array.from({ length: 5 }, () => ({ from: newest, to: newest }))],
    );
    await (await openPostgresLedger({ url })).close();
  });

  it('belongs to one installation, also where many name one at the same time', async () => {
    const url = await databases.create();
    const ids = await Promise.all(Array.from({ length: 6 }, () => identifyOnce(url, randomUUID(), '1.test')));
    assert.equal(new Set(ids).size, 1);
    assert.equal(await identifyOnce(url, randomUUID(), '2.test'), ids[0]);
    const ledger = await openPostgresLedger({ url });
    try {
      assert.deepEqual(await ledger.identity(), { id: ids[0], epoch: '1.test', nextEpoch: null });
    } finally {
      await ledger.close();
    }
  });

  it('is refused without its tables, when older, and when newer by more than one', async () => {
    const empty = await emptyDatabase();
    await assert.rejects(openPostgresLedger({ url: empty }), (error) => {
      assert.ok(error instanceof SchemaMismatch);
      assert.match(error.message, /has no tables yet; run daypart migrate first/);
      return true;
    });
    const url = await databases.create();
    const newest = newestPostgresSchema();
    const pool = openPool(url);
    try {
      await assert.rejects(checkSchema(pool.run, newest + 1), (error) => {
        assert.ok(error instanceof SchemaMismatch);
        assert.match(error.message, /has schema \d+, this version requires \d+; run daypart migrate first/);
        return true;
      });
    } finally {
      await pool.close();
    }
    await setVersion(url, newest + 1);
    await (await openPostgresLedger({ url })).close();
    await setVersion(url, newest + 2);
    await assert.rejects(openPostgresLedger({ url }), /migrated by a newer daypart .* upgrade daypart/);
    assert.deepEqual(await migrateLedger(url), { from: newest + 2, to: newest + 2 });
  });
});

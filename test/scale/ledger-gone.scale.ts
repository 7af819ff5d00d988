/** The ledger in PostgreSQL while its server is unavailable, and afterwards. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { LedgerGone } from '../../packages/service/src/ledger/ledger.ts';
import { openPostgresLedger, type PostgresLedger } from '../../packages/service/src/ledger/postgres/postgres.ts';
import { claimOne } from '../conformance/claim.ts';
import { freePort } from '../ports.ts';
import { startLedgerDatabases } from './ledger-databases.ts';
import { startProxy } from './proxy.ts';

type Network = Awaited<ReturnType<typeof startProxy>>;

const port = await freePort();
const databases = await startLedgerDatabases({ listen_addresses: '127.0.0.1', port: String(port) });
after(() => databases.close());
const { cluster } = databases;

async function withProxy(work: (ledger: PostgresLedger, proxy: Network) => Promise<void>): Promise<void> {
  const database = new URL(await databases.create()).pathname;
  const proxy = await startProxy(port);
  const ledger = await openPostgresLedger({ url: `postgres://bench@127.0.0.1:${proxy.port}${database}` });
  try {
    await ledger.ensureGroup('blue', 1);
    await work(ledger, proxy);
  } finally {
    proxy.heal();
    await ledger.close();
    await proxy.close();
  }
}

function report(guid = randomUUID()): Parameters<PostgresLedger['addReport']>[0] {
  return {
    guid,
    group: 'blue',
    clientId: 'c1',
    kind: 'metrics',
    dialect: 'reference',
    cost: 5,
    lane: 'long',
    plan: { span: 'day', startDate: 1, endDate: 1, aggregate: 'DAY', groups: [], restaurantIds: [] },
    request: { path: '/metrics/day', body: {} },
    createdAt: 1,
    expiresAt: 9e12,
  };
}

/** One call of every kind: a read, one that is cached, a change of one statement, a transaction, a share of a limit. */
const calls: Record<string, (ledger: PostgresLedger) => Promise<unknown>> = {
  groups: (ledger) => ledger.groups(),
  client: (ledger) => ledger.client('c1'),
  keys: (ledger) => ledger.keys(),
  report: (ledger) => ledger.report(randomUUID()),
  ensureGroup: (ledger) => ledger.ensureGroup('blue', 1),
  addReport: (ledger) => ledger.addReport(report()),
  claimReports: (ledger) => claimOne(ledger, 'w', 1, 2),
  reclaimReports: (ledger) => ledger.reclaimReports(1, 3, { code: 'report_failed', message: 'no' }),
  dueWebhooks: (ledger) => ledger.dueWebhooks(1),
  ping: (ledger) => ledger.ping(),
  takeShares: (ledger) =>
    ledger.shares.takeShares([{ name: 'n', key: randomUUID(), number: 1, quota: 9, endsAt: 9e12 }]),
};

describe('a ledger whose PostgreSQL is unavailable', () => {
  it('fails every call with LedgerGone, and works again once the server is started', () =>
    databases.withLedgers(1, async ([ledger]) => {
      if (!ledger) assert.fail();
      await ledger.ensureGroup('blue', 1);
      const missed = new Promise<void>((resolve) => {
        ledger.onNotification(({ kind }) => kind === 'missed' && resolve());
      });
      await cluster.stop();
      try {
        for (const [name, call] of Object.entries(calls)) await assert.rejects(call(ledger), LedgerGone, name);
        await missed;
        assert.ok(ledger.clock() > 1.7e12);
      } finally {
        await cluster.start();
      }
      for (const call of Object.values(calls)) await call(ledger);
    }));

  it('hears others again after the server was started', () =>
    databases.withLedgers(2, async ([one, other]) => {
      if (!one || !other) assert.fail();
      await one.ensureGroup('blue', 1);
      let missed = 0;
      const reconnected = new Promise<void>((resolve) => {
        // Once when the connection was lost, once when there is another.
        other.onNotification(({ kind }) => kind === 'missed' && ++missed === 2 && resolve());
      });
      await cluster.stop();
      await cluster.start();
      await reconnected;
      const heard = new Promise<string>((resolve) => {
        other.onNotification((move) => move.kind === 'report' && resolve(move.guid));
      });
      const added = report();
      await one.addReport(added);
      assert.equal(await heard, added.guid);
    }));

  it('has lost nothing that it acknowledged when the server died, and half of nothing', () =>
    databases.withLedgers(2, async (ledgers) => {
      await ledgers[0]?.ensureGroup('blue', 1);
      const acknowledged: string[] = [];
      const asked: string[] = [];
      let failed = 0;
      const adders = ledgers
        .flatMap((ledger) => Array.from({ length: 8 }, () => ledger))
        .map(async (ledger) => {
          for (;;) {
            const one = report();
            asked.push(one.guid);
            try {
              const use = { group: 'blue', clientId: 'c1', path: '/p', key: one.guid, fingerprint: 'f' };
              await ledger.addReport(one, { ...use, answer: one.guid, endsAt: 9e12 });
              acknowledged.push(one.guid);
            } catch (error) {
              assert.ok(error instanceof LedgerGone, String(error));
              failed++;
              return;
            }
          }
        });
      while (acknowledged.length < 100) await new Promise((resolve) => setTimeout(resolve, 5));
      await cluster.stop();
      await Promise.all(adders);
      await cluster.start();

      assert.equal(failed, 16);
      const [ledger] = ledgers;
      const there = new Set((await ledger?.reportStates(asked))?.map(({ guid }) => guid));
      for (const guid of acknowledged) assert.ok(there.has(guid), guid);
      for (const guid of asked) {
        const use = await ledger?.keyUse({ group: 'blue', clientId: 'c1', path: '/p', key: guid }, 1);
        assert.equal(use !== undefined, there.has(guid));
      }
    }));

  it('fails with LedgerGone when the network is cut, and works again when it heals', () =>
    withProxy(async (ledger, proxy) => {
      await Promise.all(Object.values(calls).map((call) => call(ledger)));
      proxy.cut();
      for (const [name, call] of Object.entries(calls)) await assert.rejects(call(ledger), LedgerGone, name);
      proxy.heal();
      for (const call of Object.values(calls)) await call(ledger);
    }));

  it('ends calls whose answer never comes, saying of changes that their outcome is unknown', () =>
    withProxy(async (ledger, proxy) => {
      await Promise.all(Object.values(calls).map((call) => call(ledger)));
      proxy.freeze();
      const outcomes = await Promise.allSettled(['groups', 'ensureGroup'].map((name) => calls[name]?.(ledger)));
      for (const one of outcomes) {
        if (one.status === 'fulfilled') assert.fail('answered');
        assert.ok(one.reason instanceof LedgerGone, String(one.reason));
      }
      const unknown = outcomes.map((one) => one.status === 'rejected' && one.reason.outcomeUnknown);
      assert.deepEqual(unknown, [false, true]);
      proxy.heal();
      for (const call of Object.values(calls)) await call(ledger);
    }));

  it('is not opened while it is unavailable, and the error says why', async () => {
    const url = `postgres://bench@127.0.0.1:${await freePort()}/nothing`;
    await assert.rejects(openPostgresLedger({ url }), (error) => {
      assert.ok(error instanceof LedgerGone);
      assert.match(error.message, /the ledger is unavailable: .*ECONNREFUSED/);
      return true;
    });
  });
});

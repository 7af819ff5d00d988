/**
 * The load log over a failing connection to PostgreSQL: loads that a node has stopped waiting for do not block a
 * restaurant.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  migrateLog,
  openPostgresLog,
  type PostgresLog,
} from '../../packages/service/src/facts/clickhouse/load-log/postgres-log.ts';
import { FactsGone } from '../../packages/service/src/facts/errors.ts';
import { type PostgresCluster, startPostgres } from '../postgres.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';
import { until } from './three-nodes.ts';

/** Longer than the test waits for anything: no lease runs out in it. */
const LEASE_MS = 300_000;
const entryOf = (restaurant: number) => [{ restaurant, kind: 'orders' }];

describe('the load log', () => {
  let postgres: PostgresCluster;
  let proxy: FaultyProxy;
  /** Of a node that fails, and of another. */
  let [failing, other]: PostgresLog[] = [];
  before(async () => {
    const started = await startPostgres({ fsync: 'off' });
    assert.ok(started, 'no PostgreSQL is installed');
    postgres = started;
    proxy = await startProxy(postgres.socket);
    const url = postgres.url();
    await migrateLog(url);
    failing = openPostgresLog(`postgres://bench@127.0.0.1:${proxy.port}/postgres`, LEASE_MS);
    other = openPostgresLog(url, LEASE_MS);
  });
  after(async () => {
    proxy?.heal();
    await failing?.close();
    await other?.close();
    await proxy?.close();
    await postgres?.close();
  });
  const logs = (): [PostgresLog, PostgresLog] => [failing ?? assert.fail(), other ?? assert.fail()];
  const leases = () => postgres.run('select count(*) from facts_leases').then(Number);

  it('begins loads of several restaurants together, also several of one, under numbers in their order', async () => {
    const [, log] = logs();
    const entries = [9, 8, 9, 9].map((restaurant) => ({ restaurant, kind: 'orders' }));

    const { loads } = await log.begin('together', entries);

    assert.deepEqual(
      loads.map(({ index }) => index),
      [0, 1, 2, 3],
    );
    const [first = 0] = loads.map(({ load }) => load);
    assert.deepEqual(
      loads.map(({ load }) => load),
      [first, first + 1, first + 2, first + 3],
    );
    assert.equal(await leases(), 2);
    await log.abort(
      'together',
      loads.map(({ load }) => load),
      false,
    );
    assert.equal(await leases(), 0);
  });

  it('takes no restaurant for a load whose node had stopped waiting before the statement arrived', async () => {
    const [late, next] = logs();
    // Its connection is made and the statement prepared, and it knows the time of the server.
    const { loads } = await late.begin('first', entryOf(1));
    assert.equal(loads.length, 1);
    await late.abort('first', [loads[0]?.load ?? 0], false);

    const held = proxy.freezeAt('facts.begin', 'before');
    const given = late.begin('late', entryOf(1));
    await held;
    await assert.rejects(given, FactsGone);
    proxy.heal();
    // The statement arrives now: the server has read all that was held once it answers on the same way.
    await late.seen();
    await sleep(500);

    assert.equal(await leases(), 0);
    assert.deepEqual((await next.begin('next', entryOf(1))).loads.length, 1);
  });

  it('releases the restaurant of a load that failed while the log was unavailable, as soon as it is available', async () => {
    const [cut, next] = logs();
    const { loads } = await cut.begin('cut', entryOf(2));
    assert.equal(loads.length, 1);

    proxy.cut();
    await assert.rejects(cut.abort('cut', [loads[0]?.load ?? 0], false), FactsGone);
    assert.equal((await next.begin('too early', entryOf(2))).loads.length, 0);
    proxy.heal();

    await until('free', async () => (await next.begin('next', entryOf(2))).loads[0]);
  });
});

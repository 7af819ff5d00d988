/** The laws of connections over PostgreSQL and ClickHouse, also while one of them is away. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { migrateLedger } from '../../packages/service/src/ledger/postgres/migrate.ts';
import { openPostgresLedger } from '../../packages/service/src/ledger/postgres/postgres.ts';
import { play, settle, stories } from '../connections/laws.ts';
import { openRig, type RigOptions } from '../connections/rig.ts';
import { LAWS, SEED } from '../laws/laws.ts';
import { small } from '../upstream/caller.ts';
import { type FactsServers, openFacts, startServers } from './servers.ts';

/** A case of a few hours takes a minute. */
const CASES = Math.min(2, Math.ceil(LAWS / 20));
const HOURS = 3;
const KINDS = ['metrics', 'check', 'labor', 'menu'] as const;

describe('connections over servers', () => {
  let servers: FactsServers;
  before(async () => {
    servers = await startServers();
  });
  after(() => servers.close());

  /** Databases of its own. */
  async function openStores(): Promise<NonNullable<RigOptions['stores']>> {
    const at = await servers.newDatabase();
    const engine = await openFacts(servers, 'files', {}, at);
    await Promise.all(['spool', 'reports'].map((name) => mkdir(join(engine.folder, name))));
    await migrateLedger(at.ledgerUrl);
    return { engine, ledger: await openPostgresLedger({ url: at.ledgerUrl }) };
  }

  for (const [place, story] of fc.sample(stories, { seed: SEED, numRuns: CASES }).entries())
    it(`end as if everything had been loaded by hand, in case ${place} of seed ${SEED}`, async () =>
      play(Object.assign(story, { hours: Math.min(HOURS, story.hours) }), await openStores()));

  it('say that a store is unavailable, and read everything once it is back', async (t) => {
    const rig = await openRig({ restaurants: [small()], backfillDays: 2, stores: await openStores() });
    t.after(() => rig.close());
    await rig.run();
    await servers.clickhouse.kill();
    try {
      await rig.pass(20 * 60_000);
      const { state, reason } = await rig.member();
      assert.deepEqual([state, reason], ['failing', 'store_unavailable']);
    } finally {
      await servers.clickhouse.start();
    }
    await settle(rig, KINDS);
    assert.equal((await rig.member()).state, 'current');
  });

  it('lose nothing when the ledger goes away in the middle of a run', async (t) => {
    const rig = await openRig({ restaurants: [small()], backfillDays: 3, stores: await openStores() });
    t.after(() => rig.close());
    let calls = 0;
    rig.onCall = async () => {
      if (++calls === 8) await servers.postgres.stop();
    };
    await assert.rejects(rig.run());
    await servers.postgres.start();
    const { backfillDone } = await rig.member();
    assert.ok(backfillDone === null || backfillDone > 20260307, 'it was not at the end');
    rig.onCall = () => undefined;
    await settle(rig, KINDS);
    assert.equal((await rig.member()).state, 'current');
  });
});

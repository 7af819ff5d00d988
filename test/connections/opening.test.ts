/** A connection that a node reads stays open between its runs, in virtual time. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openVault } from '../../packages/service/src/connections/credentials.ts';
import { leaseOf } from '../../packages/service/src/connections/member.ts';
import { createConnectors } from '../../packages/service/src/connections/opening.ts';
import { CONNECTION_SOURCES } from '../../packages/service/src/connections/sources/index.ts';
import { connectionOf } from '../../packages/service/src/connections/suite/bench.ts';
import { sleep } from '../../packages/service/src/connections/timers.ts';
import { HOUR_MS, MINUTE_MS } from '../../packages/service/src/contract/time.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { openLedger } from '../../packages/service/src/stores.ts';
import { houseOf, START, small } from '../upstream/caller.ts';
import { startUpstream } from '../upstream/upstream.ts';
import { httpTime } from './connected.ts';
import { GROUP } from './rig.ts';

const ID = 'con_toast00000000000000000';

async function stored(t: TestContext) {
  const time = httpTime(START);
  const upstream = await startUpstream({ at: START, speed: 1, outside: time.timers.now, restaurants: [small()] });
  const data = await mkdtemp(join(tmpdir(), 'daypart-opening-'));
  const ledger = await openLedger({ data });
  const vault = openVault({ secretKey: [randomBytes(32).toString('base64url')], data: undefined });
  /** Timers that are neither over nor cancelled. */
  const pending = new Set<object>();
  function later(ms: number, run: () => void): () => void {
    const key = {};
    pending.add(key);
    const cancel = time.timers.after(ms, () => {
      pending.delete(key);
      run();
    });
    return () => {
      pending.delete(key);
      cancel();
    };
  }
  const opened = createConnectors({
    ledger,
    vault,
    sources: CONNECTION_SOURCES,
    config: { connectPrivate: true, publicUrl: undefined },
    clock: time.timers.now,
    log: openLog('silent'),
    timers: Object.assign({}, time.timers, { after: later }),
    transport: time.transport,
  });
  t.after(async () => {
    opened.close();
    await ledger.close();
    await upstream.close();
    await rm(data, { recursive: true, force: true });
  });
  const [client] = upstream.world.clients;
  const seal = () => vault.seal(ID, { clientId: client?.clientId, clientSecret: client?.clientSecret });
  const house = houseOf(upstream);
  const { timeZone, closeoutHour } = house.settings;
  const connection = connectionOf({
    group: GROUP,
    id: ID,
    kind: 'toast',
    url: upstream.url,
    at: START,
    credentials: await seal(),
  });
  await ledger.ensureGroup(connection.group, START);
  await ledger.addConnection(connection, { join: [], streams: [] });

  /** Begins a run. */
  async function begin() {
    await ledger.setConnectionState(ID, { state: 'active', reason: null }, time.timers.now());
    const now = time.timers.now();
    const claimed = (await ledger.claimConnection('node', now, now + MINUTE_MS)) ?? assert.fail('it is not due');
    const run = new AbortController();
    const open = await opened.open(claimed, run.signal);
    assert.ok('context' in open);
    const { source, context, release } = open;
    const { signal } = new AbortController();
    const restaurant = { upstreamId: house.guid, timeZone, closeoutHour };
    const ask = () => time.run(source.settings(context({ restaurant, stream: 'settings', priority: 0, signal })));
    async function end() {
      release();
      await ledger.releaseConnection(leaseOf(claimed));
    }
    return { claimed, run, ask, end };
  }
  return { pending, time, upstream, ledger, opened, seal, begin };
}

describe('a connection between two runs', () => {
  it('keeps its pace and its session', async (t) => {
    const { upstream, begin, time } = await stored(t);
    for (let run = 0; run < 2; run++) {
      const { ask, end } = await begin();
      for (let call = 0; call < 3; call++) await ask();
      await end();
    }

    const requested = upstream.calls.filter(({ route }) => route !== 'login');
    assert.equal(upstream.calls.length - requested.length, 1);
    // Three at once, then one a second.
    const [first = 0, , , fourth = 0, , sixth = 0] = requested.map(({ at }) => at);
    assert.equal(requested.length, 6);
    assert.ok(fourth - first >= 1000 && sixth - first >= 3000, `${fourth - first} and ${sixth - first} ms`);
    assert.ok(time.timers.now() - START < MINUTE_MS);
  });

  it('signs in once although the lease ended before the session was saved', async (t) => {
    const { upstream, begin, ledger, time } = await stored(t);
    const lost = await begin();
    await ledger.releaseConnection(leaseOf(lost.claimed));
    await lost.ask();
    await lost.end();
    assert.equal((await ledger.connection(ID))?.token, null);

    const { ask, end } = await begin();
    await ask();
    await end();

    assert.equal(upstream.calls.filter(({ route }) => route === 'login').length, 1);
    const saved = await ledger.connection(ID);
    assert.ok(saved?.token && saved.signedInAt !== null && saved.signedInAt <= time.timers.now());
  });

  type Stored = Awaited<ReturnType<typeof stored>>;
  const CLOSED: Record<string, (of: Stored) => Promise<unknown>> = {
    'is paused': ({ ledger, time }) =>
      ledger.setConnectionState(ID, { state: 'paused', reason: null }, time.timers.now()),
    'is removed': ({ ledger, time }) => ledger.removeConnection(ID, time.timers.now()),
    'gets other credentials': async ({ ledger, seal, time }) =>
      ledger.replaceCredentials(ID, await seal(), time.timers.now()),
    'gets another rate': ({ ledger, time }) => changed(ledger, { requestsPerSecond: 2 }, time.timers.now()),
    'was read by another node, which signed in': async ({ ledger, time }) => {
      const now = time.timers.now();
      await ledger.setConnectionState(ID, { state: 'active', reason: null }, now);
      const other = (await ledger.claimConnection('other', now, now + MINUTE_MS)) ?? assert.fail();
      await ledger.saveConnection(leaseOf(other), { token: 'another' }, now);
    },
  };

  async function changed(ledger: Stored['ledger'], changes: object, now: number): Promise<void> {
    const { name, settings } = (await ledger.connection(ID)) ?? assert.fail();
    const change = { name: `${name}!`, settings: Object.assign({}, settings, changes) };
    await ledger.changeConnection(ID, Object.assign(change, { join: [], streams: [], leave: [], backfills: [] }), now);
  }

  for (const [name, change] of Object.entries(CLOSED)) {
    it(`is closed when it ${name}`, async (t) => {
      const all = await stored(t);
      const { ask, end } = await all.begin();
      await ask();
      await end();
      // What does not change how it is read.
      await changed(all.ledger, { pollSeconds: 600 }, all.time.timers.now());
      await all.opened.review(ID);
      await ask();

      await change(all);
      await all.opened.review(ID);

      await assert.rejects(ask(), { message: 'the connection is closed' });
    });
  }

  it('is closed with the run that is aborted, and leaves no timer', async (t) => {
    const { pending, begin } = await stored(t);
    const { run, ask, end } = await begin();
    await ask();
    run.abort(new Error('the node stops'));
    await end();

    await assert.rejects(ask(), { message: 'the connection is closed' });
    assert.equal(pending.size, 0);
  });

  it('is closed after two hours in which it is not read', async (t) => {
    const { time, begin } = await stored(t);
    const { ask, end } = await begin();
    await ask();
    await end();
    const { signal } = new AbortController();
    await time.run(sleep(time.timers, 2 * HOUR_MS - MINUTE_MS, signal));
    await ask();
    await time.run(sleep(time.timers, MINUTE_MS + 1, signal));
    await assert.rejects(ask(), { message: 'the connection is closed' });
  });
});

/**
 * PostgreSQL, ClickHouse and the bucket are copied one after the other by their own tools while clients load and
 * report, and restored elsewhere: in the right order nothing that was acknowledged before the first copy is lost, in
 * the wrong one `facts verify` says what is.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openPostgresLog } from '../../packages/service/src/facts/clickhouse/load-log/postgres-log.ts';
import { promote } from '../../packages/service/src/facts/clickhouse/protocol.ts';
import { openServer, serverAddress } from '../../packages/service/src/facts/clickhouse/server.ts';
import { openServerRows } from '../../packages/service/src/facts/clickhouse/server-rows.ts';
import { tokenOf } from '../commands/process.ts';
import { BISTRO, plainOrder } from '../journeys/service.ts';
import {
  backUpClickHouse,
  clickhouse,
  copyBucket,
  dumpPostgres,
  NO_TOOLS,
  type Restored,
  restoreElsewhere,
} from './copies.ts';
import { type Answer, type Installation, type Node, startInstallation } from './nodes.ts';
import { type S3Server, startS3Server } from './s3-server.ts';
import { countsOf, startTraffic, type Traffic } from './traffic.ts';

const DAY = { startBusinessDate: '20260310' };

/** Sums up what has been loaded, as maintenance does once there is much of it. */
async function sumUp(factsUrl: string, ledgerUrl: string): Promise<void> {
  const { url, database } = serverAddress(factsUrl);
  const [server, log] = [openServer(url, database), openPostgresLog(ledgerUrl, 0)];
  try {
    assert.ok(await promote(log, openServerRows(server)));
  } finally {
    await server.close();
    await log.close();
  }
}

describe('the stores of several nodes, copied and restored', { skip: NO_TOOLS }, () => {
  let folder: string;
  let installation: Installation;
  let copies: S3Server;
  let bucket: S3Server;
  let node: Node;
  let token: string;
  let traffic: Traffic;
  /** Of the restaurants of the traffic: acknowledged before the first copy began, and sent before it ended. */
  let counts: { guid: string; least: number; most: number }[];
  let kept: { guid: string; text: string };
  const restored: Restored[] = [];
  const early = [plainOrder(), plainOrder()];
  const late = [plainOrder(), { ...early[0], modifiedDate: '2026-03-11T18:00:00.000+0000', numberOfGuests: 7 }];

  const load = async (at: Node, orders: object[]): Promise<void> => {
    const { status, text } = await at.call('POST', `/restaurants/${BISTRO}/orders`, { token, json: orders });
    assert.equal(status, 200, text);
  };
  const retrieve = async (at: Node, guid: string): Promise<Answer> => {
    const answer = await at.call('GET', `/metrics/${guid}`, { token, headers: { prefer: 'wait=20' } });
    assert.equal(answer.status, 200, answer.text + at.log());
    return answer;
  };
  const report = async (at: Node): Promise<Answer & { guid: string }> => {
    const { status, text, body: guid } = await at.call('POST', '/metrics/day', { token, json: DAY });
    assert.equal(status, 200, text);
    return { guid, ...(await retrieve(at, guid)) };
  };
  const bistroIn = async (at: Node) => countsOf((await report(at)).body, BISTRO);
  async function verify(at: { run: Restored['run'] }): Promise<void> {
    const { code, out, err } = await at.run('facts', 'verify');
    assert.equal(code, 0, out + err);
  }
  async function restore(dump: string): Promise<Restored> {
    const from = { cluster: installation.servers.postgres, dump, server: copies, name: 'facts', bucket };
    const there = await restoreElsewhere(installation.env, from);
    restored.push(there);
    return there;
  }
  const highest = async ({ bridge, database }: Restored): Promise<number> =>
    Number(await clickhouse(bridge.url, `select max(load) from ${database}.loaded_days`));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-copies-'));
    installation = await startInstallation();
    [copies, bucket] = [await startS3Server(), await startS3Server()];
    const migrated = await installation.run('migrate');
    assert.equal(migrated.code, 0, migrated.err);
    node = await installation.startNode();
    const { id, secret } = await installation.createClient('blue');
    token = ((await (await tokenOf(node.origin, id, secret)).json()) as { access_token: string }).access_token;
    const json = { name: 'Bistro', timeZone: 'America/New_York' };
    assert.equal((await node.call('PUT', `/restaurants/${BISTRO}`, { token, json })).status, 201);
    await load(node, early);
    traffic = await startTraffic(node.call, token);
    await traffic.more(2);
    const { DAYPART_FACTS = '', DAYPART_LEDGER = '' } = installation.env;
    await sumUp(DAYPART_FACTS, DAYPART_LEDGER);
    const { guid, text } = await report(node);
    kept = { guid, text };

    // PostgreSQL first. What is acknowledged before this is in all copies.
    const least = traffic.restaurants.map(({ orders }) => orders.size);
    await dumpPostgres(DAYPART_LEDGER, join(folder, 'first'));
    counts = traffic.restaurants.map(({ guid, sent }, place) => ({ guid, least: least[place] ?? 0, most: sent }));
    await traffic.more(2);
    await load(node, late);
    await sumUp(DAYPART_FACTS, DAYPART_LEDGER);
    await backUpClickHouse(installation.servers.bridge, serverAddress(DAYPART_FACTS).database, copies, 'facts');
    await traffic.more(1);
    await copyBucket(installation.s3, bucket);

    // Later than ClickHouse: the wrong way round.
    await traffic.stop();
    assert.deepEqual(traffic.tally.failed, []);
    await load(node, [{ ...early[1], modifiedDate: '2026-03-12T18:00:00.000+0000', numberOfGuests: 9 }]);
    await dumpPostgres(DAYPART_LEDGER, join(folder, 'second'));
  });
  after(async () => {
    await traffic?.stop().catch(() => undefined);
    for (const there of restored) await there.close();
    await installation?.close();
    await Promise.all([copies?.close(), bucket?.close()]);
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it('are refused by nodes while ClickHouse has loads that PostgreSQL does not know, until daypart migrate', async () => {
    const there = await restore(join(folder, 'first'));
    await assert.rejects(there.startNode(), /PostgreSQL was restored from an older copy.*run daypart migrate/);
    const migrated = await there.run('migrate');
    assert.equal(migrated.code, 0, migrated.err);
    node = await there.startNode();
  });

  it('have what was acknowledged before PostgreSQL was copied, and nothing that was sent after it', async () => {
    const [there] = restored;
    assert.ok(there);
    const { body } = await report(node);
    for (const { guid, least, most } of counts) {
      const { orders } = countsOf(body, guid);
      assert.ok(orders >= least && orders <= most, `${orders} orders, of ${least} to ${most}`);
    }
    assert.deepEqual(countsOf(body, BISTRO), { orders: 2, guests: 4 });
    assert.equal((await retrieve(node, kept.guid)).text, kept.text);
    await verify(there);
  });

  it('give new loads numbers above those that ClickHouse has, and show each once', async () => {
    const [there] = restored;
    assert.ok(there);
    const before = await highest(there);
    await load(node, late);
    assert.ok((await highest(there)) > before);
    assert.deepEqual(await bistroIn(node), { orders: 3, guests: 11 });
    await sumUp(there.env.DAYPART_FACTS ?? '', there.ledgerUrl);
    assert.deepEqual(await bistroIn(node), { orders: 3, guests: 11 });
    await verify(there);
  });

  it('lack loads if ClickHouse is older than PostgreSQL, as facts verify says, and are whole once these are loaded again', async () => {
    const there = await restore(join(folder, 'second'));
    const migrated = await there.run('migrate');
    assert.equal(migrated.code, 0, migrated.err);
    const at = await there.startNode();

    const found = await there.run('facts', 'verify');

    assert.equal(found.code, 1, found.out);
    assert.match(
      found.err,
      /loads that were committed between .* have lost rows: the facts were restored from an older copy/,
    );
    assert.ok(found.err.includes(BISTRO), found.err);
    const rebuilt = await there.run('facts', 'rebuild');
    assert.equal(rebuilt.code, 0, rebuilt.err);
    await verify(there);
    assert.deepEqual(await bistroIn(at), { orders: 3, guests: 11 });
    await load(at, [{ ...early[1], modifiedDate: '2026-03-12T18:00:00.000+0000', numberOfGuests: 9 }]);
    assert.deepEqual(await bistroIn(at), { orders: 3, guests: 18 });
    await verify(there);
  });
});

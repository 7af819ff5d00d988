/**
 * Nodes are replaced one by one behind the deployed haproxy while clients load and report: by a newer version over a
 * ledger that was migrated first, and by the same version. No call fails that a client may not repeat, and the figures
 * are exact throughout.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, tokenOf } from '../commands/process.ts';
import { freePort } from '../ports.ts';
import { type Balancer, NO_BALANCER, startBalancer } from './balancer.ts';
import { type Call, callsTo, type Installation, type Node, startInstallation } from './nodes.ts';
import { again } from './three-nodes.ts';
import { countsOf, startTraffic, type Traffic } from './traffic.ts';
import { BEFORE, layOutCommit, layOutThis, NO_VERSION_BEFORE } from './versions.ts';

const DAY = { startBusinessDate: '20260310' };
/** Longer than haproxy takes to see the 503 of `/readyz` twice, on a busy machine too. */
const SETTINGS = { DAYPART_DRAIN_SECONDS: '3' };
/** Until haproxy has asked a node that came back. */
const PROBE_MS = 1500;

describe('nodes that are replaced one by one', { skip: NO_BALANCER || NO_VERSION_BEFORE }, () => {
  let folder: string;
  let bins: { before: string; now: string };
  let installation: Installation;
  let ports: number[] = [];
  let nodes: Node[] = [];
  let balancer: Balancer;
  let call: Call;
  let client: { id: string; secret: string };
  let token: string;
  let traffic: Traffic;
  let kept: { guid: string; text: string };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-versions-'));
    const before = await layOutCommit(BEFORE ?? '', join(folder, 'before'));
    bins = { before, now: await layOutThis(join(folder, 'now'), before) };
    installation = await startInstallation();
    const migrated = await run(['migrate'], installation.env, bins.before);
    assert.equal(migrated.code, 0, migrated.err);
    ports = [await freePort(), await freePort(), await freePort()];
    nodes = await Promise.all(ports.map((port) => installation.startNode(SETTINGS, port, bins.before)));
    balancer = await startBalancer(ports);
    call = callsTo(balancer.origin);
    const made = await run(['clients', 'create', '--group', 'blue', '--json'], installation.env, bins.before);
    assert.equal(made.code, 0, made.err);
    client = JSON.parse(made.out);
    const { id, secret } = client;
    token = ((await (await tokenOf(balancer.origin, id, secret)).json()) as { access_token: string }).access_token;
    traffic = await startTraffic(call, token);
  });
  after(async () => {
    await traffic?.stop().catch(() => undefined);
    await balancer?.close();
    await installation?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const logs = (): string => nodes.map((node) => node.log()).join('');
  const retrieve = async (guid: string) => {
    const answer = await call('GET', `/metrics/${guid}`, { token, headers: { prefer: 'wait=20' } });
    assert.equal(answer.status, 200, `${answer.text} ${logs()}`);
    return answer;
  };
  async function report() {
    const { status, text, body: guid } = await call('POST', '/metrics/day', { token, json: DAY });
    assert.equal(status, 200, text);
    return { guid: guid as string, ...(await retrieve(guid)) };
  }

  /** Stops each node and starts another in its place; clients go on meanwhile. */
  async function replaceAll(bin: string, t: TestContext): Promise<void> {
    for (const [place, port] of ports.entries()) {
      await traffic.more(2);
      assert.equal(await nodes[place]?.stop('SIGTERM'), 0, nodes[place]?.log());
      await traffic.more(2);
      nodes[place] = await installation.startNode(SETTINGS, port, bin);
      await sleep(PROBE_MS);
    }
    await traffic.more(2);
    const { failed, ...counts } = traffic.tally;
    t.diagnostic(JSON.stringify(counts));
    assert.deepEqual(failed, []);
  }

  it('answer as before while the ledger is migrated under them', async () => {
    await traffic.more(2);
    const { guid, text } = await report();
    kept = { guid, text };

    const migrated = await run(['migrate'], installation.env, bins.now);

    assert.equal(migrated.code, 0, migrated.err);
    assert.match(migrated.out, /was migrated from schema/);
    await traffic.more(2);
    // Beside the traffic a check may take longer than its 2 s once.
    for (const node of nodes) await again(() => node.call('GET', '/readyz'));
    assert.deepEqual(traffic.tally.failed, []);
    const early = await run(['clients', 'list', '--json'], installation.env, bins.before);
    assert.equal(early.code, 0, early.err);
  });

  it('are upgraded without a call that fails', (t) => replaceAll(bins.now, t));

  it('are replaced by the same version without a call that fails', (t) => replaceAll(bins.now, t));

  it('have all that was acknowledged, and reports of the version before', async () => {
    await traffic.stop();
    const { body } = await report();
    for (const { guid, orders } of traffic.restaurants) {
      const guests = [...orders.values()].reduce((sum, each) => sum + each, 0);
      assert.deepEqual(countsOf(body, guid), { orders: orders.size, guests });
    }
    assert.equal((await retrieve(kept.guid)).text, kept.text);
    assert.equal((await tokenOf(balancer.origin, client.id, client.secret)).status, 200);
    const verified = await run(['facts', 'verify'], installation.env, bins.now);
    assert.equal(verified.code, 0, verified.out + verified.err);
    assert.deepEqual(traffic.tally.failed, []);
  });
});

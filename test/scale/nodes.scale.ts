/** Several nodes over real servers: a change by one node is known to the others. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgresLog } from '../../packages/service/src/facts/clickhouse/load-log/postgres-log.ts';
import { run, tokenOf } from '../commands/process.ts';
import { BISTRO, plainOrder } from '../journeys/service.ts';
import { type Installation, type Node, startInstallation } from './nodes.ts';
import { again, until } from './three-nodes.ts';

const DAY = { startBusinessDate: '20260310' };

describe('nodes that share their stores', () => {
  let installation: Installation;
  let [a, b]: [Node, Node] = [] as never;
  let token: string;
  before(async () => {
    installation = await startInstallation();
    const early = await installation.run('clients', 'list');
    assert.deepEqual([early.code, /run daypart migrate first/.test(early.err)], [1, true], early.err);
    // Two at once give the stores one id: nodes refuse stores of different ones.
    const both = await Promise.all([installation.run('migrate'), installation.run('migrate')]);
    for (const { code, err } of both) assert.equal(code, 0, err);
    const again = await installation.run('migrate');
    assert.match(again.out, /has schema \d+ already/);
    // One answers calls, the other gathers: whatever a caller gets, both had a part in it.
    [a, b] = await Promise.all([
      installation.startNode({ DAYPART_ROLES: 'api' }),
      installation.startNode({ DAYPART_ROLES: 'api,worker,maintenance' }),
    ]);
    const { id, secret } = await installation.createClient('blue');
    token = await accessToken(a, id, secret);
    const made = await a.call('PUT', `/restaurants/${BISTRO}`, {
      token,
      json: { name: 'Bistro', timeZone: 'America/New_York' },
    });
    assert.equal(made.status, 201, made.text);
  });
  after(() => installation?.close());

  const accessToken = async (node: Node, id: string, secret: string): Promise<string> =>
    ((await (await tokenOf(node.origin, id, secret)).json()) as { access_token: string }).access_token;
  const load = async (node: Node, orders: object[]): Promise<void> => {
    const { status, text } = await node.call('POST', `/restaurants/${BISTRO}/orders`, { token, json: orders });
    assert.equal(status, 200, text);
  };
  const ask = async (node: Node): Promise<string> => {
    const { status, text, body } = await node.call('POST', '/check/day', { token, json: DAY });
    assert.equal(status, 200, text);
    return body;
  };
  const waiting = { prefer: 'wait=20' };

  it('report on one node what was loaded through another, and send the same bytes and ETag', async () => {
    await load(a, [plainOrder(), plainOrder()]);
    const guid = await ask(b);

    const answers = await Promise.all(
      [a, b].map((node) => node.call('GET', `/check/${guid}`, { token, headers: waiting })),
    );

    for (const { status, text } of answers) assert.equal(status, 200, text);
    assert.equal(answers[0]?.body.length, 2);
    assert.equal(answers[0]?.text, answers[1]?.text);
    assert.equal(answers[0]?.headers.get('etag'), answers[1]?.headers.get('etag'));
    assert.ok(answers[0]?.headers.get('etag'));
  });

  it('end a GET that waits on one node when another completes the report', async () => {
    const guid = await ask(a);
    const { status, text } = await a.call('GET', `/check/${guid}`, { token, headers: waiting });
    assert.equal(status, 200, text);
  });

  it('refuse a revoked client on every node within a second', async () => {
    const { id, secret } = await installation.createClient('blue');
    const its = await accessToken(b, id, secret);
    for (const node of [a, b]) assert.equal((await node.call('GET', '/restaurants', { token: its })).status, 200);

    const revoked = await installation.run('clients', 'revoke', id);
    assert.equal(revoked.code, 0, revoked.err);
    await sleep(1000);

    for (const node of [a, b]) assert.equal((await node.call('GET', '/restaurants', { token: its })).status, 401);
    assert.equal((await tokenOf(a.origin, id, secret)).status, 401);
  });

  it('answer 503 busy for a restaurant that another load holds for longer than a call may wait', async () => {
    const node = await installation.startNode({ DAYPART_ANSWER_SECONDS: '0.5' });
    const log = openPostgresLog(String(installation.env.DAYPART_LEDGER), 60_000);
    try {
      const holder = randomUUID();
      const held = await log.begin(holder, [{ restaurant: 1, kind: 'orders' }]);
      assert.equal(held.loads.length, 1);
      const json = [plainOrder()];
      const path = `/restaurants/${BISTRO}/orders`;
      const busy = await node.call('POST', path, { token, json });
      assert.deepEqual([busy.status, busy.body?.code], [503, 'busy'], busy.text);
      assert.notEqual(busy.headers.get('retry-after'), null);

      await log.abort(
        holder,
        held.loads.map(({ load }) => load),
        false,
      );
      // Half a second may be too short for a load on a busy machine: then it is busy again.
      await again(() => node.call('POST', path, { token, json }));
    } finally {
      await log.close();
      await node.stop();
    }
  });

  it('are degraded while the bucket is unavailable, and answer 503 for files that they do not have meanwhile', async () => {
    const guid = await ask(a);
    assert.equal((await b.call('GET', `/check/${guid}`, { token, headers: waiting })).status, 200);
    installation.s3.proxy.cut();
    try {
      const ready = await a.call('GET', '/readyz');
      assert.deepEqual([ready.status, ready.body.status], [200, 'degraded']);
      // On a busy machine the check of another store may take longer than the 2 s that it has.
      assert.deepEqual(
        ready.body.checks.find(({ name }: { name: string }) => name === 'results'),
        { name: 'results', status: 'failed' },
      );
      const away = await a.call('GET', `/check/${guid}`, { token });
      assert.deepEqual([away.status, away.body?.code], [503, 'store_unavailable'], away.text);
      assert.ok(Number(away.headers.get('retry-after')) > 0);
      assert.equal((await b.call('GET', `/check/${guid}`, { token })).status, 200);
    } finally {
      installation.s3.proxy.heal();
    }
    await again(() => a.call('GET', `/check/${guid}`, { token }));
  });

  it('keep reports waiting while the facts are unavailable, without using up an attempt, and refuse loads meanwhile', async () => {
    installation.factsProxy.cut();
    let guid: string;
    try {
      const ready = await a.call('GET', '/readyz');
      assert.deepEqual([ready.status, ready.body.status], [200, 'degraded'], ready.text);
      const orders = await a.call('POST', `/restaurants/${BISTRO}/orders`, { token, json: [plainOrder()] });
      assert.deepEqual([orders.status, orders.body?.code], [503, 'store_unavailable'], orders.text);
      guid = await ask(a);
      // Longer than all three attempts would take.
      await sleep(3000);
    } finally {
      installation.factsProxy.heal();
    }
    const report = await a.call('GET', `/check/${guid}`, { token, headers: waiting });
    assert.equal(report.status, 200, report.text);
    await again(() => a.call('POST', `/restaurants/${BISTRO}/orders`, { token, json: [plainOrder()] }));
  });

  it('wait for a store that is unavailable when they start', async () => {
    installation.s3.proxy.cut();
    let isStarted = false;
    const starting = installation.startNode().finally(() => {
      isStarted = true;
    });
    await sleep(4000);
    assert.equal(isStarted, false);
    installation.s3.proxy.heal();
    const node = await starting;
    assert.equal((await node.call('GET', '/readyz')).status, 200);
    await node.stop();
  });

  it('are not ready while the ledger is unavailable, and are ready again without a restart', async (t) => {
    await installation.servers.postgres.stop();
    try {
      assert.equal((await a.call('GET', '/readyz')).status, 503);
      const away = await a.call('POST', '/check/day', { token, json: DAY });
      assert.equal(away.status, 503, away.text);
    } finally {
      await installation.servers.postgres.start();
    }
    const { ms } = await again(() => a.call('POST', '/check/day', { token, json: DAY }));
    t.diagnostic(`a report was requested ${ms} ms after PostgreSQL was started`);
  });

  it('drain when they have to stop, while others continue', async () => {
    const node = await installation.startNode({ DAYPART_DRAIN_SECONDS: '3' });
    const guid = await ask(node);
    const held = node.call('GET', `/check/${guid}`, { token, headers: waiting });
    const stopped = node.stop();
    await until('draining', async () => ((await node.call('GET', '/readyz')).status === 503 ? true : undefined));

    assert.ok([200, 202].includes((await held).status));
    assert.equal(await stopped, 0);
    const { status, text } = await b.call('GET', `/check/${guid}`, { token, headers: waiting });
    assert.equal(status, 200, text);
  });

  it('refuse settings of some stores with exit code 2, and stores of another installation with 1', async () => {
    const data = await mkdtemp(join(tmpdir(), 'daypart-node-'));
    try {
      const { DAYPART_FACTS: _left, ...some } = installation.env;
      const partial = await run(['serve', '--data', data], some);
      assert.deepEqual([partial.code, /DAYPART_FACTS is not set/.test(partial.err)], [2, true], partial.err);
      const other = { ...installation.env, DAYPART_RESULTS: installation.s3.urlOf('another') };
      const strange = await run(['serve', '--data', data, '--port', '0', '--metrics-port', 'off'], other);
      assert.deepEqual([strange.code, /run daypart migrate first/.test(strange.err)], [1, true], strange.err);
    } finally {
      await rm(data, { recursive: true, force: true });
    }
  });
});

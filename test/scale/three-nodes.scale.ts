/** Three equal nodes behind the deployed haproxy: a client cannot tell them from one service. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { BISTRO, plainOrder } from '../journeys/service.ts';
import { type Balancer, NO_BALANCER } from './balancer.ts';
import type { Call, Node } from './nodes.ts';
import { startThreeNodes, type ThreeNodes } from './three-nodes.ts';

const DAY = { startBusinessDate: '20260310' };
const waiting = { prefer: 'wait=20' };
const ORDERS = `/restaurants/${BISTRO}/orders`;
/** For a day: fewer runs go on over its end than over that of an hour. */
const QUOTA = 10;
const OFF = ['RETRIEVAL', 'METRICS', 'LONG_METRICS', 'CHECK'].map((name) => [`DAYPART_LIMIT_${name}`, 'off']);

describe('three nodes behind haproxy', { skip: NO_BALANCER }, () => {
  let world: ThreeNodes;
  let balancer: Balancer;
  let nodes: Node[] = [];
  let call: Call;
  let token: string;
  before(async () => {
    const limits = { DAYPART_LIMITS: 'on', ...Object.fromEntries(OFF), DAYPART_LIMIT_LABOR: `${QUOTA}/day` };
    // A machine that is busy with other work takes longer than 20 s for a dozen loads of one restaurant through three
    // nodes.
    const settings = { ...limits, DAYPART_ANSWER_SECONDS: '60' };
    world = await startThreeNodes(settings);
    ({ balancer, call, token } = world);
    nodes = world.nodes.map(({ node }) => node);
  });
  after(() => world?.close());

  /** The rows of a new report of checks. */
  const checks = async (): Promise<{ checkGuid: string }[]> => {
    const asked = await call('POST', '/check/day', { token, json: DAY });
    assert.equal(asked.status, 200, asked.text);
    const report = await call('GET', `/check/${asked.body}`, { token, headers: waiting });
    assert.equal(report.status, 200, report.text);
    return report.body;
  };

  it('load, create, wait and retrieve through the balancer, with the same bytes from every node', async () => {
    const loads = await Promise.all(
      Array.from({ length: 12 }, () => call('POST', ORDERS, { token, json: [plainOrder(), plainOrder()] })),
    );
    for (const { status, text } of loads) assert.equal(status, 200, text);
    const { body: guid } = await call('POST', '/check/day', { token, json: DAY });

    const first = await call('GET', `/check/${guid}`, { token, headers: waiting });
    assert.equal(first.status, 200, first.text);
    assert.equal(first.body.length, 24);
    assert.equal(new Set(first.body.map(({ checkGuid }: { checkGuid: string }) => checkGuid)).size, 24);
    for (const node of nodes) {
      const again = await node.call('GET', `/check/${guid}`, { token });
      assert.equal(again.text, first.text);
      assert.equal(again.headers.get('etag'), first.headers.get('etag'));
    }
  });

  it('answer one key with one report, sent to all nodes at once', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(
      [...nodes, ...nodes].map((node) => node.call('POST', '/metrics/day', { token, json: DAY, headers })),
    );
    for (const { status, text } of answers) assert.equal(status, 200, text);
    assert.equal(new Set(answers.map(({ body }) => body)).size, 1);

    const other = { startBusinessDate: '20260311' };
    for (const node of nodes)
      assert.equal((await node.call('POST', '/metrics/day', { token, json: other, headers })).status, 422);
  });

  it('merge a load under one key once, sent to all nodes at once', async () => {
    const json = [plainOrder()];
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(
      [...nodes, ...nodes].map((node) => node.call('POST', ORDERS, { token, json, headers })),
    );
    for (const { status, text } of answers) assert.equal(status, 200, text);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null).length, 1);

    const different = { 'idempotency-key': randomUUID() };
    const statuses = await Promise.all(
      nodes.map(async (node) => {
        const body = [plainOrder()];
        return (await node.call('POST', ORDERS, { token, json: body, headers: different })).status;
      }),
    );
    assert.deepEqual(statuses.sort(), [200, 422, 422]);
  });

  it('keep a load once that is repeated with its key on other nodes, and refuse the key with other orders', async () => {
    const before = (await checks()).length;
    const headers = { 'idempotency-key': randomUUID() };
    const json = [plainOrder(), plainOrder(), plainOrder()];
    const texts = new Set<string>();
    for (const node of nodes) {
      const { status, text } = await node.call('POST', ORDERS, { token, json, headers });
      assert.equal(status, 200, text);
      texts.add(text);
    }
    assert.equal(texts.size, 1);
    assert.equal((await checks()).length, before + 3);
    const [node] = nodes;
    assert.equal((await node?.call('POST', ORDERS, { token, json: [plainOrder()], headers }))?.status, 422);
    assert.equal((await checks()).length, before + 3);
  });

  it('count a limit together, whichever node the balancer chooses', async () => {
    const json = DAY;
    const answers = await Promise.all(
      Array.from({ length: QUOTA + 6 }, () => call('POST', '/labor/day', { token, json })),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, QUOTA);
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, 6);
    for (const { body, headers } of refused) {
      assert.equal(body.code, 'rate_limited');
      assert.ok(Number(headers.get('retry-after')) > 0);
    }
    for (const node of nodes) assert.equal((await node.call('POST', '/labor/day', { token, json })).status, 429);
  });

  it('send events of what other nodes do through the balancer', async () => {
    const opened = await fetch(`${balancer.origin}/v1/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(20_000),
    });
    assert.equal(opened.status, 200);
    assert.ok(opened.body);
    let text = '';
    const decoder = new TextDecoder();
    // Each node loads; the stream is on one of them.
    const loads = nodes.map((node) => node.call('POST', ORDERS, { token, json: [plainOrder()] }));
    for (const { status, text: why } of await Promise.all(loads)) assert.equal(status, 200, why);
    const { body: guid } = await call('POST', '/check/day', { token, json: DAY });
    const isWhole = (): boolean =>
      text.split('event: loaded').length > nodes.length && text.includes(guid) && text.includes('COMPLETED');
    try {
      for await (const piece of opened.body) {
        text += decoder.decode(piece, { stream: true });
        if (isWhole()) break;
      }
    } catch {
      // What is missing, the assertion says.
    }
    assert.ok(isWhole(), text);
  });

  it('end the events of a report on whichever node they are read, once another has completed it', async () => {
    const { body: guid } = await call('POST', '/metrics/day', { token, json: DAY });
    const streams = await Promise.all(
      [...nodes.map(({ origin }) => origin), balancer.origin].map(async (origin) => {
        const opened = await fetch(`${origin}/v1/reports/${guid}/events`, {
          headers: { authorization: `Bearer ${token}` },
          signal: AbortSignal.timeout(20_000),
        });
        return await opened.text();
      }),
    );
    for (const text of streams) assert.match(text, /event: completed/);
  });
});

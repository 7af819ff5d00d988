/** What the deployed haproxy answers by itself, when no node does: problems of the same form as those of the nodes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { PROBLEMS, type ProblemCode } from '../../packages/service/src/contract/problems.ts';
import { type Running, startJourney } from '../journeys/service.ts';
import { type Balancer, NO_BALANCER, startBalancer } from './balancer.ts';
import { type Answer, callsTo } from './nodes.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';

const readAnswer = (name: string): string =>
  readFileSync(new URL(`../../deploy/scale/errors/${name}`, import.meta.url), 'utf8');

describe('haproxy, when no node answers', { skip: NO_BALANCER }, () => {
  let running: Running;
  let network: FaultyProxy;
  let balancer: Balancer;
  let token: string;
  /** The members of a node's problems, in their order. */
  let members: string[];
  before(async () => {
    running = await startJourney();
    token = await running.login('blue');
    network = await startProxy(Number(new URL(running.service.origin).port));
    balancer = await startBalancer([network.port], undefined, {
      'timeout server 15m': 'timeout server 1s',
      // A request on a kept connection that is lost gets no answer at all: clients repeat it on a new one.
      'option http-keep-alive': 'option httpclose',
    });
    const { body } = await callsTo(balancer.origin)('GET', '/reports/none', { token });
    members = Object.keys(body);
  });
  after(async () => {
    await balancer?.close();
    await network?.close();
    await running?.stop();
  });

  function isProblem({ status, headers, body }: Answer, code: ProblemCode, path: string, id: string): void {
    assert.equal(headers.get('content-type'), 'application/problem+json; charset=utf-8');
    assert.equal(headers.get('x-request-id'), id);
    assert.deepEqual(Object.keys(body), members);
    const { type, title, detail, instance, message, requestId, ...rest } = body;
    assert.deepEqual(
      { type, title, instance, requestId },
      { type: `/docs/problems/${code}`, title: PROBLEMS[code].title, instance: path, requestId: id },
    );
    assert.equal(message, detail);
    assert.deepEqual(rest, { status, code, retryable: true });
    assert.equal(status, PROBLEMS[code].status);
  }
  const call = (method: string, path: string, id: string): Promise<Answer> =>
    callsTo(balancer.origin)(method, path, { token, headers: { 'x-request-id': id } });

  it('answers 503 with a problem and Retry-After if no node can be reached, and the login as OAuth has it', async () => {
    network.cut();
    try {
      const answer = await call('GET', '/reports?limit=1', 'no-node');
      isProblem(answer, 'unavailable', '/v1/reports', 'no-node');
      assert.equal(answer.headers.get('retry-after'), '2');
      const login = await fetch(`${balancer.origin}/oauth/token`, { method: 'POST' });
      const { error, requestId } = (await login.json()) as Record<string, string>;
      assert.deepEqual([login.status, error], [503, 'temporarily_unavailable']);
      assert.match(requestId ?? '', /^[0-9a-f-]{36}$/);
      assert.equal(login.headers.get('x-request-id'), requestId);
    } finally {
      network.heal();
    }
  });

  it('answers 503 that the call may have been carried out if its node is lost meanwhile', async () => {
    const held = network.freezeAt('POST /v1/metrics/day', 'after');
    const answer = call('POST', '/metrics/day', 'lost');
    await held;
    network.cut();
    network.heal();

    isProblem(await answer, 'unavailable', '/v1/metrics/day', 'lost');

    assert.match((await answer).body.message, /may have been carried out: repeat it, with its Idempotency-Key/);
    assert.equal((await answer).headers.get('retry-after'), '2');
  });

  it('answers 504 with a problem if its node does not answer', async () => {
    const held = network.freezeAt('GET /v1/reports', 'after');
    const answer = call('GET', '/reports', 'late');
    await held;
    try {
      isProblem(await answer, 'engine_timeout', '/v1/reports', 'late');
    } finally {
      network.heal();
    }
  });

  it('has problems of the same form for requests that cannot be read', () => {
    for (const [status, code] of [
      [400, 'malformed_request'],
      [408, 'request_timeout'],
    ] as const) {
      const [head = '', text = ''] = readAnswer(`${status}.http`).split('\r\n\r\n');
      assert.match(
        head,
        new RegExp(`^HTTP/1.1 ${status} .*\r\nContent-Type: application/problem\\+json; charset=utf-8\r\n`),
      );
      assert.match(head, new RegExp(`\r\nContent-Length: ${Buffer.byteLength(text)}$`));
      const body = JSON.parse(text);
      assert.deepEqual(Object.keys(body), members);
      const { title, retryable } = PROBLEMS[code];
      assert.deepEqual([body.code, body.status, body.title, body.retryable], [code, status, title, retryable]);
    }
  });
});

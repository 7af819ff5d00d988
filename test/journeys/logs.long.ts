import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { signalEngines } from './engines.ts';
import { ask, BISTRO, NOW, plainOrder, putRestaurant, type Running, startJourney } from './service.ts';

const DAY = { startBusinessDate: 20260310 };
/** A read that takes so long has a line. */
const SLOW_MS = 1000;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

/** The lines of a log, and a way to wait for one: a request's line follows its answer. */
function keepLog(level: string) {
  const lines: string[] = [];
  const log = openLog(level, { write: (line) => void lines.push(line) });
  const find = async (fields: Record<string, unknown>): Promise<Record<string, unknown>> => {
    for (let waited = 0; waited < 10_000; waited += 10) {
      const found = lines
        .map((line) => JSON.parse(line))
        .find((line) => Object.entries(fields).every(([name, value]) => line[name] === value));
      if (found) return found;
      await setTimeout(10);
    }
    return assert.fail(`no line with ${JSON.stringify(fields)} in\n${lines.join('')}`);
  };
  return { log, lines, find };
}

describe('the log', () => {
  const { log, lines, find } = keepLog('info');
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney({}, log);
    token = await running.login('group');
    await putRestaurant(running, token, BISTRO);
  });
  after(() => running.stop());

  it('has a line for a change, with who made it', async () => {
    const headers = { 'x-request-id': 'a-change', traceparent: TRACEPARENT };
    await running.call('POST', '/metrics/day', { token, json: DAY, headers });

    const { time, ms, clientId, ...line } = await find({ requestId: 'a-change', msg: 'request' });

    assert.deepEqual(line, {
      level: 30,
      requestId: 'a-change',
      traceId: TRACE,
      method: 'POST',
      route: '/v1/metrics/:timeRange',
      status: 200,
      group: 'group',
      msg: 'request',
    });
    assert.equal(typeof ms, 'number');
    assert.match(String(clientId), /^client-/);
    assert.ok(time);
  });

  it('has a line for a refused read, with its code, and for one that is no operation', async () => {
    await running.call('GET', '/metrics/nonsense', { token, headers: { 'x-request-id': 'a-refusal' } });
    await running.call('GET', '/no/operation', { headers: { 'x-request-id': 'nothing-there' } });

    const line = await find({ requestId: 'a-refusal' });
    const other = await find({ requestId: 'nothing-there' });

    assert.deepEqual([line.status, line.code, line.route], [404, 'report_not_found', '/v1/metrics/:guid']);
    assert.deepEqual([other.status, other.code, other.route], [404, 'route_not_found', null]);
  });

  it('has none for a plain read, unless it was slow', async () => {
    await running.call('GET', '/restaurants-information', { token, headers: { 'x-request-id': 'a-read' } });
    signalEngines(running, 'SIGSTOP');
    const guid = await ask(running, token, '/metrics/day', DAY);
    const held = { prefer: 'wait=1', 'x-request-id': 'a-slow-read' };
    await running.call('GET', `/metrics/${guid}`, { token, headers: held });
    signalEngines(running, 'SIGCONT');

    assert.equal((await find({ requestId: 'a-slow-read' })).status, 202);
    // On a busy machine that read may have been slow too.
    const quick = lines.filter((line) => line.includes('"a-read"') && JSON.parse(line).ms < SLOW_MS);
    assert.deepEqual(quick, []);
  });

  it('names for a gather the request and the trace that caused it, also when it runs after a restart', async () => {
    const create = async (id: string): Promise<string> => {
      const headers = { 'x-request-id': id, traceparent: TRACEPARENT };
      return (await running.call('POST', '/check/day', { token, json: DAY, headers })).body;
    };
    const guid = await create('the-cause');
    await find({ msg: 'report completed', reportRequestGuid: guid });
    signalEngines(running, 'SIGSTOP');
    const later = await create('a-cause-before');
    await running.restart();

    const soon = await find({ msg: 'report completed', reportRequestGuid: guid });
    const afterwards = await find({ msg: 'report completed', reportRequestGuid: later });

    assert.deepEqual([soon.requestId, soon.traceId], ['the-cause', TRACE]);
    assert.deepEqual([afterwards.requestId, afterwards.traceId], ['a-cause-before', TRACE]);
  });

  it('begins a trace if the request has none, or a malformed one', async () => {
    const traces = [];
    for (const [id, traceparent] of [
      ['no-trace', undefined],
      ['bad-trace', `00-${TRACE}-00-01`],
    ] as const) {
      const headers = { 'x-request-id': id, ...(traceparent ? { traceparent } : {}) };
      const { body } = await running.call('POST', '/check/day', { token, json: DAY, headers });
      const request = await find({ requestId: id, msg: 'request' });
      const gather = await find({ reportRequestGuid: body, msg: 'report completed' });
      assert.equal(request.traceId, gather.traceId);
      traces.push(request.traceId);
    }

    for (const trace of traces) assert.match(String(trace), /^(?!4bf92f35)[0-9a-f]{32}$/);
    assert.notEqual(traces[0], traces[1]);
  });
});

describe('nothing secret', () => {
  it('is in the log for every failure and at every level', async (t) => {
    const { log, lines, find } = keepLog('debug');
    const running = await startJourney({ sandbox: true }, log);
    t.after(() => running.stop().catch(() => undefined));
    const secrets: string[] = [];
    const secret = (name: string): string => {
      const made = `${name}5ecret${secrets.length}`;
      secrets.push(made);
      return made;
    };
    const client = await createClient(running.service.stores.ledger, { group: 'group' }, NOW);
    const token = await running.login('group');
    secrets.push(client.secret, token, ...token.split('.'));
    const basic = (text: string): string => {
      const made = Buffer.from(text).toString('base64');
      secrets.push(made);
      return `Basic ${made}`;
    };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const origin = { base: '' as const };
    await putRestaurant(running, token, BISTRO);

    // Tokens: right, wrong, forged, cut, in the query, in other headers.
    const header = (value: string) => ({ headers: { authorization: value } });
    await running.call('GET', '/metrics/x', { token });
    for (const value of [`Bearer ${secret('bad')}`, `Bearer ${token.slice(0, -9)}`, `Token ${secret('scheme')}`])
      await running.call('GET', '/metrics/x', header(value));
    const forged = `${btoa('{"alg":"none"}')}.${btoa(`{"exp":1,"sub":"${secret('claim')}"}`)}.x`;
    await running.call('GET', '/metrics/x', header(`Bearer ${forged}`));
    await running.call('GET', `/metrics/x?access_token=${secret('query')}&fetchRestaurantNames=${secret('value')}`, {
      token,
      headers: { cookie: `session=${secret('cookie')}`, 'x-api-key': secret('key') },
    });
    // Credentials: by Basic, in the form, as a login; wrong, malformed, twice, of the wrong type, too long.
    const body = `grant_type=client_credentials&client_id=${client.id}&client_secret=`;
    await running.call('POST', '/oauth/token', { ...origin, headers: form, body: `${body}${client.secret}` });
    await running.call('POST', '/oauth/token', { ...origin, headers: form, body: `${body}${secret('form')}` });
    for (const text of [`${client.id}:${secret('basic')}`, secret('nocolon')]) {
      const headers = { ...form, authorization: basic(text) };
      await running.call('POST', '/oauth/token', { ...origin, headers, body: 'grant_type=client_credentials' });
    }
    await running.call('POST', '/oauth/token', { ...origin, json: { client_secret: secret('json') } });
    await running.call('POST', '/oauth/token', { ...origin, headers: form, body: secret('long').repeat(9000) });
    const login = '/authentication/v1/authentication/login';
    const right = { clientId: client.id, clientSecret: client.secret, userAccessType: 'TOAST_MACHINE_CLIENT' };
    const { body: logged } = await running.call('POST', login, { ...origin, json: right });
    secrets.push(logged.token.accessToken);
    await running.call('POST', login, { ...origin, json: { ...right, clientSecret: secret('login') } });
    await running.call('POST', login, { ...origin, json: { ...right, userAccessType: secret('type') } });
    const json = { 'content-type': 'application/json' };
    await running.call('POST', login, { ...origin, headers: json, body: `{"clientSecret":"${secret('broken')}"` });
    await running.call('POST', login, { ...origin, headers: json, body: secret('noobject') });
    // Bodies, queries and paths of everything else.
    await running.call('POST', '/metrics/day', { token, headers: json, body: `{"a":${secret('create')}` });
    await running.call('POST', '/metrics/day', { token, json: { [secret('field')]: secret('value') } });
    await running.call('POST', `/metrics/day?${secret('parameter')}=1`, { token, json: DAY });
    await running.call('POST', `/restaurants/${BISTRO}/orders`, { token, headers: json, body: `[${secret('load')}]` });
    await running.call('GET', `/${secret('path')}?token=${secret('there')}`);
    await running.call('GET', `/%E0%A4%A?${secret('unreadable')}`);
    for (const status of [409, 500, 504])
      await running.call('GET', `/check/00000000-0000-4000-8000-000000000${status}?${secret('sandbox')}=1`, { token });
    // What is no HTTP, and an engine that fails.
    const socket = connect(running.service.stores ? Number(new URL(running.service.origin).port) : 0, '127.0.0.1');
    socket.end(`GET / HTTP/9\r\nauthorization: ${secret('raw')}\r\n\r\n`);
    await new Promise((resolve) => socket.on('close', resolve).resume());
    signalEngines(running, 'SIGKILL');
    await running.call('POST', `/restaurants/${BISTRO}/orders`, {
      token,
      json: [plainOrder({ guid: secret('order') })],
    });
    const last = { authorization: `Bearer ${token}`, 'x-request-id': 'the-last', 'x-api-key': secret('last') };
    await running.call('DELETE', `/reports/${crypto.randomUUID()}`, { headers: last });
    await find({ requestId: 'the-last', msg: 'request' });
    const text = lines.join('');

    assert.ok(lines.length > 25, `${lines.length} lines`);
    assert.deepEqual(
      secrets.filter((one) => text.includes(one) || text.includes(encodeURIComponent(one))),
      [],
    );
  });

  it('is in a line even when code names it', () => {
    const lines: string[] = [];
    const log = openLog('debug', { write: (line) => void lines.push(line) });
    const error = Object.assign(new Error('no'), {
      payload: 'hidden',
      cause: Object.assign(new Error('why'), { body: 'hidden' }),
    });

    log.info({ token: 'hidden', client: { secret: 'hidden' }, headers: { authorization: 'hidden' } });
    log.error({ err: error });

    assert.equal(lines.length, 2);
    assert.ok(!lines.join('').includes('hidden'));
    assert.match(lines[1] ?? '', /"why"/);
  });
});

/** What an operation does not take, query parameters and bodies: docs/contract.md#operations. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { SCOPES } from '../../packages/service/src/contract/words.ts';
import { ask, BISTRO, newGuid, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

/** Paths of the browser's session, whose caller is known by a cookie. */
const OF_COOKIES = /^\/session(\/|$)/;
/** Pages for people, and the console, which is off here. */
const PAGES = /^\/(docs(\/(?!assets)|$)|console\/)/;

interface Described {
  method: string;
  path: string;
  /** By media type. */
  body: string[] | undefined;
}

/** All operations of the service that answer to a token or to nobody in particular. */
async function operationsOf({ service: { origin } }: Running): Promise<Described[]> {
  const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { requestBody?: { content: object } }>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    ['get', 'post', 'put', 'delete']
      .filter((method) => methods[method] !== undefined && !OF_COOKIES.test(path))
      .map((method) => {
        const content = methods[method]?.requestBody?.content;
        return { method: method.toUpperCase(), path, body: content && Object.keys(content) };
      }),
  );
}

/** The address of an operation: paths of the origin are no paths of a base. */
const baseOf = (path: string) =>
  /^\/(livez|readyz|version|docs|oauth|authentication|openapi|\.well-known)/.test(path) ? ({ base: '' } as const) : {};

describe('a query parameter that the operation does not have', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('g', { scopes: [...SCOPES] });
  });
  after(() => running.stop());

  it('is refused by every operation but pages, before it does anything', async () => {
    await putRestaurant(running, token, BISTRO, { name: 'Bistro' });
    const called = (await operationsOf(running)).filter(({ path }) => !PAGES.test(path));
    assert.ok(called.length > 60, String(called.length));
    for (const { method, path, body } of called) {
      const url = path.replace('{restaurantGuid}', BISTRO).replaceAll(/\{\w+\}/g, newGuid());
      const [type = ''] = body ?? [];
      const boundary = type.startsWith('multipart') ? '; boundary=b' : '';
      const sent = body && { body: boundary ? '--b--\r\n' : '{}', headers: { 'content-type': type + boundary } };
      const answer = await running.call(method, `${url}?misspelt=true`, { token, ...baseOf(path), ...sent });
      const at = `${method} ${path}`;
      // The token endpoint answers as RFC 6749 says.
      if (path === '/oauth/token') assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'], at);
      else {
        assert.deepEqual([answer.status, answer.body?.code], [400, 'unknown_parameter'], at);
        assert.equal(answer.body.errors[0].pointer, 'misspelt', at);
      }
    }
    assert.equal((await running.call('GET', '/docs?utm_source=mail', { base: '' })).status, 200);
  });

  it('is refused as a body is by every operation without one', async () => {
    const called = (await operationsOf(running)).filter(({ body, path }) => body === undefined && !PAGES.test(path));
    // fetch sends no body with GET.
    const sendable = called.filter(({ method }) => method !== 'GET');
    assert.ok(sendable.length > 8, String(sendable.length));
    for (const { method, path } of sendable) {
      const url = path.replaceAll(/\{\w+\}/g, newGuid());
      const { status, body } = await running.call(method, url, { token, json: { dryRun: true } });
      assert.deepEqual([status, body?.code], [400, 'invalid_body'], `${method} ${path}`);
    }
    const { port } = new URL(running.service.origin);
    const statusOf = (head: string, body: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(port), '127.0.0.1', () =>
          socket.write(`${head}\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n${body}`),
        );
        let text = '';
        socket.on('data', (chunk) => {
          text += chunk;
        });
        socket.on('end', () => resolve(text.slice(9, 12))).on('error', reject);
      });
    const get = 'GET /v1/groups HTTP/1.1';
    assert.equal(await statusOf(get, 'Content-Length: 2\r\n\r\n{}'), '400');
    assert.equal(await statusOf(get, 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'), '400');
    assert.equal(await statusOf(get, 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'), '200');
    assert.equal(await statusOf(get, 'Content-Length: 0\r\n\r\n'), '200');
  });

  it('leaves restaurant, lists and orders as they were', async () => {
    await putRestaurant(running, token, BISTRO, { name: 'Bistro' });
    const order = plainOrder();
    await postOrders(running, token, BISTRO, [order]);
    const at = `/restaurants/${BISTRO}`;
    const menu = { guid: 'm', name: 'Lunch', groups: [] };
    await running.call('PUT', `${at}/menus`, { token, json: { menus: [menu] } });
    const menus = (await running.call('GET', `${at}/menus`, { token })).body;

    const refused = [
      await running.call('PUT', `${at}?dryRun=true`, { token, json: { name: 'Other', timeZone: 'UTC' } }),
      await running.call('PUT', `${at}/menus?dryRun=true`, { token, json: { menus: [] } }),
      await running.call('DELETE', `${at}/orders/${order.guid}?dryRun=true`, { token }),
    ];

    assert.deepEqual(
      refused.map(({ status }) => status),
      [400, 400, 400],
    );
    assert.equal((await running.call('GET', at, { token })).body.name, 'Bistro');
    assert.deepEqual((await running.call('GET', `${at}/menus`, { token })).body, menus);
    const guid = await ask(running, token, '/metrics/day', { startBusinessDate: 20260310, restaurantIds: [BISTRO] });
    assert.equal((await running.call('GET', `/metrics/${guid}`, { token })).body[0].ordersCount, 1);
  });

  it('is refused by the changes of a report: a misspelt cursor would answer the first page again', async () => {
    await putRestaurant(running, token, BISTRO, { name: 'Bistro' });
    const guid = await ask(running, token, '/metrics/day', { startBusinessDate: 20260310, restaurantIds: [BISTRO] });

    const { status, body } = await running.call('GET', `/reports/${guid}/changes?since=${guid}&cursr=5`, { token });

    assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'unknown_parameter', 'cursr']);
  });
});

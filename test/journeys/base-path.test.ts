/**
 * A service below a path of its proxy: every address that it answers is below that path, and nothing else is served.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Daypart } from '@daypart/client';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { createSignInLink, linkAddress } from '../../packages/service/src/access/sessions.ts';
import { type Desk, openDesk } from '../commands/desk.ts';
import { freePort } from '../ports.ts';
import { CONSOLE_SCRIPT, writeConsole } from './console-folder.ts';
import { startReceiver } from './receiver.ts';
import { ask, BISTRO, NOW, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';
import { openBrowser } from './session-browser.ts';

const PAGE = { accept: 'text/html' };
const DAY = { startBusinessDate: '20260310' };

describe('below a base path, a service', () => {
  let running: Running;
  let built: Awaited<ReturnType<typeof writeConsole>>;
  let desk: Desk;
  /** `http://127.0.0.1:port`. */
  let origin: string;
  let token: string;
  before(async () => {
    built = await writeConsole();
    desk = await openDesk();
    const port = await freePort();
    running = await startJourney({ basePath: '/day/reports', console: built.folder, port, webhookPrivate: true });
    origin = `http://127.0.0.1:${port}`;
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, [plainOrder()]);
  });
  after(async () => {
    await running.stop();
    await desk.close();
    await built.remove();
  });
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(origin + path, { headers, redirect: 'manual' });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text };
  };

  it('says where it is, in Location, links, problems, the description, metadata, challenges and tokens', async () => {
    const address = `${origin}/day/reports`;
    assert.deepEqual([running.service.origin, running.service.baseUrl], [address, `${address}/v1`]);

    const created = await running.call('POST', '/metrics/day', { token, json: DAY });
    assert.equal(created.headers.get('location'), `${address}/v1/metrics/${created.body}`);
    const live = await running.call('POST', '/metrics/day', { token, json: DAY, base: '/era/v1' });
    assert.equal(live.headers.get('location'), `${address}/era/v1/metrics/${live.body}`);
    const old = await running.call('GET', `/metrics/day/${created.body}`, { token });
    assert.equal(old.headers.get('link'), `<${address}/v1/metrics/${created.body}>; rel="successor-version"`);

    const missing = await running.call('GET', '/restaurnts', { token });
    assert.equal(missing.status, 404);
    assert.equal(missing.body.type, `${address}/docs/problems/route_not_found`);
    assert.equal(missing.body.instance, '/day/reports/v1/restaurnts');
    assert.match(
      missing.body.message,
      /^GET \/day\/reports\/v1\/restaurnts is not.*did you mean \/day\/reports\/v1\/r/,
    );

    const { body: described } = await running.call('GET', '/openapi.json', { base: '' });
    assert.deepEqual(described.servers, [{ url: `${address}/v1` }, { url: `${address}/era/v1` }]);
    assert.deepEqual(described.paths['/oauth/token'].servers, [{ url: address }]);

    const refused = await running.call('GET', '/restaurants');
    const metadata = `${address}/.well-known/oauth-protected-resource`;
    assert.match(String(refused.headers.get('www-authenticate')), new RegExp(`resource_metadata="${metadata}"`));
    assert.equal(JSON.parse((await read(new URL(metadata).pathname)).text).resource, address);
    const issuer = JSON.parse((await read('/day/reports/.well-known/oauth-authorization-server')).text);
    assert.deepEqual([issuer.issuer, issuer.token_endpoint], [address, `${address}/oauth/token`]);
    // RFC 8414 3.1 and RFC 9728 3.1 have the path of the subject at the end.
    for (const name of ['oauth-authorization-server', 'oauth-protected-resource'])
      assert.equal((await read(`/.well-known/${name}/day/reports`)).status, 200, name);
    assert.equal(JSON.parse(String(Buffer.from(token.split('.')[1] ?? '', 'base64url'))).iss, address);
  });

  it('serves the console and the docs with every link below it', async () => {
    for (const path of ['/day/reports', '/day/reports/', '/day/reports/restaurants', '/day/reports/reports/new']) {
      const { status, text } = await read(path, PAGE);
      assert.deepEqual([status, text.includes(`src="/day/reports/console/${CONSOLE_SCRIPT}"`)], [200, true], path);
    }
    assert.equal((await read(`/day/reports/console/${CONSOLE_SCRIPT}`)).status, 200);
    for (const path of ['', '/reference', '/reference/metrics', '/quickstart', '/problems', '/nothing']) {
      const { text } = await read(`/day/reports/docs${path}`, PAGE);
      const links = [...text.matchAll(/\s(?:href|src)="(\/[^"]*)"/g)].map(([, link]) => link);
      assert.ok(links.length > 10, path);
      assert.deepEqual(
        links.filter((link) => !link?.startsWith('/day/reports/')),
        [],
        path,
      );
      const [style = ''] = links.filter((link) => link?.endsWith('.css'));
      assert.equal((await read(style)).status, 200);
    }
    assert.match((await read('/day/reports/docs')).text, new RegExp(`${origin}/day/reports/oauth/token`));
    assert.match((await read('/day/reports/docs/reference')).text, />\/day\/reports\/v1\/metrics\/\{/);
    const page = await read('/day/reports/docs/reference/metrics');
    assert.match(page.text, />\/day\/reports\/v1\/metrics\/\{/);
    assert.ok(!page.text.includes('origin.invalid'));
    await running.restart({ console: 'off' });
    const start = await read('/day/reports/', PAGE);
    await running.restart({ console: built.folder });
    assert.deepEqual([start.status, start.headers.get('location')], [302, '/day/reports/docs']);
  });

  it('answers nothing elsewhere, but probes', async () => {
    for (const path of ['/', '/v1/restaurants', '/docs', '/day', '/day/reportsx/', '/day/reports2', '/session', '//'])
      for (const headers of [PAGE, { authorization: `Bearer ${token}` }]) {
        const { status, text } = await read(path, headers);
        assert.equal(status, 404, path);
        assert.match(text, /is not part of this service, which is at \/day\/reports\/ \(--base-path\)/);
        assert.ok(!text.includes(CONSOLE_SCRIPT));
      }
    const wrongMethod = await fetch(`${origin}/v1/metrics/day`, { method: 'OPTIONS' });
    assert.equal(wrongMethod.status, 404);
    for (const path of ['/livez', '/readyz?exclude=ledger', '/day/reports/livez', '/day/reports/readyz'])
      assert.equal((await read(path)).status, 200, path);
  });

  it('signs in with a cookie of its own path, and names downloads and one-time links below it', async () => {
    const { ledger } = running.service.stores;
    const client = await createClient(ledger, { group: 'g' }, NOW);
    const browser = openBrowser(running);
    const signed = await browser.call('POST', '/session', { clientId: client.id, clientSecret: client.secret });
    const { port } = new URL(origin);
    assert.match(
      String(signed.headers.get('set-cookie')),
      new RegExp(`^daypart_${port}\\.day\\.reports=[\\w-]{43}; Path=/day/reports/session; HttpOnly; SameSite=Strict$`),
    );
    const guid = await ask(running, token, '/metrics/day', DAY);
    await running.call('GET', `/metrics/${guid}`, { token });
    const prepared = await browser.call('POST', '/session/downloads', { guid, kind: 'metrics', format: 'csv' });
    assert.match(prepared.body.path, /^\/day\/reports\/session\/downloads\//);
    assert.equal((await read(prepared.body.path, { cookie: browser.cookie() })).status, 200);

    const stored = (await ledger.client(client.id)) ?? assert.fail();
    const link = linkAddress(running.service.origin, await createSignInLink(ledger, { client: stored }, NOW));
    assert.ok(link.startsWith(`${origin}/day/reports/welcome#k=`), link);
    const printed = await desk.run(['console-link', '--data', running.config.data, '--group', 'g', '--name', 'Ada']);
    assert.ok(printed.out.startsWith(`${origin}/day/reports/welcome#k=`), printed.out + printed.err);
  });

  it('is used by the client and the command line by its base URL', async () => {
    const { id, secret } = await createClient(running.service.stores.ledger, { group: 'g' }, NOW);
    const baseUrl = running.service.baseUrl;
    for (const auth of ['oauth', 'login'] as const) {
      const daypart = new Daypart({ baseUrl, clientId: id, clientSecret: secret, auth });
      const { rows } = await daypart.metrics.report({ range: 'day', start: '2026-03-10' });
      assert.equal(rows.length, 1);
    }
    const login = await desk.run(['login', '--url', baseUrl, '--client-id', id], { input: secret });
    assert.equal(login.code, 0, login.err);
    const report = await desk.run(['report', 'metrics', '--date', '2026-03-10', '--format', 'table']);
    assert.equal(report.code, 0, report.err);
    const wrong = await desk.run(['restaurants', '--url', `${baseUrl}2`, '--client-id', id], {
      env: { DAYPART_CLIENT_SECRET: secret },
    });
    assert.match(wrong.err, /The base URL is probably wrong/);
  });

  it('calls webhooks with an address below it', async () => {
    const receiver = await startReceiver();
    try {
      await running.restart({ publicUrl: `${origin}/day/reports` });
      await running.call('PUT', '/webhook', { token, json: { url: receiver.url } });
      const guid = await ask(running, token, '/metrics/day', { ...DAY, endBusinessDate: '20260310' });
      const [call] = await receiver.until(1);
      assert.equal(call?.body.data.retrievalUrl, `${origin}/day/reports/v1/metrics/${guid}`);
    } finally {
      await receiver.close();
    }
  });
});

/**
 * How the console is served: its document only at its screens, its files cached without end, everything else unchanged.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { readConsole } from '../../packages/service/src/console/files.ts';
import { CONSOLE_SCRIPT, writeConsole } from './console-folder.ts';
import { type Answer, BISTRO, type Running, startJourney } from './service.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const SCREENS = [
  ...[
    '/',
    '/?d=2026-03-10&span=7',
    '/restaurants',
    `/restaurants/${BISTRO}`,
    `/restaurants/${BISTRO.toUpperCase()}/checks`,
  ],
  ...[`/restaurants/${BISTRO}/settings`, '/compare?m=net', '/labour', '/menu', '/reports', '/reports/new'],
  ...[
    `/reports/${BISTRO}`,
    `/reports/${BISTRO}/changes?since=${BISTRO}`,
    '/data',
    '/data/import',
    '/data/connections',
    '/data/connections/new',
    '/access',
  ],
  ...['/access/clients', '/access/keys', '/access/webhook', '/access/limits', '/access/sessions', '/health'],
  ...['/sign-in?next=/reports', '/welcome', '/labour/'],
];

describe('the console', () => {
  let running: Running;
  let built: Awaited<ReturnType<typeof writeConsole>>;
  before(async () => {
    built = await writeConsole();
    running = await startJourney({ console: built.folder });
  });
  after(async () => {
    await running.stop();
    await built.remove();
  });
  const open = (path: string, accept = BROWSER, method = 'GET'): Promise<Answer> =>
    running.call(method, path, { base: '', headers: { accept } });

  it('is one document at every screen, under a policy with Trusted Types and no other host', async () => {
    for (const path of SCREENS) {
      const { status, headers, text } = await open(path);
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/html; charset=utf-8'], path);
      assert.ok(text.includes(CONSOLE_SCRIPT), path);
      assert.equal(
        headers.get('content-security-policy'),
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      );
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
      assert.equal(headers.get('cache-control'), 'no-cache');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    }
    assert.equal((await open('/welcome', BROWSER, 'HEAD')).status, 200);
  });

  it('leaves every other path, method and type as they were', async () => {
    for (const path of [
      '/nothing',
      '/restaurants/12',
      `/reports/${BISTRO}/files`,
      '/access/none',
      '/console/none.js',
    ]) {
      const page = await open(path);
      assert.deepEqual([page.status, page.text.includes('Page not found')], [404, true], path);
    }
    for (const path of ['/restaurants', '/health']) {
      for (const answer of [
        await open(path, '*/*'),
        await open(path, 'application/json'),
        await open(path, BROWSER, 'POST'),
      ])
        assert.deepEqual([answer.status, answer.body?.code], [404, 'route_not_found'], path);
    }
    const atRoot = [await open('/', '*/*'), await open('/', 'application/json'), await open('/', BROWSER, 'POST')];
    assert.deepEqual(
      atRoot.map(({ status }) => status),
      [200, 404, 405],
    );
    // A cache must not answer a program with the page, nor a browser with the problem.
    for (const { headers } of atRoot.slice(0, 2)) assert.match(headers.get('vary') ?? '', /^Accept(,|$)/);
    assert.match((await open('/docs')).text, /<h1/);
    assert.equal((await open('/v1/restaurants-information')).status, 401);
  });

  it('keeps its files for ever, compressed as the browser takes them', async () => {
    const { status, headers, text } = await open(`/console/${CONSOLE_SCRIPT}`, '*/*');
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/javascript; charset=utf-8']);
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.match(headers.get('vary') ?? '', /Accept-Encoding/);
    assert.match(text, /^export const text/);

    const sizes = new Map<string, number>();
    for (const coding of ['br', 'gzip', 'identity']) {
      const answer = await fetch(`${running.service.origin}/console/${CONSOLE_SCRIPT}`, {
        headers: { 'accept-encoding': coding },
        method: 'HEAD',
      });
      assert.equal(answer.headers.get('content-encoding'), coding === 'identity' ? null : coding);
      sizes.set(coding, Number(answer.headers.get('content-length')));
    }
    assert.ok((sizes.get('br') ?? 0) * 4 < (sizes.get('identity') ?? 0));
    const body = await readConsole(built.folder)?.find(CONSOLE_SCRIPT)?.body('br');
    assert.equal(String(brotliDecompressSync(body ?? Buffer.alloc(0))), text);
  });

  it('is no file that is not the console: a path that climbs out of its folder names none', async () => {
    for (const path of ['/console/..%2Findex.html', '/console/%2e%2e%2fpackage.json', '/console/index.html']) {
      assert.equal((await open(path, '*/*')).status, 404, path);
    }
  });

  it('can be turned off, and a folder without one is refused at the start', async () => {
    const off = await startJourney({ console: 'off' });
    try {
      const start = await fetch(`${off.service.origin}/`, { headers: { accept: BROWSER }, redirect: 'manual' });
      assert.deepEqual([start.status, start.headers.get('location')], [302, '/docs']);
    } finally {
      await off.stop();
    }
    assert.throws(() => readConsole('/nowhere'), /--console: \/nowhere has no index\.html/);
  });
});

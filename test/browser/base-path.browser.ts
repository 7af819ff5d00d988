/** The console and the docs below a path of nginx and of Caddy, in a browser: every address is below that path. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createSignInLink, linkAddress } from '../../packages/service/src/access/sessions.ts';
import { named, skip } from '../docs/browser.ts';
import { HOST, PROXY_CASES, type RunningProxy, startProxy } from '../packages/proxies.ts';
import { freePort } from '../ports.ts';
import { CLIENT, type ConsoleVisits, SCREENS, settled, startConsole, type Visit } from './console.ts';

const PATH = '/day/reports';

/** The links of a page that lead out of the service, and what it loaded from there. */
async function strays(page: Page): Promise<string[]> {
  return await page.evaluate((path) => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    const linked = [...document.querySelectorAll('a[href]')].map((link) => String(Reflect.get(link, 'href')));
    const inside = (url: string): boolean => new URL(url).pathname.startsWith(`${path}/`);
    return [...new Set([...loaded, ...linked])].filter((url) => url.startsWith(location.origin) && !inside(url));
  }, PATH);
}
const pathOf = (page: Page): string => new URL(page.url()).pathname;

for (const { name, skip: missing } of PROXY_CASES) {
  const left = skip || missing;
  describe(left ? `below a path of ${name} (left out: ${left})` : named(`below a path of ${name}`), {
    skip: left,
  }, () => {
    let visits: ConsoleVisits;
    let proxy: RunningProxy;
    let visit: Visit;
    before(async () => {
      const [port, service] = [await freePort(), await freePort()];
      const publicUrl = `https://${HOST}:${port}${PATH}`;
      visits = await startConsole(3, {
        settings: { basePath: PATH, publicUrl, port: service },
        browserArgs: [`--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
      });
      proxy = await startProxy(name, { port, service, path: `${PATH}/` });
      visit = await visits.open('/restaurants?span=7', { ignoreHTTPSErrors: true });
    });
    after(async () => {
      await visit?.close();
      await proxy?.stop();
      await visits?.stop();
    });

    it('the screen that was asked for opens after signing in, and all of them when they are loaded again', async () => {
      const { page, faults, context } = visit;
      assert.deepEqual([pathOf(page), new URL(page.url()).search], [`${PATH}/restaurants`, '?span=7']);
      for (const path of SCREENS) {
        await page.goto(visits.service.origin + path);
        await settled(page);
        assert.deepEqual(await strays(page), [], path);
        assert.ok(!(await page.getByText('Page not found').count()), path);
      }
      const [cookie] = await context.cookies(visits.service.origin);
      assert.deepEqual([cookie?.name, cookie?.secure], ['__Host-daypart.day.reports', true]);
      assert.deepEqual(faults, []);
    });

    it('links, keys, Back and the list of screens lead to screens without loading the page again', async () => {
      const { page, faults } = visit;
      await page.goto(visits.service.origin);
      await settled(page);
      await page.evaluate(() => Reflect.set(globalThis, 'stays', true));
      await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Reports' }).click();
      await settled(page);
      assert.equal(pathOf(page), `${PATH}/reports`);
      await page.keyboard.press('g');
      await page.keyboard.press('m');
      await settled(page);
      assert.equal(pathOf(page), `${PATH}/menu`);
      await page.getByLabel('Span').getByText('28 days').click();
      await settled(page);
      assert.equal(pathOf(page), `${PATH}/menu`);
      assert.match(page.url(), /span=28/);
      await page.goBack();
      await page.goBack();
      await page.locator('h1', { hasText: 'Reports' }).waitFor();
      assert.equal(pathOf(page), `${PATH}/reports`);
      assert.equal(await page.evaluate(() => Reflect.get(globalThis, 'stays')), true);
      assert.deepEqual(faults, []);
    });

    it('a report is saved to disk, and the link of a report on paper is below the path', async () => {
      const { page } = visit;
      await page.goto(`${visits.service.origin}/`);
      await settled(page);
      const paper = await page.locator('.screen-foot a[data-print]').first().getAttribute('data-print');
      assert.match(String(paper), new RegExp(`${visits.service.origin}/reports/[0-9a-f-]{36}$`));
      const guid = String(paper).slice(-36);
      const prepared = await page.evaluate(
        async ([path, report]) => {
          const body = JSON.stringify({ guid: report, kind: 'metrics', format: 'csv' });
          const headers = { 'content-type': 'application/json' };
          return await (await fetch(`${path}/session/downloads`, { method: 'POST', headers, body })).json();
        },
        [PATH, guid],
      );
      const saving = page.waitForEvent('download');
      await page.evaluate((path) => {
        const link = document.createElement('a');
        link.href = path;
        link.download = '';
        link.click();
      }, prepared.path);
      assert.match((await saving).suggestedFilename(), /^metrics-.*\.csv$/);
    });

    it('the docs are read, and an operation is tried', async () => {
      const { page, faults } = visit;
      await page.goto(`${visits.service.origin}/`);
      await settled(page);
      await page.getByRole('link', { name: 'Docs' }).first().click();
      await page.waitForURL(`**${PATH}/docs`);
      for (const link of ['/docs', '/docs/quickstart', '/docs/reference', '/docs/problems', '/docs/metrics']) {
        await page.goto(visits.service.origin + link);
        assert.deepEqual(await strays(page), [], link);
      }
      await page.goto(`${visits.service.origin}/docs/reference/metrics`);
      await page.getByLabel('Client id', { exact: true }).fill(CLIENT.id);
      await page.getByLabel('Client secret', { exact: true }).fill(CLIENT.secret);
      await page.getByRole('button', { name: 'Get a token' }).click();
      await page.getByText('A token for').waitFor();
      assert.deepEqual(await strays(page), []);
      assert.deepEqual(faults, []);
    });

    it('a one-time link signs in, and signing out leads to the sign-in below the path', async () => {
      const { stores, origin } = visits.service;
      const client = (await stores.ledger.client(CLIENT.id)) ?? assert.fail();
      const link = linkAddress(origin, await createSignInLink(stores.ledger, { client }, Date.now()));
      const other = await visits.open('/', { ignoreHTTPSErrors: true });
      const { page, context } = other;
      try {
        await context.clearCookies();
        await page.goto(link);
        await page.locator('.frame').waitFor();
        await settled(page);
        assert.equal(pathOf(page), `${PATH}/`);
        await page.locator('.who').click();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.waitForURL(`**${PATH}/sign-in`);
        assert.deepEqual(other.faults, []);
      } finally {
        await other.close();
      }
    });
  });
}

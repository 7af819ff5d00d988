/**
 * Every screen of the console when its calls fail: each call is answered by the service itself, with the problem of
 * that status.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { axeFaults, CLIENT, type ConsoleVisits, SCREENS, startConsole } from './console.ts';

/** What the screen says of the problem, and its code. */
const STATES: Record<string, RegExp> = {
  '403': /scope_missing/,
  '429': /The limit of calls is used up/,
  '500': /Quote the details below[\s\S]*internal_error/,
  '503': /Health says which[\s\S]*unavailable/,
  '504': /It took too long[\s\S]*engine_timeout/,
};
/** Screens that call nothing under the base besides the group's restaurants. */
const WITHOUT_CALLS = ['/more', '/data/import', '/data/connections/new', '/reports/new', '/access/keys'];
const WITH_CALLS = SCREENS.filter((path) => !WITHOUT_CALLS.includes(path) && !path.endsWith('/settings'));

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(9);
});
after(() => visits?.stop());

/** Answers calls by the report of the sandbox that has this status; its events are left as they are. */
async function failBy(page: Page, status: string, fails: (path: string) => boolean): Promise<void> {
  const { baseUrl } = visits.service;
  const guid = `00000000-0000-4000-8000-${status.padStart(12, '0')}`;
  await page.route(`${baseUrl}/**`, async (route: Route) => {
    const path = route.request().url().slice(baseUrl.length);
    if (!fails(path)) return route.continue();
    await route.continue({ url: `${baseUrl}/metrics/${guid}`, method: 'GET', postData: '' });
  });
}

const isGroup = (path: string): boolean => path.startsWith('/restaurants') && !path.includes('/', 1);
const isEvents = (path: string): boolean => path === '/events';

describe(named('every screen of the console'), { skip }, () => {
  for (const [status, words] of Object.entries(STATES)) {
    it(`says in its cards what a ${status} means, and what to do`, async () => {
      const { page, faults, close } = await visits.open('/more', { bypassCSP: true });
      const wrong: string[] = [];
      try {
        await failBy(page, status, (path) => !isGroup(path) && !isEvents(path));
        for (const path of WITH_CALLS) {
          await page.evaluate(() => sessionStorage.clear());
          await page.goto(visits.service.origin + path);
          const told = page.locator('main [role="alert"], main .state[role="status"]').filter({ hasText: words });
          const isTold = await told
            .first()
            .waitFor({ timeout: 20_000 })
            .then(() => true)
            .catch(() => false);
          if (!isTold) wrong.push(`${path}: ${(await page.locator('main').innerText()).slice(0, 200)}`);
          if ((await page.locator('h1').innerText()) === '') wrong.push(`${path} has no title`);
          if (status === '503') wrong.push(...(await axeFaults(page)).map((fault) => `${path}: ${fault}`));
        }
      } finally {
        await close();
      }
      assert.deepEqual(wrong, []);
      assert.deepEqual(faults, []);
    });
  }

  it('says that the restaurants could not be read, and shows its figures once they are', async () => {
    const { page, close } = await visits.open('/more');
    try {
      for (const status of ['500', '503']) {
        await failBy(page, status, isGroup);
        await page.goto(visits.service.origin);
        await page
          .getByRole('alert')
          .filter({ hasText: STATES[status] ?? /./ })
          .waitFor();
        await page.unroute(`${visits.service.baseUrl}/**`);
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.locator('[data-figure="Net sales"]').waitFor();
      }
    } finally {
      await close();
    }
  });

  it('says that it cannot be signed in while the service is unavailable, and begins once it answers again', async () => {
    const { page, close } = await visits.open('/more');
    try {
      // Nothing answers this call: the page is there, and the service is not.
      await page.route('**/session/token', (route) => route.abort('connectionrefused'));
      await page.goto(visits.service.origin);
      await page.getByRole('alert').waitFor();
      await page.unroute('**/session/token');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('[data-figure="Net sales"]').waitFor();
    } finally {
      await close();
    }
  });

  it('asks to sign in over each screen when the session is gone, and then shows it', async () => {
    const { page, context, close } = await visits.open('/');
    try {
      for (const name of ['Compare', 'Labor', 'Menu', 'Reports', 'Data', 'Access', 'Health']) {
        // The session has ended: its cookie is gone, and what the page still holds is refused.
        await context.clearCookies();
        const refuse = (route: Route) =>
          route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer refused' } });
        await page.route(`${visits.service.baseUrl}/**`, refuse);
        await page.getByRole('navigation').first().getByRole('link', { name }).click();
        const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
        await dialog.waitFor();
        await page.unroute(`${visits.service.baseUrl}/**`, refuse);
        await dialog.getByLabel('Client secret').fill(CLIENT.secret);
        await dialog.getByRole('button', { name: 'Sign in' }).click();
        await dialog.waitFor({ state: 'detached' });
        await page.waitForFunction(() => !document.querySelector('main [role="alert"], .shape, [aria-busy="true"]'));
        assert.match(await page.locator('h1').innerText(), new RegExp(`^${name}`));
      }
    } finally {
      await close();
    }
  });
});

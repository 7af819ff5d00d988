/** The code of the console's screens, which is loaded when they are opened, while it cannot be loaded. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { axeFaults, type ConsoleVisits, startConsole } from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(3);
});
after(() => visits?.stop());

const open = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation').first().getByRole('link', { name }).click();
const head = (page: Page, name: RegExp) => page.getByRole('heading', { level: 1, name });
const failure = (page: Page) => page.getByRole('alert').filter({ hasText: 'This screen could not be loaded.' });
/** Only code that is loaded for a screen is refused: the shell's own scripts are in the document. */
const SCRIPTS = /\/console\/.*\.js$/;

describe(named('a screen of the console whose code cannot be loaded'), { skip }, () => {
  it('says so under its own title, leaves other screens alone, and is loaded once there is a connection', async () => {
    const { page, context, close } = await visits.open('/restaurants', { bypassCSP: true });
    try {
      await open(page, 'Overview');
      await page.locator('[data-figure="Net sales"]').waitFor();
      await context.setOffline(true);
      // In another file than the screens of sales, which is there since Restaurants was opened.
      await open(page, 'Health');
      await failure(page).waitFor();
      assert.equal(await head(page, /^Health$/).count(), 1);
      assert.equal(await page.title(), 'Health · Daypart');
      await open(page, 'Overview');
      await page.locator('[data-figure="Net sales"]').waitFor();
      await open(page, 'Restaurants');
      await head(page, /^Restaurants/).waitFor();
      assert.equal(await failure(page).count(), 0);
      await open(page, 'Health');
      await failure(page).waitFor();
      await failure(page).getByRole('button', { name: 'Try again' }).click();
      await failure(page).waitFor();

      await context.setOffline(false);
      await page.getByRole('heading', { name: 'Checks', exact: true }).waitFor();
    } finally {
      await close();
    }
  });

  it('is loaded by the button, with the page of a version of the service that no longer has the file', async () => {
    const { page, close } = await visits.open('/', { bypassCSP: true });
    try {
      await page.route(SCRIPTS, (route) => route.fulfill({ status: 404, body: '' }));
      await open(page, 'Labor');
      await failure(page).waitFor();
      assert.deepEqual(await axeFaults(page), []);
      assert.equal(await page.getByText('The service cannot be reached').count(), 0);
      const reloaded = page.waitForEvent('load');
      // The page of the new version, whose files are there.
      await page.route(
        (url) => url.pathname === '/labour',
        async (route) => {
          await page.unroute(SCRIPTS);
          await route.continue();
        },
      );
      await failure(page).getByRole('button', { name: 'Try again' }).click();
      await reloaded;
      await page.getByRole('heading', { name: 'Sales per labor hour by hour' }).waitFor();
    } finally {
      await close();
    }
  });
});

/** What the pages of the docs share: the search, the way to every page by keyboard, and accessibility by axe. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip, startVisits, type Visits } from '../docs/browser.ts';
import { axeInBoth } from './console.ts';

let visits: Visits;
before(async () => {
  if (!skip) visits = await startVisits();
});
after(() => visits?.stop());

const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');

describe(named('the search over the docs'), { skip }, () => {
  it('is used by keyboard alone, and loads its index when it is first used', async () => {
    await visits.visit('/docs/quickstart', async (page) => {
      const requested: string[] = [];
      page.on('request', (request) => requested.push(new URL(request.url()).pathname));
      assert.deepEqual(requested, []);

      await page.keyboard.press('/');
      await page.keyboard.type('span_too_long');
      await page.getByRole('search').getByRole('status').filter({ hasText: 'found' }).waitFor();
      await page.keyboard.press('ArrowDown');
      const first = await focused(page);
      await page.keyboard.press('ArrowDown');
      const second = await focused(page);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');

      await page.getByRole('heading', { name: 'The span is too long' }).waitFor();
      assert.match(first, /^span_too_long/);
      assert.notEqual(second, first);
      assert.equal(requested.filter((path) => path === '/docs/search.json').length, 1);
    });
  });

  it('closes with Escape and says when nothing is found', async () => {
    await visits.visit('/docs', async (page) => {
      const field = page.getByLabel('Search the docs');
      await field.fill('xyzzy');
      await page.getByText('Nothing found').waitFor();
      await page.keyboard.press('Escape');

      assert.equal(await page.getByText('Nothing found').isVisible(), false);
      assert.equal(await field.evaluate((one) => one === document.activeElement), true);
    });
  });

  it('leads to a heading of the same page, and no longer covers it', async () => {
    await visits.visit('/docs/glossary', async (page) => {
      await page.getByLabel('Search the docs').fill('closeout hour');
      await page.getByRole('search').getByRole('link').first().waitFor();
      await page.keyboard.press('Enter');

      await page.waitForFunction(() => location.hash === '#closeout-hour');
      assert.equal(await page.getByRole('search').getByRole('link').first().isVisible(), false);
    });
  });
});

describe(named('the pages of the docs'), { skip }, () => {
  for (const path of ['/docs', '/docs/problems/span_too_long', '/docs/reference/webhooks']) {
    it(`at ${path} have no fault that axe finds, in light and dark, on a desk and on a phone`, async () => {
      await visits.visit(
        path,
        async (page) => {
          // On a short page of a phone the list covers parts of links below it, which is not a fault of theirs.
          if (!path.includes('/problems/')) {
            await page.getByLabel('Search the docs').fill('net sales');
            await page.getByRole('search').getByRole('link').first().waitFor();
          }
          for (const width of [1440, 390]) {
            await page.setViewportSize({ width, height: 900 });
            assert.deepEqual(await axeInBoth(page), [], `${width}`);
          }
        },
        { bypassCSP: true },
      );
    });
  }
});

describe(named('the languages of a call'), { skip }, () => {
  it('are tabs, one choice for all operations, which the next page remembers', async () => {
    await visits.visit('/docs/reference/webhooks', async (page) => {
      const tabs = page.locator('#getWebhook');
      await tabs.getByRole('tab', { name: 'curl' }).focus();
      await page.keyboard.press('ArrowRight');
      assert.match(await tabs.getByRole('tabpanel').innerText(), /import \{ Daypart \}/);
      await page.keyboard.press('ArrowRight');
      assert.equal(await focused(page), 'Python');

      await page.goto(new URL('/docs/reference/loading', page.url()).href);
      const shown = page.locator('#loadOrders').getByRole('tabpanel');
      assert.equal(await shown.count(), 1);
      assert.match(await shown.innerText(), /urllib\.request/);
    });
  });
});

/** What the console says of dates without data, of restaurants without a comparison, and after something has failed, is true. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { type ConsoleVisits, settled, startConsole } from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(20);
});
after(() => visits?.stop());

const cardOf = (page: Page, heading: string) =>
  page.locator('section.card').filter({ has: page.getByRole('heading', { name: heading, exact: true }) });

describe(named('the console'), { skip }, () => {
  it('says of a date without data that nothing is known of it, not that sales were 0 and as usual', async () => {
    const { page, close } = await visits.open('/?d=2020-01-01');
    try {
      for (const name of ['Net sales', 'Orders', 'Guests'])
        assert.equal(await page.locator(`[data-figure="${name}"]`).innerText(), '–', name);
      assert.match(await page.locator('.others').innerText(), /not in the sums: no data/);
      assert.doesNotMatch(await page.locator('main').innerText(), /[$€]0\.00|Nothing unusual/);
    } finally {
      await close();
    }
  });

  it('does not say that all is as usual during the first five weeks', async () => {
    const { page, close } = await visits.open('/');
    try {
      const said = await cardOf(page, 'What stands out').innerText();
      assert.match(said, /No restaurant has data for this date and five of its last eight weekdays/);
      assert.doesNotMatch(said, /Nothing unusual/);
    } finally {
      await close();
    }
  });

  it('shows no error of another date above the figures that Back leads to', async () => {
    const { page, close } = await visits.open('/restaurants');
    try {
      const refuse = (route: Route) => route.continue({ postData: '{}' });
      await page.route('**/v1/metrics', refuse);
      await page.route('**/v1/metrics/**', refuse);
      await page.getByRole('button', { name: 'Previous date' }).click();
      await page.locator('main [role="alert"]').waitFor();
      await page.goBack();
      await page.waitForURL((url) => url.search === '');
      await page.locator('main [role="alert"]').waitFor({ state: 'detached' });
      assert.equal(await page.locator('main .stale').count(), 0);
    } finally {
      await close();
    }
  });

  it('reads health, reports and clients again each time they are shown', async () => {
    const { page, close } = await visits.open('/health');
    const open = async (name: string): Promise<void> => {
      await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name }).click();
      await settled(page);
    };
    try {
      await open('Reports');
      await page.getByRole('link', { name: 'New report' }).click();
      await page.getByRole('button', { name: 'Create' }).click();
      await page.waitForURL(/reports\/[0-9a-f]{8}-/);
      const made = page.url().split('/').pop() ?? '';
      await open('Reports');
      await page.locator(`main a[href="/reports/${made}"]`).waitFor();

      await open('Access');
      await page.getByLabel('Name').fill('Ledger of Ada');
      await page.getByRole('button', { name: 'Create' }).click();
      const client = page.locator('main tbody th').filter({ hasText: 'Ledger of Ada' });
      await client.waitFor();
      await open('Overview');
      await open('Access');
      await client.waitFor();

      const checks = [{ name: 'facts', status: 'failed' }];
      await page.route('**/readyz', (route) => route.fulfill({ status: 503, json: { status: 'unavailable', checks } }));
      await open('Health');
      await page.locator('main .tag.bad').waitFor();
    } finally {
      await close();
    }
  });
});

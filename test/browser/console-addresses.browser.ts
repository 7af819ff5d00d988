/** Addresses of the console: what they ask for and is not there, and what they keep of what was chosen. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { type ConsoleVisits, dashed, PEACHTREE, settled, startConsole, visit } from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(9);
});
after(() => visits?.stop());

const notices = (page: Page): Promise<string[]> => page.locator('main .notice').allInnerTexts();

describe(named('an address of the console'), { skip }, () => {
  it('with a date in the future shows the latest, and a notice instead of the refusal of the service', async () => {
    const { page, close } = await visits.open('/');
    try {
      const shown = await page.locator('h1').innerText();
      const future = dashed(visits.lastDate, 100);
      const dates = [`d=${future}`, `span=custom&from=${dashed(visits.lastDate, -2)}&to=${future}`];
      const asked = dates.map((query) => `/?${query}`);
      const [d] = dates;
      asked.push(`/restaurants?${d}`, `/labour?${d}`, `/menu?${d}`, `/compare?${d}`);
      asked.push(`/restaurants/${PEACHTREE}?${d}`, `/restaurants/${PEACHTREE}/checks?${d}`);
      for (const path of asked) {
        await visit(page, path);
        assert.deepEqual(await notices(page), ['The address has a date in the future, so the latest is shown.'], path);
        assert.equal(await page.getByRole('alert').count(), 0, path);
        if (path.startsWith('/?')) assert.equal(await page.locator('h1').innerText(), shown);
      }
      await visit(page, '/');
      await page.getByLabel('Business date').fill(future);
      await page.locator('main .notice').waitFor();
      await settled(page);
      assert.equal(await page.getByRole('alert').count(), 0);
      assert.equal(await page.locator('h1').innerText(), shown);
    } finally {
      await close();
    }
  });

  it('with a kind, a state or a client that no report has says so', async () => {
    const { page, close } = await visits.open('/reports');
    try {
      for (const [query, notice] of [
        ['kind=nonsense', 'The address has an unknown value for kind, so the default is shown.'],
        ['status=bogus', 'The address has an unknown value for status, so the default is shown.'],
        ['client=somebody', 'There is no report of the client somebody.'],
      ] as const) {
        await visit(page, `/reports?${query}`);
        await page.locator('main .notice').waitFor();
        assert.deepEqual(await notices(page), [notice]);
        assert.equal(await page.getByRole('alert').count(), 0);
      }
      assert.equal(await page.getByLabel('Client').inputValue(), 'somebody');
      for (const query of ['client=demo', 'client=daily-report', 'kind=metrics&status=FAILED&client=demo']) {
        await visit(page, `/reports?${query}`);
        assert.deepEqual(await notices(page), [], query);
      }
    } finally {
      await close();
    }
  });
});

/** Addresses of the console: what they ask for and is not there, and what they keep of what was chosen. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { type ConsoleVisits, dashed, loadRestaurant, PEACHTREE, settled, startConsole, visit } from './console.ts';

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
      const requested = dates.map((query) => `/?${query}`);
      const [d] = dates;
      requested.push(`/restaurants?${d}`, `/labour?${d}`, `/menu?${d}`, `/compare?${d}`);
      requested.push(`/restaurants/${PEACHTREE}?${d}`, `/restaurants/${PEACHTREE}/checks?${d}`);
      for (const path of requested) {
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

  it('keeps every choice of a screen on a reload and on Back', async () => {
    const { page, close } = await visits.open('/');
    const chosen = (group: string) => page.getByRole('group', { name: group }).locator('[aria-pressed="true"]');
    try {
      for (const [path, group, choice] of [
        ['/', 'Split by', 'Source'],
        ['/labour', 'Measure', 'Hours'],
        [`/restaurants/${PEACHTREE}`, 'Measure', 'Orders'],
        [`/restaurants/${PEACHTREE}/checks`, 'Which checks', 'Voided'],
      ] as const) {
        await visit(page, path);
        const first = await chosen(group).innerText();
        await page.getByRole('group', { name: group }).getByRole('button', { name: choice, exact: true }).click();
        await page.waitForURL(/\?/);
        await page.reload();
        await settled(page);
        assert.equal(await chosen(group).innerText(), choice);
        await page.getByRole('navigation').first().getByRole('link', { name: 'Reports' }).click();
        await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
        await page.goBack();
        await settled(page);
        assert.equal(await chosen(group).innerText(), choice);
        await page.goBack();
        await page.waitForURL((url) => url.search === '');
        assert.equal(await chosen(group).innerText(), first);
      }
    } finally {
      await close();
    }
  });

  it('keeps the weeks and the page of the loaded data', async () => {
    for (let nth = 0; nth < 20; nth++) {
      const guid = `0e000000-0000-4000-8000-0000000000${String(nth).padStart(2, '0')}`;
      await loadRestaurant(visits.service, guid, { name: `Cart ${nth}`, timeZone: 'America/New_York' }, []);
    }
    const { page, close } = await visits.open('/data');
    try {
      const dates = page.locator('.stepper .date');
      const latest = await dates.innerText();
      const count = page.locator('.state.row');
      await page.getByRole('button', { name: 'Next restaurants' }).click();
      await page.getByRole('button', { name: 'Previous five weeks' }).click();
      await page.waitForURL(/\?page=2&d=/);
      const earlier = await dates.innerText();
      assert.notEqual(earlier, latest);
      await page.reload();
      await settled(page);
      assert.equal(await dates.innerText(), earlier);
      assert.match(await count.innerText(), /25 to 28 of 28$/);
      await page.locator('table.calendar a').first().click();
      await page.waitForURL(/\/restaurants\//);
      await settled(page);
      await page.goBack();
      await settled(page);
      assert.equal(await dates.innerText(), earlier);
      await page.getByRole('button', { name: 'Next five weeks' }).click();
      await page.getByRole('button', { name: 'Previous restaurants' }).click();
      await page.waitForURL((url) => url.search === '');
      assert.deepEqual([await dates.innerText(), await notices(page)], [latest, []]);
      await visit(page, '/data?page=9');
      assert.deepEqual(await notices(page), ['The address has an unknown value for page, so the default is shown.']);
    } finally {
      await close();
    }
  });
});

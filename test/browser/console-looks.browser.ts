/** The accessibility of the console: the rules on every screen, in both colour schemes, on a desktop and on a phone. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { named, skip } from '../docs/browser.ts';
import {
  axeFaults,
  axeInBoth,
  type ConsoleVisits,
  SCREENS,
  settled,
  startConsole,
  tryAgain,
  visit,
} from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(30);
});
after(() => visits?.stop());

describe(named('a console without data'), { skip }, () => {
  it('leads to them: it adds a restaurant, shows how to load orders, and keeps the rules', async () => {
    const empty = await startConsole(0);
    try {
      const { page, faults, close } = await empty.open('/', { bypassCSP: true });
      await page.getByRole('heading', { name: 'Three steps to the first figures' }).waitFor();
      assert.deepEqual(await axeFaults(page), []);
      await visit(page, '/restaurants');
      assert.match(await page.locator('main').innerText(), /There are no restaurants yet/);
      await visit(page, '/');
      await page.getByRole('textbox', { name: 'Name' }).fill('Corner Bistro');
      await page.getByLabel('Currency').fill('usd');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('Corner Bistro, done.').waitFor();
      assert.match(await page.locator('pre.code').innerText(), /\/v1\/restaurants\/[0-9a-f-]{36}\/orders/);
      for (const path of ['/restaurants', '/compare', '/labour', '/data', '/health']) await visit(page, path);
      assert.deepEqual(faults, []);
      await close();
    } finally {
      await empty.stop();
    }
  });
});

describe(named('the console'), { skip }, () => {
  for (const width of [1440, 390]) {
    it(`keeps the rules of accessibility on every screen at ${width} pixels, light and dark`, async () => {
      const { page, close } = await visits.open('/', { viewport: { width, height: 900 }, bypassCSP: true });
      const found: Record<string, string[]> = {};
      try {
        for (const path of SCREENS) {
          await visit(page, path);
          const faults = await axeInBoth(page);
          if (faults.length > 0) found[path] = faults;
        }
      } finally {
        await close();
      }
      assert.deepEqual(found, {});
    });
  }

  it('keeps the rules in its dialogs, while the service is unavailable, and when the session has expired', async () => {
    const { page, context, close } = await visits.open('/', { bypassCSP: true });
    const found: Record<string, string[]> = {};
    const look = async (state: string): Promise<void> => {
      const faults = await axeInBoth(page);
      if (faults.length > 0) found[state] = faults;
    };
    try {
      for (const [key, name] of [
        ['e', 'Export'],
        ['?', 'Keys'],
        ['Control+k', /Go to/],
      ] as const) {
        await page.keyboard.press(key);
        await page.getByRole('dialog', { name }).waitFor();
        await look(String(name));
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      }
      await page.getByRole('button', { name: /Signed in as/ }).click();
      await page.getByRole('dialog').waitFor();
      await look('account');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Columns' }).click();
      await look('columns');
      await page.keyboard.press('Escape');

      await context.setOffline(true);
      await page.getByRole('button', { name: 'Previous date' }).click();
      await page.getByText('The service cannot be reached').waitFor();
      await look('offline');
      await context.setOffline(false);
      await tryAgain(page);
      await page.getByText('The service cannot be reached').waitFor({ state: 'hidden' });

      const other = await context.newPage();
      await other.goto(visits.service.origin);
      await settled(other);
      await other.getByRole('button', { name: /Signed in as/ }).click();
      await other.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
      await look('expired session');
    } finally {
      await close();
    }
    assert.deepEqual(found, {});
  });

  it('shows tables for charts, and the same numbers in them', async () => {
    const { page, close } = await visits.open('/');
    try {
      await page.getByRole('button', { name: 'Show net sales by hour as a table' }).click();
      const amounts = await page.getByRole('row').filter({ hasText: /\$/ }).first().innerText();
      assert.match(amounts, /\$/);
      await page.getByRole('button', { name: 'Show net sales by hour as a chart' }).click();
      await settled(page);
    } finally {
      await close();
    }
  });
});

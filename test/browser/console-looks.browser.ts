/** The console for everyone: rules of accessibility on every screen, in both schemes, on a desk and on a phone. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { named, skip } from '../docs/browser.ts';
import { axeFaults, type ConsoleVisits, SCREENS, settled, startConsole, visit } from './console.ts';

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
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    it(`keeps the rules of accessibility on every screen, ${colorScheme} at ${width} pixels`, async () => {
      const { page, close } = await visits.open('/', {
        ...{ viewport: { width, height: 900 }, colorScheme, bypassCSP: true },
      });
      const found: Record<string, string[]> = {};
      try {
        for (const path of SCREENS) {
          await visit(page, path);
          const faults = await axeFaults(page);
          if (faults.length > 0) found[path] = faults;
        }
      } finally {
        await close();
      }
      assert.deepEqual(found, {});
    });
  }

  it('never scrolls sideways on phones of 390 and 320 pixels', async () => {
    const { page, close } = await visits.open('/');
    const wide: string[] = [];
    try {
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        for (const path of SCREENS) {
          await visit(page, path);
          const extent = await page.evaluate(() => document.documentElement.scrollWidth);
          if (extent > width) wide.push(`${path} is ${extent} at ${width}`);
        }
      }
    } finally {
      await close();
    }
    assert.deepEqual(wide, []);
  });

  it('prints the overview on light pages without what one presses', async () => {
    const { page, close } = await visits.open('/', { colorScheme: 'dark' });
    try {
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
      assert.equal(await page.locator('.nav').isVisible(), false);
      assert.equal(await page.getByRole('button', { name: 'Export' }).isVisible(), false);
      assert.equal(await page.getByText('Net sales by hour').isVisible(), true);
      assert.ok((await page.pdf({ format: 'A4' })).length > 20_000);
    } finally {
      await close();
    }
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

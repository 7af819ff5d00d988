/** The console on paper: A4, light, nothing to press, nothing cut, tables whole. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { type ConsoleVisits, loadStatuses, PEACHTREE, startConsole, visit } from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(30);
});
after(() => visits?.stop());

/** A4 at 96 pixels an inch, less the margins of the style sheet. */
const SHEET = { width: 703, height: 1017 };

/** The number of sheets of a PDF of Chromium. */
const sheetsOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;

/** What of the page is wider than a sheet, or cut. */
const cutOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const faults: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth} wide`);
    for (const element of document.querySelectorAll<HTMLElement>('main *:not(svg *)')) {
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isBox =
        overflowX !== 'visible' && textOverflow !== 'ellipsis' && !element.matches('.hidden, select, input');
      if (isBox && element.scrollWidth > element.clientWidth + 1)
        faults.push(`${element.className || element.tagName}: ${element.scrollWidth} in ${element.clientWidth}`);
    }
    return faults;
  });

describe(named('the console on paper'), { skip }, () => {
  it('is two light sheets of the overview, without what one presses, with the addresses of its reports', async () => {
    const { page, close } = await visits.open('/', { colorScheme: 'dark', viewport: SHEET });
    try {
      const pdf = await page.pdf({ preferCSSPageSize: true });
      assert.equal(sheetsOf(pdf), 2);
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
      assert.equal(await page.locator('.nav').isVisible(), false);
      assert.equal(await page.getByRole('button', { name: 'Export' }).isVisible(), false);
      assert.equal(await page.getByText('Net sales by hour').isVisible(), true);
      const spelledOut = await page
        .locator('.screen-foot a')
        .first()
        .evaluate((link) => getComputedStyle(link, '::after').content);
      assert.match(spelledOut, /Report http:\/\/127\.0\.0\.1:\d+\/reports\/[0-9a-f-]{36}/);
    } finally {
      await close();
    }
  });

  it('cuts nothing on any screen of figures', async () => {
    const { page, close } = await visits.open('/', { viewport: SHEET });
    const cut: Record<string, string[]> = {};
    try {
      for (const path of ['/', '/restaurants', `/restaurants/${PEACHTREE}`, '/compare', '/labour', '/menu']) {
        await page.emulateMedia({ media: null });
        await visit(page, path);
        await page.emulateMedia({ media: 'print' });
        const found = await cutOf(page);
        if (found.length > 0) cut[path] = found;
      }
      assert.deepEqual(cut, {});
    } finally {
      await close();
    }
  });

  it('has all rows of a long table, and the screen has few of them again afterwards', async () => {
    await loadStatuses(visits, Array(200).fill('CLOSED'));
    const { page, close } = await visits.open(`/restaurants/${PEACHTREE}/checks`, { viewport: SHEET });
    const rowsOf = (): number => document.querySelectorAll('.windowed tbody tr[aria-rowindex]').length;
    try {
      const all = Number((await page.getByRole('heading', { name: /^\d+ checks$/ }).innerText()).split(' ')[0]);
      assert.ok(all > 150, `${all} checks`);
      assert.ok((await page.evaluate(rowsOf)) < 100);
      await page.evaluate(() => {
        const note = (): void => {
          const rows = document.querySelectorAll('.windowed tbody tr[aria-rowindex]');
          const gaps = document.querySelectorAll('.windowed tbody tr[aria-hidden]').length;
          Object.assign(globalThis, { printed: { rows: rows.length, gaps } });
        };
        addEventListener('beforeprint', note);
      });
      await page.emulateMedia({ media: 'print' });
      assert.match(await page.locator('.windowed tbody th').first().innerText(), /^\d+$/, 'the number of the check');
      await page.emulateMedia({ media: null });
      const pdf = await page.pdf({ preferCSSPageSize: true });
      const printed = await page.evaluate(() => (globalThis as unknown as { printed: object }).printed);
      assert.deepEqual(printed, { rows: all, gaps: 0 });
      // 30 to 40 rows on a sheet, and the servers after them.
      assert.ok(sheetsOf(pdf) >= all / 45 && sheetsOf(pdf) <= all / 25 + 3, `${sheetsOf(pdf)} sheets of ${all} checks`);
      await page.waitForFunction(() => document.querySelectorAll('.windowed tbody tr[aria-rowindex]').length < 100);
    } finally {
      await close();
    }
  });
});

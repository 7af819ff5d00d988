/** The dates of the console: typed, stepped, kept between screens, and those that only some restaurants have. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import {
  type ConsoleVisits,
  centsShown,
  dashed,
  loadRestaurant,
  PEACHTREE,
  settled,
  startConsole,
  tokenOf,
  visit,
} from './console.ts';

const LATE = 'b27c94d3-0000-4a08-a3d9-60f8c1e75400';

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(12);
});
after(() => visits?.stop());

const parameters = (page: Page): Record<string, string> => Object.fromEntries(new URL(page.url()).searchParams);
/** As a person types a date in an American browser. */
const typed = (date: string): string => `${date.slice(5, 7)}${date.slice(8)}${date.slice(0, 4)}`;

describe(named('the dates of the console'), { skip }, () => {
  it('can be typed: nothing changes before Enter or before the field is left', async () => {
    const { page, faults, close } = await visits.open('/');
    try {
      const [first, last] = [-9, -2].map((days) => dashed(visits.lastDate, days)) as [string, string];
      await visit(page, `/?span=custom&from=${first}&to=${dashed(visits.lastDate, 0)}`);
      const before = parameters(page);
      const field = page.getByLabel('Last business date');
      await field.focus();
      await page.keyboard.type(typed(last));
      assert.deepEqual(parameters(page), before);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('to') === last);
      assert.equal(parameters(page).from, first);
      await settled(page);

      // The first date passes the last, which goes along.
      await page.getByLabel('First business date').focus();
      await page.keyboard.type(typed(dashed(visits.lastDate, -1)));
      await page.getByLabel('First business date').blur();
      await page.waitForURL((url) => url.searchParams.get('from') === dashed(visits.lastDate, -1));
      assert.equal(parameters(page).to, dashed(visits.lastDate, -1));

      await visit(page, '/');
      const steps = await page.evaluate(() => history.length);
      await page.getByLabel('Business date', { exact: true }).focus();
      await page.keyboard.type(typed(last));
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('d') === last);
      assert.equal(await page.evaluate(() => history.length), steps + 1);
      await settled(page);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('are kept by shortcuts, the list of screens, the line above a restaurant, More, and by way of other screens', async () => {
    const { page, close } = await visits.open('/');
    const d = dashed(visits.lastDate, -3);
    const kept = { d, span: '7' };
    const goes: Record<string, () => Promise<void>> = {
      'the keys g l': async () => {
        await page.keyboard.press('g');
        await page.keyboard.press('l');
        await page.waitForURL(/\/labour/);
      },
      'the list of screens': async () => {
        await page.keyboard.press('Control+k');
        await page.keyboard.type('menu');
        await page.keyboard.press('Enter');
        await page.waitForURL(/\/menu/);
      },
      'a restaurant in that list, and the line above it': async () => {
        await page.keyboard.press('Control+k');
        await page.keyboard.type('peach');
        await page.keyboard.press('Enter');
        await page.waitForURL(new RegExp(PEACHTREE));
        assert.deepEqual(parameters(page), kept);
        await settled(page);
        await page.locator('.crumb a').click();
        await page.waitForURL(/\/restaurants\?/);
      },
      Data: async () => {
        await page.getByRole('link', { name: 'Data', exact: true }).first().click();
        await page.waitForURL(/\/data$/);
        await settled(page);
        await page.locator('.nav').getByRole('link', { name: 'Overview' }).click();
        await page.waitForURL((url) => url.pathname === '/');
      },
      More: async () => {
        await page.setViewportSize({ width: 390, height: 800 });
        await page.locator('.tabs').getByRole('link', { name: 'More' }).click();
        await page.locator('ul.more').getByRole('link', { name: 'Menu' }).click();
        await page.waitForURL(/\/menu/);
      },
    };
    try {
      for (const [by, go] of Object.entries(goes)) {
        await visit(page, `/?d=${d}&span=7`);
        await go();
        assert.deepEqual(parameters(page), kept, by);
      }
    } finally {
      await close();
    }
  });

  it('go on to those that only some restaurants have, and the overview says how many', async () => {
    const about = { name: 'Late Larder', timeZone: 'America/New_York', currencyCode: 'USD' };
    const at = dashed(visits.lastDate, -2);
    const check = { guid: 'b27c94d3-0000-4a08-a3d9-60f8c1e75402', selections: [] };
    await loadRestaurant(visits.service, LATE, about, [
      {
        guid: 'b27c94d3-0000-4a08-a3d9-60f8c1e75401',
        openedDate: `${at}T18:00:00Z`,
        businessDate: at,
        checks: [check],
      },
    ]);
    const { page, faults, close } = await visits.open('/');
    try {
      const next = page.getByRole('button', { name: 'Next date' });
      const day = (days: number): string =>
        new Date(`${dashed(visits.lastDate, days)}T00:00:00Z`).toLocaleDateString('en-US', {
          weekday: 'long',
          month: 'long',
          day: 'numeric',
          timeZone: 'UTC',
        });
      assert.equal(await page.locator('h1').innerText(), day(-2));
      const newer = page.getByRole('link', { name: /^8 of 9 have / });
      await newer.click();
      await page.getByRole('heading', { level: 1, name: day(0) }).waitFor();
      await settled(page);
      assert.match(await page.locator('main').innerText(), /8 of 9 restaurants have reported/);
      assert.equal(await next.getAttribute('aria-disabled'), 'true');

      await visit(page, '/');
      await next.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: day(-1) }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: day(0) }).waitFor();
      // It stays where it is at the last date.
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Next date');
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('of the menu and of Compare are of the restaurants in the address, each once', async () => {
    const { page, close } = await visits.open('/');
    try {
      const headers = { authorization: `Bearer ${await tokenOf(visits.service)}` };
      const listed = await (await fetch(`${visits.service.origin}/v1/restaurants`, { headers })).json();
      const guids = (listed as { guid: string; currencyCode: string }[])
        .filter(({ guid, currencyCode }) => currencyCode === 'USD' && guid !== LATE)
        .map(({ guid }) => guid);
      const [one = '', other = ''] = guids;
      const net = async (r: string): Promise<number> => {
        await visit(page, `/menu?r=${r}&d=${dashed(visits.lastDate, 0)}&vs=none`);
        const text = await page.locator('main').innerText();
        return centsShown(/Net sales of items\s+(\S+)/.exec(text)?.[1]) / 100;
      };
      const both = await net(`${one},${other}`);
      assert.match(await page.locator('main').innerText(), /2 restaurants/);
      assert.equal(await page.getByLabel('Restaurant', { exact: true }).inputValue(), `${one},${other}`);
      const parts = (await net(one)) + (await net(other));
      // Each is shown in whole dollars.
      assert.ok(both > 0 && Math.abs(both - parts) <= 1, `${both} ${parts}`);

      await visit(page, `/compare?r=${one},${one}`);
      assert.match(await page.locator('main').innerText(), /1 restaurant\b/);
    } finally {
      await close();
    }
  });
});

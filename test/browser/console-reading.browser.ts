/** How screens are read: dates by keys, orders of tables, times, paper, the first visits, and what has no data. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { axeInBoth, type ConsoleVisits, cardOf, PEACHTREE, settled, startConsole, visit } from './console.ts';

/** Rows of a card's table: the text of each cell in a column, from 0. */
const column = (page: Page, card: string, at: number): Promise<string[]> =>
  cardOf(page, card)
    .locator('tbody tr')
    .evaluateAll((rows, at) => rows.map((row) => (row as HTMLTableRowElement).cells[at]?.innerText ?? ''), at);
const numbers = (texts: string[]): number[] => texts.map((text) => Number(text.replace(/[^\d.]/g, '')));
const inOrder = (values: number[]): boolean => values.every((value, at) => at === 0 || value <= (values[at - 1] ?? 0));

describe(named('a screen with data'), { skip }, () => {
  let visits: ConsoleVisits;
  before(async () => {
    if (!skip) visits = await startConsole(16, { settings: { limits: 'on' } });
  });
  after(() => visits?.stop());

  it('with a chosen span is moved by its length with the keys of dates', async () => {
    const { page, close } = await visits.open('/?span=custom&from=2026-01-05&to=2026-01-07');
    try {
      for (const [key, span] of [
        ['[', 'from=2026-01-02&to=2026-01-04'],
        [']', 'from=2026-01-05&to=2026-01-07'],
        [']', 'from=2026-01-08&to=2026-01-10'],
      ] as const) {
        await page.keyboard.press(key);
        await settled(page);
        assert.equal(page.url().split('?')[1], `span=custom&${span}`);
      }
      await page.getByRole('button', { name: 'Previous 3 days' }).click();
      assert.match(page.url(), /from=2026-01-05/);
    } finally {
      await close();
    }
  });

  it('of labour orders each of its tables, in the address', async () => {
    const { page, faults, close } = await visits.open('/labour');
    try {
      assert.equal(inOrder(numbers(await column(page, 'Restaurants', 1))), true);
      await cardOf(page, 'Restaurants').getByRole('button', { name: 'Cost' }).click();
      assert.match(page.url(), /\?sort=-cost$/);
      assert.equal(inOrder(numbers(await column(page, 'Restaurants', 3))), true);
      await cardOf(page, 'By employee').getByRole('button', { name: 'Hours' }).click();
      assert.equal(inOrder(numbers(await column(page, 'By employee', 1))), true);
      await cardOf(page, 'By employee').getByRole('button', { name: 'Hours' }).click();
      assert.equal(inOrder(numbers(await column(page, 'By employee', 1)).reverse()), true);
      assert.match(page.url(), /\?sort=-cost&employees=hours$/);
      assert.equal(await cardOf(page, 'By employee').locator('th[aria-sort="ascending"]').innerText(), 'Hours ↑');
      assert.equal(inOrder(numbers(await column(page, 'By job', 3))), true);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('of the menu has what was sold on a phone', async () => {
    const { page, close } = await visits.open('/menu', { viewport: { width: 390, height: 844 } });
    try {
      assert.equal(await page.getByRole('columnheader', { name: 'Sold' }).isVisible(), true);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(width, 390);
    } finally {
      await close();
    }
  });

  it('spells all times in one way', async () => {
    const { page, close } = await visits.open('/');
    try {
      for (const path of ['/', `/restaurants/${PEACHTREE}`, `/restaurants/${PEACHTREE}/checks`, '/data', '/health']) {
        await visit(page, path);
        const texts = await page.locator('main').evaluate((main) => main.textContent ?? '');
        assert.match(texts, /\d [ap]m\b/, path);
        assert.doesNotMatch(texts, /\d\s?[AP]M\b|\b\d+[ap]\b|\b0\d:\d\d [ap]m/, path);
      }
    } finally {
      await close();
    }
  });

  it('writes the hours of a 24-hour clock with two digits', async () => {
    const { page, close } = await visits.open(`/restaurants/${PEACHTREE}/checks`, { locale: 'en-GB' });
    try {
      const paid = await page.locator('.windowed tbody td:nth-child(2)').allInnerTexts();
      const times = paid.filter((text) => text.includes(':'));
      assert.ok(times.length > 10);
      for (const time of times) assert.match(time, /^\d\d:\d\d$/);
    } finally {
      await close();
    }
  });

  it('has the group and the year on paper, and the filter without its buttons', async () => {
    const { page, close } = await visits.open('/?daypart=Lunch');
    try {
      await page.emulateMedia({ media: 'print' });
      const year = visits.lastDate.slice(0, 4);
      assert.match(
        await page.locator('.paper').innerText(),
        new RegExp(`^demo · .* ${year}, compared with .* \\d{4}$`),
      );
      assert.equal(
        await page
          .locator('.filters')
          .innerText()
          .then((text) => text.replace(/\s+/g, ' ')),
        'Only Lunch',
      );
      assert.equal(await page.locator('.tools select').isVisible(), false);
    } finally {
      await close();
    }
  });

  it('of limits names what each of them counts', async () => {
    const { page, close } = await visits.open('/access/limits');
    try {
      const names = await column(page, 'Limits', 0);
      assert.ok(names.length > 20);
      for (const name of names) assert.match(name, /^[A-Z][a-z ,-]+$/, name);
      for (const name of ['Sales metrics', 'Sales metrics, longer', 'Checks']) assert.ok(names.includes(name), name);
      assert.deepEqual([...new Set(await column(page, 'Limits', 1))].sort(), ['day', 'hour', 'minute', 'second']);
    } finally {
      await close();
    }
  });

  it('says on the first visits how it is read, until that is dismissed', async () => {
    const { page, close } = await visits.open('/', { bypassCSP: true });
    try {
      const line = page.locator('.first-look');
      assert.match(await line.innerText(), /Click the name of a figure/);
      assert.deepEqual(await axeInBoth(page), []);
      await page.reload();
      await settled(page);
      await line.getByRole('button', { name: 'Got it' }).click();
      assert.equal(await line.count(), 0);
      await page.reload();
      await settled(page);
      assert.equal(await line.count(), 0);
    } finally {
      await close();
    }
  });

  it('says no more how it is read after three visits', async () => {
    const { page, close } = await visits.open('/');
    try {
      const seen: number[] = [];
      for (let at = 0; at < 4; at++) {
        seen.push(await page.locator('.first-look').count());
        await page.reload();
        await settled(page);
      }
      assert.deepEqual(seen, [1, 1, 1, 0]);
    } finally {
      await close();
    }
  });
});

describe(named('a screen of a service without data'), { skip }, () => {
  let visits: ConsoleVisits;
  before(async () => {
    if (!skip) visits = await startConsole(0);
  });
  after(() => visits?.stop());

  it('says that nothing is loaded, and what to do', async () => {
    const { page, faults, close } = await visits.open('/', { bypassCSP: true });
    try {
      for (const path of ['/compare', '/labour', '/data']) {
        await visit(page, path);
        assert.match(await page.locator('main').innerText(), /Nothing is loaded yet\./, path);
        assert.doesNotMatch(await page.locator('main').innerText(), /\b0\b/, path);
        assert.deepEqual(await axeInBoth(page), [], path);
      }
      await page.getByRole('link', { name: 'Three steps to the first figures' }).click();
      await page.getByRole('heading', { name: 'Three steps to the first figures' }).waitFor();
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });
});

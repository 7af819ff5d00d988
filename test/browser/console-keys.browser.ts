/** The console by the keyboard alone: a whole visit, the shortcuts, and the points of charts. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { CLIENT, type ConsoleVisits, PEACHTREE, settled, startConsole, visit } from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(30);
});
after(() => visits?.stop());

/** More presses of Tab than any screen here has stops. */
const MOST_STOPS = 200;

/** The name of the element with the focus, and whether one sees that it has it; undefined if none has. */
const focused = (page: Page): Promise<{ name: string; isSeen: boolean } | undefined> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return undefined;
    const labels = 'labels' in element ? [...((element.labels as NodeListOf<Element> | null) ?? [])] : [];
    const name = element.getAttribute('aria-label') ?? labels.map((label) => label.textContent).join(' ') ?? '';
    const ringed = (one: Element | null): boolean => {
      if (!one) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    };
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const isInView = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    // The field of the date lies over its text, which has the ring.
    return {
      name: name || (element.textContent ?? '').trim(),
      isSeen: isInView && (ringed(element) || ringed(element.parentElement)),
    };
  });

/** Presses Tab until something with such a name has the focus, which is seen at every stop. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press('Tab');
    const at = await focused(page);
    if (!at) continue;
    assert.ok(at.isSeen, `the focus on "${at.name}" is not seen`);
    if (name.test(at.name)) return;
    passed.push(at.name);
  }
  assert.fail(`Tab does not reach ${name}: ${passed.join(' | ')}`);
}

/** Presses Tab until the focus has left the page; answers the number of stops. */
async function stopsOf(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<number> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press(key);
    if (stop > 0 && !(await focused(page))) return stop;
  }
  assert.fail(`${key} does not leave ${page.url()}`);
}

describe(named('a visit by the keyboard alone'), { skip }, () => {
  it('signs in, steps dates, compares, opens a restaurant, walks its heat map, reads a table, exports, signs out', async () => {
    const { page, context, faults, close } = await visits.open('/');
    const address = () => new URL(page.url());
    try {
      await context.clearCookies();
      await page.goto(`${visits.service.origin}/`);
      await page.getByRole('heading', { name: 'Sign in to Daypart' }).waitFor();
      await tabTo(page, /^Client id/);
      await page.keyboard.type(CLIENT.id);
      await tabTo(page, /^Client secret/);
      await page.keyboard.type(CLIENT.secret);
      await page.keyboard.press('Enter');
      await page.locator('.frame').waitFor();
      await settled(page);

      await tabTo(page, /^Previous date/);
      await page.keyboard.press('Enter');
      await page.waitForURL(/[?&]d=/);
      const before = address().searchParams.get('d');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('d') !== before);
      await tabTo(page, /^Next date/);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('d') === before);
      await settled(page);

      await page.keyboard.press('c');
      await page.getByRole('heading', { name: /^Compare/, level: 1 }).waitFor();
      await settled(page);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('peach');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Peachtree Biscuit Company', level: 1 }).waitFor();
      await settled(page);

      await tabTo(page, /(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w* \d+ ?[ap]m/i);
      const cells = new Set<string>();
      for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) {
        await page.keyboard.press(key);
        const at = await focused(page);
        assert.ok(at?.isSeen, `${key}: ${at?.name}`);
        cells.add(at.name);
      }
      assert.equal(cells.size, 5, [...cells].join(' | '));

      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await tabTo(page, /^Show .* as a table/);
      await page.keyboard.press('Enter');
      await page.locator('figure table, .card table.plain').first().waitFor();

      await page.keyboard.press('e');
      const dialog = page.getByRole('dialog', { name: 'Export' });
      await dialog.waitFor();
      await tabTo(page, /^CSV$/);
      const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
      assert.match(file.suggestedFilename(), /\.csv$/);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });

      await tabTo(page, /Signed in as/);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await tabTo(page, /^Sign out$/);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Sign in to Daypart' }).waitFor();
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('is caught nowhere: Tab and Shift Tab leave every kind of screen', async () => {
    const { page, close } = await visits.open('/');
    try {
      for (const path of [
        '/',
        '/restaurants',
        `/restaurants/${PEACHTREE}`,
        '/compare',
        '/menu',
        '/reports/new',
        '/data',
      ]) {
        await visit(page, path);
        const stops = [await stopsOf(page, 'Tab'), await stopsOf(page, 'Shift+Tab')];
        assert.ok(Math.min(...stops) > 10, `${path}: ${stops}`);
      }
    } finally {
      await close();
    }
  });
});

describe(named('the shortcuts of the console'), { skip }, () => {
  it('open the screens, choose dates and spans, and turn charts into tables', async () => {
    const { page, close } = await visits.open('/');
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    try {
      for (const [key, path] of [
        ['r', '/restaurants'],
        ['l', '/labour'],
        ['m', '/menu'],
        ['p', '/reports'],
        ['d', '/data'],
        ['a', '/access'],
        ['o', '/'],
      ] as const) {
        await press('g', key);
        await page.waitForURL((url) => url.pathname === path);
        await settled(page);
      }
      await press('[');
      await page.waitForURL(/[?&]d=/);
      await settled(page);
      await press(']');
      await page.waitForURL((url) => !url.search);
      for (const [key, span] of [
        ['2', '7'],
        ['3', '28'],
        ['1', null],
      ] as const) {
        await press(key);
        await page.waitForURL((url) => url.searchParams.get('span') === span);
      }
      await settled(page);
      const charts = await page.locator('svg.chart').count();
      await press('t');
      await page.waitForFunction((before) => document.querySelectorAll('svg.chart').length < before, charts);
      await press('t');
      await page.waitForFunction((before) => document.querySelectorAll('svg.chart').length === before, charts);
      await press('/');
      await page.getByRole('dialog', { name: /Go to/ }).waitFor();
      await press('Escape');
    } finally {
      await close();
    }
  });

  it('can be switched off, except those with Ctrl', async () => {
    const { page, close } = await visits.open('/');
    try {
      await page.keyboard.press('?');
      await page.getByRole('checkbox', { name: 'Single letters as shortcuts' }).uncheck();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      for (const key of ['g', 'r', '2', '[', 'e', '?', 'c']) await page.keyboard.press(key);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: /Go to/ }).waitFor();
      assert.equal(await page.locator('dialog[open]').count(), 1);
      assert.equal(page.url(), `${visits.service.origin}/`);
    } finally {
      await close();
    }
  });
});

describe(named('a chart'), { skip }, () => {
  it('is one stop, over which arrows move a point that is read out with its amount', async () => {
    const { page, close } = await visits.open('/');
    try {
      const chart = page.locator('svg.chart[role="img"]').first();
      assert.match((await chart.getAttribute('aria-label')) ?? '', /^Net sales by hour.*\$/);
      await chart.focus();
      const said = chart.locator('xpath=following-sibling::span[@aria-live="polite"]');
      const told = new Set<string>();
      for (const key of ['ArrowRight', 'ArrowRight', 'End', 'ArrowLeft', 'Home']) {
        await page.keyboard.press(key);
        told.add((await said.textContent()) ?? '');
      }
      assert.ok(told.size >= 4, [...told].join(' | '));
      for (const text of told) {
        assert.match(text, /\d ?[ap]m\b/i);
        assert.match(text, /\$[\d,]+/);
      }
      await page.keyboard.press('Escape');
      assert.equal(await said.textContent(), '');
      const inside = await chart.locator('[tabindex]').count();
      assert.equal(inside, 0);
    } finally {
      await close();
    }
  });
});

/**
 * The layout of the console: nothing moves while it loads, nothing scrolls sideways, nothing is cut off when text is
 * large.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { type ConsoleVisits, dashed, loadRestaurant, SCREENS, startConsole, visit } from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(30);
});
after(() => visits?.stop());

const BUSY = '0b000000-0000-4000-8000-000000000000';

/** An order of more than $1,000 in each hour from 8 am, over a date that is over everywhere. */
const orders = (): object[] =>
  Array.from({ length: 16 }, (_, nth) => {
    const businessDate = dashed(visits.lastDate, -2);
    const guid = (kind: string): string => `${kind}000000-0000-4000-8000-0000000000${10 + nth}`;
    const price = 1201 + 5 * nth;
    return {
      guid: guid('0c'),
      openedDate: `${businessDate}T${String(8 + nth).padStart(2, '0')}:30:00Z`,
      businessDate,
      checks: [{ guid: guid('0d'), selections: [{ preDiscountPrice: price, price }] }],
    };
  });

/** Has a page keep what Chromium says of each layout shift; runs in the browser. */
function noteShifts(): void {
  const shifts: number[] = [];
  Object.assign(globalThis, { shifts });
  const watch = (list: PerformanceObserverEntryList): void => {
    for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[]) shifts.push(value);
  };
  new PerformanceObserver(watch).observe({ type: 'layout-shift', buffered: true });
}

/** Resolves once a page has been laid out, and what measures its layout has been too. */
const twoFrames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Opens a path with nothing in memory; the sum of its layout shifts. */
async function shiftOf(page: Page, path: string): Promise<number> {
  // Each figure is asked for again.
  await page.evaluate(() => sessionStorage.clear());
  await visit(page, path);
  await twoFrames(page);
  return await page.evaluate(() =>
    (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, one) => sum + one, 0),
  );
}

/** Has each call of a page answered later than usual, by another time than the call before. */
async function answerLate(page: Page): Promise<void> {
  let calls = 0;
  await page.route(/\/(v1\/|readyz|version)/, async (route) => {
    // Long enough for the placeholders to be shown, and the progress instead of some.
    await setTimeout(1000 + ((700 * calls++) % 3000));
    await route.continue().catch(() => undefined);
  });
}

describe(named('the layout of the console'), { skip }, () => {
  it('never scrolls sideways on phones of 390 and 320 pixels', async () => {
    const { page, close } = await visits.open('/');
    const wide: string[] = [];
    try {
      for (const path of SCREENS) {
        await page.setViewportSize({ width: 390, height: 800 });
        await visit(page, path);
        for (const width of [390, 320]) {
          await page.setViewportSize({ width, height: 800 });
          await twoFrames(page);
          const extent = await page.evaluate(() => document.documentElement.scrollWidth);
          if (extent > width) wide.push(`${path} is ${extent} at ${width}`);
        }
      }
    } finally {
      await close();
    }
    assert.deepEqual(wide, []);
  });

  it('moves nothing on the overview while its figures arrive, and little on other screens', async () => {
    const { page, close } = await visits.open('/');
    const moved: string[] = [];
    try {
      await page.addInitScript(noteShifts);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        for (const path of ['/', ...SCREENS]) {
          const shift = await shiftOf(page, path);
          // What web vitals call good is 0.1.
          if (shift > (path === '/' ? 0.001 : 0.05)) moved.push(`${path} at ${width}: ${shift.toFixed(4)}`);
        }
      }
    } finally {
      await close();
    }
    assert.deepEqual(moved, []);
  });

  for (const [when, hours] of [
    ['is in progress', 9],
    ['is over', 20],
  ] as const)
    it(`moves little on the overview of a day that ${when}, whose figures arrive late and one after another`, async () => {
      const { page, close } = await visits.open('/');
      const moved: string[] = [];
      try {
        await page.addInitScript(noteShifts);
        // The last business date of restaurants in Los Angeles ends at 4:00 there, 12:00 UTC.
        const [, year, month, day] = /(....)(..)(..)/.exec(visits.lastDate) ?? [];
        await page.clock.setSystemTime(Date.UTC(Number(year), Number(month) - 1, Number(day) + 1, hours));
        await answerLate(page);
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          const shift = await shiftOf(page, '/');
          if (shift > 0.01) moved.push(`${shift.toFixed(4)} at ${width}`);
        }
      } finally {
        await close();
      }
      assert.deepEqual(moved, []);
    });

  it('moves little on screens of several cards whose answers arrive late and one after another', async () => {
    const { page, close } = await visits.open('/');
    const moved: string[] = [];
    try {
      await page.addInitScript(noteShifts);
      await answerLate(page);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        for (const path of ['/health', '/access/keys', '/data']) {
          const shift = await shiftOf(page, path);
          if (shift > 0.01) moved.push(`${path} at ${width}: ${shift.toFixed(4)}`);
        }
      }
    } finally {
      await close();
    }
    assert.deepEqual(moved, []);
  });

  it('can be read with text of twice the size alone: nothing is cut, nothing scrolls sideways', async () => {
    const { page, close } = await visits.open('/');
    const cut: string[] = [];
    try {
      for (const path of SCREENS) {
        await visit(page, path);
        cut.push(
          ...(await page.evaluate(async (where) => {
            const all = [...document.querySelectorAll<HTMLElement>('body, body *:not(svg *)')];
            // All sizes first: to change one changes those within it.
            const styles = all.map((element) => {
              const { fontSize, lineHeight } = getComputedStyle(element);
              return [Number.parseFloat(fontSize), Number.parseFloat(lineHeight)] as const;
            });
            for (const [at, element] of all.entries()) {
              const [size = 0, line = Number.NaN] = styles[at] ?? [];
              element.style.fontSize = `${2 * size}px`;
              if (line > 0) element.style.lineHeight = `${2 * line}px`;
            }
            // Tables of many rows measure them again.
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            const faults: string[] = [];
            const { scrollWidth, clientWidth } = document.documentElement;
            if (scrollWidth > clientWidth) faults.push(`${where} is ${scrollWidth} wide`);
            for (const element of all) {
              const { overflowX, overflowY, textOverflow } = getComputedStyle(element);
              const hides = overflowX === 'hidden' || overflowY === 'hidden' || overflowX === 'clip';
              const isOver =
                element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
              // What has an ellipsis says that it is longer, and has its whole text as a title; fields scroll.
              if (
                hides &&
                isOver &&
                textOverflow !== 'ellipsis' &&
                !element.matches('.hidden, .hidden *, input, select')
              )
                faults.push(`${where} cuts ${element.className || element.tagName}`);
            }
            return faults;
          }, path)),
        );
      }
    } finally {
      await close();
    }
    assert.deepEqual(cut, []);
  });

  it('cuts off no amount of the heat map, however wide the screen is', async () => {
    await loadRestaurant(visits.service, BUSY, { name: 'Busy Bakery', timeZone: 'UTC', currencyCode: 'USD' }, orders());
    const { page, close } = await visits.open(`/restaurants/${BUSY}`);
    try {
      const shown: string[] = [];
      for (const width of [1440, 1200, 1100, 1024, 850, 700]) {
        await page.setViewportSize({ width, height: 900 });
        await page.waitForTimeout(200);
        const cut = await page
          .locator('.heat td span')
          .evaluateAll((all) =>
            all
              .filter((span) => span.getBoundingClientRect().width > (span.parentElement?.clientWidth ?? 0))
              .map(({ textContent }) => textContent),
          );
        assert.deepEqual(cut, [], String(width));
        shown.push(await page.locator('.heat').innerText());
      }
      assert.ok(
        shown.some((text) => /\$1\.\dK/.test(text)),
        'some width has short amounts',
      );
      await page.setViewportSize({ width: 1440, height: 900 });
      await page
        .locator('.heat td span')
        .filter({ hasText: /^\$1,\d{3}$/ })
        .first()
        .waitFor();
    } finally {
      await close();
    }
  });
});

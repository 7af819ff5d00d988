/**
 * The accessibility of the docs pages: without a script, in the dark scheme, on a phone, by keyboard and by screen
 * reader.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ALL_PAGES, logIn, named, sectionOf, skip, startVisits, type Visits } from '../docs/browser.ts';

let visits: Visits;
before(async () => {
  if (!skip) visits = await startVisits();
});
after(() => visits?.stop());

/** Contrast of each visible text against what is behind it, where it is below AA: 4.5, or 3 for large text. */
function faintTexts(): string[] {
  const numbers = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = numbers(color).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (start: Element): string => {
    for (let at: Element | null = start; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (numbers(color)[3] !== 0) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const faint = new Set<string>();
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    if (!hasText || !element.checkVisibility()) continue;
    const { color, fontSize } = getComputedStyle(element);
    const [one = 0, other = 0] = [luminance(color), luminance(behind(element))].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < (Number.parseFloat(fontSize) >= 24 ? 3 : 4.5))
      faint.add(`${element.tagName}.${element.className} ${contrast.toFixed(2)}`);
  }
  return [...faint];
}

/**
 * Headings that skip a level, fields without a label, buttons without a name, anchors that lead nowhere, ids given
 * twice.
 */
function faultsOf(): string[] {
  const faults: string[] = [];
  let level = 0;
  for (const heading of document.querySelectorAll('main :is(h1, h2, h3, h4)')) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) faults.push(`${heading.tagName} after H${level}: ${heading.textContent}`);
    level = next;
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input, select, textarea'))
    if (!field.labels?.[0]?.textContent?.trim()) faults.push(`no label: ${field.outerHTML}`);
  for (const button of document.querySelectorAll('button, summary, a'))
    if (!button.textContent?.trim()) faults.push(`no name: ${button.outerHTML}`);
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    const id = decodeURIComponent(link.getAttribute('href')?.slice(1) ?? '');
    if (!document.getElementById(id)) faults.push(`leads nowhere: #${id}`);
  }
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) faults.push(`twice: #${id}`);
  if (!document.documentElement.lang || !document.title) faults.push('no language or title');
  return faults;
}

const openAll = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });

/** What a page refers to. */
const addressesOf = (): string[] =>
  [...document.querySelectorAll('[href], [src]')].map(
    (one) => one.getAttribute('href') ?? one.getAttribute('src') ?? '',
  );

/** What was found on a page; each page is opened once. */
interface Findings {
  headings: number;
  addresses: string[];
  faults: string[];
  faint: Record<'light' | 'dark', string[]>;
  /** In a window of 360 pixels. */
  width: number;
}

async function findingsOf(page: Page): Promise<Findings> {
  const [headings, addresses] = [await page.locator('h1').count(), await page.evaluate(addressesOf)];
  const faults = await page.evaluate(faultsOf);
  await openAll(page);
  const light = await page.evaluate(faintTexts);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await page.evaluate(faintTexts);
  await page.setViewportSize({ width: 360, height: 740 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  return { headings, addresses, faults, faint: { light, dark }, width };
}

describe(named('all docs pages'), { skip }, () => {
  const found: Record<string, Findings> = {};
  /** What is wrong, by page. */
  const wrong = <T>(of: (one: Findings) => T[]): Record<string, T[]> =>
    Object.fromEntries(Object.entries(found).flatMap(([path, one]) => (of(one).length > 0 ? [[path, of(one)]] : [])));

  it('come from the service alone, without an error or a refusal of the policy', async () => {
    for (const path of ALL_PAGES)
      await visits.visit(path, async (page) => {
        found[path] = await findingsOf(page);
      });

    assert.equal(Object.keys(found).length, new Set(ALL_PAGES).size);
    const isOurs = (address: string): boolean => /^(\/(docs|openapi\.json)|#|data:,$)/.test(address);
    assert.deepEqual(
      wrong(({ addresses }) => addresses.filter((one) => !isOurs(one))),
      {},
    );
  });

  it('have one heading of the first level', () => {
    assert.deepEqual(
      wrong(({ headings }) => (headings === 1 ? [] : [headings])),
      {},
    );
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`have enough contrast when they are ${colorScheme}`, () => {
      assert.deepEqual(
        wrong(({ faint }) => faint[colorScheme]),
        {},
      );
    });
  }

  it('never scroll sideways on a phone of 360 pixels', () => {
    assert.deepEqual(
      wrong(({ width }) => (width > 360 ? [width] : [])),
      {},
    );
  });

  it('have their headings in order, a label for every field, and anchors that lead somewhere', () => {
    assert.deepEqual(
      wrong(({ faults }) => faults),
      {},
    );
  });
});

describe(named('the docs pages'), { skip }, () => {
  it('are readable without a script', async () => {
    await visits.visit(
      '/docs/reference/metrics',
      async (page) => {
        const create = sectionOf(page, 'POST', /\/v1\/metrics\/(\{timeRange\}|day)/);

        assert.match(await create.innerText(), /startBusinessDate[\s\S]*span_too_long/);
        assert.equal(await page.getByRole('button').count(), 0);
      },
      { javaScriptEnabled: false },
    );
  });

  it('are dark if the reader prefers it', async () => {
    const grounds: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await visits.visit(
        '/docs',
        async (page) => {
          grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
        },
        { colorScheme },
      );
    }

    assert.deepEqual(grounds, ['rgb(253, 252, 251)', 'rgb(23, 21, 19)']);
  });

  it('can be used with the keyboard alone', async () => {
    await visits.visit('/docs/reference/operations', async (page) => {
      await page.keyboard.press('Tab');
      const first = await page.evaluate(() => document.activeElement?.textContent);
      await logIn(page);
      const summary = sectionOf(page, 'GET', /\/livez/).locator('summary', { hasText: 'Try it' });
      await summary.focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');

      await sectionOf(page, 'GET', /\/livez/)
        .getByText('200 OK')
        .waitFor();
      assert.equal(first, 'Skip to the content');
    });
  });

  it('do not move on a phone while their forms are loaded', async () => {
    for (const path of ['/docs/reference/check', '/docs/reference/menu'])
      await visits.visit(
        path,
        async (page) => {
          await page.route('**/try.js', async (route) => {
            await new Promise((resolve) => setTimeout(resolve, 400));
            await route.continue();
          });
          await page.reload();
          await page.locator('.try summary').first().waitFor();
          const moved = await page.evaluate(async () => {
            let sum = 0;
            const observer = new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
            });
            observer.observe({ type: 'layout-shift', buffered: true });
            for (let frame = 0; frame < 5; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
            return sum;
          });
          assert.ok(moved < 0.1, `${path} moves by ${moved}`);
        },
        { viewport: { width: 412, height: 823 }, isMobile: true },
      );
  });
});

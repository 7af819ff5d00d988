/**
 * `npm run docs:pictures`: the screens of the console as PNG, from the sample restaurants. All of them, in both
 * schemes, on a desk and on a phone, go to `.cache/pictures/`; the four that README and docs show go to
 * `docs/pictures/`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { PEACHTREE, settled, startConsole, visit } from './console.ts';
import { readPng, writeIndexedPng } from './indexed-png.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ALL = join(ROOT, '.cache/pictures');
const SHOWN = join(ROOT, 'docs/pictures');

const SCREENS: Record<string, string> = {
  overview: '/',
  'overview-28-days': '/?span=28',
  restaurants: '/restaurants',
  restaurant: `/restaurants/${PEACHTREE}?span=28`,
  checks: `/restaurants/${PEACHTREE}/checks`,
  settings: `/restaurants/${PEACHTREE}/settings`,
  compare: '/compare',
  labor: '/labour',
  menu: '/menu',
  reports: '/reports',
  'new-report': '/reports/new',
  data: '/data',
  import: '/data/import',
  connections: '/data/connections',
  connect: '/data/connections/new',
  access: '/access/clients',
  sessions: '/access/sessions',
  keys: '/access/keys',
  webhook: '/access/webhook',
  limits: '/access/limits',
  audit: '/access/audit',
  more: '/more',
  health: '/health',
};
/** The pictures of the docs, and what they are there. */
const BEST: Record<string, string> = {
  'overview-1440-light': 'overview',
  'restaurant-1440-light': 'restaurant',
  'restaurant-1440-dark': 'restaurant-dark',
  'overview-390-dark': 'overview-phone',
};

/**
 * Enough for the edges of letters: with 128 colours a picture of a screen takes 75 to 120 kB, a third of what it takes
 * with all.
 */
const COLOURS = 128;
const HEIGHT = 900;

/**
 * The whole page. Fixed bars would be in the middle of a picture that is higher than the window; and some tables grow
 * with it.
 */
async function pictureOf(page: Page, width: number): Promise<Buffer> {
  let height = HEIGHT;
  for (let look = 0; look < 4; look++) {
    const needed = await page.evaluate(() => document.documentElement.scrollHeight);
    if (needed <= height) break;
    height = needed;
    await page.setViewportSize({ width, height });
    await settled(page);
  }
  return writeIndexedPng(readPng(await page.screenshot()), COLOURS);
}

mkdirSync(ALL, { recursive: true });
mkdirSync(SHOWN, { recursive: true });
const visits = await startConsole(90);
try {
  for (const width of [1440, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, close } = await visits.open('/', {
        viewport: { width, height: HEIGHT },
        colorScheme,
        locale: 'en-GB',
      });
      for (const [name, path] of Object.entries(SCREENS)) {
        await page.setViewportSize({ width, height: HEIGHT });
        await visit(page, path);
        const file = `${name}-${width}-${colorScheme}`;
        const picture = await pictureOf(page, width);
        writeFileSync(join(ALL, `${file}.png`), picture);
        const best = BEST[file];
        if (best) writeFileSync(join(SHOWN, `${best}.png`), picture);
      }
      await close();
    }
  }
  console.log(`The pictures are in ${ALL}; those of the docs in ${SHOWN}.`);
} finally {
  await visits.stop();
}

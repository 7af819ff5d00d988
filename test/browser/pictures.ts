/**
 * `npm run docs:pictures`: the screens of the console as PNG, from the sample restaurants. All of them, in both schemes, on a desk and on
 * a phone, go to `.cache/pictures/`; the four that README and docs show go to `docs/pictures/`.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PEACHTREE, startConsole, visit } from './console.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ALL = join(ROOT, '.cache/pictures');
const SHOWN = join(ROOT, 'docs/pictures');

const SCREENS: Record<string, string> = {
  overview: '/',
  'overview-28-days': '/?span=28',
  restaurants: '/restaurants',
  restaurant: `/restaurants/${PEACHTREE}`,
  checks: `/restaurants/${PEACHTREE}/checks`,
  settings: `/restaurants/${PEACHTREE}/settings`,
  compare: '/compare',
  labour: '/labour',
  menu: '/menu',
  reports: '/reports',
  'new-report': '/reports/new',
  data: '/data',
  import: '/data/import',
  access: '/access/clients',
  health: '/health',
};
/** The pictures of the docs, and what they are there. */
const BEST: Record<string, string> = {
  'overview-1440-light': 'overview',
  'restaurant-1440-light': 'restaurant',
  'restaurant-1440-dark': 'restaurant-dark',
  'overview-390-dark': 'overview-phone',
};

mkdirSync(ALL, { recursive: true });
mkdirSync(SHOWN, { recursive: true });
const visits = await startConsole(90);
try {
  for (const width of [1440, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, close } = await visits.open('/', {
        viewport: { width, height: 900 },
        colorScheme,
        locale: 'en-GB',
      });
      for (const [name, path] of Object.entries(SCREENS)) {
        await page.setViewportSize({ width, height: 900 });
        await visit(page, path);
        // A picture of the whole page would have fixed bars in its middle.
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize({ width, height });
        const file = `${name}-${width}-${colorScheme}`;
        await page.screenshot({ path: join(ALL, `${file}.png`) });
        const best = BEST[file];
        if (best) copyFileSync(join(ALL, `${file}.png`), join(SHOWN, `${best}.png`));
      }
      await close();
    }
  }
  console.log(`The pictures are in ${ALL}; those of the docs in ${SHOWN}.`);
} finally {
  await visits.stop();
}

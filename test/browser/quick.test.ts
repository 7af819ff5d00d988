/**
 * What `npm test` asks of the pages in a real browser: every screen of the console opens, and the docs call the
 * service. The rest of what people do with them is in the files `*.browser.ts`.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { DEMO_RESTAURANTS } from '../../packages/service/src/demo/restaurants.ts';
import { logIn, named, sectionOf, skip } from '../docs/browser.ts';
import { type ConsoleVisits, SCREENS, startConsole, visit } from './console.ts';

const BUILT = fileURLToPath(new URL('../../packages/service/static/console/', import.meta.url));

/** Compressed sizes of the built files, by name. */
const sizes = (): Map<string, number> =>
  new Map(readdirSync(BUILT).map((name) => [name, gzipSync(readFileSync(BUILT + name), { level: 9 }).length]));

describe('the built files of the console', () => {
  it('are within their budgets: 50 kB for the first screen, 95 kB of scripts in all, 8 kB of styles', () => {
    const all = sizes();
    const page = readFileSync(`${BUILT}index.html`, 'utf8');
    const first = [...page.matchAll(/\/console\/([\w-]+\.js)/g)].map(([, name = '']) => name);
    const total = (names: string[]): number => names.reduce((sum, name) => sum + (all.get(name) ?? 0), 0);
    const ending = (text: string): string[] => [...all.keys()].filter((name) => name.endsWith(text));

    assert.ok(first.length >= 1 && total(first) <= 50_000, `${total(first)} of ${first}`);
    assert.ok(total(ending('.js')) <= 95_000, String(total(ending('.js'))));
    assert.ok(total(ending('.css')) <= 8000, String(total(ending('.css'))));
  });

  it('have no inline script or style, and no source of ours writes markup from text', () => {
    const page = readFileSync(`${BUILT}index.html`, 'utf8');
    assert.doesNotMatch(page, /<style|<script(?![^>]* src=)|style="/);
    const source = fileURLToPath(new URL('../../packages/console/src/', import.meta.url));
    const writers = readdirSync(source, { recursive: true })
      .map(String)
      .filter(
        (name) =>
          /\.tsx?$/.test(name) &&
          /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML/.test(readFileSync(source + name, 'utf8')),
      );
    assert.deepEqual(writers, []);
  });
});

let visits: ConsoleVisits;
before(async () => {
  // A week and the day to compare it with.
  if (!skip) visits = await startConsole(9);
});
after(() => visits?.stop());

describe(named('the console'), { skip }, () => {
  it('opens every address cold, breaks no policy and calls no other host', async () => {
    const { page, faults, close } = await visits.open('/');
    const heads: Record<string, string> = {};
    try {
      for (const path of SCREENS) {
        await visit(page, path);
        heads[path] = await page.locator('h1').first().innerText();
        assert.match(await page.title(), / · Daypart$/);
      }
    } finally {
      await close();
    }
    assert.deepEqual(faults, []);
    assert.deepEqual(
      Object.entries(heads).filter(([, head]) => head === '' || head.startsWith('There is no')),
      [],
    );
  });
});

describe(named('the forms of the reference'), { skip }, () => {
  it('get a token, create a report, retrieve it and show its records', async () => {
    const { page, faults, close } = await visits.open('/');
    try {
      await page.goto(`${visits.service.origin}/docs/reference/metrics`);
      await logIn(page);
      const create = sectionOf(page, 'POST', /\/v1\/metrics\/(\{timeRange\}|day)/);
      const retrieve = sectionOf(page, 'GET', /\/v1\/metrics\/\{[a-z]*guid\}/i);

      await create.getByText('Try it').click();
      await create.getByRole('button', { name: 'Send' }).click();
      await create.getByRole('button', { name: 'Retrieve it' }).click();
      await retrieve.getByText('200 OK').waitFor();

      const text = await retrieve.getByLabel('Body of the answer').innerText();
      const records: { restaurantGuid: string }[] = JSON.parse(text);
      assert.equal(new Set(records.map(({ restaurantGuid }) => restaurantGuid)).size, DEMO_RESTAURANTS.length);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });
});

/** A real browser that opens the docs pages of a real service. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { readDocument } from '../../packages/service/src/docs-site/document.ts';
import { GUIDES } from '../../packages/service/src/docs-site/guide-list.ts';
import { referencePages, referencePath } from '../../packages/service/src/docs-site/reference-pages.ts';
import { CLIENT, type Demo, startDemo } from './demo.ts';

/** It takes a third less processor time than the whole browser, of the same engine. */
const HEADLESS = '/usr/bin/chromium-headless-shell';
export const CHROMIUM = process.env.DAYPART_CHROMIUM ?? (existsSync(HEADLESS) ? HEADLESS : '/usr/bin/chromium');

/** Why the tests with a browser are left out; false where they are not. */
export const skip: string | false =
  !existsSync(CHROMIUM) && `there is no ${CHROMIUM}: name a Chromium with DAYPART_CHROMIUM`;
// CI leaves nothing out in silence.
if (skip && process.env.CI === 'true') throw new Error(skip);

/** The name of tests with a browser: where they are left out, every report of them says so and why. */
export const named = (name: string): string => (skip ? `${name} (left out: ${skip})` : name);

const description = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
/** The pages of the reference. */
export const REFERENCE = referencePages(readDocument(JSON.parse(description))).map(({ name }) => referencePath(name));

export const ALL_PAGES = [
  ...['/docs', '/docs/reference', '/docs/problems', '/docs/problems/span_too_long'],
  ...REFERENCE,
  ...GUIDES.map(({ name }) => `/docs/${name}`),
];

export interface Visits {
  demo: Demo;
  /**
   * Opens a page for `look`; insists that it asked no other host and that the console has only the `expected` errors.
   */
  visit(path: string, look: (page: Page) => Promise<void>, options?: VisitOptions): Promise<void>;
  stop(): Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  expected?: RegExp;
}

export async function startVisits(): Promise<Visits> {
  assert.equal(skip, false);
  const demo = await startDemo();
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });

  async function visit(path: string, look: (page: Page) => Promise<void>, options: VisitOptions = {}): Promise<void> {
    const { expected, ...contextOptions } = options;
    const context = await browser.newContext(contextOptions);
    context.setDefaultTimeout(15_000);
    const faults: string[] = [];
    await context.route('**', (route) => {
      const { origin, protocol } = new URL(route.request().url());
      if (origin === demo.service.origin || protocol === 'data:') return route.continue();
      faults.push(`it asked ${origin}`);
      return route.abort();
    });
    const page = await context.newPage();
    // What the policy refuses is an error on the console too.
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !expected?.test(message.text())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(String(error)));
    try {
      const answer = await page.goto(demo.service.origin + path);
      assert.equal(answer?.status(), 200, path);
      await look(page);
      assert.deepEqual(faults, [], path);
    } finally {
      await context.close();
    }
  }

  return {
    demo,
    visit,
    async stop() {
      await browser.close();
      await demo.stop();
    },
  };
}

/** Fills in the credentials of the demo and waits for the token. */
export async function logIn(page: Page): Promise<void> {
  await page.getByLabel('Client id', { exact: true }).fill(CLIENT.id);
  await page.getByLabel('Client secret', { exact: true }).fill(CLIENT.secret);
  await page.getByRole('button', { name: 'Get a token' }).click();
  await page.getByText('A token for').waitFor();
}

/** The section of the operation of that method whose path matches as a whole. */
export const sectionOf = (page: Page, method: string, path: RegExp): Locator =>
  page
    .locator('section.operation')
    .filter({ has: page.locator(`.method.${method.toLowerCase()}`) })
    .filter({ has: page.locator('.path', { hasText: new RegExp(`^${path.source}$`, path.flags) }) });

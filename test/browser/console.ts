/** The console in a real browser, over a real service with the sample restaurants. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { ensureBootstrapClient } from '../../packages/service/src/access/clients.ts';
import { type Config, readConfig } from '../../packages/service/src/config/config.ts';
import { demoToday } from '../../packages/service/src/demo/demo.ts';
import type { openDuckdbFacts } from '../../packages/service/src/facts/duckdb/duckdb.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { type Service, startService } from '../../packages/service/src/serve.ts';
import { openStores } from '../../packages/service/src/stores.ts';
import { browserEnvironment, isClockSet } from '../clock.ts';
import { CHROMIUM, skip } from '../docs/browser.ts';
import { CLIENT, putTrade } from '../docs/demo.ts';

export { CLIENT };
export const PEACHTREE = 'b27c94d3-e15f-4a08-a3d9-60f8c1e7542b';
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Every screen that numbers or settings are on. */
export const SCREENS = [
  ...['/', '/?span=28', '/restaurants', `/restaurants/${PEACHTREE}`, `/restaurants/${PEACHTREE}/checks`],
  ...[`/restaurants/${PEACHTREE}/settings`, '/compare', '/labour', '/menu', '/reports', '/reports/new'],
  ...[
    '/data',
    '/data/import',
    '/data/connections',
    '/data/connections/new',
    '/access/clients',
    '/access/sessions',
    '/access/keys',
    '/access/webhook',
    '/access/limits',
    '/access/audit',
    '/health',
    '/more',
  ],
];

export interface ConsoleVisits {
  service: Service;
  /** The last business date with trade, YYYYMMDD. */
  lastDate: string;
  /** A page that is signed in; what the policy refuses, errors of scripts and calls of other hosts are in `faults`. */
  open(path: string, options?: BrowserContextOptions): Promise<Visit>;
  /** Stops the service, and starts it again on the same address. */
  pause(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  faults: string[];
  close(): Promise<void>;
}

/** The engine's process: stopping it is a real way to make it slow. */
export const enginePid = ({ service }: ConsoleVisits): number =>
  (service.stores.facts as Awaited<ReturnType<typeof openDuckdbFacts>>).enginePid();

export interface ConsoleOptions {
  settings?: Partial<Config>;
  /** Where the data folder is made; a new folder unless said otherwise. */
  folder?: string;
  log?: Logger;
  /** Further arguments of the browser. */
  browserArgs?: string[];
}

/** Starts a service with so many days of trade, or with nothing at all, its console on, and a browser. */
export async function startConsole(days: number, options: ConsoleOptions = {}): Promise<ConsoleVisits> {
  assert.equal(skip, false);
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'daypart-console-')));
  const log = options.log ?? openLog('silent');
  const config = {
    ...readConfig({}, {}),
    data: join(folder, 'data'),
    port: 0,
    metricsPort: undefined,
    sandbox: true,
    engineMemory: 512,
    limits: 'off' as const,
    ...options.settings,
  };
  const lastDate = days > 0 ? await putTrade(config, log, days) : demoToday(Date.now());
  const stores = await openStores(config, log);
  await ensureBootstrapClient(stores.ledger, CLIENT, Date.now());
  let service = await startService(config, log, stores);
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', ...(options.browserArgs ?? [])],
    env: browserEnvironment(),
  });

  const visits: ConsoleVisits = {
    service,
    lastDate: String(lastDate),
    async open(path, options = {}) {
      const visit = await openPage(browser, service.origin, options);
      await signIn(visit.page, service.origin, path);
      return visit;
    },
    async pause() {
      const port = Number(new URL(service.origin).port);
      await service.close();
      return async () => {
        service = await startService({ ...config, port }, log, await openStores(config, log));
        visits.service = service;
      };
    },
    async stop() {
      await browser.close();
      await service.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
    },
  };
  return visits;
}

/** A page of its own context, watched. */
export async function openPage(browser: Browser, origin: string, options: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(20_000);
  if (isClockSet) await context.clock.install({ time: Date.now() });
  const faults: string[] = [];
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== new URL(origin).origin && url.protocol !== 'data:' && url.protocol !== 'blob:')
      faults.push(`it called ${url.origin}`);
  });
  const page = await context.newPage();
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  page.on('console', (message) => {
    // A call that is refused is shown by the page; the browser notes it as well.
    if (['error', 'warning'].includes(message.type()) && !/Failed to load resource/.test(message.text()))
      faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  return { page, context, faults, close: () => context.close() };
}

/** Signs in with the secret, by way of the screen that was asked for. */
export async function signIn(page: Page, origin: string, path: string): Promise<void> {
  await page.goto(origin + path);
  await page.getByLabel('Client id').fill(CLIENT.id);
  await page.getByLabel('Client secret').fill(CLIENT.secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.frame').waitFor();
  await settled(page);
}

/** Waits until everything that a screen shows is there. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('.shape, progress, [aria-busy="true"]'));
}

/** YYYY-MM-DD, so many days from a business date. */
export function dashed(date: string, days: number): string {
  const at = new Date(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** The cents of the first amount in a text of the console: -12345 for "−$123.45", 123400 for "$1,234". */
export function centsShown(text = ''): number {
  const [, minus, amount = assert.fail(`no amount in ${text}`)] = /(−?)\p{Sc}([\d,]+(?:\.\d\d)?)/u.exec(text) ?? [];
  const cents = Math.round(Number(amount.replaceAll(',', '')) * 100);
  return minus === '' ? cents : -cents;
}

/** An access token of the client, as a program gets it. */
export const tokenOf = async (service: ConsoleVisits['service']): Promise<string> => {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
  });
  const answer = await fetch(`${service.origin}/oauth/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
};

/** Makes a restaurant and loads its orders, as a program does. */
export async function loadRestaurant(
  service: ConsoleVisits['service'],
  guid: string,
  about: object,
  orders: readonly object[],
): Promise<void> {
  const headers = { authorization: `Bearer ${await tokenOf(service)}`, 'content-type': 'application/json' };
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const url = `${service.origin}/v1/restaurants/${guid}${path}`;
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
    assert.ok(answer.ok, await answer.text());
  };
  await send('PUT', '', about);
  await send('POST', '/orders', orders);
}

/** Loads orders of Peachtree on the last date, each with a check of that status. */
export async function loadStatuses(
  { service, lastDate }: Pick<ConsoleVisits, 'service' | 'lastDate'>,
  statuses: string[],
): Promise<void> {
  const openedDate = `${dashed(lastDate, 0)}T15:00:00.000Z`;
  const guid = (kind: number, index: number): string => `0a4e000${kind}-0000-4000-8000-${`${index}`.padStart(12, '0')}`;
  const orders = statuses.map((paymentStatus, index) => ({
    guid: guid(1, index),
    openedDate,
    businessDate: Number(lastDate),
    checks: [{ guid: guid(2, index), paymentStatus, displayNumber: String(9000 + index), totalAmount: 10 }],
  }));
  const answer = await fetch(`${service.origin}/v1/restaurants/${PEACHTREE}/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOf(service)}`, 'content-type': 'application/json' },
    body: JSON.stringify(orders),
  });
  assert.ok(answer.ok, await answer.text());
}

/** The card with a heading. */
export const cardOf = (page: Page, heading: string): Locator =>
  page.locator('section.card').filter({ has: page.getByRole('heading', { name: heading, exact: true }) });

/** The GUID of the report that a card shows. */
export const reportOf = async (page: Page, heading: string): Promise<string> =>
  (await cardOf(page, heading).locator('a[data-report]').getAttribute('data-report')) ??
  assert.fail(`${heading} has no report`);

/** Presses the button, unless the card has tried again by itself just now. */
export const tryAgain = (page: Page): Promise<void> =>
  page
    .getByRole('button', { name: 'Try again' })
    .first()
    .click({ timeout: 2000 })
    .catch(() => undefined);

/** Goes to a screen within the page, as a link does. */
export async function visit(page: Page, path: string): Promise<void> {
  const { origin } = new URL(page.url());
  await page.goto(origin + path);
  await settled(page);
}

/**
 * What axe finds in both schemes, each line with its scheme: by every rule in the light one, in the dark one, which
 * differs in colours alone (tokens.css, docs.css), by those about colours.
 */
export async function axeInBoth(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [colorScheme, rules] of [
    ['light', undefined],
    ['dark', ['color-contrast', 'link-in-text-block']],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await axeFaults(page, rules)).map((fault) => `${colorScheme}: ${fault}`));
  }
  await page.emulateMedia({ colorScheme: null });
  return found;
}

/**
 * What axe finds by WCAG 2.2 AA, or by the named rules of it, in a line each. The page's policy allows no foreign
 * script, so axe comes with a bypass of it.
 */
export async function axeFaults(page: Page, only?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ path: AXE });
  return await page.evaluate(async (named) => {
    const axe = (globalThis as unknown as { axe: { run(options: object): Promise<{ violations: AxeViolation[] }> } })
      .axe;
    interface AxeViolation {
      id: string;
      nodes: { target: unknown; failureSummary: string }[];
    }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const runOnly = named ? { type: 'rule', values: named } : { type: 'tag', values: tags };
    // Off by default, though WCAG 2.2 AA has it.
    const rules = named ? {} : { 'target-size': { enabled: true } };
    // What passes is not wanted, which otherwise is gathered for every element.
    const { violations } = await axe.run({ runOnly, rules, resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary.split('\n')[1] ?? ''}`,
      ),
    );
  }, only);
}

/** Counts the streams of events that pages of the context open from now on. */
export function countStreams(context: BrowserContext): () => number {
  let streams = 0;
  context.on('request', (request) => {
    if (request.url().endsWith('/v1/events')) streams++;
  });
  return () => streams;
}

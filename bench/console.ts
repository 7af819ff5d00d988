/**
 * The console in Chromium: first paint, the whole overview, a click; and at the size of 1,000 restaurants and a year.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { readConfig } from '../packages/service/src/config/config.ts';
import { addDays, dashedDate } from '../packages/service/src/contract/dates.ts';
import { demoToday, loadDemo } from '../packages/service/src/demo/demo.ts';
import { DEMO_RESTAURANTS } from '../packages/service/src/demo/restaurants.ts';
import { openLog } from '../packages/service/src/log.ts';
import { openStores } from '../packages/service/src/stores.ts';
import { type Figure, figureOf, PAIRS } from './figures.ts';
import { TEMPLATE, withFolder } from './folders.ts';
import { fill } from './scale/fill.ts';
import { LAST_DATE, shapeOf } from './scale/shape.ts';
import { type BenchService, startService } from './service.ts';

export const CHROMIUM = process.env.DAYPART_CHROMIUM ?? '/usr/bin/chromium';
const BUILT = fileURLToPath(new URL('../packages/service/static/console/', import.meta.url));
const DAYS = 90;
const MEMORY_MB = 1024;
interface Loaded {
  firstPaintMs: number;
  completeMs: number;
  requests: number;
  bytes: number;
  heapBytes: number;
  /** The calls of the API under the base. */
  calls: Call[];
}
interface Call {
  method: string;
  path: string;
  body: string | null;
}

/** A page that is signed in, watched for what it sends. */
export async function openPage(browser: Browser, origin: string): Promise<{ page: Page; session: CDPSession }> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(origin);
  await page.getByLabel('Client id').fill('bench');
  await page.getByLabel('Client secret').fill('secret');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForFunction(completeAt, null, { timeout: 60_000 });
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Performance.enable');
  return { page, session };
}

/** Opens the overview, and measures until it is complete. */
async function load(
  { page, session }: { page: Page; session: CDPSession },
  origin: string,
  search = '',
): Promise<Loaded> {
  const calls: Call[] = [];
  const open = new Set<string>();
  let [requests, bytes] = [0, 0];
  const onRequest = ({
    requestId,
    request,
  }: {
    requestId: string;
    request: { method: string; url: string; postData?: string };
  }) => {
    if (request.url.startsWith('data:')) return;
    open.add(requestId);
    const path = request.url.replace(`${origin}/v1`, '');
    if (path !== request.url && path !== '/events')
      calls.push({ method: request.method, path, body: request.postData ?? null });
  };
  const onCached = ({ requestId }: { requestId: string }) => void open.delete(requestId);
  const onResponse = ({ requestId, response }: { requestId: string; response: { fromDiskCache?: boolean } }) => {
    if (response.fromDiskCache) open.delete(requestId);
  };
  const onFinished = ({ requestId, encodedDataLength }: { requestId: string; encodedDataLength: number }) => {
    if (!open.has(requestId)) return;
    requests++;
    bytes += encodedDataLength;
  };
  session.on('Network.requestWillBeSent', onRequest);
  session.on('Network.requestServedFromCache', onCached);
  session.on('Network.responseReceived', onResponse);
  session.on('Network.loadingFinished', onFinished);
  await page.goto(`${origin}/${search}`, { waitUntil: 'commit' });
  const completeMs = await page
    .waitForFunction(completeAt, null, { polling: 'raf', timeout: 60_000 })
    .then((at) => at.jsonValue());
  const firstPaintMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  );
  session.off('Network.requestWillBeSent', onRequest);
  session.off('Network.requestServedFromCache', onCached);
  session.off('Network.responseReceived', onResponse);
  session.off('Network.loadingFinished', onFinished);
  const { metrics } = await session.send('Performance.getMetrics');
  const heapBytes = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
  return { firstPaintMs, completeMs: Number(completeMs), requests, bytes, heapBytes, calls };
}

/** What of a page the functions below use, which run there. */
interface InPage {
  document: {
    querySelector(selector: string): object | null;
    querySelectorAll(selector: string): Iterable<{ textContent: string | null; click(): void }>;
  };
  requestAnimationFrame(then: (at: number) => void): void;
}

/** When the overview was complete, in milliseconds since the navigation began; false before. */
function completeAt(): number | false {
  const { document } = globalThis as unknown as InPage;
  const isComplete =
    document.querySelector('[data-figure="Net sales"]') !== null &&
    document.querySelector('section.card table') !== null &&
    document.querySelector('.shape, progress, [aria-busy="true"]') === null;
  return isComplete && performance.now();
}

/** The same calls by bare fetch, side by side as the page sends them: each create, then what is read of its report. */
async function bareMs(service: BenchService, calls: readonly Call[]): Promise<number> {
  const creates = calls.filter(({ method }) => method === 'POST');
  const reads = calls.filter(({ path }) => /[0-9a-f]{8}-[0-9a-f-]{27}/.test(path));
  const others = calls.filter((call) => !creates.includes(call) && !reads.includes(call));
  // Reports are read in the order in which they are completed: what is read by hour or source is of one that has them.
  const isSplit = ({ path, body }: Call): boolean =>
    /HOUR|DINING|SOURCE|businessHour|diningOption/.test(`${path} ${body}`);
  const readsOf = new Map([true, false].map((split) => [split, reads.filter((read) => isSplit(read) === split)]));
  const readOf = (create: Call): string | undefined => readsOf.get(isSplit(create))?.shift()?.path;
  const encoding = { 'accept-encoding': 'gzip' };
  const began = performance.now();
  await Promise.all([
    ...others.map(async ({ method, path }) => (await service.call(method, path, undefined, encoding)).json()),
    ...creates.map(async (create) => {
      const wanted = readOf(create);
      const guid = String(await (await service.call('POST', create.path, create.body ?? '{}')).json());
      const read = wanted?.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, guid) ?? `/metrics/${guid}`;
      await (await service.retrieve(read)).json();
    }),
  ]);
  return performance.now() - began;
}

const goalOf = (value: number): Figure['goal'] => ({ at: 'most', value });
export const alone = (figure: string, goal: number, values: readonly number[], note?: string): Figure =>
  figureOf(
    { figure, beside: '', compared: 'alone', goal: goalOf(goal), ...(note === undefined ? {} : { note }) },
    values.map((ours) => ({ ours, limit: null })),
  );

/** Sizes of the built files: the scripts that the page begins with, and all of them, gzipped, in kB. */
function builtFigures(): Figure[] {
  const page = readFileSync(join(BUILT, 'index.html'), 'utf8');
  const size = (name: string): number => gzipSync(readFileSync(join(BUILT, name)), { level: 9 }).length / 1000;
  const scripts = readdirSync(BUILT).filter((name) => name.endsWith('.js'));
  const sum = (names: readonly string[]): number => names.reduce((total, name) => total + size(name), 0);
  return [
    alone('console: scripts of the first screen, kB gzipped', 50, [sum(scripts.filter((name) => page.includes(name)))]),
    alone('console: all scripts, kB gzipped', 95, [sum(scripts)]),
  ];
}

/** Milliseconds from a click to the second frame after it: the first that shows what it changed. */
const clickMs = (page: Page, name: string): Promise<number> =>
  page.evaluate(async (wanted) => {
    const { document, requestAnimationFrame: draw } = globalThis as unknown as InPage;
    const buttons = [...document.querySelectorAll('button')];
    const button = buttons.find(({ textContent }) => textContent?.trim() === wanted);
    const frame = () => new Promise((resolve) => draw.call(globalThis, resolve));
    const began = performance.now();
    button?.click();
    await frame();
    await frame();
    return performance.now() - began;
  }, name);

async function loadSample(data: string): Promise<{ restaurant: string; date: number }> {
  const config = { ...readConfig({}, {}), data, engineMemory: MEMORY_MB };
  const stores = await openStores(config, openLog('silent'));
  const today = demoToday(Date.now());
  const since = addDays(today, -DAYS);
  const { lastDate } = await loadDemo(stores, { group: 'bench', today, since, progress: () => undefined });
  await stores.close();
  return { restaurant: DEMO_RESTAURANTS[0]?.guid ?? '', date: lastDate };
}

/** One more order: the data have changed, and no report of before answers for them. */
async function changeData(service: BenchService, restaurant: string, date: number, nth: number): Promise<void> {
  const guid = `0d000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
  const order = { guid, openedDate: `${dashedDate(date)}T17:05:00.000+0000`, businessDate: date, checks: [] };
  await service.call('POST', `/restaurants/${restaurant}/orders`, JSON.stringify([order]));
}

/** The overview of the sample restaurants. */
export const consoleFigures = (): Promise<Figure[]> =>
  withFolder(async (folder) => {
    const data = join(folder, 'data');
    const sample = await loadSample(data);
    const service = await startService(data);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const { origin } = new URL(service.baseUrl);
      const opened = await openPage(browser, origin);
      const fresh: Loaded[] = [];
      const reused: Loaded[] = [];
      const bare: number[] = [];
      const clicks: number[] = [];
      const filters: number[] = [];
      for (let pair = 0; pair < PAIRS; pair++) {
        await changeData(service, sample.restaurant, sample.date, pair);
        const first = await load(opened, origin);
        fresh.push(first);
        bare.push(await bareMs(service, first.calls));
        reused.push(await load(opened, origin));
        await opened.page.getByRole('button', { name: '7 days' }).click();
        await opened.page.waitForFunction(completeAt);
        clicks.push(await clickMs(opened.page, 'Day'), await clickMs(opened.page, '7 days'));
        await clickMs(opened.page, 'Day');
        // The first click reads what only the filter needs.
        await opened.page.locator('.dayparts button', { hasText: 'Lunch' }).click();
        await opened.page.waitForFunction(completeAt);
        filters.push(await clickMs(opened.page, 'Lunch'), await clickMs(opened.page, 'Lunch'));
        await clickMs(opened.page, 'Lunch');
      }
      return [
        alone(
          'console: first paint of the overview, ms',
          300,
          fresh.map(({ firstPaintMs }) => firstPaintMs),
        ),
        figureOf(
          {
            figure: 'console: all of the overview after a load, ms',
            beside: 'the same calls by bare fetch',
            compared: 'alone',
            goal: goalOf(1000),
          },
          fresh.map(({ completeMs }, at) => ({ ours: completeMs, limit: bare[at] ?? null })),
        ),
        alone(
          'console: all of the overview, data unchanged, ms',
          400,
          reused.map(({ completeMs }) => completeMs),
        ),
        alone('console: click to paint with the data in hand, ms', 100, clicks),
        alone('console: overview filtered by a click with the data in hand, ms', 100, filters),
        alone(
          'console: requests of the overview, files in the cache',
          10,
          fresh.map(({ requests }) => requests),
        ),
        alone(
          'console: bytes of the overview over the wire, kB',
          100,
          fresh.map(({ bytes }) => bytes / 1000),
        ),
        ...builtFigures(),
      ];
    } finally {
      await browser.close();
      await service.stop();
    }
  });

/** The overview of 1,000 restaurants and 366 dates after a load: every report of it is gathered. */
export const consoleSize = (): Promise<Figure[]> =>
  withFolder(async (folder) => {
    const [data = '', factsCopy = '', parquet = ''] = ['data', 'copy', 'parquet'].map((name) => join(folder, name));
    await fill(shapeOf(1), { data, factsCopy, parquet }, MEMORY_MB);
    const service = await startService(data);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const { origin } = new URL(service.baseUrl);
      const opened = await openPage(browser, origin);
      const loads: Loaded[] = [];
      for (let run = 0; run < PAIRS; run++) {
        // Without a change the reports of the run before would answer, and the browser has their sums.
        await changeData(service, TEMPLATE.guid, LAST_DATE, run);
        loads.push(await load(opened, origin, '?span=custom&from=2024-01-01&to=2024-12-31'));
      }
      return [
        alone(
          'console: overview of 1,000 restaurants × 366 dates after a load, ms',
          2000,
          loads.map(({ completeMs }) => completeMs),
        ),
        alone(
          'console: its bytes over the wire, kB',
          1000,
          loads.map(({ bytes }) => bytes / 1000),
        ),
        alone(
          'console: its heap, MB',
          60,
          loads.map(({ heapBytes }) => heapBytes / 1e6),
        ),
      ];
    } finally {
      await browser.close();
      await service.stop();
    }
  });

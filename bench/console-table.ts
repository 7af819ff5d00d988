/** A table of 10,000 checks in Chromium: frames while it is scrolled, and how long it takes to sort it. */
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { dashedDate } from '../packages/service/src/contract/dates.ts';
import { alone, CHROMIUM, openPage } from './console.ts';
import { type Figure, PAIRS } from './figures.ts';
import { LAST_DATE, TEMPLATE, withFolder } from './folders.ts';
import { ndjson, postRecords, putRestaurant, startService } from './service.ts';

const CHECKS = 10_000;
/** Frames of a scroll through all rows: 2 s at 60 a second, 83 rows each. */
const FRAMES = 120;
/** The heads of the table that are clicked, by their titles: numbers, times and texts. */
const HEADS = ['Total', 'Paid', 'Server'];

/** The n-th order, with one check. */
function orderOf(n: number): object {
  const openedDate = `${dashedDate(LAST_DATE)}T${String(12 + (n % 10)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}:00.000+0000`;
  const guid = (kind: string): string => `${kind}000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const price = ((n * 7919) % CHECKS) / 100;
  const check = {
    guid: guid('0c'),
    displayNumber: String(n),
    openedDate,
    paidDate: openedDate,
    paymentStatus: 'CLOSED',
    totalAmount: price,
    taxAmount: 0,
    selections: [{ preDiscountPrice: price, price }],
  };
  return { guid: guid('0b'), displayNumber: String(n), openedDate, businessDate: LAST_DATE, checks: [check] };
}

/** What of a page the functions below use, which run there. */
interface InPage {
  document: {
    querySelector(selector: string): { scrollTop: number; scrollHeight: number; clientHeight: number } | null;
    querySelectorAll(selector: string): Iterable<{
      textContent: string | null;
      click(): void;
      closest(selector: string): { getAttribute(name: string): string | null } | null;
    }>;
  };
  requestAnimationFrame(then: (at: number) => void): void;
}

/** Scrolls from the first row to the last; answers the longest time between two frames, in milliseconds. */
const slowestFrame = (page: Page, frames: number): Promise<number> =>
  page.evaluate(async (count) => {
    const { document, requestAnimationFrame: draw } = globalThis as unknown as InPage;
    const box = document.querySelector('.windowed');
    if (!box) throw new Error('there is no table');
    const frame = () => new Promise<number>((resolve) => draw.call(globalThis, resolve));
    box.scrollTop = 0;
    await frame();
    let before = await frame();
    let slowest = 0;
    for (let step = 1; step <= count; step++) {
      box.scrollTop = ((box.scrollHeight - box.clientHeight) * step) / count;
      const at = await frame();
      slowest = Math.max(slowest, at - before);
      before = at;
    }
    return slowest;
  }, frames);

/**
 * Milliseconds from a click on the head to the second frame after it, which shows the rows in their new order. Throws
 * where nothing is sorted.
 */
const sortMs = (page: Page, title: string): Promise<number> =>
  page.evaluate(async (wanted) => {
    const { document, requestAnimationFrame: draw } = globalThis as unknown as InPage;
    const button = [...document.querySelectorAll('.windowed th button')].find(({ textContent }) =>
      textContent?.trim().startsWith(wanted),
    );
    const orderOf = () => button?.closest('th')?.getAttribute('aria-sort');
    const order = orderOf();
    const frame = () => new Promise((resolve) => draw.call(globalThis, resolve));
    const began = performance.now();
    button?.click();
    await frame();
    await frame();
    const took = performance.now() - began;
    if (orderOf() === order) throw new Error(`the table was not sorted by ${wanted}`);
    return took;
  }, title);

/** The table of the checks of a restaurant. */
export const consoleTable = (): Promise<Figure[]> =>
  withFolder(async (folder) => {
    const service = await startService(join(folder, 'data'));
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      await putRestaurant(service, TEMPLATE);
      const orders = Array.from({ length: CHECKS }, (_, at) => orderOf(at + 1));
      await postRecords(service, TEMPLATE.guid, 'orders', ndjson(orders));
      const { origin } = new URL(service.baseUrl);
      const { page } = await openPage(browser, origin);
      await page.goto(`${origin}/restaurants/${TEMPLATE.guid}/checks`);
      await page.getByRole('heading', { name: '10,000 checks' }).waitFor();
      const [frames, sorts]: [number[], number[]] = [[], []];
      for (let run = 0; run < PAIRS; run++) {
        frames.push(await slowestFrame(page, FRAMES));
        for (const title of HEADS) sorts.push(await sortMs(page, title));
      }
      return [
        alone('console: slowest frame of a scroll through 10,000 checks, ms', 50, frames),
        alone('console: click to the 10,000 checks sorted and painted, ms', 100, sorts),
      ];
    } finally {
      await browser.close();
      await service.stop();
    }
  });

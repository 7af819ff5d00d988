/** The console with many data: 10,000 checks in a table, a report that is followed until it is ready, seven tabs. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import {
  axeFaults,
  type ConsoleVisits,
  countStreams,
  enginePid,
  settled,
  startConsole,
  tokenOf,
  visit,
} from './console.ts';

const BISTRO = 'b1500000-0000-4000-8000-000000000001';
const DATE = '20260324';
const CHECKS = 10_000;
/** What may be in the document at once: what is seen, and some above and below. */
const MOST_ROWS = 100;

let visits: ConsoleVisits;
let token: string;

async function call(method: string, path: string, body: string, type = 'application/json'): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  const answer = await fetch(`${visits.service.baseUrl}${path}`, { method, headers, body });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  return await answer.json();
}

/** The n-th order of the date: its check has the number n and costs n cents. */
function orderOf(n: number): object {
  const openedDate = `2026-03-24T${String(12 + (n % 10)).padStart(2, '0')}:05:00.000-0400`;
  const guid = (kind: string): string => `${kind}000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const price = n / 100;
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
  return { guid: guid('0b'), displayNumber: String(n), openedDate, businessDate: Number(DATE), checks: [check] };
}

before(async () => {
  if (skip) return;
  visits = await startConsole(0);
  token = await tokenOf(visits.service);
  const bistro = { name: 'Bistro', timeZone: 'America/New_York', currencyCode: 'USD' };
  await call('PUT', `/restaurants/${BISTRO}`, JSON.stringify(bistro));
  const orders = Array.from({ length: CHECKS }, (_, at) => JSON.stringify(orderOf(at + 1)));
  await call('POST', `/restaurants/${BISTRO}/orders`, orders.join('\n'), 'application/x-ndjson');
});
after(() => visits?.stop());

const numberOf = (text: string | undefined): number => Number((text ?? '').replace(/[^\d.]/g, ''));

/** The rows that are in the document: their places among all rows, and the numbers of their checks. */
const rowsOf = (page: Page) =>
  page.locator('.windowed tbody tr[aria-rowindex]').evaluateAll((rows) =>
    rows.map((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      const box = row.closest('.windowed')?.getBoundingClientRect();
      const isSeen = box !== undefined && bottom > box.top && top < box.bottom;
      return { place: Number(row.getAttribute('aria-rowindex')), check: row.querySelector('th')?.textContent, isSeen };
    }),
  );

describe(named('a table of 10,000 checks'), { skip }, () => {
  it('is used by keys: it says how many rows it has, and keeps few of them in the document', async () => {
    const { page, faults, close } = await visits.open(`/restaurants/${BISTRO}/checks`, { bypassCSP: true });
    try {
      await page.getByRole('heading', { name: '10,000 checks' }).waitFor();
      const table = page.getByRole('region', { name: 'Table of checks' });
      assert.equal(await table.getByRole('table').getAttribute('aria-rowcount'), String(CHECKS + 1));
      await table.focus();
      for (const [key, first] of [
        ['End', CHECKS + 1],
        ['Home', 2],
        ['PageDown', undefined],
      ] as const) {
        await page.keyboard.press(key);
        // A press scrolls smoothly: until the rows of the end, of the beginning or of the next page are seen.
        await page.waitForFunction(
          (index) => {
            const rows = [...document.querySelectorAll('.windowed tbody tr[aria-rowindex]')];
            const box = document.querySelector('.windowed')?.getBoundingClientRect();
            const seen = rows.filter((row) => {
              const { top, bottom } = row.getBoundingClientRect();
              return box !== undefined && bottom > box.top + 1 && top < box.bottom - 1;
            });
            const places = seen.map((row) => Number(row.getAttribute('aria-rowindex')));
            return index === undefined ? Math.min(...places) > 5 : places.includes(index);
          },
          first,
          { timeout: 20_000 },
        );
        const rows = await rowsOf(page);
        assert.ok(rows.length <= MOST_ROWS, `${rows.length} rows in the document after ${key}`);
        // Rows follow each other without a gap.
        assert.deepEqual(
          rows.map(({ place: index }) => index),
          rows.map((_, at) => (rows[0]?.place ?? 0) + at),
        );
      }
      assert.deepEqual(await axeFaults(page), []);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('has the right check in each row, wherever it is scrolled to', async () => {
    const { page, close } = await visits.open(`/restaurants/${BISTRO}/checks?sort=-total`);
    try {
      await page.getByRole('heading', { name: '10,000 checks' }).waitFor();
      const wrong = await page.evaluate(async (checks) => {
        const box = document.querySelector('.windowed') as HTMLElement;
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        const found: string[] = [];
        const seen = new Set<number>();
        for (let step = 0; step <= 40; step++) {
          // The steps are not whole pages, and go back and forth.
          box.scrollTop = ((step * 17) % 41) * (box.scrollHeight / 41.3);
          await frame();
          await frame();
          const rows = [...box.querySelectorAll('tbody tr[aria-rowindex]')];
          if (rows.length < 10 || rows.length > 100) found.push(`${rows.length} rows at step ${step}`);
          for (const row of rows) {
            const index = Number(row.getAttribute('aria-rowindex'));
            const check = row.querySelector('th')?.textContent;
            if (check !== String(checks + 2 - index)) found.push(`check ${check} in row ${index}`);
            seen.add(index);
          }
        }
        if (seen.size < 600) found.push(`${seen.size} rows in all`);
        return found;
      }, CHECKS);
      assert.deepEqual(wrong, []);
    } finally {
      await close();
    }
  });

  it('is ordered by a column, and searched in place of the search of the browser', async () => {
    const { page, close } = await visits.open(`/restaurants/${BISTRO}/checks`);
    try {
      await page.getByRole('heading', { name: '10,000 checks' }).waitFor();
      await page.getByRole('columnheader', { name: 'Total' }).getByRole('button').click();
      await page.locator('th[aria-sort="descending"]').waitFor();
      const seen = (await rowsOf(page)).map(({ check }) => numberOf(check ?? ''));
      assert.deepEqual(seen.slice(0, 3), [CHECKS, CHECKS - 1, CHECKS - 2]);
      assert.ok(seen.length <= MOST_ROWS, `${seen.length} rows in the document`);
      // The rows change below the button, which keeps the focus: a second press turns the order round, from the first
      // row again.
      const isFocused = () => page.evaluate(() => document.activeElement?.textContent?.startsWith('Total'));
      assert.equal(await isFocused(), true);
      await page.locator('.windowed').evaluate((box) => box.scrollTo(0, box.scrollHeight / 2));
      await page.keyboard.press('Enter');
      await page.locator('th[aria-sort="ascending"]').waitFor();
      assert.equal(await isFocused(), true);
      await page.locator('.windowed').evaluate((box) => box.scrollTo(0, 0));
      await page.locator('tr[aria-rowindex="2"]').waitFor();
      const turned = (await rowsOf(page)).map(({ check }) => numberOf(check ?? ''));
      assert.deepEqual(turned.slice(0, 3), [1, 2, 3]);
      assert.ok(turned.length <= MOST_ROWS, `${turned.length} rows in the document`);
      await page.getByRole('searchbox', { name: /Search checks/ }).fill('9876');
      await page.getByRole('heading', { name: '1 check', exact: true }).waitFor();
      assert.deepEqual(
        (await rowsOf(page)).map(({ check }) => check),
        ['9876'],
      );
    } finally {
      await close();
    }
  });
});

/** Records what the page says of the progress of a report, each different text once, in the page itself. */
const recordProgress = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const told: string[] = [];
    const look = (): void => {
      const bar = document.querySelector('progress');
      const words = bar?.closest('[role="status"]')?.querySelector('b')?.textContent;
      const text = bar ? `${words} | ${bar.getAttribute('value')}` : undefined;
      if (text !== undefined && text !== told.at(-1)) told.push(text);
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    look();
    Object.assign(globalThis, { told });
  });

describe(named('the page of a report'), { skip }, () => {
  it('says how far a report is in words and by a bar that only grows, and then that it is completed', async () => {
    const { page, faults, close } = await visits.open('/reports', { bypassCSP: true });
    const pid = enginePid(visits);
    try {
      process.kill(pid, 'SIGSTOP');
      // A year, so that its rows and its form are made one after the other.
      const year = { startBusinessDate: '20250401', endBusinessDate: '20260331' };
      const guid = await call('POST', '/check/year', JSON.stringify(year));
      await page.goto(`${visits.service.origin}/reports/${guid}`);
      await page.getByRole('progressbar', { name: 'Progress of the report' }).waitFor();
      await recordProgress(page);
      // The engine runs for moments, so that each step lasts long enough to be seen.
      const completed = page.getByText('The report is completed, 10,000 rows.');
      for (let moment = 0; (await completed.count()) === 0; moment++) {
        assert.ok(moment < 600, 'the report was not completed');
        process.kill(pid, 'SIGCONT');
        await page.waitForTimeout(15);
        process.kill(pid, 'SIGSTOP');
        await page.waitForTimeout(60);
      }
      process.kill(pid, 'SIGCONT');
      const told = await page.evaluate(() => (globalThis as unknown as { told: string[] }).told);
      const percents = told.flatMap((text) => {
        const [, words, bar] = /^Gathering, (\d+) % \| (\d+)$/.exec(text) ?? [];
        if (text !== 'Gathering | null') assert.equal(words, bar, text);
        return bar === undefined ? [] : [Number(bar)];
      });
      assert.ok(
        percents.some((percent) => percent > 0 && percent < 100),
        told.join('; '),
      );
      assert.deepEqual(
        percents,
        [...percents].sort((one, other) => one - other),
      );
      assert.equal(await page.getByRole('progressbar').count(), 0);
      assert.equal(await completed.getAttribute('role'), 'status');
      assert.deepEqual(await axeFaults(page), []);
      assert.deepEqual(faults, []);
    } finally {
      process.kill(pid, 'SIGCONT');
      await close();
    }
  });

  it('follows a report until it is ready, without a reload, then saves its files and says how large they are', async () => {
    const { page, faults, close } = await visits.open('/reports', { bypassCSP: true });
    const pid = enginePid(visits);
    try {
      process.kill(pid, 'SIGSTOP');
      const guid = await call('POST', '/check/day', JSON.stringify({ startBusinessDate: DATE }));
      await visit(page, '/more');
      await page.goto(`${visits.service.origin}/reports/${guid}`);
      await page.getByRole('progressbar', { name: 'Progress of the report' }).waitFor();
      await page.getByText('Files are there when the report is completed.').waitFor();
      assert.deepEqual(await axeFaults(page), []);
      let loads = 0;
      page.on('load', () => loads++);
      process.kill(pid, 'SIGCONT');
      await page.locator('.files li').first().waitFor();
      assert.equal(await page.getByRole('progressbar').count(), 0);
      assert.match(await page.locator('dl.facts').innerText(), /Rows\s+10,000/);
      const size = (name: string) => page.locator(`[data-size="${name}"]`);
      assert.match(await size('JSON').innerText(), /^\d+(\.\d)? MB$/);
      assert.equal(await size('CSV').innerText(), 'made when it is saved');
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('.files li', { hasText: 'CSV' }).getByRole('button', { name: 'Save' }).click(),
      ]);
      assert.match(file.suggestedFilename(), /\.csv$/);
      await page.waitForFunction(() => /MB|kB/.test(document.querySelector('[data-size="CSV"]')?.textContent ?? ''));
      assert.equal(loads, 0);
      assert.deepEqual(faults, []);
    } finally {
      process.kill(pid, 'SIGCONT');
      await close();
    }
  });

  it('says of one that was discarded or has expired what to do, and keeps the rules', async () => {
    const { page, close } = await visits.open('/reports', { bypassCSP: true });
    try {
      for (const [state, words] of [
        ['discarded', /It was cancelled before it was ready|There is no|discarded/],
        ['expired', /Its files are deleted\. Ask again/],
      ] as const) {
        const guid = String(await call('POST', '/metrics/day', JSON.stringify({ startBusinessDate: DATE })));
        await visit(page, `/reports/${guid}`);
        await page.locator('.files li').first().waitFor();
        if (state === 'discarded') await page.getByRole('button', { name: 'Discard' }).click();
        else await visits.service.stores.ledger.expireReports(Date.now() + 400 * 86_400_000);
        await visit(page, `/reports/${guid}`);
        assert.match(await page.locator('main').innerText(), words, state);
        assert.deepEqual(await axeFaults(page), [], state);
      }
    } finally {
      await close();
    }
  });
});

describe(named('seven tabs of the console'), { skip }, () => {
  it('show their figures over one connection for events: none waits for a connection', async () => {
    const { page, context, close } = await visits.open('/');
    try {
      const streams = countStreams(context);
      await page.reload();
      const others = await Promise.all(Array.from({ length: 6 }, () => context.newPage()));
      await Promise.all(others.map((tab) => tab.goto(visits.service.origin)));
      for (const tab of [page, ...others]) {
        await settled(tab);
        assert.match(await tab.locator('[data-figure="Orders"]').innerText(), /10,000/);
      }
      assert.equal(streams(), 1);
    } finally {
      await close();
    }
  });
});

/** Where the box is scrolled to and not covered by rows in their order, or moves away. */
const gapsOf = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const box = document.querySelector('.windowed') as HTMLElement;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const found: string[] = [];
    for (let step = 0; step <= 40; step++) {
      box.scrollTop = ((step * 17) % 41) * (box.scrollHeight / 40);
      const position = box.scrollTop;
      await frame();
      await frame();
      // Rows above that turn out higher than others move the position a little, and it must not run away.
      if (Math.abs(box.scrollTop - position) > box.clientHeight) found.push(`step ${step}: ${box.scrollTop}`);
      const rows = [...box.querySelectorAll('tbody tr[aria-rowindex]')];
      const places = rows.map((row) => Number(row.getAttribute('aria-rowindex')));
      if (places.some((index, at) => index !== (places[0] ?? 0) + at)) found.push(`step ${step}: ${places}`);
      const { top, bottom } = box.getBoundingClientRect();
      const head = box.querySelector('thead')?.getBoundingClientRect().height ?? 0;
      const first = rows[0]?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
      const last = rows.at(-1)?.getBoundingClientRect().bottom ?? 0;
      if (first > top + head + 1 || last < bottom - 1) found.push(`step ${step}: ${first}-${last} of ${top}-${bottom}`);
    }
    return found;
  });

describe(named('a table of restaurants whose names wrap'), { skip }, () => {
  it('has no gaps where one looks, on a phone and after it is turned', async () => {
    for (let n = 1; n <= 150; n++)
      await call(
        'PUT',
        `/restaurants/a1500000-0000-4000-8000-${String(n).padStart(12, '0')}`,
        JSON.stringify({
          name: `Trattoria ${n}${' by the old harbour'.repeat((n * 7) % 5)}`,
          timeZone: 'Europe/Berlin',
        }),
      );
    const { page, faults, close } = await visits.open('/restaurants', { viewport: { width: 390, height: 844 } });
    try {
      await page.locator('.windowed tbody tr').nth(10).waitFor();
      const heights = await page
        .locator('.windowed tbody tr[aria-rowindex]')
        .evaluateAll((rows) => [...new Set(rows.map((row) => (row as HTMLElement).offsetHeight))]);
      assert.ok(heights.length > 1, `all rows are ${heights} high`);
      assert.deepEqual(await gapsOf(page), []);
      await page.setViewportSize({ width: 844, height: 390 });
      assert.deepEqual(await gapsOf(page), []);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });
});

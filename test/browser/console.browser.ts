/**
 * The console as a person uses it: addresses, sign-in, faults, hostile names; and how many bytes are sent. The quick
 * part is in quick.browser.ts.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { createSignInLink } from '../../packages/service/src/access/sessions.ts';
import { named, skip } from '../docs/browser.ts';
import { sheetRows, unzipped } from '../laws/read-workbook.ts';
import {
  CLIENT,
  type ConsoleVisits,
  countStreams,
  PEACHTREE,
  SCREENS,
  settled,
  signIn,
  startConsole,
  visit,
} from './console.ts';

/** A token of the session of the page. */
const tokenOf = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/session/token', { method: 'POST', headers, body: '{}' });
    return ((await answer.json()) as { token: string }).token;
  });

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(16);
});
after(() => visits?.stop());

describe(named('the console'), { skip }, () => {
  it('returns after the sign-in to the address that was asked for, and never to another host', async () => {
    const { page, close } = await visits.open(`/restaurants/${PEACHTREE}?span=7`);
    try {
      assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, `/restaurants/${PEACHTREE}?span=7`);
    } finally {
      await close();
    }
    // Every address, opened by somebody who is not signed in.
    const cold = await visits.open('/');
    try {
      for (const request of SCREENS) {
        await cold.context.clearCookies();
        await signIn(cold.page, visits.service.origin, request);
        assert.equal(cold.page.url(), visits.service.origin + request);
        await cold.page.locator('h1').first().waitFor();
      }
    } finally {
      await cold.close();
    }
    for (const next of ['//evil.example/', 'https://evil.example/', '/\\evil.example', '/docs']) {
      const away = await visits.open(`/sign-in?next=${encodeURIComponent(next)}`);
      try {
        assert.equal(away.page.url(), `${visits.service.origin}/`, next);
      } finally {
        await away.close();
      }
    }
  });

  it('goes back and forward through what was chosen', async () => {
    const { page, close } = await visits.open('/');
    const path = () => new URL(page.url()).pathname + new URL(page.url()).search;
    try {
      await page.getByRole('button', { name: '7 days' }).click();
      await page.getByRole('button', { name: 'Previous 7 days' }).click();
      const chosen = path();
      await page.getByRole('link', { name: 'Night Owl Tavern' }).first().click();
      await page.getByRole('heading', { name: 'Night Owl Tavern', level: 1 }).waitFor();
      await page.goBack();
      await settled(page);
      assert.equal(path(), chosen);
      await page.goBack();
      assert.equal(path(), '/?span=7');
      await page.goBack();
      assert.equal(path(), '/');
      await page.goForward();
      await page.goForward();
      assert.equal(path(), chosen);
    } finally {
      await close();
    }
  });

  it('goes back over six screens to the position of each, and forward again', async () => {
    const { page, close } = await visits.open('/');
    const path = () => new URL(page.url()).pathname;
    const paths = ['/', '/restaurants', `/restaurants/${PEACHTREE}`, '/labour', '/menu', '/reports', '/data'];
    try {
      await page.evaluate(() => scrollTo(0, 500));
      for (const request of paths.slice(1)) {
        // As a link does: the page stays.
        await page.evaluate((to) => {
          const link = document.createElement('a');
          link.href = to;
          document.body.append(link);
          link.click();
          link.remove();
        }, request);
        await page.waitForURL((url) => url.pathname === request);
        await settled(page);
      }
      for (const request of paths.slice(0, -1).reverse()) {
        await page.goBack();
        assert.equal(path(), request);
        await settled(page);
      }
      await page.waitForFunction(() => Math.abs(scrollY - 500) < 5);
      for (const request of paths.slice(1)) {
        await page.goForward();
        assert.equal(path(), request);
        await settled(page);
      }
      assert.match(await page.title(), /^Data/);
    } finally {
      await close();
    }
  });

  it('falls back with a notice if an address is invalid', async () => {
    const { page, close } = await visits.open('/');
    try {
      await visit(page, '/?d=2026-02-30&span=fortnight&vs=%00&cur=XYZ');
      assert.equal(await page.locator('.notice').count(), 4);
      assert.match(await page.locator('[data-figure="Net sales"]').innerText(), /\$/);
      await visit(page, '/restaurants/00000000-0000-4000-8000-000000000000');
      assert.match(await page.locator('h1').innerText(), /There is no such screen/);
    } finally {
      await close();
    }
  });

  it('signs in by a one-time link, whose key leaves the address at once, and which works once', async () => {
    const { ledger } = visits.service.stores;
    const client = (await ledger.client(CLIENT.id)) ?? assert.fail('no client');
    const key = await createSignInLink(ledger, { client }, Date.now());
    const { page, close } = await visits.open('/');
    try {
      await page.context().clearCookies();
      await page.goto(`${visits.service.origin}/welcome#k=${key}`);
      await page.locator('.frame').waitFor();
      assert.equal(page.url(), `${visits.service.origin}/`);
      await page.context().clearCookies();
      await page.goto(`${visits.service.origin}/welcome#k=${key}`);
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
      assert.doesNotMatch(page.url(), /k=/);
      const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
      assert.doesNotMatch(stored, new RegExp(`${key}|eyJ|${CLIENT.secret}`));
    } finally {
      await close();
    }
  });

  it('asks nothing at the sign-in that is refused to who comes for the first time', async () => {
    const { context, close } = await visits.open('/');
    const first = await context.browser()?.newContext();
    try {
      const page = await first?.newPage();
      const refused: string[] = [];
      page?.on('response', (response) => response.status() >= 400 && refused.push(response.url()));
      await page?.goto(`${visits.service.origin}/sign-in`, { waitUntil: 'networkidle' });
      assert.equal(await page?.getByLabel('Client id').isVisible(), true);
      assert.deepEqual(refused, []);
    } finally {
      await first?.close();
      await close();
    }
  });

  it('says what is wrong with a secret, and keeps the client id', async () => {
    const { page, close } = await visits.open('/');
    try {
      await page.context().clearCookies();
      await page.goto(`${visits.service.origin}/sign-in`);
      await page.getByLabel('Client id').fill(CLIENT.id);
      await page.getByLabel('Client secret').fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      assert.match(await page.getByRole('alert').innerText(), /wrong/);
      assert.equal(await page.getByLabel('Client id').inputValue(), CLIENT.id);
    } finally {
      await close();
    }
  });

  it('signs out everywhere: another tab asks to sign in again, over what it shows', async () => {
    const { page, context, close } = await visits.open('/');
    try {
      const other = await context.newPage();
      await other.goto(`${visits.service.origin}/restaurants`);
      await settled(other);
      await page.getByRole('button', { name: /Signed in as/ }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in to Daypart' }).waitFor();
      await other.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
      await other.getByLabel('Client secret').fill(CLIENT.secret);
      await other.getByRole('button', { name: 'Sign in' }).click();
      await other.getByRole('dialog').waitFor({ state: 'hidden' });
      assert.equal(new URL(other.url()).pathname, '/restaurants');
    } finally {
      await close();
    }
  });

  it('is used by keys alone, and they are dead in fields', async () => {
    const { page, close } = await visits.open('/');
    const path = () => new URL(page.url()).pathname;
    try {
      await page.keyboard.press('g');
      await page.keyboard.press('r');
      await page.getByRole('heading', { name: 'Restaurants', level: 1 }).waitFor();
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1');
      await settled(page);
      await page.keyboard.press('/');
      await page.keyboard.type('gone');
      assert.equal(path(), '/restaurants');
      await page.waitForURL(/q=gone/);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('peach');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Peachtree Biscuit Company', level: 1 }).waitFor();
      await settled(page);
      await page.locator('.heat td[tabindex="0"]').focus();
      const first = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
      await page.keyboard.press('ArrowDown');
      assert.notEqual(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), first);
      await page.keyboard.press('2');
      await page.waitForURL(/span=7/);
      await page.keyboard.press('e');
      await page.getByRole('dialog', { name: 'Export' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    } finally {
      await close();
    }
  });

  it('saves what it shows: its dates and restaurants, and those of the comparison where that is chosen', async () => {
    const { page, close } = await visits.open('/');
    try {
      await page.getByRole('button', { name: 'Export' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export' });
      const save = async (name: string) => {
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          dialog.getByRole('button', { name, exact: true }).click(),
        ]);
        return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
      };
      const date = visits.lastDate.replace(/(....)(..)(..)/, '$1-$2-$3');
      const csv = await save('CSV');
      const book = await save('Excel');
      await dialog.getByRole('group', { name: 'Dates' }).getByRole('button').nth(1).click();
      const before = await save('CSV');

      assert.deepEqual(
        [csv.name, book.name],
        ['csv', 'xlsx'].map((ending) => `${CLIENT.group}-metrics-day-${date}.${ending}`),
      );
      assert.equal(await dialog.getByRole('button').nth(2).innerText(), 'Excel', 'the first of the formats');
      const text = csv.bytes.toString();
      assert.match(text, /^restaurantName,currencyCode,businessDate,.*,restaurantGuid\r\n/);
      const rows: Record<string, string>[] = parse(text, { columns: true });
      assert.deepEqual([...new Set(rows.map(({ businessDate }) => businessDate))], [date]);
      const used = (await visits.service.stores.ledger.restaurantsOf(CLIENT.group)).filter(({ active }) => active);
      assert.equal(rows.length, used.length);
      const cents = rows
        .filter(({ currencyCode }) => currencyCode === 'USD')
        .reduce((sum, { netSalesAmount }) => sum + Math.round(Number(netSalesAmount) * 100), 0);
      const shown = await page.locator('[data-figure="Net sales"]').innerText();
      assert.equal(Number(shown.replace(/[^\d]/g, '')), cents);
      assert.equal(sheetRows(unzipped(book.bytes), 1).length, rows.length + 1);
      const earlier: Record<string, string>[] = parse(before.bytes.toString(), { columns: true });
      const week = new Date(Date.parse(date) - 7 * 86_400_000).toISOString().slice(0, 10);
      assert.deepEqual([...new Set(earlier.map(({ businessDate }) => businessDate))], [week]);
    } finally {
      await close();
    }
  });

  it('saves the restaurants that a search has found', async () => {
    const { page, close } = await visits.open('/restaurants?q=peach');
    try {
      await page.getByRole('button', { name: 'Export' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV', exact: true }).click(),
      ]);
      const rows: Record<string, string>[] = parse(readFileSync(await file.path(), 'utf8'), { columns: true });
      assert.deepEqual(
        rows.map(({ restaurantName }) => restaurantName),
        ['Peachtree Biscuit Company'],
      );
    } finally {
      await close();
    }
  });

  it('shows hostile names of restaurants, servers, dining options, items and employees as text', async () => {
    const hostile = `"><img src=x onerror=alert(1)></script><b>abc 🍔 مطعم `;
    const name = hostile + 'W'.repeat(200 - hostile.length);
    const long = hostile + 'W'.repeat(500 - hostile.length);
    const { page, faults, close } = await visits.open('/');
    try {
      const base = `${visits.service.origin}/v1/restaurants/${PEACHTREE}`;
      const headers = { authorization: `Bearer ${await tokenOf(page)}`, 'content-type': 'application/json' };
      const send = async (method: string, path: string, body: unknown): Promise<void> => {
        const answer = await fetch(base + path, { method, headers, body: JSON.stringify(body) });
        assert.equal(answer.status, 200, `${path}: ${await answer.text()}`);
      };
      const { restaurantGuid: _, ...own } = (await (await fetch(base, { headers })).json()) as Record<string, unknown>;
      const date = visits.lastDate;
      const openedDate = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T18:05:00.000+0000`;
      const guid = (end: string): string => `0d000000-0000-4000-8000-0000000000${end}`;
      const named = { guid: guid('d1'), name: long };
      const selections = [{ guid: guid('d2'), displayName: long, item: named, preDiscountPrice: 12, price: 12 }];
      await send('PUT', '', { ...own, name });
      try {
        await send('POST', '/orders', [
          {
            guid: guid('d3'),
            openedDate,
            businessDate: Number(date),
            displayNumber: '7001',
            diningOption: named,
            source: long,
            revenueCenter: named,
            server: { guid: guid('d4'), firstName: long, lastName: '<i>' },
            checks: [
              {
                guid: guid('d5'),
                displayNumber: '7001',
                openedDate,
                paymentStatus: 'CLOSED',
                totalAmount: 12,
                taxAmount: 0,
                selections,
              },
            ],
          },
        ]);
        const wide: string[] = [];
        for (const path of [...SCREENS, `/restaurants/${PEACHTREE}?span=day`]) {
          await visit(page, path);
          assert.equal(await page.locator('img, main b:text-is("onerror")').count(), 0, path);
          const extent = await page.evaluate(() => document.documentElement.scrollWidth);
          if (extent > 1440) wide.push(`${path} is ${extent}`);
        }
        assert.deepEqual(wide, []);
        await visit(page, `/restaurants/${PEACHTREE}/checks?q=7001`);
        assert.match(await page.locator('.windowed tbody').innerText(), /"><img src=x onerror=alert\(1\)>/);
      } finally {
        await send('PUT', '', own);
      }
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('keeps its figures while the service is unavailable, says so, and continues by itself', async () => {
    const { page, close } = await visits.open('/');
    try {
      const figure = await page.locator('[data-figure="Net sales"]').innerText();
      const resume = await visits.pause();
      try {
        await page.getByRole('button', { name: '28 days' }).click();
        await page.getByText('The service cannot be reached').waitFor();
        await page.getByRole('button', { name: 'Day', exact: true }).click();
        assert.equal(await page.locator('[data-figure="Net sales"]').innerText(), figure);
      } finally {
        await resume();
      }
      // It tries again every 10 to 15 s, so a click on its button could come too late.
      await page.getByText('The service cannot be reached').waitFor({ state: 'hidden', timeout: 60_000 });
    } finally {
      await close();
    }
  });

  it('shows the same business date wherever the viewer is', async () => {
    const heads = new Set<string>();
    for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const { page, close } = await visits.open('/', { timezoneId });
      try {
        heads.add(await page.locator('h1').innerText());
      } finally {
        await close();
      }
    }
    assert.equal(heads.size, 1);
  });

  it('shows a load in every tab, over one connection', async () => {
    const { page, context, close } = await visits.open('/');
    try {
      const streams = countStreams(context);
      await page.reload();
      await settled(page);
      const other = await context.newPage();
      await other.goto(visits.service.origin);
      await settled(other);
      const orders = () => Promise.all([page, other].map((tab) => tab.locator('[data-figure="Orders"]').innerText()));
      const before = Number((await orders())[0]?.replace(',', ''));
      const base = `${visits.service.origin}/v1/restaurants/${PEACHTREE}`;
      const headers = { authorization: `Bearer ${await tokenOf(page)}`, 'content-type': 'application/json' };
      const date = visits.lastDate;
      const order = {
        guid: '0d000000-0000-4000-8000-0000000000aa',
        openedDate: `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T17:05:00.000+0000`,
        businessDate: Number(date),
        checks: [
          { guid: '0d000000-0000-4000-8000-0000000000ab', paymentStatus: 'CLOSED', totalAmount: 9, selections: [] },
        ],
      };
      assert.equal(
        (await fetch(`${base}/orders`, { method: 'POST', headers, body: JSON.stringify([order]) })).status,
        200,
      );
      for (const tab of [page, other])
        await tab.waitForFunction(
          (wanted) => document.querySelector('[data-figure="Orders"]')?.textContent?.replace(',', '') === wanted,
          String(before + 1),
        );
      assert.equal(streams(), 1);
    } finally {
      await close();
    }
  });

  it('asks for the same report again only when the data changed', async () => {
    const { page, close } = await visits.open('/');
    try {
      const creates: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().includes('/v1/')) creates.push(request.url());
      });
      await page.reload();
      await settled(page);
      assert.deepEqual(creates, []);
    } finally {
      await close();
    }
  });
});

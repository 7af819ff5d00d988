/**
 * The size and requests of the console, its privacy, its layout when enlarged, and more figures compared with their
 * CSV.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { createSignInLink } from '../../packages/service/src/access/sessions.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { named, skip } from '../docs/browser.ts';
import {
  axeFaults,
  CLIENT,
  type ConsoleVisits,
  cardOf,
  centsShown,
  reportOf,
  SCREENS,
  settled,
  startConsole,
  visit,
} from './console.ts';

const logged: string[] = [];
let visits: ConsoleVisits;
before(async () => {
  const log = openLog('trace', { write: (line) => void logged.push(line) });
  if (!skip) visits = await startConsole(16, { log });
});
after(() => visits?.stop());

describe(named('the secrets of the console'), { skip }, () => {
  it('are in no log, address, history, storage, performance entry or message of the page', async () => {
    const { ledger } = visits.service.stores;
    const client = (await ledger.client(CLIENT.id)) ?? assert.fail('no client');
    const key = await createSignInLink(ledger, { client }, Date.now());
    const secrets = new Set([CLIENT.secret, key]);
    const told: string[] = [];
    const { page, context, close } = await visits.open('/');
    try {
      page.on('console', (message) => told.push(message.text()));
      page.on('framenavigated', (frame) => told.push(frame.url()));
      context.on('request', (request) => told.push(request.url(), request.headers().referer ?? ''));
      context.on('response', async (response) => {
        if (!response.url().endsWith('/session/token')) return;
        const { token } = (await response.json().catch(() => ({}))) as { token?: string };
        if (token) secrets.add(token);
      });
      const found: string[] = [];
      const look = async (): Promise<void> => {
        for (const { value } of await context.cookies()) secrets.add(value);
        const kept = await page.evaluate(async () =>
          JSON.stringify([
            location.href,
            document.referrer,
            history.state,
            { ...localStorage },
            { ...sessionStorage },
            performance.getEntries().map((entry) => entry.toJSON()),
            await indexedDB.databases(),
            await caches.keys().catch(() => []),
            document.documentElement.outerHTML,
          ]),
        );
        for (const secret of secrets) {
          const at = kept.indexOf(secret);
          if (at >= 0) found.push(`the page keeps ${kept.slice(Math.max(0, at - 60), at + 8)}`);
        }
      };
      await page.reload();
      await settled(page);
      for (const path of SCREENS) {
        await visit(page, path);
        await look();
      }
      await visit(page, '/');
      await page.getByRole('button', { name: 'Export' }).click();
      await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV', exact: true }).click(),
      ]);
      await look();
      await context.clearCookies();
      await page.goto(`${visits.service.origin}/welcome#k=${key}`);
      await page.waitForURL(`${visits.service.origin}/`);
      await page.locator('.frame').waitFor();
      await settled(page);
      await look();
      for (let step = 0; step < 3; step++) {
        await page.goBack().catch(() => null);
        await look();
      }
      // The address with the key is the one that was typed; the page itself must never have it again.
      const rest = told.filter((line) => !line.includes('/welcome#k='));
      for (const secret of secrets) {
        if (rest.some((line) => line.includes(secret))) found.push(`an address or message has ${secret.slice(0, 8)}`);
        if (logged.some((line) => line.includes(secret))) found.push(`the log has ${secret.slice(0, 8)}`);
      }
      assert.deepEqual([...new Set(found)], []);
      assert.ok(secrets.size >= 4, 'a token and a cookie were seen');
      assert.ok(logged.length > 50, 'requests are logged');
    } finally {
      await close();
    }
  });
});

/** Requests that reached the network and their bytes, head and body, while the work is done. */
async function traffic(page: Page, work: () => Promise<void>): Promise<{ calls: string[]; bytes: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const open = new Map<string, string>();
  const calls: string[] = [];
  let bytes = 0;
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    open.set(requestId, `${request.method} ${request.url}`),
  );
  session.on('Network.requestServedFromCache', ({ requestId }) => open.delete(requestId));
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache) open.delete(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const url = open.get(requestId);
    if (url === undefined || url.includes('data:')) return;
    calls.push(url);
    bytes += encodedDataLength;
  });
  await work();
  await session.detach();
  return { calls, bytes };
}

describe(named('the overview'), { skip }, () => {
  it('takes at most 100 kB and 12 requests cold, 10 with the files in the cache, 5 kB when nothing changed', async () => {
    const { page, close } = await visits.open('/sign-in');
    try {
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      await session.send('Network.clearBrowserCache');
      await page.evaluate(() => sessionStorage.clear());
      const reload = async (): Promise<void> => {
        await page.goto(visits.service.origin);
        await settled(page);
        await page.locator('[data-figure="Net sales"]').waitFor();
      };
      const cold = await traffic(page, reload);
      await page.evaluate(() => sessionStorage.clear());
      const cached = await traffic(page, reload);
      const again = await traffic(page, reload);
      assert.ok(cold.calls.length <= 12, `${cold.calls.length}: ${cold.calls.join('\n')}`);
      assert.ok(cold.bytes <= 100_000, `${cold.bytes} bytes`);
      assert.ok(cached.calls.length <= 10, `${cached.calls.length}: ${cached.calls.join('\n')}`);
      assert.ok(again.bytes <= 5000, `${again.bytes} bytes of ${again.calls.join('\n')}`);
      assert.equal(again.calls.filter((call) => /POST .*\/v1\//.test(call)).length, 0);
      console.log(
        `overview: cold ${cold.calls.length} requests ${cold.bytes} bytes, files cached ${cached.calls.length} and ${cached.bytes}, reused ${again.calls.length} and ${again.bytes}`,
      );
    } finally {
      await close();
    }
  });
});

describe(named('the console for those who need it larger or plainer'), { skip }, () => {
  it('keeps the rules, its bars and its changes in forced colors', async () => {
    const { page, close } = await visits.open('/', { forcedColors: 'active', bypassCSP: true });
    try {
      for (const path of ['/', '/restaurants', '/labour', '/menu', '/data']) {
        await visit(page, path);
        assert.deepEqual(await axeFaults(page), [], path);
      }
      await visit(page, '/');
      const plain = await page.evaluate(() => {
        const canvas = getComputedStyle(document.body).backgroundColor;
        const marks = [...document.querySelectorAll('section.card svg rect, section.card svg path')].filter((mark) => {
          const { fill, stroke, visibility, opacity } = getComputedStyle(mark);
          const isSeen = visibility === 'visible' && Number(opacity) > 0;
          return (
            isSeen && [fill, stroke].some((paint) => paint !== 'none' && !paint.endsWith(', 0)') && paint !== canvas)
          );
        });
        return { marks: marks.length, changes: document.querySelectorAll('.change svg, .change').length };
      });
      assert.ok(plain.marks > 10, `${plain.marks} marks`);
      assert.ok(plain.changes > 5, `${plain.changes} changes`);
      await page.keyboard.press('Tab');
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
      assert.notEqual(outline, 'none');
    } finally {
      await close();
    }
  });

  it('never scrolls sideways at a zoom of 200 % on a screen of 1280 pixels', async () => {
    // What a zoom is to a page: half as many pixels, each twice as large.
    const { page, close } = await visits.open('/', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
    try {
      const wide: string[] = [];
      for (const path of SCREENS) {
        await visit(page, path);
        const extent = await page.evaluate(() => document.documentElement.scrollWidth);
        if (extent > 640) wide.push(`${path} is ${extent}`);
      }
      assert.deepEqual(wide, []);
    } finally {
      await close();
    }
  });

  it('moves nothing for those who ask for less motion', async () => {
    const { page, close } = await visits.open('/', { reducedMotion: 'reduce' });
    try {
      const moving = await page.evaluate(
        () =>
          [...document.querySelectorAll('*')]
            .map((element) => getComputedStyle(element))
            .filter(({ transitionDuration, animationName, animationDuration }) => {
              const seconds = (text: string) => Math.max(...text.split(',').map((one) => Number.parseFloat(one) || 0));
              return seconds(transitionDuration) > 0 || (animationName !== 'none' && seconds(animationDuration) > 0);
            }).length,
      );
      assert.equal(moving, 0);
    } finally {
      await close();
    }
  });
});

type Row = Record<string, string>;

async function csvOf(path: string, guid: string): Promise<Row[]> {
  const { origin } = visits.service;
  const form = { grant_type: 'client_credentials', client_id: CLIENT.id, client_secret: CLIENT.secret };
  const answer = await fetch(`${origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const file = await fetch(`${origin}/v1/${path}/${guid}?format=csv`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(file.status, 200);
  return parse(await file.text(), { columns: true });
}

const centsOf = (text: string | undefined): number => Math.round(Number((text ?? '').replace(/[^\d.-]/g, '')) * 100);
const sum = (rows: Row[], field: string): number => rows.reduce((total, row) => total + centsOf(row[field]), 0);
const shown = async (page: Page, name: string): Promise<number> =>
  centsOf(await page.locator(`[data-figure="${name}"]`).innerText());
/** The restaurants of the sample trade whose currency is the euro. */
const isEuro = async (): Promise<(row: Row) => boolean> => {
  const all = await visits.service.stores.ledger.restaurantsOf(CLIENT.group);
  const euros = new Set(all.filter(({ currencyCode }) => currencyCode === 'EUR').map(({ guid }) => guid));
  return ({ restaurantGuid = '' }) => euros.has(restaurantGuid);
};

describe(named('the figures of the console against the CSV that they link'), { skip }, () => {
  it('are equal to the cent on Labor: in all, by restaurant and by job, of dollars alone', async () => {
    const { page, close } = await visits.open('/labour');
    try {
      const euro = await isEuro();
      const rows = (await csvOf('labor', await reportOf(page, 'Restaurants'))).filter((row) => !euro(row));
      assert.ok(rows.length > 0);
      assert.equal(await shown(page, 'Cost'), sum(rows, 'totalCost'));
      const hours = rows.reduce((total, { totalHours }) => total + Math.round(Number(totalHours) * 1000), 0);
      assert.ok(Math.abs((await shown(page, 'Hours')) * 10 - hours) <= 5, `${hours} thousandths`);

      const jobs = (await csvOf('labor', await reportOf(page, 'By job'))).filter((row) => !euro(row));
      const card = cardOf(page, 'By job');
      const titles = new Set(jobs.map(({ jobTitle = '' }) => jobTitle));
      for (const title of titles) {
        const row = card.getByRole('row').filter({ has: page.getByRole('rowheader', { name: title, exact: true }) });
        if ((await row.count()) === 0) continue;
        const own = jobs.filter(({ jobTitle }) => jobTitle === title);
        assert.equal(centsShown(await row.locator('td.strong').innerText()), sum(own, 'totalCost'), title);
      }
      assert.equal(sum(jobs, 'totalCost'), sum(rows, 'totalCost'));
    } finally {
      await close();
    }
  });

  it('are equal to the cent on Menu: every item of the table, and their sum', async () => {
    const { page, close } = await visits.open('/menu');
    try {
      const euro = await isEuro();
      const guid = (await page.locator('a[data-report]').first().getAttribute('data-report')) ?? assert.fail();
      const rows = (await csvOf('menu', guid)).filter((row) => !euro(row));
      const net = Object.keys(rows[0] ?? {}).find((field) => /^net.*Amount$/.test(field)) ?? assert.fail('net');
      const byName = new Map<string, number>();
      for (const row of rows)
        byName.set(row.menuItemName ?? '', (byName.get(row.menuItemName ?? '') ?? 0) + centsOf(row[net]));
      const whole = await page.locator('[data-figure="Net sales of items"]').innerText();
      assert.equal(centsShown(whole), Math.round(sum(rows, net) / 100) * 100);
      const table = page
        .locator('table')
        .filter({ has: page.getByRole('columnheader', { name: /Net sales/ }) })
        .first();
      const cells = await table
        .locator('tbody tr:has(.strong)')
        .evaluateAll((all) =>
          all.map((row) => [
            row.querySelector('th')?.textContent ?? '',
            row.querySelector('.strong')?.textContent ?? '',
          ]),
        );
      assert.ok(cells.length > 5, `${cells.length} rows`);
      const compared = cells.filter(([name = '']) => byName.has(name));
      assert.ok(compared.length > 5, `${compared.length} names of ${cells.map(([name]) => name)}`);
      const amounts = new Map<string, number>();
      for (const [name = '', amount] of compared) amounts.set(name, (amounts.get(name) ?? 0) + centsShown(amount));
      for (const [name, amount] of amounts) assert.equal(amount, byName.get(name), name);
    } finally {
      await close();
    }
  });

  it('are equal on Compare: the orders and the net sales of each restaurant', async () => {
    const { page, close } = await visits.open('/compare?span=7');
    try {
      const guid = (await page.locator('a[data-report]').first().getAttribute('data-report')) ?? assert.fail();
      const all = await csvOf('metrics', guid);
      const dates = [...new Set(all.map(({ businessDate }) => businessDate))].sort().slice(-7);
      const rows = all.filter(({ businessDate }) => dates.includes(businessDate));
      const restaurants = await visits.service.stores.ledger.restaurantsOf(CLIENT.group);
      for (const measure of ['net', 'orders']) {
        await visit(page, `/compare?span=7${measure === 'net' ? '' : '&m=orders'}`);
        for (const one of restaurants) {
          const own = rows.filter(({ restaurantGuid }) => restaurantGuid === one.guid);
          if (own.length === 0) continue;
          const text = await cardOf(page, one.name).locator('b.figure').innerText();
          const expected =
            measure === 'net'
              ? Math.round(sum(own, 'netSalesAmount') / 100)
              : own.reduce((total, { ordersCount }) => total + Number(ordersCount), 0);
          assert.equal(Number(text.replace(/[^\d]/g, '')), expected, `${one.name} ${measure}`);
        }
      }
    } finally {
      await close();
    }
  });

  it('are, on Reports > Changes, what a load after the report changed, check by check', async () => {
    const { page, close } = await visits.open('/');
    try {
      const { origin, baseUrl } = visits.service;
      const form = { grant_type: 'client_credentials', client_id: CLIENT.id, client_secret: CLIENT.secret };
      const answer = await fetch(`${origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
      const { access_token: token } = (await answer.json()) as { access_token: string };
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const date = visits.lastDate;
      const [first] = await visits.service.stores.ledger.restaurantsOf(CLIENT.group);
      const create = async (): Promise<string> => {
        const body = JSON.stringify({ startBusinessDate: date });
        const guid = String(await (await fetch(`${baseUrl}/metrics/day`, { method: 'POST', headers, body })).json());
        await (await fetch(`${baseUrl}/metrics/${guid}`, { headers: { ...headers, prefer: 'wait=20' } })).text();
        return guid;
      };
      const before = await create();
      const order = {
        guid: '0d000000-0000-4000-8000-0000000000ca',
        openedDate: `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T18:05:00.000+0000`,
        businessDate: Number(date),
        displayNumber: '9001',
        checks: [
          {
            guid: '0d000000-0000-4000-8000-0000000000cb',
            displayNumber: '9001',
            paymentStatus: 'CLOSED',
            totalAmount: 33.21,
            taxAmount: 0,
            selections: [{ preDiscountPrice: 33.21, price: 33.21 }],
          },
        ],
      };
      const url = `${baseUrl}/restaurants/${first?.guid}/orders`;
      assert.equal((await fetch(url, { method: 'POST', headers, body: JSON.stringify([order]) })).status, 200);
      const after = await create();
      await visit(page, `/reports/${after}/changes?since=${before}`);
      const inAll = cardOf(page, 'In all');
      assert.match(
        await inAll
          .getByRole('row')
          .filter({ hasText: /^net sales/ })
          .innerText(),
        /33\.21/,
      );
      assert.match(
        await inAll
          .getByRole('row')
          .filter({ hasText: /^orders count/ })
          .innerText(),
        /\b1\b/,
      );
      const listed = await page.getByRole('region', { name: /^Table, (checks|orders)$/ }).allInnerTexts();
      assert.match(listed.join('\n'), /9001/);
      assert.match(listed.join('\n'), /added/);
    } finally {
      await close();
    }
  });
});

/** Filters by a click, whose figures are those of the report, and definitions with the numbers of the screen. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { sheetRows, unzipped } from '../laws/read-workbook.ts';
import {
  axeFaults,
  type ConsoleVisits,
  cardOf,
  centsShown,
  PEACHTREE,
  settled,
  startConsole,
  tokenOf,
  visit,
} from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(9);
});
after(() => visits?.stop());

interface Row {
  restaurantGuid: string;
  businessHour: string;
  diningOption: string;
  orderSource: string;
  netSalesAmount: number;
  ordersCount: number;
}

/** The dollars of the last date, read as a program reads them: by hour, dining option and order source. */
async function rowsOf(): Promise<Row[]> {
  const headers = { authorization: `Bearer ${await tokenOf(visits.service)}`, 'content-type': 'application/json' };
  const url = `${visits.service.origin}/v1`;
  const body = JSON.stringify({ startBusinessDate: visits.lastDate, groupBy: ['DINING_OPTION', 'ORDER_SOURCE'] });
  const made = await fetch(`${url}/metrics/day?aggregateBy=HOUR`, { method: 'POST', headers, body });
  const answer = await fetch(`${url}/metrics/${(await made.json()) as string}`, { headers });
  const restaurants = (await (await fetch(`${url}/restaurants`, { headers })).json()) as Restaurant[];
  const dollars = new Set(restaurants.flatMap(({ guid, currencyCode }) => (currencyCode === 'USD' ? [guid] : [])));
  return ((await answer.json()) as Row[]).filter(({ restaurantGuid }) => dollars.has(restaurantGuid));
}
interface Restaurant {
  guid: string;
  currencyCode: string;
}

const figure = async (page: Page, name: string): Promise<string> =>
  (await page.locator(`[data-figure="${name}"]`).innerText()).replace(/\s/g, '');

type Cells = Record<'currencyCode' | 'netSalesAmount' | 'ordersCount' | 'businessHour', string>;

/** Net sales and orders of rows, as the first figures show them. */
const figuresOf = (rows: Pick<Row, 'netSalesAmount' | 'ordersCount'>[]): string[] => {
  const cents = rows.reduce((sum, { netSalesAmount }) => sum + Math.round(netSalesAmount * 100), 0);
  const net = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100);
  return [net, rows.reduce((sum, { ordersCount }) => sum + ordersCount, 0).toLocaleString('en-US')];
};
const shown = async (page: Page): Promise<string[]> => [await figure(page, 'Net sales'), await figure(page, 'Orders')];

const press = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name, exact: true }).click();
  await settled(page);
};
const isLunch = ({ businessHour }: Pick<Row, 'businessHour'>): boolean =>
  Number(businessHour) >= 11 && Number(businessHour) < 15;
/** Peachtree is the second half of its name on phones too. */
const ONLY_PEACHTREE = 'Only Peachtree Biscuit Company';

describe(named('a filter of the overview'), { skip }, () => {
  it('by daypart, dining option and restaurant is in the address, and all figures are of these rows', async () => {
    const { page, faults, close } = await visits.open('/');
    try {
      const all = await rowsOf();
      assert.deepEqual(await shown(page), figuresOf(all));

      await press(page, 'Lunch');
      assert.match(page.url(), /\?daypart=Lunch$/);
      assert.deepEqual(await shown(page), figuresOf(all.filter(isLunch)));
      assert.match(await cardOf(page, 'Restaurants').locator('tr.sum').innerText(), /7 restaurants, US dollars/);
      assert.ok((await cardOf(page, 'Restaurants').locator('tr.sum').innerText()).includes(await net(page)));
      assert.match(
        await cardOf(page, 'What stands out').innerText(),
        /Not filtered by Lunch: whole days are compared\./,
      );
      assert.match(await cardOf(page, 'Last 13 weeks').innerText(), /Not filtered by Lunch: hours are reported for/);

      await press(page, 'Take Out');
      const takenOut = all.filter((row) => isLunch(row) && row.diningOption === 'Take Out');
      assert.match(page.url(), /\?daypart=Lunch&diningOption=Take\+Out$/);
      assert.deepEqual(await shown(page), figuresOf(takenOut));
      assert.match(await page.locator('.figures').first().innerText(), /Hourly labou?r\s+–\s+not split/);

      await press(page, ONLY_PEACHTREE);
      assert.deepEqual(await shown(page), figuresOf(takenOut.filter((row) => row.restaurantGuid === PEACHTREE)));
      assert.deepEqual(await cardOf(page, 'Restaurants').locator('tbody th a').allInnerTexts(), [
        'Peachtree Biscuit Company',
      ]);

      // A reload, and the address in another tab, show the same.
      const before = await shown(page);
      await page.reload();
      await settled(page);
      assert.deepEqual(await shown(page), before);
      await page.goBack();
      await settled(page);
      assert.deepEqual(await shown(page), figuresOf(takenOut));
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('is that of the files of the export, whose sums are those on the screen', async () => {
    const { page, faults, close } = await visits.open('/');
    try {
      await press(page, 'Lunch');
      await press(page, 'Take Out');
      for (const path of ['', `/restaurants/${PEACHTREE}`]) {
        if (path !== '') await visit(page, `${path}?daypart=Lunch&diningOption=Take+Out`);
        await page.getByRole('button', { name: 'Export' }).click();
        const dialog = page.getByRole('dialog', { name: 'Export' });
        assert.match(await dialog.innerText(), /: only Lunch, Take Out/);
        const save = async (name: string): Promise<Buffer> => {
          const button = dialog.getByRole('button', { name, exact: true });
          const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
          assert.match(file.suggestedFilename(), /-by-dining-option-by-hour-filtered\./);
          return readFileSync(await file.path());
        };
        const csv: Cells[] = parse(await save('CSV'), { columns: true });
        const [head, ...sheet] = sheetRows(unzipped(await save('Excel')), 1);
        const titles = [...(head ?? [])].map(([letter, { value }]) => [value, letter] as const);
        const book = sheet.map((row) =>
          Object.fromEntries(titles.map(([name, at]) => [name, row.get(at)?.value ?? ''])),
        );
        for (const rows of [csv, book]) {
          const own = rows.filter(({ currencyCode }) => currencyCode === 'USD');
          const amounts = own.map(({ netSalesAmount, ordersCount, businessHour }) => ({
            netSalesAmount: Number(netSalesAmount),
            ordersCount: Number(ordersCount),
            businessHour,
          }));
          assert.ok(amounts.length > 0 && amounts.every(isLunch));
          assert.deepEqual(figuresOf(amounts), await shown(page), path);
        }
        await page.keyboard.press('Escape');
      }
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('dims what is still of all restaurants, and says that it is busy, until the last answer is there', async () => {
    const { page, close } = await visits.open('/?diningOption=Take+Out');
    try {
      await page.locator('[data-figure="Net sales"]').waitFor();
      const weeks = cardOf(page, 'Last 13 weeks');
      const stale = /(^| )stale( |$)/;
      assert.doesNotMatch((await weeks.getAttribute('class')) ?? '', stale);
      const held = Promise.withResolvers<void>();
      await page.route(/\/totals\?by=businessDate(,|%2C)diningOption&/, async (route) => {
        await held.promise;
        await route.continue();
      });
      const takenOut = (await rowsOf()).filter(({ diningOption }) => diningOption === 'Take Out');
      const [own = ''] = figuresOf(takenOut.filter(({ restaurantGuid }) => restaurantGuid === PEACHTREE));
      await page.getByRole('button', { name: ONLY_PEACHTREE, exact: true }).click();
      await page.locator('[data-figure="Net sales"]').filter({ hasText: own }).waitFor();
      assert.match((await weeks.getAttribute('class')) ?? '', stale);
      assert.equal(
        await page
          .locator('[aria-busy="true"]')
          .filter({ has: page.locator('.figures') })
          .count(),
        1,
      );
      held.resolve();
      await settled(page);
      assert.doesNotMatch((await weeks.getAttribute('class')) ?? '', stale);
    } finally {
      await close();
    }
  });

  it('is chosen and taken off by keyboard, in the chart too', async () => {
    const { page, close } = await visits.open('/', { bypassCSP: true });
    try {
      const all = await rowsOf();
      await cardOf(page, 'Net sales by hour').locator('svg.chart').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await settled(page);
      const hour = new URL(page.url()).searchParams.get('hour');
      assert.deepEqual(
        await shown(page),
        figuresOf(all.filter(({ businessHour }) => Number(businessHour) === Number(hour))),
      );
      assert.deepEqual(await axeFaults(page), []);
      await page.getByRole('button', { name: /^Remove the filter / }).focus();
      await page.keyboard.press('Enter');
      await settled(page);
      assert.equal(new URL(page.url()).search, '');
      assert.deepEqual(await shown(page), figuresOf(all));
    } finally {
      await close();
    }
  });

  it('by order source shows the same sales in each card', async () => {
    const { page, close } = await visits.open('/?by=orderSource&orderSource=ONLINE');
    try {
      const online = (await rowsOf()).filter(({ orderSource }) => orderSource === 'ONLINE');
      assert.deepEqual(await shown(page), figuresOf(online));
      await page.getByRole('button', { name: 'Show net sales by hour as a table' }).click();
      const hours = await cardOf(page, 'Net sales by hour').locator('tbody tr').allInnerTexts();
      const shownHours = new Set(online.map(({ businessHour }) => Number(businessHour)));
      assert.equal(hours.filter((text) => !/\$0\.00\s*\$|\$0\.00$/.test(text)).length >= shownHours.size - 2, true);
      const sum = hours.reduce((total, text) => total + centsShown(text), 0);
      assert.equal(
        sum,
        online.reduce((total, { netSalesAmount }) => total + Math.round(netSalesAmount * 100), 0),
      );
    } finally {
      await close();
    }
  });

  it('by hour says what cannot be filtered over more than 31 dates, instead of unfiltered figures', async () => {
    const { page, close } = await visits.open('/?span=custom&from=2026-01-01&to=2026-02-15&hour=12&vs=none');
    try {
      const why = /Not filtered by 12 pm: hours are reported for at most 31 dates\./;
      assert.equal(await page.locator('.figures').count(), 0);
      assert.match(await page.locator('p.card').innerText(), why);
      assert.match(await cardOf(page, 'Restaurants').innerText(), why);
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Export' });
      await dialog.getByRole('button', { name: 'CSV', exact: true }).click();
      assert.match(await dialog.innerText(), /Choose a shorter period: hours are reported for at most 31 dates\./);
    } finally {
      await close();
    }
  });

  it('that does not exist is left out, with a notice', async () => {
    const { page, close } = await visits.open('/?hour=25&daypart=Elevenses&at=nobody');
    try {
      assert.deepEqual(await shown(page), figuresOf(await rowsOf()));
      assert.equal(await page.locator('main .notice').count(), 3);
    } finally {
      await close();
    }
  });
});

/** The amount of the first figure, as it is in tables. */
const net = (page: Page): Promise<string> => figure(page, 'Net sales');

describe(named('a filter of a restaurant'), { skip }, () => {
  it('by dining option limits its figures and its days', async () => {
    const { page, close } = await visits.open(`/restaurants/${PEACHTREE}?span=day`);
    try {
      const own = (await rowsOf()).filter(({ restaurantGuid }) => restaurantGuid === PEACHTREE);
      await press(page, 'Dine In');
      assert.deepEqual(await shown(page), figuresOf(own.filter(({ diningOption }) => diningOption === 'Dine In')));
      assert.match(await cardOf(page, 'Days').innerText(), /Not filtered by Dine In: whole days are compared\./);
      await visit(page, `/restaurants/${PEACHTREE}?span=7&diningOption=Dine+In`);
      await page.getByRole('button', { name: 'Show net sales by day as a table' }).click();
      const days = await cardOf(page, 'Net sales by day').locator('tbody tr').allInnerTexts();
      const sum = days.reduce((total, text) => total + centsShown(text), 0);
      assert.equal(
        new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(sum / 100),
        await net(page),
      );
    } finally {
      await close();
    }
  });
});

interface Worked {
  restaurantGuid: string;
  totalCost: number;
  employeeGuid: string;
}

/** The labor of the last date by employee, as a program reads it. */
async function workOf(): Promise<Worked[]> {
  const headers = { authorization: `Bearer ${await tokenOf(visits.service)}`, 'content-type': 'application/json' };
  const url = `${visits.service.origin}/v1/labor`;
  const body = JSON.stringify({ startBusinessDate: visits.lastDate, groupBy: ['EMPLOYEE'] });
  const made = await fetch(`${url}/day`, { method: 'POST', headers, body });
  return (await (await fetch(`${url}/${(await made.json()) as string}`, { headers })).json()) as Worked[];
}

describe(named('a filter of Labor'), { skip }, () => {
  it('by restaurant limits all cards and the file of the export, and is in the address', async () => {
    const { page, faults, close } = await visits.open('/labour', { bypassCSP: true });
    try {
      const own = (await workOf()).filter(({ restaurantGuid }) => restaurantGuid === PEACHTREE);
      const bars = cardOf(page, 'Sales per labor hour by hour');
      const [hours, jobs] = [await bars.innerHTML(), await cardOf(page, 'By job').innerText()];
      await press(page, ONLY_PEACHTREE);

      assert.match(page.url(), new RegExp(`/labour\\?at=${PEACHTREE}$`));
      const cents = own.reduce((sum, { totalCost }) => sum + Math.round(totalCost * 100), 0);
      const cost = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100);
      assert.equal(await figure(page, 'Cost'), cost);
      assert.equal(await cardOf(page, 'Restaurants').locator('tbody tr').count(), 1);
      const people = cardOf(page, 'By employee');
      const more = people.getByRole('button', { name: /^Show all/ });
      if (await more.isVisible()) await more.click();
      assert.equal(await people.locator('tbody tr').count(), new Set(own.map((one) => one.employeeGuid)).size);
      assert.notEqual(await bars.innerHTML(), hours);
      assert.notEqual(await cardOf(page, 'By job').innerText(), jobs);
      assert.deepEqual(await axeFaults(page), []);

      await page.getByRole('button', { name: 'Export' }).click();
      const csv = page.getByRole('button', { name: 'CSV', exact: true });
      const [file] = await Promise.all([page.waitForEvent('download'), csv.click()]);
      const [, ...lines] = readFileSync(await file.path(), 'utf8')
        .trim()
        .split('\r\n');
      assert.deepEqual([lines.length, lines.every((line) => line.includes(PEACHTREE))], [1, true]);
      await page.keyboard.press('Escape');

      await press(page, 'Remove the filter Peachtree Biscuit Company');
      assert.match(page.url(), /\/labour$/);
      assert.equal(await cardOf(page, 'By job').innerText(), jobs);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });
});

describe(named('the name of a figure'), { skip }, () => {
  it('opens its definition of the docs with its numbers, also of what is filtered', async () => {
    const { page, faults, close } = await visits.open('/', { bypassCSP: true });
    try {
      const lunch = (await rowsOf()).filter(isLunch);
      await press(page, 'Lunch');
      await page.getByRole('button', { name: 'Average order', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Average order' });
      await dialog.locator('.worked').waitFor();
      const [sales, orders] = figuresOf(lunch);
      assert.equal(await dialog.locator('.worked').innerText(), `${sales} ÷ ${orders} orders`);
      assert.deepEqual(await axeFaults(page), []);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Average order');
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('has a definition on every screen', async () => {
    const { page, close } = await visits.open('/');
    try {
      const docs = readFileSync(join(fileURLToPath(new URL('../..', import.meta.url)), 'docs/metrics.md'), 'utf8');
      for (const path of ['/', `/restaurants/${PEACHTREE}`, '/labour', '/menu']) {
        await visit(page, path);
        const names = page.locator('.figures dt button');
        for (let at = 0; at < (await names.count()); at++) {
          const name = await names.nth(at).innerText();
          await names.nth(at).click();
          const dialog = page.getByRole('dialog', { name, exact: true });
          await page.waitForFunction(() => Boolean(document.querySelector('dialog .meaning')?.textContent));
          // Labor reports are read without what net sales are computed from.
          if (path !== '/labour' || name !== 'Net sales')
            assert.equal(await dialog.locator('.worked').count(), 1, name);
          const row = docs.split('\n').find((line) => line.startsWith(`| ${name} |`));
          assert.ok(row?.includes((await dialog.locator('.meaning').innerText()).slice(0, 20)), name);
          await page.keyboard.press('Escape');
          // A dialog that is closed is none any more, and its buttons are there until it is removed.
          await page.locator('dialog .meaning').waitFor({ state: 'detached' });
        }
      }
    } finally {
      await close();
    }
  });
});

/**
 * The figures of the console equal those of the linked report, to the cent; added up here independently, from its CSV.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import {
  type ConsoleVisits,
  centsShown,
  dashed,
  loadRestaurant,
  loadStatuses,
  PEACHTREE,
  reportOf,
  startConsole,
  tokenOf,
  visit,
} from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(30);
});
after(() => visits?.stop());

type Row = Record<string, string>;

/** The CSV of a report, by a token of a program: not the way of the console. */
async function csvOf(guid: string): Promise<Row[]> {
  const headers = { authorization: `Bearer ${await tokenOf(visits.service)}` };
  const answer = await fetch(`${visits.service.origin}/v1/metrics/${guid}?format=csv`, { headers });
  assert.equal(answer.status, 200);
  return parse(await answer.text(), { columns: true });
}

const centsOf = (text: string | undefined): number => Math.round(Number(text) * 100);
const sum = (rows: Row[], field: string): number => rows.reduce((total, row) => total + centsOf(row[field]), 0);

const figure = async (page: Page, name: string): Promise<string> =>
  (await page.locator(`[data-figure="${name}"]`).innerText()).replace(/\s/g, ' ');

const dollars = (cents: number, digits = 2): string =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(cents / 100);
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

describe(named('the figures of the console'), { skip }, () => {
  it('on the overview are those of the report that they link, and euros are in no sum of dollars', async () => {
    const { page, faults, close } = await visits.open('/');
    try {
      const rows = await csvOf(await reportOf(page, 'Restaurants'));
      const guids = new Set<string>();
      const euros = await page.locator('.others p').first().innerText();
      const names = await page
        .locator('table.data tbody th a')
        .evaluateAll((links) =>
          links.map((link) => [link.textContent ?? '', link.getAttribute('href')?.split(/[/?]/)[2] ?? '']),
        );
      for (const [name = '', guid = ''] of names) if (!euros.includes(name)) guids.add(guid);
      const day = rows.filter(({ businessDate }) => businessDate === visits.lastDate);
      const own = day.filter(({ restaurantGuid = '' }) => guids.has(restaurantGuid));
      const net = sum(own, 'netSalesAmount');
      const orders = own.reduce((total, { ordersCount }) => total + Number(ordersCount), 0);

      assert.equal(guids.size, 7);
      assert.equal(await figure(page, 'Net sales'), dollars(net));
      assert.equal(await figure(page, 'Orders'), orders.toLocaleString('en-US'));
      assert.equal(
        await figure(page, 'Guests'),
        own.reduce((total, { guestCount }) => total + Number(guestCount), 0).toLocaleString('en-US'),
      );
      assert.equal(await figure(page, 'Average order'), dollars(Math.round(net / orders)));
      assert.equal(await figure(page, 'Hourly labor'), percent(sum(own, 'hourlyJobTotalPay') / net));
      assert.equal(
        await figure(page, 'Discounts and voids'),
        percent((sum(own, 'discountAmount') + sum(own, 'voidOrdersAmount')) / sum(own, 'grossSalesAmount')),
      );
      const kettle = day.filter(({ restaurantGuid = '' }) => !guids.has(restaurantGuid));
      assert.match(euros, /EUR/);
      assert.ok(
        euros.includes(
          `€${(sum(kettle, 'netSalesAmount') / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`,
        ),
        euros,
      );
      for (const [name = '', guid = ''] of names) {
        const shown = await page
          .locator('table.data tbody tr')
          .filter({ hasText: name })
          .locator('td.strong .on-desk')
          .innerText();
        const amount = sum(
          day.filter(({ restaurantGuid }) => restaurantGuid === guid),
          'netSalesAmount',
        );
        assert.equal(centsShown(shown), amount, name);
      }
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('by hour are those of the report by hour, in the chart and in its table', async () => {
    const { page, close } = await visits.open('/');
    try {
      const rows = (await csvOf(await reportOf(page, 'Net sales by hour'))).filter(
        ({ businessDate }) => businessDate === visits.lastDate,
      );
      await page.getByRole('button', { name: 'Show net sales by hour as a table' }).click();
      const shown = await page.locator('section.card table.plain tbody tr td:nth-child(2)').allInnerTexts();
      const total = shown.reduce((all, text) => all + centsShown(text), 0);

      const { restaurants } = await currencies(page);
      assert.equal(
        total,
        sum(
          rows.filter(({ restaurantGuid = '' }) => restaurants.get(restaurantGuid) === 'USD'),
          'netSalesAmount',
        ),
      );
    } finally {
      await close();
    }
  });

  it('of a restaurant are those of its report, labor once however it is split', async () => {
    const { page, close } = await visits.open('/');
    try {
      await visit(page, `/restaurants/${PEACHTREE}?span=7`);
      const rows = await csvOf(await reportOf(page, 'Days'));
      const dates = [...new Set(rows.map(({ businessDate }) => businessDate))].sort().slice(-7);
      const own = rows.filter(({ businessDate }) => dates.includes(businessDate));
      const net = sum(own, 'netSalesAmount');

      assert.equal(await figure(page, 'Net sales'), dollars(net));
      assert.equal(
        await figure(page, 'Sales per labor hour'),
        dollars(Math.round((net * 100) / sum(own, 'hourlyJobTotalHours'))),
      );
      const shown = await page.locator('table.dense tbody tr .strong .on-desk').allInnerTexts();
      assert.deepEqual(
        shown,
        [...dates].reverse().map((date) =>
          dollars(
            sum(
              own.filter(({ businessDate }) => businessDate === date),
              'netSalesAmount',
            ),
          ),
        ),
      );
      const sources = await csvOf(await reportOf(page, 'Where sales come from'));
      const within = sources.filter(({ businessDate }) => dates.includes(businessDate));
      const dineIn = sum(
        within.filter(({ diningOption }) => diningOption === 'Dine In'),
        'netSalesAmount',
      );
      const bar = await page.locator('.bars li').filter({ hasText: 'Dine In' }).locator('.amount').innerText();
      assert.ok(bar.startsWith(dollars(dineIn, 0)), `${bar} of ${dineIn}`);
    } finally {
      await close();
    }
  });

  it('of open orders are those of their checks that are not closed, paid ones too', async () => {
    await loadStatuses(visits, ['OPEN', 'PAID', 'PAID']);
    const { page, close } = await visits.open(`/restaurants/${PEACHTREE}?span=7`);
    try {
      const days = await csvOf(await reportOf(page, 'Days'));
      const [from, to] = [dashed(visits.lastDate, -6).replaceAll('-', ''), visits.lastDate];
      const open = days
        .filter(({ businessDate = '' }) => businessDate >= from && businessDate <= to)
        .reduce((total, { openOrderCount }) => total + Number(openOrderCount), 0);
      await visit(page, `/restaurants/${PEACHTREE}/checks?span=7`);
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      const checks = page.locator('section.card').filter({ has: page.locator('.windowed') });
      assert.ok(open > 0);
      assert.match(await checks.innerText(), new RegExp(`of ${open} orders, not closed`));
      assert.match(await checks.locator('tbody').innerText(), /Paid/);
      assert.doesNotMatch(await checks.locator('tbody').innerText(), /Closed|Voided/);
    } finally {
      await close();
    }
  });

  it('in the table of restaurants are ordered within each currency, that of most restaurants first', async () => {
    const { page, close } = await visits.open('/restaurants');
    try {
      for (const sort of ['-net', 'net', '-average', 'refunds']) {
        await visit(page, `/restaurants?sort=${sort}`);
        const amounts = await page.locator('table.data tbody td.strong').allInnerTexts();
        assert.deepEqual(
          amounts.map((amount) => amount.includes('€')),
          [false, false, false, false, false, false, false, true],
          sort,
        );
      }
    } finally {
      await close();
    }
  });

  // The last one, because it adds a restaurant.
  it('of a restaurant without a currency are plain numbers, and in no sum of another', async () => {
    const { page, faults, close } = await visits.open('/');
    try {
      const before = await figure(page, 'Net sales');
      await loadKiosk();

      await visit(page, '/');
      assert.equal(await figure(page, 'Net sales'), before);
      const others = page.locator('.others p').filter({ hasText: 'without a currency' });
      assert.match(await others.innerText(), /Kiosk .*: 1,234\.50/);
      const row = page.locator('table.data tbody tr').filter({ hasText: 'Kiosk' });
      assert.equal((await row.locator('td.strong .on-desk').innerText()).trim(), '1,234.50');
      for (const text of [await others.innerText(), await row.innerText()]) assert.doesNotMatch(text, CURRENCY_SIGN);

      await visit(page, '/?cur=none');
      assert.equal(await figure(page, 'Net sales'), '1,234.50');
      await visit(page, `/restaurants/${KIOSK}?span=7`);
      assert.equal(await figure(page, 'Net sales'), '1,234.50');
      assert.doesNotMatch(await page.locator('main').innerText(), CURRENCY_SIGN);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });
});

const KIOSK = 'b1500000-0000-4000-8000-0000000000aa';
const CURRENCY_SIGN = /[$€£¥]|USD|EUR/;

/** Adds a restaurant without a currency, with one order of 1,234.50 on the last date. */
async function loadKiosk(): Promise<void> {
  const openedDate = `${dashed(visits.lastDate, 0)}T12:00:00.000Z`;
  const selection = { guid: KIOSK, quantity: 1, preDiscountPrice: 1234.5, price: 1234.5, tax: 0 };
  const check = { guid: KIOSK, openedDate, paymentStatus: 'CLOSED', totalAmount: 1234.5, selections: [selection] };
  await loadRestaurant(visits.service, KIOSK, { name: 'Kiosk', timeZone: 'UTC' }, [
    {
      guid: KIOSK,
      businessDate: Number(visits.lastDate),
      openedDate,
      numberOfGuests: 1,
      source: 'In Store',
      checks: [check],
    },
  ]);
}

/** The currency of each restaurant, by the names in the table of the overview. */
async function currencies(page: Page): Promise<{ restaurants: Map<string, string> }> {
  const rows = await page
    .locator('table.data tbody tr')
    .evaluateAll((all) =>
      all.map((row) => [
        row.querySelector('a')?.getAttribute('href')?.split(/[/?]/)[2] ?? '',
        row.querySelector('.strong')?.textContent ?? '',
      ]),
    );
  return { restaurants: new Map(rows.map(([guid = '', amount = '']) => [guid, amount.includes('€') ? 'EUR' : 'USD'])) };
}

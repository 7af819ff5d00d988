/**
 * What the console makes of data of which a part is missing: labor of some restaurants, dates after the last load, a
 * day in progress.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { type ConsoleVisits, cardOf, dashed, loadRestaurant, startConsole, tokenOf, visit } from './console.ts';

const guidOf = (at: number): string => `b1500000-0000-4000-8000-0000000000${String(at).padStart(2, '0')}`;
const [WORKED, OTHER, THIRD, STOPPED] = [guidOf(1), guidOf(2), guidOf(3), guidOf(4)];
const [TODAY, OLD, NEW, STEADY, CLOSED] = [guidOf(5), guidOf(6), guidOf(7), guidOf(8), guidOf(9)];
const [TREND, ODD] = [guidOf(10), guidOf(11)];

let visits: ConsoleVisits;
/** A date that is over everywhere. */
let last: string;
let made = 0;
const newGuid = (): string => `b1500000-0000-4000-8000-${String(++made).padStart(12, '0')}`;

const compact = (date: string): number => Number(date.replaceAll('-', ''));

/** An order at noon, so many days from the last date. */
function orderOf(days: number, price: number, more: object = {}): object {
  const [guid, date] = [newGuid(), dashed(last, days)];
  const openedDate = `${date}T12:00:00.000Z`;
  const selection = { guid, quantity: 1, preDiscountPrice: price, price, tax: 0 };
  const check = { guid, openedDate, paymentStatus: 'CLOSED', totalAmount: price, selections: [selection] };
  return { guid, openedDate, businessDate: compact(date), source: 'Till', checks: [check], ...more };
}

const about = (name: string) => ({ name, timeZone: 'UTC', closeoutHour: 0, currencyCode: 'USD' });

/** Loads four hours of work at $8, so many days from the last date. */
async function loadEntry(
  restaurant: string,
  days: number,
  { job = guidOf(91), hour = 10 }: { job?: string; hour?: number } = {},
): Promise<void> {
  const date = dashed(last, days);
  const entry = {
    guid: newGuid(),
    businessDate: compact(date),
    regularHours: 4,
    overtimeHours: 0,
    hourlyWage: 8,
    inDate: `${date}T${hour}:00:00.000Z`,
    outDate: `${date}T${hour + 4}:00:00.000Z`,
    employeeReference: { guid: guidOf(90) },
    jobReference: { guid: job },
  };
  const answer = await fetch(`${visits.service.origin}/v1/restaurants/${restaurant}/time-entries`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOf(visits.service)}`, 'content-type': 'application/json' },
    body: JSON.stringify([entry]),
  });
  assert.ok(answer.ok, await answer.text());
}

before(async () => {
  if (skip) return;
  visits = await startConsole(0);
  last = dashed(visits.lastDate, -1).replaceAll('-', '');
  await loadRestaurant(visits.service, WORKED, about('Worked'), [orderOf(0, 100), orderOf(-1, 100)]);
  await loadRestaurant(visits.service, OTHER, about('Other'), [orderOf(0, 100)]);
  await loadRestaurant(visits.service, THIRD, about('Third'), [orderOf(0, 200)]);
  await loadEntry(WORKED, 0);
});
after(() => visits?.stop());

const figure = async (page: Page, name: string): Promise<string> =>
  (await page.locator(`[data-figure="${name}"]`).innerText()).replace(/\s/g, ' ');
const textOf = async (page: Page): Promise<string> => (await page.locator('main').innerText()).replace(/\s/g, ' ');

describe(named('the console, of data that are loaded in part,'), { skip }, () => {
  it('divides labor by the sales of the restaurants and dates that have some, and says how many do', async () => {
    const { page, faults, close } = await visits.open('/');
    const all = /Labor of 1 of 3 restaurants is loaded/;
    try {
      for (const path of ['/?span=day', '/?span=7', '/labour?span=day', '/labour?span=7']) {
        await visit(page, path);
        assert.equal(await figure(page, 'Hourly labor'), '32.0 %', path);
        assert.match(await textOf(page), all, path);
      }
      // 4 hours at the sales of 100.
      assert.equal(await figure(page, 'Sales per labor hour'), '$25.00');
      assert.match(await cardOf(page, 'Restaurants').innerText(), /Worked\s+32\.0/);
      const chart = cardOf(page, 'Sales per labor hour by hour');
      await chart.getByRole('button', { name: /as a table/ }).click();
      // Of the four hours of work one was at noon.
      assert.match(await chart.innerText(), /12 pm\s+\$100\.00/);

      await visit(page, '/restaurants?span=7');
      assert.match(await textOf(page), all);
      await visit(page, `/restaurants/${WORKED}?span=7`);
      assert.equal(await figure(page, 'Hourly labor'), '32.0 %');
      assert.match(await textOf(page), /Labor of 1 of 2 dates is loaded/);
      await visit(page, '/compare?m=labour&span=7');
      assert.match(await cardOf(page, 'Worked').innerText(), /32\.0\s%[\s\S]*Labor of 1 of 2 dates is loaded/);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('shows dates that are over as missing after the last load, and the current one as not yet there', async () => {
    const weeks = [-8, -7, -6, -5].map((days) => orderOf(days, 100));
    await loadRestaurant(visits.service, THIRD, about('Third'), weeks);
    await loadRestaurant(visits.service, STOPPED, about('Stopped'), [...weeks, orderOf(-3, 100)]);
    const { page, close } = await visits.open('/data');
    const states = async (name: string): Promise<string[]> => {
      const row = page.locator('table.calendar tbody tr').filter({ hasText: name });
      return await row
        .locator('td i')
        .evaluateAll((all) => all.map(({ className }) => className.replace('loaded ', '')));
    };
    try {
      const shown = await states('Stopped');
      assert.deepEqual(shown.slice(-4), ['loaded', 'closed', 'missing', 'missing']);
      // On the date that has begun, the others have nothing yet either.
      await loadRestaurant(visits.service, OTHER, about('Other'), [orderOf(1, 1)]);
      await page.clock.setFixedTime(new Date(`${dashed(last, 1)}T12:00:00Z`));
      await visit(page, '/data');
      assert.deepEqual((await states('Stopped')).slice(-3), ['missing', 'missing', 'late']);
    } finally {
      await close();
    }
  });

  it('does not compare a date that is not over with whole dates as if it were one', async () => {
    const at = (days: number, time: string, price: number) =>
      orderOf(days, price, { openedDate: `${dashed(last, days)}T${time}:00.000Z` });
    const before = [-6, -13, -20, -27].flatMap((days) => [at(days, '12:00', 20), at(days, '19:00', 100)]);
    const today = { ...about('Today'), currencyCode: 'EUR' };
    await loadRestaurant(visits.service, TODAY, today, [at(1, '12:00', 20), ...before]);
    const { page, close } = await visits.open('/more');
    try {
      await page.clock.setFixedTime(new Date(`${dashed(last, 1)}T15:00:00Z`));
      await visit(page, `/restaurants/${TODAY}?d=${dashed(last, 1)}`);
      const sources = cardOf(page, 'Where sales come from');
      assert.match(await sources.innerText(), /So far, not compared/);
      assert.equal(await sources.locator('.change svg').count(), 0);
      await visit(page, `/restaurants/${TODAY}?span=28&d=${dashed(last, 1)}`);
      assert.match(await sources.innerText(), /So far, beside the whole/);
      const days = cardOf(page, 'Days').locator('tbody tr');
      assert.deepEqual(
        [(await days.first().innerText()).includes('so far'), await days.first().locator('.change').count()],
        [true, 0],
      );
      // The mean of the whole dates, of which each sold 120.
      const heat = cardOf(page, 'Hour and weekday');
      assert.match(await heat.innerText(), /without the date in progress/);
      const sums = await heat.locator('tbody .sum').allInnerTexts();
      assert.deepEqual(
        sums.filter((sum) => sum !== '–'),
        ['€120'],
      );

      await visit(page, `/?span=7&d=${dashed(last, 1)}&cur=EUR`);
      const [, percent = ''] = /(83\.3)\s%/.exec(await page.locator('.figures > div').first().innerText()) ?? [];
      const chart = cardOf(page, 'Net sales by hour');
      assert.match(
        (await chart.locator('[aria-label^="Net sales by hour, peak"]').getAttribute('aria-label')) ?? '',
        new RegExp(percent || 'a change'),
      );
      const dinner = chart.locator('.dayparts > div').filter({ hasText: 'Dinner' });
      assert.match(await dinner.innerText(), /100\.0\s%/);
    } finally {
      await close();
    }
  });

  it('says where changes include restaurants that have data in only one of the two', async () => {
    const note = /Changes here are of all restaurants: 1 has data in only one of the two periods/;
    const pounds = (name: string) => ({ ...about(name), currencyCode: 'GBP' });
    await loadRestaurant(visits.service, OLD, pounds('Old'), [orderOf(0, 100), orderOf(-7, 100)]);
    await loadRestaurant(visits.service, NEW, pounds('New'), [orderOf(0, 100)]);
    const { page, close } = await visits.open('/more');
    const date = `d=${dashed(last, 0)}&cur=GBP`;
    try {
      await visit(page, `/?${date}`);
      assert.match(await page.locator('.figures > div').first().innerText(), /0\.0\s%[\s\S]*from £100/);
      for (const name of ['Net sales by hour', 'Dining options'])
        assert.match(await cardOf(page, name).innerText(), note, name);
      await visit(page, `/menu?span=day&${date}`);
      assert.match(await textOf(page), note);
      for (const path of [`/?d=${dashed(last, 0)}&cur=GBP&vs=none`, `/menu?span=day&${date}&r=${OLD}`]) {
        await visit(page, path);
        assert.doesNotMatch(await textOf(page), note, path);
      }
    } finally {
      await close();
    }
  });

  it('says how many restaurants are near their usual figures, if the others have too little history', async () => {
    const weeks = [-7, -14, -21, -28, -35, -42].map((days) => orderOf(days, 100));
    await loadRestaurant(visits.service, STEADY, about('Steady'), weeks);
    const { page, close } = await visits.open(`/?d=${dashed(last, -7)}`);
    try {
      const text = await cardOf(page, 'What stands out').innerText();
      assert.match(
        text,
        /Nothing unusual\.\s+1 of \d restaurants compared: the others have too few of the last 8 \w+days\./,
      );
    } finally {
      await close();
    }
  });

  it('shows the work of a closed day as labor without sales, and no source of sales', async () => {
    const francs = { ...about('Closed'), currencyCode: 'CHF' };
    await loadRestaurant(visits.service, CLOSED, francs, [orderOf(-7, 100)]);
    await loadEntry(CLOSED, 0);
    const { page, close } = await visits.open('/more');
    try {
      await visit(page, `/labour?span=day&d=${dashed(last, 0)}&cur=CHF`);
      const text = await textOf(page);
      assert.match(text, /no sales[\s\S]*No sales in the hours worked[\s\S]*4\.00/);
      assert.doesNotMatch(text, /(?<!salaries are )not loaded|No labor is loaded/);
      await visit(page, `/restaurants/${CLOSED}?span=day&d=${dashed(last, 0)}`);
      assert.match(await textOf(page), /Hourly labor – no sales/);
      assert.doesNotMatch(await textOf(page), /No Dining Option|Unknown source/);
    } finally {
      await close();
    }
  });

  it('draws nothing of dates without data in the trend of an item, and 0 of those on which others were sold', async () => {
    const sold = (days: number, name: string, at: number) => {
      const order = orderOf(days, 100) as { checks: [{ selections: [object] }] };
      Object.assign(order.checks[0].selections[0], { displayName: name, item: { guid: guidOf(at) } });
      return order;
    };
    const crowns = { ...about('Trend'), currencyCode: 'SEK' };
    const orders = [sold(-3, 'Soup', 60), sold(-1, 'Bread', 61), sold(0, 'Soup', 60)];
    await loadRestaurant(visits.service, TREND, crowns, orders);
    const { page, close } = await visits.open(`/menu?d=${dashed(last, 0)}&cur=SEK`);
    try {
      await page.getByRole('button', { name: 'Soup' }).click();
      const card = cardOf(page, 'Soup');
      await card.getByRole('button', { name: /as a table/ }).click();
      await card.locator('tbody tr').first().waitFor();
      const amounts = await card.locator('tbody tr td:last-child').allInnerTexts();
      assert.deepEqual(
        amounts.slice(0, 6).map((text) => text.replace(/\D/g, '')),
        ['10000', '000', '', '10000', '', ''],
      );
    } finally {
      await close();
    }
  });

  it('has average prices before discounts, "–" for an hour in which nobody worked, a row for each unnamed job', async () => {
    const rupees = { ...about('Odd'), currencyCode: 'INR' };
    const discounted = orderOf(0, 80) as { checks: [{ selections: [object] }] };
    Object.assign(discounted.checks[0].selections[0], {
      preDiscountPrice: 100,
      appliedDiscounts: [{ guid: newGuid(), discountAmount: 20 }],
    });
    await loadRestaurant(visits.service, ODD, rupees, [discounted, orderOf(-7, 80)]);
    await loadEntry(ODD, -7);
    const jobs = ['11111111-0000-4000-8000-000000000001', '22222222-0000-4000-8000-000000000002'];
    for (const job of jobs) await loadEntry(ODD, 0, { job, hour: 14 });
    const { page, close } = await visits.open('/more');
    try {
      await visit(page, `/menu?span=day&d=${dashed(last, 0)}&cur=INR`);
      assert.equal(await figure(page, 'Net sales of items'), '₹80');
      assert.equal(await figure(page, 'Average price'), '₹100.00');
      await visit(page, `/labour?span=day&d=${dashed(last, 0)}&cur=INR`);
      assert.match(await textOf(page), /Unnamed job 11111111 4\.00 .* Unnamed job 22222222 4\.00 /);
      const card = cardOf(page, 'Sales per labor hour by hour');
      await card.getByRole('button', { name: /as a table/ }).click();
      const noon = (await card.locator('tbody tr').first().innerText()).replace(/\s/g, ' ');
      assert.equal(noon, '12 pm – ₹80.00 –');
    } finally {
      await close();
    }
  });
});

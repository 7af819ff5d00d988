/** Whether the console shows what it says: figures under their own dates, one period on all screens. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import {
  axeInBoth,
  type ConsoleVisits,
  cardOf,
  dashed,
  loadRestaurant,
  PEACHTREE,
  settled,
  startConsole,
  visit,
} from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(16);
});
after(() => visits?.stop());

/** "Wed Nov 25", so many days from the last date. */
const short = (days: number): string =>
  new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })
    .format(new Date(dashed(visits.lastDate, days)))
    .replace(',', '');

const figure = (page: Page, name: string): Promise<string> => page.locator(`[data-figure="${name}"]`).innerText();

/** Holds all reports until the returned function is called; one that an earlier screen asked for is only read. */
async function hold(page: Page): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/v1\/(metrics|labor|menu|reports)/, async (route) => {
    await promise;
    await route.continue();
  });
  return async () => {
    resolve();
    await page.unrouteAll({ behavior: 'wait' });
    await settled(page);
  };
}

describe(named('the console'), { skip }, () => {
  it('dims what is of other dates while these are loaded, and says of which it still is', async () => {
    const { page, faults, close } = await visits.open('/more');
    const still = `still ${short(0)}`;
    try {
      // The number of places that say it.
      const screens = { '/': 6, '/restaurants': 1, [`/restaurants/${PEACHTREE}`]: 5, '/labour': 5, '/menu': 1 };
      for (const [path, places] of Object.entries(screens)) {
        await visit(page, path);
        const shown = await page.locator('main').innerText();
        const release = await hold(page);
        await page.getByRole('button', { name: 'Previous date' }).click();
        const marks = page.locator('main .stale > .still');
        await marks.first().waitFor();
        assert.deepEqual(await marks.allInnerTexts(), Array(places).fill(still), path);
        // Legends are of what is drawn.
        for (const legend of await page.locator('.legend', { has: page.locator('.swatch') }).allInnerTexts())
          assert.ok(shown.includes(legend), `${path}: ${legend}`);
        await release();
        assert.equal(await page.locator('.stale, .still').count(), 0, path);
      }
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('says so for as long as the service is unavailable, in text that is grey and can be read', async () => {
    const { page, close } = await visits.open('/', { bypassCSP: true });
    try {
      const colour = () => page.locator('[data-figure="Orders"]').evaluate((one) => getComputedStyle(one).color);
      const before = await colour();
      const orders = await figure(page, 'Orders');
      const resume = await visits.pause();
      await page.getByRole('button', { name: 'Previous date' }).click();
      await page.getByRole('alert').first().waitFor();
      const card = cardOf(page, 'Net sales by hour');
      await card.getByRole('alert').waitFor();
      assert.equal(await card.locator('.still').innerText(), `still ${short(0)}`);
      assert.match(await card.locator('.card-head').innerText(), new RegExp(`^Net sales by hour\\s+${short(0)}\\s`));
      assert.equal(await figure(page, 'Orders'), orders);
      assert.notEqual(await colour(), before);
      // It has a load of its own, which may fail after those of the cards.
      await page.locator('.screen-head .sub', { hasText: 'Not loaded' }).waitFor();
      assert.deepEqual(await axeInBoth(page), []);
      await resume();
      await page.locator('.still').first().waitFor({ state: 'detached' });
      assert.equal(await colour(), before);
    } finally {
      await close();
    }
  });

  it('has one period on all screens, which links from figures carry', async () => {
    const { page, close } = await visits.open('/');
    const labor = () => figure(page, 'Hourly labor');
    const show = async (link: string): Promise<void> => {
      await page.locator('.nav a', { hasText: link }).click();
      await settled(page);
    };
    const pressed = () => page.locator('.tools [aria-pressed="true"]').first().innerText();
    try {
      const overview = await labor();
      for (const name of ['Restaurants', 'Compare', 'Labor', 'Menu']) {
        await show(name);
        assert.equal(await pressed(), 'Day', name);
      }
      await show('Labor');
      assert.match(await page.locator('h1').innerText(), /^Labor, \w+day, /);
      assert.equal(await labor(), overview);
      const row = page.locator('tr', { hasText: 'Peachtree' });
      const own = await row.locator('td').first().innerText();
      await row.getByRole('link').click();
      await settled(page);
      assert.equal(new URL(page.url()).search, '');
      assert.equal(await pressed(), 'Day');
      assert.equal(await labor(), own);

      await visit(page, `/?span=7&d=${dashed(visits.lastDate, -2)}`);
      const week = await labor();
      for (const name of ['Compare', 'Menu', 'Labor']) {
        await show(name);
        const { searchParams } = new URL(page.url());
        assert.deepEqual(Object.fromEntries(searchParams), { span: '7', d: dashed(visits.lastDate, -2) }, name);
      }
      assert.equal(await labor(), week);
    } finally {
      await close();
    }
  });

  it('compares restaurants on a day by its amounts, beside the four weeks to it', async () => {
    const { page, close } = await visits.open('/compare');
    try {
      const legend = await page.locator('main .row .legend').allInnerTexts();
      assert.equal(legend.length, 2);
      assert.match(legend[0] ?? '', / to /);
      assert.match(await page.locator('main').innerText(), new RegExp(`Amounts: ${short(0)} vs ${short(-7)}`));
    } finally {
      await close();
    }
  });

  it('has legends in its heads, whole names on Compare, and abbreviations of dayparts that have no room', async () => {
    const { page, close } = await visits.open('/labour', { viewport: { width: 1280, height: 900 } });
    const legends = (heading: string) => cardOf(page, heading).locator('.card-head .legend').allInnerTexts();
    /** The elements whose text does not fit into them. */
    const cut = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) =>
          all.flatMap((one) => (one.scrollWidth > one.clientWidth + 1 ? [one.textContent ?? ''] : [])),
        );
    try {
      const both = [short(0), short(-7)];
      assert.deepEqual(
        (await legends('Sales per labor hour by hour')).map((text) => text.trim()),
        both,
      );
      await visit(page, '/compare');
      assert.equal(await page.locator('.multiples h2').count(), 8);
      assert.deepEqual(await cut('.multiples h2'), []);
      await visit(page, '/');
      const afternoon = page.locator('.dayparts dt', { hasText: 'Afternoon' });
      assert.equal(await afternoon.locator('.short').innerText(), 'Aft.');
      assert.ok(await afternoon.locator('.short').isVisible());
      assert.ok(await page.locator('.dayparts dt', { hasText: 'Lunch' }).isVisible());
    } finally {
      await close();
    }
  });

  it('spells labor as the English of the viewer does', async () => {
    for (const [locale, word] of [
      ['en-US', 'Labor'],
      ['en-GB', 'Labour'],
    ] as const) {
      const { page, close } = await visits.open('/labour', { locale });
      try {
        assert.match(await page.locator('.nav').innerText(), new RegExp(`^${word}$`, 'm'));
        assert.match(await page.locator('h1').innerText(), new RegExp(`^${word}, `));
        const words = (await page.locator('main').innerText()).match(/labou?r/gi) ?? [];
        assert.ok(words.length > 2);
        assert.deepEqual([...new Set(words.map((one) => one.toLowerCase()))], [word.toLowerCase()]);
      } finally {
        await close();
      }
    }
  });

  it('names the date of what stands out, with the usual value, what the amount is of, and a link to that date', async () => {
    // Sales fall to a third on the last date, and discounts rise from 5 % to 20 %.
    const weeks = [0, -7, -14, -21, -28, -35, -42];
    const orders = weeks.map((days) => orderOf(ODD, days, days === 0 ? [1000, 200] : [3000, 150]));
    await loadRestaurant(visits.service, ODD, { name: 'Odd', timeZone: 'UTC', currencyCode: 'SEK' }, orders);
    const { page, close } = await visits.open('/?span=28&cur=SEK');
    try {
      const card = cardOf(page, 'What stands out');
      const text = async () => (await card.innerText()).replace(/\s+/g, ' ');
      const weekday = new Date(dashed(visits.lastDate, 0)).toLocaleDateString('en-US', { weekday: 'long' });
      assert.match(await text(), new RegExp(`${short(0)} against 8 ${weekday}s`));
      assert.match(await text(), new RegExp(`kr 2,050 less sales Sales kr 800, usually kr 2,850 on ${weekday}s`));
      assert.match(await text(), new RegExp(`kr 150 more discounts .* usually 5\\.0 % on ${weekday}s`));

      await visit(page, '/?cur=SEK');
      const cell = page.locator('tr', { hasText: 'Odd' }).locator('.unusual');
      assert.equal(
        (await cell.innerText()).replace(/\s(?=,)/g, '').replace(/\s/g, ' '),
        `20.0 %, usually 5.0 % on ${weekday}s`,
      );
      assert.equal((await cell.getAttribute('title'))?.replace(/\s/g, ' '), `usually 5.0 % on ${weekday}s`);

      await visit(page, '/?span=28&cur=SEK');
      await card.getByRole('link', { name: 'Odd' }).first().click();
      await settled(page);
      assert.equal(new URL(page.url()).searchParams.get('span'), null);
      assert.equal((await figure(page, 'Net sales')).replace(/\s/g, ' '), 'kr 800.00');
    } finally {
      await close();
    }
  });

  it('has no percentage and no colour of what is only missing, and dashes the line to it', async () => {
    const other = ODD.replace(/.$/, 'b');
    const about = { name: 'Late', timeZone: 'UTC', currencyCode: 'CHF' };
    const days = [-28, -21, -14, -7, 0, 1];
    // One has the date of today so far, the other not.
    const sold = days.map((at) => orderOf(other, at, [at === 1 ? 10 : 100, 0]));
    await loadRestaurant(visits.service, other, about, sold);
    const third = ODD.replace(/.$/, 'c');
    const rest = [-27, -20, -13, -6, 0].map((at) => orderOf(third, at, [500, 0]));
    await loadRestaurant(visits.service, third, { ...about, name: 'Later' }, rest);
    const { page, close } = await visits.open('/more');
    try {
      await page.clock.setFixedTime(new Date(`${dashed(visits.lastDate, 3)}T12:00:00Z`));
      await visit(page, `/?d=${dashed(visits.lastDate, 1)}&cur=CHF`);
      for (const name of ['Net sales by hour', 'Dining options']) {
        const card = cardOf(page, name);
        assert.match(await card.innerText(), /Not compared: 1 of 2 restaurants has no data yet/, name);
        assert.equal(await card.locator('.change svg, .change.bad, .change.good').count(), 0, name);
        assert.doesNotMatch(await card.innerText(), /100\.0|98\./, name);
      }
      assert.equal(await cardOf(page, 'Last 13 weeks').locator('.line.part').count(), 1);
      assert.match(await cardOf(page, 'Last 13 weeks').innerText(), /dashed: incomplete/);
      await visit(page, `/menu?d=${dashed(visits.lastDate, 1)}&cur=CHF`);
      assert.equal(await page.locator('.change.bad').count(), 0);
    } finally {
      await close();
    }
  });
});

const ODD = 'b1500000-0000-4000-8000-00000000000a';

/** An order at noon, so many days from the last date, of a price before discount, and of the discount. */
function orderOf(restaurant: string, days: number, [gross = 0, discount = 0]: number[]) {
  const guid = restaurant.replace(/.{6}$/, `${days + 50}${restaurant.slice(-1)}000`.padStart(6, 'f'));
  const openedDate = `${dashed(visits.lastDate, days)}T12:00:00.000Z`;
  const appliedDiscounts = discount > 0 ? [{ guid, discountAmount: discount }] : [];
  const price = gross - discount;
  const selection = { guid, quantity: 1, preDiscountPrice: gross, price, tax: 0, appliedDiscounts };
  const check = { guid, openedDate, paymentStatus: 'CLOSED', totalAmount: price, selections: [selection] };
  const businessDate = Number(dashed(visits.lastDate, days).replaceAll('-', ''));
  return { guid, openedDate, businessDate, checks: [check] };
}

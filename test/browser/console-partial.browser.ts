/** What the console says of figures that are known only in part: comparisons, sources, periods and addresses. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { named, skip } from '../docs/browser.ts';
import { type ConsoleVisits, cardOf, dashed, loadRestaurant, PEACHTREE, startConsole, visit } from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  // Four weeks, and two dates of the four weeks before.
  if (!skip) visits = await startConsole(30);
});
after(() => visits?.stop());

describe(named('the console'), { skip }, () => {
  it('says of a comparison that is loaded only in part how many of its dates have data', async () => {
    const { page, faults, close } = await visits.open('/?span=28');
    const note = /2 of 28 dates of .* to .* have data: changes are of 28 dates vs 2\./;
    try {
      for (const path of ['/restaurants', `/restaurants/${PEACHTREE}`, '/labour', '/menu', '/']) {
        await visit(page, `${path}?span=28`);
        assert.match(await page.locator('main').innerText(), note, path);
      }
      // The row of each restaurant, and the line of the other currency.
      const marks = page.locator('main small', { hasText: '28 dates vs 2' });
      assert.equal(await marks.count(), 9);
      await visit(page, '/compare?span=28');
      assert.equal(await page.locator('.card > .note', { hasText: note }).count(), 8);

      await visit(page, '/?span=7');
      assert.doesNotMatch(await page.locator('main').innerText(), /dates vs|have data/);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('has a bar of what sold only in the comparison, with nothing now', async () => {
    await loadOrders(KIOSK, 'Kiosk', [
      { source: 'Old app', days: -7, price: 100 },
      { source: 'Old app', days: -4, price: 100 },
      { source: 'New app', days: 0, price: 100 },
    ]);
    const { page, close } = await visits.open(`/restaurants/${KIOSK}?span=day`);
    try {
      const bars = cardOf(page, 'Where sales come from').locator('.group').last().locator('li');
      const shown = (await bars.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
      assert.deepEqual(shown, ['New app $100100 % new', 'Old app $00 % down 100.0 %']);

      // Of a date without data nothing is known, whatever was sold before.
      await visit(page, `/restaurants/${KIOSK}?span=day&d=${dashed(visits.lastDate, -3)}&vs=previous`);
      assert.equal(await bars.count(), 0);
    } finally {
      await close();
    }
  });

  it('says which values of the address it does not know, on every screen that reads them', async () => {
    const { page, close } = await visits.open('/more');
    const screens = {
      '/?cur=ZZZ&sort=-colour&by=colour': 'cur sort by',
      '/restaurants?sort=weeks': 'sort',
      '/labour?cur=ZZZ&m=colour': 'cur m',
      '/menu?by=COLOUR&r=none&cur=ZZZ&sort=colour': 'by r cur sort',
      '/compare?m=colour&scale=huge&r=none': 'm scale r',
      [`/compare?r=none,${PEACHTREE}`]: 'r',
      [`/restaurants/${PEACHTREE}/checks?sort=colour&kind=colour`]: 'kind sort',
      [`/restaurants/${PEACHTREE}?m=colour`]: 'm',
      '/data?page=2': 'page',
      // What people choose is known.
      '/?cur=EUR&sort=-change&by=orderSource': '',
      '/labour?m=hours': '',
      [`/restaurants/${PEACHTREE}?m=orders`]: '',
      '/restaurants?sort=-open': '',
      [`/menu?by=MODIFIER&r=${PEACHTREE}&sort=by-price`]: '',
      [`/compare?m=voids&scale=own&r=${PEACHTREE}`]: '',
      [`/restaurants/${PEACHTREE}/checks?sort=-total&kind=voided`]: '',
    };
    try {
      for (const [path, names] of Object.entries(screens)) {
        await visit(page, path);
        const notices = await page.locator('main .notice').allInnerTexts();
        assert.equal(notices.map((text) => /value for (\w+), so/.exec(text)?.[1]).join(' '), names, path);
      }
    } finally {
      await close();
    }
  });

  it('shows when a check was paid by the clock of the viewer, as every other time', async () => {
    for (const [locale, paid, asOf] of [
      ['en-US', /^1?\d:\d\d [ap]m$/, /As of 1?\d:\d\d [ap]m/],
      ['de-DE', /^[012]?\d:\d\d$/, /As of [012]?\d:\d\d UTC/],
    ] as const) {
      const { page, close } = await visits.open(`/restaurants/${PEACHTREE}/checks`, { locale, timezoneId: 'UTC' });
      try {
        const times = await page.locator('.windowed tbody tr[aria-rowindex] td:nth-child(2)').allInnerTexts();
        assert.ok(times.length > 5);
        for (const time of times) if (time !== '–') assert.match(time.replace(/\s/g, ' '), paid, locale);
        assert.match((await page.locator('.screen-foot').innerText()).replace(/\s/g, ' '), asOf, locale);
      } finally {
        await close();
      }
    }
  });

  it('compares each date of a long period with the four weeks before it, whatever the period is compared with', async () => {
    // Weeks of $100 a date and of $300, closed on one weekday, of 300 dates; one date is missing. Counted from the last
    // date, so that the restaurant is never closed on it: of what is after the last loaded date nothing is known.
    const missing = 196;
    const isClosed = (days: number): boolean => -days % 7 === 3;
    const days = Array.from({ length: 300 }, (_, at) => -at).filter((at) => !isClosed(at) && at !== -missing);
    const sold = days.map((at) => ({ source: 'Till', days: at, price: Math.floor(-at / 7) % 2 === 0 ? 100 : 300 }));
    await loadOrders(BISTRO, 'Bistro', sold);
    const { page, close } = await visits.open('/more');
    const rowsOf = async (length: number, versus: string): Promise<string[][]> => {
      const span = `from=${dashed(visits.lastDate, 1 - length)}&to=${dashed(visits.lastDate, 0)}`;
      await visit(page, `/restaurants/${BISTRO}?span=custom&${span}&vs=${versus}`);
      const card = cardOf(page, 'Days');
      await card.getByRole('button', { name: `All ${length} days` }).click();
      return card
        .locator('tbody tr')
        .evaluateAll((all) =>
          all.map((row) => [...row.children].slice(1, 3).map((cell) => (cell as HTMLElement).innerText)),
        );
    };
    try {
      const rows = await rowsOf(200, 'weekday');
      assert.deepEqual(rows[missing], ['No data', '']);
      for (const [at, [net = '', change = '']] of rows.entries()) {
        if (isClosed(-at)) assert.equal(net, 'Closed');
        // The mean of the four weekdays before it is $200, or nearly that where one of them is missing.
        else if (at !== missing)
          assert.match(change.replace(/\s+/g, ' '), /^(down (50\.0|57\.1|40\.0)|up (50\.0|28\.6|80\.0)) %$/, `${at}`);
      }
      for (const versus of ['none', 'year']) assert.deepEqual(await rowsOf(200, versus), rows, versus);
      // Before the first date with data nothing is known.
      assert.deepEqual((await rowsOf(366, 'none')).at(-1), ['No data', '']);
    } finally {
      await close();
    }
  });
});

const KIOSK = 'b1500000-0000-4000-8000-0000000000aa';
const BISTRO = 'b1500000-0000-4000-8000-0000000000bb';

/** Adds a restaurant with orders by their source, their price and their days after the last date. */
async function loadOrders(
  restaurant: string,
  name: string,
  sold: readonly { source: string; days: number; price: number }[],
): Promise<void> {
  const orders = sold.map(({ source, days, price }, at) => {
    const guid = restaurant.replace(/.{6}$/, String(at).padStart(6, '0'));
    const openedDate = `${dashed(visits.lastDate, days)}T12:00:00.000Z`;
    const selection = { guid, quantity: 1, preDiscountPrice: price, price, tax: 0 };
    const check = { guid, openedDate, paymentStatus: 'CLOSED', totalAmount: price, selections: [selection] };
    const businessDate = Number(openedDate.slice(0, 10).replaceAll('-', ''));
    return { guid, openedDate, businessDate, source, checks: [check] };
  });
  await loadRestaurant(visits.service, restaurant, { name, timeZone: 'UTC', currencyCode: 'USD' }, orders);
}

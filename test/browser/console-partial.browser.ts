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
      await visit(page, '/compare');
      assert.equal(await page.locator('.card > .note', { hasText: note }).count(), 8);

      await visit(page, '/?span=7');
      assert.doesNotMatch(await page.locator('main').innerText(), /dates vs|have data/);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('has a bar of what sold only in the comparison, with nothing now', async () => {
    await loadKiosk();
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
      '/?cur=ZZZ&sort=-colour': 'cur sort',
      '/restaurants?sort=weeks': 'sort',
      '/labour?cur=ZZZ': 'cur',
      '/menu?by=COLOUR&r=none&cur=ZZZ&sort=colour': 'by r cur sort',
      '/compare?m=colour&scale=huge&r=none': 'm scale r',
      [`/compare?r=none,${PEACHTREE}`]: 'r',
      [`/restaurants/${PEACHTREE}/checks?sort=colour`]: 'sort',
      // What people choose is known.
      '/?cur=EUR&sort=-change': '',
      '/restaurants?sort=-open': '',
      [`/menu?by=MODIFIER&r=${PEACHTREE}&sort=by-price`]: '',
      [`/compare?m=voids&scale=own&r=${PEACHTREE}`]: '',
      [`/restaurants/${PEACHTREE}/checks?sort=-total`]: '',
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
      ['en-US', /^[01]\d:\d\d [AP]M$/, /As of \d\d:\d\d [AP]M/],
      ['de-DE', /^[012]\d:\d\d$/, /As of \d\d:\d\d UTC/],
    ] as const) {
      const { page, close } = await visits.open(`/restaurants/${PEACHTREE}/checks`, { locale, timezoneId: 'UTC' });
      try {
        const times = await page.locator('.windowed tr[data-index] td:nth-child(2)').allInnerTexts();
        assert.ok(times.length > 5);
        for (const time of times) if (time !== '–') assert.match(time.replace(/\s/g, ' '), paid, locale);
        assert.match((await page.locator('.screen-foot').innerText()).replace(/\s/g, ' '), asOf, locale);
      } finally {
        await close();
      }
    }
  });
});

const KIOSK = 'b1500000-0000-4000-8000-0000000000aa';

/** Adds a restaurant that took orders by one source a week before the last date, and by another one on it. */
async function loadKiosk(): Promise<void> {
  const orders = [
    { source: 'Old app', days: -7 },
    { source: 'New app', days: 0 },
    { source: 'Old app', days: -4 },
  ].map(({ source, days }, at) => {
    const guid = KIOSK.replace(/..$/, String(at).padStart(2, '0'));
    const openedDate = `${dashed(visits.lastDate, days)}T12:00:00.000Z`;
    const selection = { guid, quantity: 1, preDiscountPrice: 100, price: 100, tax: 0 };
    const paid = { paidDate: openedDate, paymentStatus: 'CLOSED', totalAmount: 100 };
    const check = { guid, openedDate, ...paid, selections: [selection] };
    return {
      guid,
      openedDate,
      businessDate: Number(openedDate.slice(0, 10).replaceAll('-', '')),
      source,
      checks: [check],
    };
  });
  await loadRestaurant(visits.service, KIOSK, { name: 'Kiosk', timeZone: 'UTC', currencyCode: 'USD' }, orders);
}

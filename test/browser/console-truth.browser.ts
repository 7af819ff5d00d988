/**
 * What the console says of dates without data, of restaurants without a comparison, and after something has failed, is
 * true.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import {
  type ConsoleVisits,
  cardOf,
  centsShown,
  dashed,
  loadRestaurant,
  loadStatuses,
  PEACHTREE,
  settled,
  startConsole,
  visit,
} from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(20);
});
after(() => visits?.stop());

const KIOSK = 'b1500000-0000-4000-8000-0000000000aa';
const SERVERS = 30;

/** A figure with its change. */
const figureOf = async (page: Page, name: string): Promise<string[]> =>
  (
    await page
      .locator('.figures > div')
      .filter({ has: page.locator(`[data-figure="${name}"]`) })
      .locator('dd')
      .innerText()
  ).split('\n');

/**
 * Adds a restaurant in dollars, with as many orders of $100 on the last date as it has servers, each of another source.
 */
async function loadKiosk(): Promise<void> {
  const openedDate = `${dashed(visits.lastDate, 0)}T12:00:00.000Z`;
  const orders = Array.from({ length: SERVERS }, (_, at) => {
    const guid = KIOSK.replace(/..$/, String(at).padStart(2, '0'));
    const selection = { guid, quantity: 1, preDiscountPrice: 100, price: 100, tax: 0 };
    return {
      guid,
      openedDate,
      businessDate: Number(visits.lastDate),
      source: `Source ${at}`,
      server: { guid, firstName: 'Server', lastName: `No ${at}` },
      checks: [{ guid, openedDate, paymentStatus: 'CLOSED', totalAmount: 100, selections: [selection] }],
    };
  });
  await loadRestaurant(visits.service, KIOSK, { name: 'Kiosk', timeZone: 'UTC', currencyCode: 'USD' }, orders);
}

describe(named('the console'), { skip }, () => {
  it('says of a date without data that nothing is known of it, not that sales were 0 and as usual', async () => {
    const { page, close } = await visits.open('/?d=2020-01-01');
    try {
      for (const name of ['Net sales', 'Orders', 'Guests'])
        assert.equal(await page.locator(`[data-figure="${name}"]`).innerText(), '–', name);
      assert.match(await page.locator('.others').innerText(), /not in the sums: no data/);
      assert.doesNotMatch(await page.locator('main').innerText(), /[$€]0\.00|Nothing unusual/);
    } finally {
      await close();
    }
  });

  it('does not say that all is as usual during the first five weeks', async () => {
    // Until noon UTC the last date is not over in the west, where it is not compared for that reason.
    const { page, close } = await visits.open(`/?d=${dashed(visits.lastDate, -1)}`);
    try {
      const text = await cardOf(page, 'What stands out').innerText();
      assert.match(text, /No restaurant has data for this date and five of its last eight weekdays/);
      assert.doesNotMatch(text, /Nothing unusual/);
    } finally {
      await close();
    }
  });

  it('shows no error of another date above the figures that Back leads to', async () => {
    const { page, close } = await visits.open('/restaurants');
    try {
      const refuse = (route: Route) => route.continue({ postData: '{}' });
      await page.route('**/v1/metrics', refuse);
      await page.route('**/v1/metrics/**', refuse);
      await page.getByRole('button', { name: 'Previous date' }).click();
      await page.locator('main [role="alert"]').waitFor();
      await page.goBack();
      await page.waitForURL((url) => url.search === '');
      await page.locator('main [role="alert"]').waitFor({ state: 'detached' });
      assert.equal(await page.locator('main .stale').count(), 0);
    } finally {
      await close();
    }
  });

  it('keeps the period where a link or a span leads to the same figures', async () => {
    const [from, to] = [dashed(visits.lastDate, -9), dashed(visits.lastDate, 0)];
    await loadStatuses(visits, ['OPEN']);
    const { page, close } = await visits.open('/?span=7');
    try {
      await page.locator('.findings').getByRole('link', { name: 'Show' }).click();
      await page.waitForURL((url) => url.pathname === '/restaurants' && url.searchParams.get('span') === '7');

      for (const press of [
        () => page.keyboard.press('2'),
        () => page.getByRole('button', { name: '7 days', exact: true }).click(),
      ]) {
        await visit(page, `/restaurants?d=${from}&span=custom&from=${from}&to=${dashed(visits.lastDate, -2)}`);
        await press();
        await page.waitForURL((url) => url.searchParams.get('span') === '7');
        assert.equal(new URL(page.url()).searchParams.get('d'), dashed(visits.lastDate, -2));
        await visit(page, `/restaurants?d=${from}&span=custom&from=${from}&to=${to}`);
        await press();
        await page.waitForURL((url) => url.searchParams.get('span') === '7');
        assert.equal(new URL(page.url()).searchParams.get('d'), null);
      }
    } finally {
      await close();
    }
  });

  it('does not search the checks of a restaurant by what was typed to find the restaurant', async () => {
    const { page, close } = await visits.open('/restaurants?q=peachtree&sort=-open');
    try {
      await page.getByRole('link', { name: 'Peachtree' }).click();
      await page.getByRole('link', { name: 'Checks' }).click();
      await page.waitForURL((url) => url.pathname === `/restaurants/${PEACHTREE}/checks`);
      await settled(page);
      assert.equal(new URL(page.url()).search, '');
      assert.ok((await page.locator('table tbody tr').count()) > 5);
    } finally {
      await close();
    }
  });

  it('hears of loads again after its events were refused for a while', async () => {
    const { page, close } = await visits.open('/more');
    try {
      let refused = 0;
      const refuse = (route: Route) => {
        refused++;
        return route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"code":"busy"}' });
      };
      await page.route('**/v1/events', refuse);
      await page.reload();
      for (; refused < 2; ) await page.waitForTimeout(200);
      await page.waitForTimeout(500);
      await page.unroute('**/v1/events', refuse);
      const heard = await page.waitForResponse((answer) => answer.url().endsWith('/v1/events'), { timeout: 30_000 });
      assert.equal(heard.status(), 200);
    } finally {
      await close();
    }
  });

  it('shows the states of the dates that it names while others are loaded or cannot be', async () => {
    const { page, close } = await visits.open('/data');
    try {
      const first = page.locator('table.calendar tbody tr').first().locator('td').first();
      const was = await first.getAttribute('title');
      await page.route('**/days?**', (route) => route.abort('connectionrefused'));
      await page.getByRole('button', { name: 'Previous five weeks' }).click();
      await page.locator('main [role="alert"]').waitFor();
      assert.equal(await first.getAttribute('title'), was);
    } finally {
      await close();
    }
  });

  it('reads health, reports and clients again each time they are shown', async () => {
    const { page, close } = await visits.open('/health');
    const open = async (name: string): Promise<void> => {
      await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name }).click();
      await settled(page);
    };
    try {
      await open('Reports');
      await page.getByRole('link', { name: 'New report' }).click();
      await page.getByRole('button', { name: 'Create' }).click();
      await page.waitForURL(/reports\/[0-9a-f]{8}-/);
      const made = page.url().split('/').pop() ?? '';
      await open('Reports');
      await page.locator(`main a[href="/reports/${made}"]`).waitFor();

      await open('Access');
      await page.getByLabel('Name').fill('Ledger of Ada');
      await page.getByRole('button', { name: 'Create' }).click();
      const client = page.locator('main tbody th').filter({ hasText: 'Ledger of Ada' });
      await client.waitFor();
      await open('Overview');
      await open('Access');
      await client.waitFor();

      const checks = [{ name: 'facts', status: 'failed' }];
      await page.route('**/readyz', (route) => route.fulfill({ status: 503, json: { status: 'unavailable', checks } }));
      await open('Health');
      await page.locator('main .tag.bad').waitFor();
    } finally {
      await close();
    }
  });

  it('says that labor is not loaded, not that it cost nothing, and the same of items', async () => {
    const { page, close } = await visits.open('/labour?d=2020-01-01');
    try {
      for (const name of ['Hourly labor', 'Cost', 'Hours', 'Overtime'])
        assert.equal((await figureOf(page, name))[0], '–');
      await visit(page, '/menu?d=2020-01-01');
      assert.match(await page.locator('main').innerText(), /No items are loaded for these dates/);
      assert.equal(await page.locator('.figures').count(), 0);
    } finally {
      await close();
    }
  });

  it('says that a report could not be discarded, and stays with it', async () => {
    const { page, close } = await visits.open('/');
    try {
      await page
        .locator('.screen-foot')
        .getByRole('link', { name: /^Report/ })
        .click();
      await page.getByRole('button', { name: 'Discard' }).waitFor();
      await page.route('**/v1/reports/*', (route) =>
        route.request().method() === 'DELETE' ? route.abort('connectionrefused') : route.continue(),
      );
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.locator('main [role="alert"]').waitFor();
      assert.match(new URL(page.url()).pathname, /^\/reports\/[0-9a-f]{8}-/);
    } finally {
      await close();
    }
  });

  it('compares labor without a restaurant that has no comparison', async () => {
    const { page, close } = await visits.open('/labour?span=day');
    try {
      const [net, ...change] = await figureOf(page, 'Net sales');
      // For the tests that follow, too.
      await loadKiosk();
      await visit(page, '/labour?span=day');
      const [more, ...same] = await figureOf(page, 'Net sales');
      assert.equal(centsShown(more) - centsShown(net), SERVERS * 100_00);
      assert.deepEqual(same, change);
      assert.match(await page.locator('main').innerText(), /7 of 8 restaurants compared/);
    } finally {
      await close();
    }
  });

  it('lists every server of the checks', async () => {
    const { page, close } = await visits.open(`/restaurants/${KIOSK}/checks`);
    try {
      await page.getByRole('button', { name: `All ${SERVERS}` }).click();
      assert.equal(await cardOf(page, 'Servers').locator('tbody tr').count(), SERVERS);
    } finally {
      await close();
    }
  });

  it('has bars of sources that add up to net sales, however many sources there are', async () => {
    const { page, close } = await visits.open(`/restaurants/${KIOSK}`);
    try {
      const bars = cardOf(page, 'Where sales come from').locator('.group').last().locator('.amount');
      const amounts = await bars.evaluateAll((all) => all.map(({ firstChild }) => firstChild?.textContent ?? ''));
      assert.deepEqual(amounts.map(centsShown), [100_00, 100_00, 100_00, (SERVERS - 3) * 100_00]);
    } finally {
      await close();
    }
  });

  it('calls one of several restaurants one restaurant', async () => {
    const { page, close } = await visits.open(`/compare?r=${KIOSK}`);
    try {
      assert.match(await page.locator('.sub').innerText(), /^1 restaurant\b/);
    } finally {
      await close();
    }
  });

  it('begins with dates that have come, though an order is for a later one', async () => {
    const date = async (): Promise<string> => {
      const { page, close } = await visits.open('/');
      try {
        return await page.locator('h1').innerText();
      } finally {
        await close();
      }
    };
    const before = await date();
    const guid = KIOSK.replace(/..$/, 'ff');
    const order = {
      guid,
      openedDate: `${dashed(visits.lastDate, 0)}T12:00:00.000Z`,
      businessDate: 99991231,
      checks: [],
    };
    await loadRestaurant(visits.service, KIOSK, { name: 'Kiosk', timeZone: 'UTC', currencyCode: 'USD' }, [order]);

    assert.equal(await date(), before);
  });

  it('draws dates and hours of more refunds than sales within the chart, below its line of 0', async () => {
    const guid = KIOSK.replace(/..$/, 'bb');
    const orders = [-1, 0].map((days) => {
      const openedDate = `${dashed(visits.lastDate, days)}T${days === 0 ? '12' : '18'}:00:00.000Z`;
      const refundDetails = { refundAmount: days === 0 ? 800 : 0 };
      const selection = { guid, quantity: 1, preDiscountPrice: 100, price: 100, tax: 0, refundDetails };
      const check = { guid, openedDate, paymentStatus: 'CLOSED', totalAmount: 100, selections: [selection] };
      const businessDate = Number(dashed(visits.lastDate, days).replaceAll('-', ''));
      return { guid: guid.replace(/.{4}$/, `bb0${days + 1}`), openedDate, businessDate, checks: [check] };
    });
    await loadRestaurant(visits.service, guid, { name: 'Refunds', timeZone: 'UTC', currencyCode: 'USD' }, orders);
    for (const [span, mark] of [
      ['7', '.line'],
      ['day', '.bar'],
    ]) {
      const { page, close } = await visits.open(`/restaurants/${guid}?span=${span}`);
      try {
        const chart = page.locator(`.chart:has(${mark})`).first();
        await chart.waitFor();
        const [whole, zero, ...drawn] = await chart.evaluate((element, marks) => {
          const all = [element, element.querySelector('.base'), ...element.querySelectorAll(marks)];
          return all.map((one) => (one ?? element).getBoundingClientRect().toJSON() as DOMRect);
        }, mark);
        assert.ok(whole && zero && drawn.length > 0);
        for (const { top, bottom } of drawn) assert.ok(top >= whole.top && bottom <= whole.bottom, mark);
        assert.ok(Math.max(...drawn.map(({ bottom }) => bottom)) - zero.top > 50, mark);
      } finally {
        await close();
      }
    }
  });
});

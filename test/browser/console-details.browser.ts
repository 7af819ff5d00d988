/** A check and an employee that are opened: all that is stored of them, as the client of the service reads it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Daypart } from '@daypart/client';
import type { Locator, Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { axeInBoth, type ConsoleVisits, cardOf, loadRestaurant, startConsole, tokenOf, visit } from './console.ts';

const BISTRO = 'b1500000-0000-4000-8000-000000000007';
const CAFE = 'b1500000-0000-4000-8000-000000000008';
const EMPLOYEE = 'e1500000-0000-4000-8000-000000000001';
const CHECKS = `/restaurants/${BISTRO}/checks?d=2026-03-10`;
const LABOUR = '/labour?span=custom&from=2026-02-01&to=2026-03-12';
const guid = (kind: string, n: number): string => `${kind}000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Check n of 10 March, with these parts. */
function orderOf(n: number, parts: object): object {
  const openedDate = `2026-03-10T12:0${n}:00.000-0400`;
  const check = { guid: guid('0c', n), displayNumber: String(n), openedDate, paidDate: openedDate, taxAmount: 0.8 };
  const checks = [Object.assign(check, { paymentStatus: 'CLOSED' }, parts)];
  return { guid: guid('0b', n), displayNumber: String(n), openedDate, businessDate: 20260310, checks };
}

/** A payment of an amount, by card with a tip of $2 or in cash. */
function paymentOf(n: number, amount: number, type: 'CREDIT' | 'CASH', refund?: object): object {
  const paidDate = '2026-03-10T13:11:00.000-0400';
  const card = { cardType: 'VISA', paymentStatus: 'CAPTURED', paidBusinessDate: 20260310, tipAmount: 2 };
  return Object.assign({ guid: guid('0d', n), type, amount, paidDate, refund }, type === 'CREDIT' ? card : {});
}

/** Discounts of an item and of the check, a modifier, a voided item, a refund two days later. */
const FULL = orderOf(1, {
  totalAmount: 27.3,
  appliedDiscounts: [{ discountAmount: 3 }],
  selections: [
    {
      displayName: 'Soup',
      quantity: 2,
      preDiscountPrice: 20,
      price: 18,
      appliedDiscounts: [{ discountAmount: 2 }],
      modifiers: [{ displayName: 'Croutons', quantity: 1, preDiscountPrice: 1.5, price: 1.5 }],
    },
    { displayName: 'Bread', quantity: 1, preDiscountPrice: 10, price: 10 },
    { displayName: 'Wine', quantity: 1, preDiscountPrice: 9, price: 9, voided: true },
  ],
  payments: [paymentOf(1, 27.3, 'CREDIT', { refundAmount: 5.4, refundBusinessDate: 20260312 })],
});
const IN_CASH = orderOf(2, {
  totalAmount: 10.8,
  selections: [{ displayName: 'Soup', preDiscountPrice: 10, price: 10 }],
  payments: [paymentOf(2, 10.8, 'CASH')],
});

/** A shift from noon in New York, of so many regular hours. */
const shiftOf = (n: number, date: string, regularHours: number, overtimeHours = 0): object => ({
  guid: guid('0e', n),
  employeeReference: { guid: EMPLOYEE, firstName: 'Ada', lastName: 'Byron' },
  jobReference: { guid: guid('0f', 1), title: 'Server' },
  inDate: `${date}T12:00:00.000-0400`,
  outDate: `${date}T20:30:00.000-0400`,
  businessDate: Number(date.replaceAll('-', '')),
  regularHours,
  overtimeHours,
  hourlyWage: 10,
});

let visits: ConsoleVisits;
let client: Daypart;
before(async () => {
  if (skip) return;
  visits = await startConsole(0);
  const { service } = visits;
  const token = await tokenOf(service);
  client = new Daypart({ baseUrl: service.baseUrl, token });
  const load = async (restaurant: string, about: object, orders: object[], shifts: object[]): Promise<void> => {
    await loadRestaurant(service, restaurant, { currencyCode: 'USD', ...about }, orders);
    const path = `/restaurants/${restaurant}/time-entries`;
    await client.request('POST', path, { body: shifts });
  };
  const bistro = [shiftOf(1, '2026-02-01', 3.333333), shiftOf(2, '2026-03-10', 8, 0.5), shiftOf(3, '2026-03-11', 6.5)];
  await load(BISTRO, { name: 'Bistro', timeZone: 'America/New_York' }, [FULL, IN_CASH], bistro);
  await load(CAFE, { name: 'Cafe', timeZone: 'America/Chicago' }, [], [shiftOf(4, '2026-03-12', 4)]);
});
after(() => visits?.stop());

/** The rows of a table of the dialog, with one space between cells. */
const rowsOf = async (dialog: Locator, table: string): Promise<string[]> => {
  const rows = await dialog
    .getByRole('region', { name: `Table of ${table}` })
    .locator('tbody tr')
    .allInnerTexts();
  return rows.map((text) => text.replace(/\s+/g, ' ').trim());
};
const dollars = (amount: number): string => (amount === 0 ? '–' : `$${amount.toFixed(2)}`);

/** Sends the calls that match to another path of the service. */
const reroute = async (page: Page, calls: RegExp, to: (url: string) => string): Promise<void> => {
  await page.route(calls, (route) => route.continue({ url: to(route.request().url()) }));
};

const openCheck = async (page: Page, number: number): Promise<Locator> => {
  await page
    .locator('.windowed')
    .getByRole('button', { name: String(number), exact: true })
    .click();
  return page.getByRole('dialog', { name: `Check ${number}` });
};

describe(named('a check'), { skip }, () => {
  it('opens with its items, card payments and refunds, as the client reads them to the cent', async () => {
    const { page, faults, close } = await visits.open(CHECKS, { bypassCSP: true });
    try {
      const dialog = await openCheck(page, 1);
      await dialog.getByRole('heading', { name: 'Refunds' }).waitFor();
      assert.ok(page.url().endsWith(`?d=2026-03-10&check=${guid('0c', 1)}`));
      const { items, payments, refunds } = await client.restaurants.check(BISTRO, guid('0c', 1));
      const rowOf = ({ name, quantity, voidAmount, ...amounts }: (typeof items)[number]): string => {
        const { grossSalesAmount: gross, discountAmount, netSalesAmount: net } = amounts;
        const note = voidAmount > 0 ? [`${dollars(voidAmount)} voided`] : [];
        return [name, ...note, quantity, `$${gross.toFixed(2)}`, dollars(discountAmount), `$${net.toFixed(2)}`].join(
          ' ',
        );
      };
      const [modifiers, lines] = [true, false].map((is) => items.filter(({ modifier }) => modifier === is).map(rowOf));
      assert.deepEqual(await rowsOf(dialog, 'items'), lines);
      assert.deepEqual(await rowsOf(dialog, 'modifiers, in the prices of items'), modifiers);
      assert.deepEqual([lines?.length, modifiers?.length], [3, 1]);
      const cents = items.map(({ modifier, discountAmount }) => (modifier ? 0 : Math.round(discountAmount * 100)));
      assert.equal(
        cents.reduce((sum, some) => sum + some),
        500,
      );
      assert.deepEqual(
        await rowsOf(dialog, 'card payments'),
        payments.map((one) => `Visa 1:11 pm ${[one.amount, one.tipAmount, one.refundAmount].map(dollars).join(' ')}`),
      );
      assert.deepEqual(
        await rowsOf(dialog, 'refunds'),
        refunds.map(({ amount }) => `Mar 12, 2026 ${dollars(amount)}`),
      );
      assert.deepEqual([payments.length, refunds.length], [1, 1]);
      assert.match(await dialog.innerText(), /Tax\s+\$0\.80\s+Tips\s+\$2\.00\s+Refunds\s+\$5\.40\s+Total\s+\$23\.90/);
      assert.deepEqual(await axeInBoth(page), []);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      // The page hears of the address a moment after it has changed.
      await page.waitForURL(({ search }) => search === '?d=2026-03-10');
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), '1');
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('says that cash is not listed', async () => {
    const { page, close } = await visits.open(`${CHECKS}&check=${guid('0c', 2)}`);
    try {
      const dialog = page.getByRole('dialog', { name: 'Check 2' });
      await dialog.getByRole('heading', { name: 'Card payments' }).waitFor();
      assert.deepEqual(await rowsOf(dialog, 'items'), ['Soup 1 $10.00 – $10.00']);
      assert.match(await dialog.innerText(), /Card payments\s+None are known\.\s+Single discounts, cash/);
      assert.equal(await dialog.getByRole('heading', { name: 'Refunds' }).count(), 0);
    } finally {
      await close();
    }
  });

  it('keeps its amounts while its parts cannot be read, and reads them again', async () => {
    const { page, close } = await visits.open(CHECKS, { bypassCSP: true });
    try {
      const parts = new RegExp(`${visits.service.baseUrl}/restaurants/.*/checks/`);
      await reroute(page, parts, () => `${visits.service.baseUrl}/metrics/00000000-0000-4000-8000-000000000500`);
      const dialog = await openCheck(page, 1);
      await dialog.getByRole('alert').waitFor();
      assert.match(await dialog.innerText(), /Total\s+\$23\.90[\s\S]*Quote the details below/);
      assert.deepEqual(await axeInBoth(page), []);
      await page.unroute(parts);
      await dialog.getByRole('button', { name: 'Try again' }).click();
      await dialog.getByRole('heading', { name: 'Items', exact: true }).waitFor();
      assert.equal(await dialog.getByRole('alert').count(), 0);
      await page.keyboard.press('Escape');

      await reroute(page, parts, (url) => url.replace(guid('0c', 2), guid('0c', 9)));
      const gone = await openCheck(page, 2);
      await gone.getByText('It is no longer loaded').waitFor();
      assert.match(await gone.innerText(), /Total\s+\$10\.80/);
    } finally {
      await close();
    }
  });
});

describe(named('an employee'), { skip }, () => {
  it('opens with the shifts, which add up to the figures of the report on the screen', async () => {
    const { page, faults, close } = await visits.open(LABOUR, { bypassCSP: true });
    try {
      // Every page has one shift, so that the next one is asked for.
      await reroute(page, /time-entries\?/, (url) => url.replace('limit=1000', 'limit=1'));
      const card = cardOf(page, 'By employee');
      const pick = card.getByRole('button', { name: 'Ada Byron' });
      const row = (await card.locator('tbody tr').innerText()).replace(/\s+/g, ' ').trim();
      await pick.click();
      const dialog = page.getByRole('dialog', { name: 'Ada Byron' });
      await dialog.getByRole('region', { name: 'Table of shifts' }).waitFor();
      const rows = await rowsOf(dialog, 'shifts');
      assert.deepEqual(rows, [
        'Sun Feb 1 11:00 am 7:30 pm Bistro Server 3.33 0.00 $33.33',
        'Tue Mar 10 12:00 pm 8:30 pm Bistro Server 8.50 0.50 $87.50',
        'Wed Mar 11 12:00 pm 8:30 pm Bistro Server 6.50 0.00 $65.00',
        'Thu Mar 12 11:00 am 7:30 pm Cafe Server 4.00 0.00 $40.00',
      ]);
      const sums = [-3, -2, -1].map((at) =>
        rows.reduce((sum, one) => sum + Number(one.split(' ').at(at)?.replace('$', '')), 0).toFixed(2),
      );
      assert.equal(row, `Ada Byron ${sums[0]} ${sums[1]} $${sums[2]} $7.50`);
      assert.match(await dialog.innerText(), /Hours\s+22\.33\s+Overtime\s+0\.50\s+Cost\s+\$225\.83/);
      assert.deepEqual(await axeInBoth(page), []);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Ada Byron');
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('keeps its sums while the shifts cannot be read, and reads them again; of one restaurant it names none', async () => {
    const { page, close } = await visits.open(LABOUR);
    try {
      await visit(page, `${LABOUR}&at=${CAFE}`);
      await reroute(
        page,
        /time-entries\?/,
        () => `${visits.service.baseUrl}/metrics/00000000-0000-4000-8000-000000000503`,
      );
      await cardOf(page, 'By employee').getByRole('button', { name: 'Ada Byron' }).click();
      const dialog = page.getByRole('dialog', { name: 'Ada Byron' });
      await dialog.getByRole('alert').waitFor();
      assert.match(await dialog.innerText(), /Hours\s+4\.00[\s\S]*Health says which/);
      await page.unroute(/time-entries\?/);
      await dialog.getByRole('button', { name: 'Try again' }).click();
      await dialog.getByRole('region', { name: 'Table of shifts' }).waitFor();
      assert.deepEqual(await rowsOf(dialog, 'shifts'), ['Thu Mar 12 11:00 am 7:30 pm Server 4.00 0.00 $40.00']);
    } finally {
      await close();
    }
  });
});

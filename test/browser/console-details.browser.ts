/** A check and an employee that are opened: what the reports have of them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { named, skip } from '../docs/browser.ts';
import {
  axeInBoth,
  type ConsoleVisits,
  cardOf,
  loadRestaurant,
  settled,
  startConsole,
  tokenOf,
  visit,
} from './console.ts';

const BISTRO = 'b1500000-0000-4000-8000-000000000007';
const EMPLOYEE = 'e1500000-0000-4000-8000-000000000001';
const guid = (kind: string, n: number): string => `${kind}000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Check n of 10 March: soup of 10.00, paid by card or in cash. */
function orderOf(n: number, type: 'CREDIT' | 'CASH'): object {
  const openedDate = `2026-03-10T12:0${n}:00.000-0400`;
  const paidDate = `2026-03-10T13:1${n}:00.000-0400`;
  const card = { cardType: 'VISA', paymentStatus: 'CAPTURED', paidBusinessDate: 20260310, tipAmount: 2 };
  const payment = Object.assign({ guid: guid('0d', n), type, amount: 10.8, paidDate }, type === 'CREDIT' ? card : {});
  const check = {
    guid: guid('0c', n),
    displayNumber: String(n),
    openedDate,
    paidDate,
    paymentStatus: 'CLOSED',
    totalAmount: 10.8,
    taxAmount: 0.8,
    selections: [{ preDiscountPrice: 10, price: 10 }],
    payments: [payment],
  };
  return { guid: guid('0b', n), displayNumber: String(n), openedDate, businessDate: 20260310, checks: [check] };
}

/** A shift of so many hours on a date of March. */
const shiftOf = (day: number, regularHours: number): object => ({
  guid: guid('0e', day),
  employeeReference: { guid: EMPLOYEE, firstName: 'Ada', lastName: 'Byron' },
  jobReference: { guid: guid('0f', 1), title: 'Server' },
  inDate: `2026-03-${day}T12:00:00.000-0400`,
  outDate: `2026-03-${day}T20:00:00.000-0400`,
  businessDate: Number(`202603${day}`),
  regularHours,
  overtimeHours: 0,
  hourlyWage: 10,
});

let visits: ConsoleVisits;
before(async () => {
  if (skip) return;
  visits = await startConsole(0);
  const { service } = visits;
  const bistro = { name: 'Bistro', timeZone: 'America/New_York', currencyCode: 'USD' };
  await loadRestaurant(service, BISTRO, bistro, [orderOf(1, 'CREDIT'), orderOf(2, 'CASH')]);
  const headers = { authorization: `Bearer ${await tokenOf(service)}`, 'content-type': 'application/json' };
  const body = JSON.stringify([shiftOf(10, 8), shiftOf(11, 6.5)]);
  const url = `${service.origin}/v1/restaurants/${BISTRO}/time-entries`;
  const answer = await fetch(url, { method: 'POST', headers, body });
  assert.ok(answer.ok, await answer.text());
});
after(() => visits?.stop());

describe(named('a check'), { skip }, () => {
  it('opens with its amounts and card payments, in the address, and says what no report has', async () => {
    const { page, faults, close } = await visits.open(`/restaurants/${BISTRO}/checks?d=2026-03-10`, {
      bypassCSP: true,
    });
    try {
      await page.locator('.windowed').getByRole('button', { name: '1', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Check 1' });
      await dialog.locator('table.data tbody tr').waitFor();
      assert.ok(page.url().endsWith(`?d=2026-03-10&check=${guid('0c', 1)}`));
      assert.match(
        await dialog.locator('table.plain').innerText(),
        /Tax\s+\$0\.80\s+Tips\s+\$2\.00\s+Total\s+\$12\.80/,
      );
      const payment = (await dialog.locator('table.data tbody').innerText()).replace(/\s+/g, ' ').trim();
      assert.equal(payment, 'Visa 1:11 pm $10.80 $2.00 $12.80');
      assert.match(await dialog.innerText(), /Items and discounts are reported by date, not by check/);
      assert.deepEqual(await axeInBoth(page), []);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      assert.ok(page.url().endsWith('?d=2026-03-10'));

      await visit(page, `/restaurants/${BISTRO}/checks?d=2026-03-10&check=${guid('0c', 2)}`);
      const other = page.getByRole('dialog', { name: 'Check 2' });
      assert.match(await other.innerText(), /None on this date\. Cash/);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });
});

describe(named('an employee'), { skip }, () => {
  it('opens with the hours of each date', async () => {
    const { page, faults, close } = await visits.open('/labour?span=custom&from=2026-03-09&to=2026-03-12', {
      bypassCSP: true,
    });
    try {
      await cardOf(page, 'By employee').getByRole('button', { name: 'Ada Byron' }).click();
      const dialog = page.getByRole('dialog', { name: 'Ada Byron' });
      await dialog.locator('tbody tr').first().waitFor();
      await settled(page);
      const rows = (await dialog.locator('tbody tr').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
      assert.deepEqual(rows, ['Tue Mar 10 Bistro 8.00 0.00 $80.00', 'Wed Mar 11 Bistro 6.50 0.00 $65.00']);
      assert.match(await dialog.innerText(), /without the times of shifts/);
      assert.deepEqual(await axeInBoth(page), []);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });
});

/** The console across clocks: days of 23 and 25 hours, closeout hours, a leap day, in any time zone of the viewer. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { type ConsoleVisits, settled, startConsole, tokenOf, visit } from './console.ts';

/** Closeout hours 0 and 12 are the ends of what there is. */
const RESTAURANTS = {
  midnight: { guid: randomUUID(), name: 'Midnight', timeZone: 'America/New_York', closeoutHour: 0 },
  noon: { guid: randomUUID(), name: 'Noon', timeZone: 'America/Chicago', closeoutHour: 12 },
  berlin: { guid: randomUUID(), name: 'Berlin', timeZone: 'Europe/Berlin', closeoutHour: 4 },
  kiritimati: { guid: randomUUID(), name: 'Kiritimati', timeZone: 'Pacific/Kiritimati', closeoutHour: 4 },
};
type Place = keyof typeof RESTAURANTS;

/**
 * Orders of 10 dollars by the instants at which they were opened: the service says which business date and hour they
 * are of.
 */
const OPENED: Record<Place, string[]> = {
  midnight: [
    // 8 March 2026 has no hour from 2 to 3 in New York: half past one and half past three are an hour apart.
    ...['2026-03-08T06:30:00Z', '2026-03-08T07:30:00Z'],
    // 1 November 2025 has 24 hours; on 2 November half past one comes twice.
    ...['2025-11-02T05:30:00Z', '2025-11-02T06:30:00Z', '2025-11-02T07:30:00Z'],
    // A leap day, and the same weekday 52 weeks before.
    ...['2024-02-29T17:00:00Z', '2024-02-29T18:00:00Z', '2023-03-02T17:00:00Z'],
  ],
  // 11 in the morning in Chicago is of the day before; one in the afternoon is not.
  noon: ['2026-03-24T16:00:00Z', '2026-03-24T18:00:00Z'],
  // 29 March 2026 has no hour from 2 to 3 in Berlin, which belongs to 28 March.
  berlin: ['2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z', '2026-03-29T10:00:00Z'],
  // Noon of 24 March there is 22 h of 23 March in UTC.
  kiritimati: ['2026-03-23T22:00:00Z'],
};

let visits: ConsoleVisits;

before(async () => {
  if (skip) return;
  visits = await startConsole(0);
  const { baseUrl } = visits.service;
  const token = await tokenOf(visits.service);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const answer = await fetch(`${baseUrl}${path}`, { method, headers, body: JSON.stringify(body) });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.text()}`);
  };
  for (const [place, { guid, ...about }] of Object.entries(RESTAURANTS)) {
    await send('PUT', `/restaurants/${guid}`, { ...about, currencyCode: 'USD' });
    const orders = OPENED[place as Place].map((openedDate) => ({
      guid: randomUUID(),
      openedDate: openedDate.replace('Z', '.000+0000'),
      numberOfGuests: 1,
      checks: [
        {
          guid: randomUUID(),
          paymentStatus: 'CLOSED',
          totalAmount: 10,
          taxAmount: 0,
          selections: [{ preDiscountPrice: 10, price: 10 }],
        },
      ],
    }));
    await send('POST', `/restaurants/${guid}/orders`, orders);
  }
});
after(() => visits?.stop());

/** What a restaurant sold on a date by hour, as the table beside the chart says it: "1 am" → "$20". */
async function hoursOf(page: Page, place: Place, date: string): Promise<Record<string, string>> {
  await visit(page, `/restaurants/${RESTAURANTS[place].guid}?span=day&d=${date}&vs=none`);
  await page.getByRole('button', { name: 'Show net sales by hour as a table' }).click();
  const rows = await page
    .locator('section.card')
    .filter({ has: page.getByRole('heading', { name: 'Net sales by hour' }) })
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? '')));
  return Object.fromEntries(
    rows.flatMap(([hour = '', amount = '']) => (/[1-9]/.test(amount) ? [[hour, amount.replace(/\.00$/, '')]] : [])),
  );
}

const headOf = async (page: Page): Promise<string> => await page.locator('.legend').first().innerText();

for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin'])
  describe(named(`the console for a viewer in ${timezoneId}`), { skip }, () => {
    it('shows days of 23 and 25 hours by the hours of the clock, and each business date as it is at its restaurant', async () => {
      const { page, faults, close } = await visits.open('/', { timezoneId });
      try {
        assert.deepEqual(await hoursOf(page, 'midnight', '2026-03-08'), { '1 am': '$10', '3 am': '$10' });
        assert.match(await headOf(page), /Sun Mar 8/);
        // The hour that comes twice is one hour of the clock.
        assert.deepEqual(await hoursOf(page, 'midnight', '2025-11-02'), { '1 am': '$20', '2 am': '$10' });
        assert.match(await headOf(page), /Sun Nov 2/);
        assert.deepEqual(await hoursOf(page, 'berlin', '2026-03-28'), { '1 am': '$10', '3 am': '$10' });
        assert.deepEqual(await hoursOf(page, 'berlin', '2026-03-29'), { '12 pm': '$10' });
        // A business date begins at noon there: the hour before it is its last.
        assert.deepEqual(await hoursOf(page, 'noon', '2026-03-23'), { '11 am': '$10' });
        assert.deepEqual(await hoursOf(page, 'noon', '2026-03-24'), { '1 pm': '$10' });
        assert.deepEqual(await hoursOf(page, 'kiritimati', '2026-03-24'), { '12 pm': '$10' });
        assert.match(await headOf(page), /Tue Mar 24/);
        assert.deepEqual(faults, []);
      } finally {
        await close();
      }
    });

    it('compares a leap day with the same weekday 52 weeks before', async () => {
      const { page, close } = await visits.open('/', { timezoneId });
      try {
        await visit(page, '/?d=2024-02-29&vs=52-weeks');
        await settled(page);
        assert.equal(await page.locator('h1').innerText(), 'Thursday, February 29');
        const first = page.locator('.figures > div').first();
        assert.match(await first.innerText(), /\$20\.00[\s\S]*100\.0\s%[\s\S]*from \$10/);
        assert.match(await page.locator('.screen').innerText(), /Thu Mar 2\b/);
        // The year before has no 29 February.
        await visit(page, '/?d=2024-02-29&vs=year');
        await settled(page);
        assert.doesNotMatch(await first.innerText(), /from/);
        assert.equal(await page.getByLabel('Compare with').inputValue(), 'none');
      } finally {
        await close();
      }
    });
  });

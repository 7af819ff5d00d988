/** The settings of a restaurant in the console: what is refused, what is saved, and what was typed meanwhile. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { axeFaults, CLIENT, type ConsoleVisits, PEACHTREE, startConsole, tokenOf } from './console.ts';

const PATH = `/restaurants/${PEACHTREE}/settings`;

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(3);
});
after(() => visits?.stop());

/** What a program may set. */
const OWN = [
  'name',
  'timeZone',
  'closeoutHour',
  'locationName',
  'locationCode',
  'currencyCode',
  'overtimeMultiplier',
  'refundsOn',
];

/** Reads the settings, or stores others, as a program does. */
async function call(method: 'GET' | 'PUT', body?: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${await tokenOf(visits.service)}`, 'content-type': 'application/json' };
  const url = `${visits.service.baseUrl}/restaurants/${PEACHTREE}`;
  const answer = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return Object.fromEntries(Object.entries(JSON.parse(text || '{}')).filter(([key]) => OWN.includes(key)));
}

const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save' }).first().click();

describe(named('the settings of a restaurant'), { skip }, () => {
  it('are not stored with a closeout hour that is empty or no number, which its field says', async () => {
    const { page, faults, close } = await visits.open(PATH, { bypassCSP: true });
    try {
      const before = await call('GET');
      for (const [label, typed, words] of [
        ['Closeout hour', '', /whole number from 0 to 12/],
        ['Closeout hour', '3am', /whole number from 0 to 12/],
        ['Overtime multiplier', '', /number from 1 to 10/],
      ] as const) {
        const input = page.getByRole('textbox', { name: label });
        await input.fill(typed);
        const answered = page.waitForResponse((answer) => answer.request().method() === 'PUT');
        await save(page);
        assert.equal((await answered).status(), 400);
        await page.locator('label').filter({ has: input }).getByRole('alert').filter({ hasText: words }).waitFor();
        assert.equal(await input.inputValue(), typed);
        assert.equal(await page.getByRole('alert').count(), 1);
        assert.deepEqual(await axeFaults(page), []);
        await input.fill(String(label === 'Closeout hour' ? before.closeoutHour : before.overtimeMultiplier));
      }
      assert.deepEqual(await call('GET'), before);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('are said to be saved until the next change, and the focus stays', async () => {
    const { page, close } = await visits.open(PATH);
    try {
      const before = await call('GET');
      await page.getByLabel('Location code').fill('  P-7 ');
      const read = page.waitForResponse(
        (answer) => answer.request().method() === 'GET' && answer.url().endsWith(PEACHTREE),
      );
      await save(page);
      await (await read).finished();
      await page.locator('.sub').getByText('P-7').waitFor();
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('[name=locationCode]')?.value === 'P-7',
      );
      const saved = page.getByRole('status').filter({ hasText: 'Saved' });
      assert.equal(await saved.isVisible(), true);
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Save');
      // What was saved follows later changes of others.
      await call('PUT', before);
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('[name=locationCode]')?.value !== 'P-7',
      );
      await page.getByLabel('Location code').fill('P-8');
      await saved.waitFor({ state: 'detached' });
    } finally {
      await close();
    }
  });

  it('keep what was typed when somebody else changes others of them, which follow', async () => {
    const { page, close } = await visits.open(PATH);
    const before = await call('GET');
    try {
      const name = page.getByRole('textbox', { name: 'Name', exact: true });
      await name.fill('Half a na');
      await call('PUT', { ...before, locationCode: 'P-9', testMode: true });
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('[name=locationCode]')?.value === 'P-9',
      );
      assert.equal(await page.getByLabel('Test mode').isChecked(), true);
      assert.equal(await name.inputValue(), 'Half a na');
    } finally {
      await call('PUT', before);
      await close();
    }
  });

  it('keep what was typed, without an error, once the person has signed in again', async () => {
    const { page, context, close } = await visits.open(PATH);
    try {
      await page.getByLabel('Location code').fill('typed');
      await context.clearCookies();
      const refuse = (route: Route) =>
        route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer refused' } });
      await page.route(`${visits.service.baseUrl}/**`, refuse);
      await save(page);
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.getByLabel('Client secret').fill(CLIENT.secret);
      await page.unroute(`${visits.service.baseUrl}/**`, refuse);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await page.getByLabel('Location code').inputValue(), 'typed');
      assert.equal(await page.getByText('The session has expired').count(), 0);
      assert.equal(await page.getByRole('alert').count(), 0);
    } finally {
      await close();
    }
  });
});

/** The console for operators: access, imports, incomplete figures, a day in progress, calls that fail. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { linesOf, orderFact } from '../conformance/facts.ts';
import { named, skip } from '../docs/browser.ts';
import { axeFaults, CLIENT, type ConsoleVisits, startConsole, visit } from './console.ts';

const GOLDEN = fileURLToPath(new URL('../golden/', import.meta.url));
/** Half past three in New York, on the last date that is loaded. */
const AFTERNOON = new Date('2026-03-24T19:30:00Z');

let visits: ConsoleVisits;
let token: string;

/** Calls the service as a program does. */
async function call(method: string, path: string, body?: object | FormData): Promise<Response> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${visits.service.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(isForm ? {} : { 'content-type': 'application/json' }) },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  });
  assert.ok(response.ok, `${method} ${path}: ${response.status}`);
  return response;
}

function formOf(folder: string): FormData {
  const form = new FormData();
  for (const name of readdirSync(folder)) form.append('files', new Blob([readFileSync(join(folder, name))]), name);
  return form;
}

const BISTRO = 'b1500000-0000-4000-8000-000000000001';

/** An order of 9 dollars, opened at an hour of the clock in New York. */
function orderAt(businessDate: number, hour: number): object {
  const date = String(businessDate).replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3');
  const [openedDate, paidDate] = [`${date}T${hour}:00:00.000-0400`, `${date}T${hour}:30:00.000-0400`];
  const amounts = { amount: 9, taxAmount: 0.8, totalAmount: 9.8 };
  const selections = [{ guid: randomUUID(), quantity: 1, preDiscountPrice: 9, price: 9, tax: 0.8 }];
  const check = { guid: randomUUID(), openedDate, paidDate, paymentStatus: 'CLOSED', ...amounts, selections };
  return { guid: randomUUID(), businessDate, openedDate, numberOfGuests: 2, source: 'In Store', checks: [check] };
}

before(async () => {
  if (skip) return;
  visits = await startConsole(0);
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
  });
  const answer = await fetch(`${visits.service.origin}/oauth/token`, { method: 'POST', body });
  token = ((await answer.json()) as { access_token: string }).access_token;
  await call('PUT', `/restaurants/${BISTRO}`, { name: 'Bistro', timeZone: 'America/New_York', currencyCode: 'USD' });
  await call('POST', `/restaurants/${BISTRO}/orders`, [
    ...[orderAt(20260324, 11), orderAt(20260324, 14)],
    ...[orderAt(20260317, 11), orderAt(20260317, 19), orderAt(20260317, 20)],
  ]);
  await call('POST', `/restaurants/${BISTRO}/exports/20260318`, formOf(join(GOLDEN, 'bad-rows/20260318')));
  // As a version before items were kept left it.
  const { facts, ledger } = visits.service.stores;
  const [restaurant] = await ledger.restaurantsOf(CLIENT.group);
  const old = orderFact({ modified_at: 0, business_date: 20260319 });
  await facts.merge(restaurant?.id ?? 0, linesOf({ orders: [old] }));
});
after(() => visits?.stop());

describe(named('the console of a service'), { skip }, () => {
  it('lists who is signed in, and signs somebody out', async () => {
    const [one, other] = [await visits.open('/access/sessions'), await visits.open('/')];
    try {
      await visit(one.page, '/access/sessions');
      const rows = one.page.getByRole('row').filter({ hasText: CLIENT.id });
      assert.equal(await rows.count(), 2);
      await one.page.getByRole('button', { name: 'Sign out' }).click();
      await one.page.getByRole('button', { name: /^Sign out / }).click();
      await one.page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
      await other.page.goto(`${visits.service.origin}/`);
      await other.page.getByLabel('Client secret').waitFor();
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });

  it('makes a client whose secret is shown once, gives it another, and revokes it', async () => {
    const { page, faults, close } = await visits.open('/access/clients');
    const grant = async (clientId: string, secret: string): Promise<number> => {
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: secret,
      });
      return (await fetch(`${visits.service.origin}/oauth/token`, { method: 'POST', body })).status;
    };
    /** What the page has of a secret after it was closed: its document, storage and address. */
    const kept = (): Promise<string> =>
      page.evaluate(() =>
        JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, location.href]),
      );
    const shown = async (): Promise<string[]> => {
      const card = page.locator('section.card').filter({ has: page.getByRole('heading', { name: 'Secret' }) });
      const lines = (await card.locator('pre').innerText()).split('\n');
      await card.getByRole('button', { name: 'Done' }).click();
      await card.waitFor({ state: 'detached' });
      return lines;
    };
    try {
      await page.getByRole('textbox', { name: 'Name' }).fill('Ledger tool');
      await page.getByRole('button', { name: 'Create' }).click();
      const [clientId = '', first = ''] = await shown();
      assert.ok(first.length > 20);
      assert.equal(await grant(clientId, first), 200);
      assert.ok(!(await kept()).includes(first));
      await visit(page, '/access/keys');
      await page.goBack();
      const row = page.getByRole('row').filter({ hasText: 'Ledger tool' });
      await row.waitFor();
      assert.ok(!(await kept()).includes(first));

      await row.getByRole('button', { name: 'New secret' }).click();
      const [, second = ''] = await shown();
      assert.notEqual(second, first);
      // The old one works for a while, so that nothing stops while it is replaced.
      assert.deepEqual([await grant(clientId, second), await grant(clientId, first)], [200, 200]);
      await row.getByText(/old secret until/).waitFor();
      assert.ok(!(await kept()).includes(second));

      await row.getByRole('button', { name: 'Revoke' }).click();
      await row.getByRole('button', { name: 'Revoke Ledger tool' }).click();
      await row.getByText(/^revoked/).waitFor();
      assert.deepEqual([await grant(clientId, second), await grant(clientId, first)], [401, 401]);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('shows keys, what changed access and by whom, and sends a delivery of the webhook again', async () => {
    const { page, faults, close } = await visits.open('/access/keys');
    try {
      await page.getByText('signs and verifies').waitFor();
      const made = (await (await call('POST', '/clients', { name: 'BI tool' })).json()) as { clientId: string };
      await visit(page, '/access/audit');
      const line = page.getByRole('row').filter({ hasText: 'created the client' }).filter({ hasText: 'BI tool' });
      assert.match(await line.innerText(), new RegExp(`${CLIENT.id}|bootstrap`));
      assert.match(await line.innerText(), /BI tool/);
      await visit(page, '/access/limits');
      await page.getByLabel('Client', { exact: true }).selectOption(made.clientId);
      await page.getByText(/what is left to .+, over all of its clients and sessions/).waitFor();

      await visit(page, '/access/webhook');
      await page.getByLabel('Address').fill('https://receiver.example/daypart');
      await page.getByRole('button', { name: 'Save' }).click();
      const secret = page.locator('pre.code').filter({ hasText: 'whsec_' });
      await secret.waitFor();
      // It can be tested and removed at once, while its secret is shown.
      await page.getByRole('button', { name: 'Remove' }).waitFor();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByRole('row').filter({ hasText: 'webhook.test' }).waitFor();
      assert.ok(await secret.isVisible());
      const delivery = page.getByRole('row').filter({ hasText: 'webhook.test' });
      await delivery.getByText('waiting').waitFor();
      const sent = page.waitForResponse((answer) => answer.url().endsWith('/replay'));
      await delivery.getByRole('button', { name: 'Send again' }).click();
      assert.equal((await sent).status(), 202);
      await delivery.getByText('waiting').waitFor();
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('imports a folder that is chosen, date by date, after showing its content', async () => {
    const { page, faults, close } = await visits.open('/data/import');
    const folder = mkdtempSync(join(tmpdir(), 'daypart-exports-'));
    try {
      cpSync(join(GOLDEN, 'plain-day/20260310'), join(folder, '20260310'), { recursive: true });
      cpSync(join(GOLDEN, 'bad-rows/20260318'), join(folder, '20260318'), { recursive: true });
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().includes('/exports/')) sent.push(request.url().slice(-8));
      });
      await page.getByLabel('Folder with exports').setInputFiles(folder);
      const rows = page.getByRole('region', { name: 'Table of dates' }).locator('tbody tr');
      assert.equal(await rows.count(), 2);
      assert.deepEqual(sent, []);
      await page.getByLabel(/^Restaurant/).selectOption({ label: 'Bistro' });
      await page.getByRole('button', { name: 'Send 2 dates' }).click();
      await rows.nth(0).getByText('3 orders, 2 time entries', { exact: true }).waitFor();
      await rows
        .nth(1)
        .getByText(/line \d+: /)
        .first()
        .waitFor();
      assert.deepEqual(sent, ['20260310', '20260318']);
      await visit(page, '/data');
      await page
        .getByRole('region', { name: 'Table of imports' })
        .getByText(/Mar 10, 2026|10 Mar 2026/)
        .waitFor();
      assert.deepEqual(faults, []);
    } finally {
      rmSync(folder, { recursive: true });
      await close();
    }
  });

  it('lists imports with what was not read by file and line, and marks dates without items', async () => {
    const { page, close } = await visits.open('/data', { bypassCSP: true });
    try {
      const row = page
        .getByRole('row')
        .filter({ hasText: '18 Mar 2026' })
        .or(page.getByRole('row', { name: /Mar 18, 2026/ }))
        .first();
      assert.match(await row.innerText(), /line \d+: /);
      assert.match(await row.innerText(), /in part|not loaded/);
      await page
        .getByText(/Mar 19.*no items|19 Mar.*no items/)
        .first()
        .waitFor({ state: 'attached' });
      await visit(page, '/menu?span=custom&from=2026-03-15&to=2026-03-24');
      const note = page.locator('details.notice');
      assert.match(await note.innerText(), /1 business date of 1 restaurant without items/);
      await note.locator('summary').click();
      assert.match(await note.innerText(), /Bistro: .*19/);
      assert.deepEqual(await axeFaults(page), []);
    } finally {
      await close();
    }
  });

  it('marks a day that is not over, and compares the hours that are over with the same hours', async () => {
    const { page, close } = await visits.open('/');
    try {
      await page.clock.setFixedTime(AFTERNOON);
      await visit(page, '/');
      await page.getByText('so far', { exact: true }).waitFor();
      await page
        .getByText(/hours that are over, beside the same hours/)
        .first()
        .waitFor();
      const figures = page.locator('.figures > div');
      // Two orders of 9 dollars so far; the week before one of three was at an hour that is over.
      await figures.first().getByText('from $9').waitFor();
      assert.match(await figures.first().innerText(), /\$18\.00[\s\S]*100\.0\s%[\s\S]*from \$9/);
      await page.clock.setFixedTime(new Date('2026-03-25T12:00:00Z'));
      await visit(page, '/');
      assert.equal(await page.getByText('so far', { exact: true }).count(), 0);
      assert.match(await figures.first().innerText(), /33\.3\s%[\s\S]*from \$27/);
    } finally {
      await close();
    }
  });
});

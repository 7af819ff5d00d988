/** Data → Connections, over a service that reads the stand-in for the live point of sale. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import { small } from '../upstream/caller.ts';
import { startUpstream, type Upstream } from '../upstream/upstream.ts';
import { axeInBoth, CLIENT, type ConsoleVisits, cardOf, dashed, startConsole, tokenOf, visit } from './console.ts';

const SECRET = 'rehearsal-group-secret';
const ROTATED = 'canary-secret-that-was-rotated';

let upstream: Upstream;
let visits: ConsoleVisits;
let guids: string[];

before(async () => {
  if (skip) return;
  upstream = await startUpstream({ speed: 1, restaurants: [small(0), small(1), small(2)], days: 100 });
  guids = [...upstream.world.houses.keys()];
  visits = await startConsole(0, { settings: { connectPrivate: true } });
});
after(async () => {
  await visits?.stop();
  await upstream?.close();
});

/** Calls the service as a program does. */
async function call(method: string, path: string, body?: object): Promise<Response> {
  const headers = {
    authorization: `Bearer ${await tokenOf(visits.service)}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  return await fetch(`${visits.service.baseUrl}${path}`, { method, headers, body: JSON.stringify(body) ?? null });
}

const access = () => ({
  kind: 'toast',
  url: upstream.url,
  credentials: { clientId: upstream.world.clients[0]?.clientId, clientSecret: SECRET },
  restaurantGuid: guids[0],
});

/** Types into the fields of the first step, and asks the point of sale. */
async function enter(page: Page, changes: Record<string, string> = {}): Promise<void> {
  const { url, credentials, restaurantGuid } = access();
  const typed: Record<string, string | undefined> = {
    'Address of the API': url,
    'Client id': credentials.clientId,
    'Client secret': SECRET,
    'GUID of one restaurant': restaurantGuid,
  };
  for (const [label, text] of Object.entries(Object.assign(typed, changes)))
    await page.getByLabel(label).fill(text ?? '');
  await page.getByRole('form', { name: 'Where it is' }).getByRole('button').click();
}

/** Everything that a page keeps, or that others could read of it. */
const kept = (page: Page): Promise<string> =>
  page.evaluate(async () =>
    JSON.stringify([
      document.documentElement.outerHTML,
      { ...localStorage },
      { ...sessionStorage },
      location.href,
      history.state,
      document.cookie,
      performance.getEntries().map(({ name }) => name),
      await indexedDB.databases(),
      await globalThis.caches?.keys(),
    ]),
  );

/** That nothing is wider than a phone, and what axe finds. */
async function assertLooks(page: Page, state: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 900 });
  const extent = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(extent <= 390, `${state} is ${extent} wide`);
  await page.setViewportSize({ width: 1440, height: 900 });
  assert.deepEqual(await axeInBoth(page), [], state);
}

describe(named('a point of sale that is connected in the console'), { skip }, () => {
  it('leads from the first run to the figures, and says at its field what is refused', async () => {
    const { page, faults, close } = await visits.open('/', { bypassCSP: true });
    try {
      const first = page.getByRole('link', { name: 'Connect a point of sale' });
      await first.waitFor();
      const cards = await page.locator('section.card h2').allInnerTexts();
      assert.deepEqual(cards.slice(0, 2), ['Connect a point of sale', '1. Add a restaurant']);
      await assertLooks(page, 'the first run');
      await first.click();
      for (const [label, text, said] of [
        ['Client secret', 'wrong', 'The point of sale refuses the client id or secret.'],
        ['Address of the API', 'http://127.0.0.1:9', 'The point of sale cannot be reached at this address.'],
        ['Address of the API', 'ftp://127.0.0.1', 'url'],
        ['GUID of one restaurant', '0d000000-0000-4000-8000-000000000001', 'The point of sale does not have this'],
      ] as const) {
        await enter(page, { [label]: text });
        const alert = page.getByRole('alert').filter({ hasText: said });
        // What does not answer is tried again for some 20 s.
        await alert.waitFor({ timeout: 60_000 });
        const described = await page.getByLabel(label).getAttribute('aria-describedby');
        assert.equal(await alert.getAttribute('id'), described, label);
      }
      await assertLooks(page, 'a refusal');

      await enter(page);
      const taken = page.getByRole('form', { name: 'Restaurants' });
      await taken.waitFor();
      assert.ok(!(await kept(page)).includes(SECRET));
      assert.equal(await taken.getByRole('checkbox', { checked: true }).count(), 3);
      assert.match(await taken.innerText(), /Orders\s+can be read\s+Time entries\s+can be read/);
      await taken.getByLabel('Peachtree').uncheck();
      await assertLooks(page, 'the restaurants');
      await taken.getByRole('button', { name: 'Continue' }).click();
      const past = page.getByRole('form', { name: 'The past' });
      assert.match(await past.locator('option:checked').innerText(), /^84 dates, about \d+ min$/);
      await assertLooks(page, 'the past');
      await past.getByLabel('Name').fill('Till');
      await past.getByRole('button', { name: 'Connect' }).click();

      const card = cardOf(page, 'Till');
      await card
        .getByText(/Reading the past: [1-9]\d* of 84 dates/)
        .first()
        .waitFor({ timeout: 60_000 });
      assert.equal(await card.locator('tbody tr').count(), 2);
      assert.match(await card.innerText(), /client id rehear…/);
      await assertLooks(page, 'a connection');
      await page.setViewportSize({ width: 390, height: 900 });
      const remove = await card.getByRole('button', { name: 'Remove' }).first().boundingBox();
      assert.ok(remove && remove.x + remove.width <= 390, `Remove ends at ${remove && remove.x + remove.width}`);
      await page.setViewportSize({ width: 1440, height: 900 });
      assert.ok(!(await kept(page)).includes(SECRET));

      await page.getByRole('navigation').first().getByRole('link', { name: 'Overview' }).click();
      await page.locator('[data-figure="Net sales"]').waitFor();
      await page.getByRole('link', { name: 'the past of 2 is still being read' }).waitFor();
      // Shifts are read by months: of most of their dates no sales are known yet, which are not sales of nothing.
      await page.getByRole('button', { name: 'Show the last 13 weeks as a table' }).click();
      const weeks = await cardOf(page, 'Last 13 weeks').locator('tbody tr').allInnerTexts();
      assert.ok(weeks.length > 0);
      assert.deepEqual(
        weeks.filter((row) => /\$0(\.00)?\b/.test(row)),
        [],
      );
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('names the dates that are still to be read', async () => {
    const { page, close } = await visits.open('/more');
    try {
      const [from, to] = [dashed(visits.lastDate, -80), dashed(visits.lastDate, -70)];
      await visit(page, `/menu?span=custom&from=${from}&to=${to}`);
      const note = page.locator('details.notice');
      assert.match(await note.innerText(), /\d+ business dates of \d restaurants still to be read/);
      await note.locator('summary').click();
      assert.match(await note.innerText(), /The point of sale is read backwards until it comes to these dates/);
    } finally {
      await close();
    }
  });

  it('reads no restaurant that another connection has', async () => {
    const { page, close } = await visits.open('/data/connections/new');
    try {
      await enter(page);
      const form = page.getByRole('form', { name: 'Restaurants' });
      assert.ok(await form.getByLabel('Harbor Light').isDisabled());
      assert.match(await form.innerText(), /has a connection already/);
      await form.getByRole('button', { name: 'Continue' }).click();
      // Somebody else is faster.
      const made = await call(
        'POST',
        '/connections',
        Object.assign(access(), { name: 'Bar', restaurants: [guids[2]] }),
      );
      assert.equal(made.status, 201);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await form.getByRole('alert').filter({ hasText: 'has another connection' }).waitFor();
    } finally {
      await close();
    }
  });

  it('is paused and resumed, and takes new credentials once they work', async () => {
    const { page, faults, close } = await visits.open('/data/connections', { bypassCSP: true });
    try {
      const card = cardOf(page, 'Till');
      await card.getByRole('button', { name: 'Pause' }).click();
      await card.getByText('Paused. Nothing is read until it is resumed.').first().waitFor();
      await assertLooks(page, 'a paused connection');
      await card.getByRole('button', { name: 'Resume' }).click();
      await card.getByRole('button', { name: 'Pause' }).waitFor();

      upstream.world.change({ clientSecret: ROTATED, endTokens: true });
      // As a node leaves it that could not sign in: within half an hour of the last time it does not try.
      const { ledger } = visits.service.stores;
      const [till] = await ledger.connections(CLIENT.group);
      await ledger.setConnectionState(
        till?.id ?? '',
        { state: 'refused' as 'paused', reason: 'credentials_refused' },
        Date.now(),
      );
      await visit(page, '/data/connections');
      await card.getByText('The point of sale refuses the client id or secret. Enter new ones.').first().waitFor();
      await assertLooks(page, 'refused credentials');
      const form = card.getByRole('form', { name: 'New credentials' });
      const replace = async (secret: string): Promise<void> => {
        await form.getByLabel('Client id').fill(upstream.world.clients[0]?.clientId ?? '');
        await form.getByLabel('Client secret').fill(secret);
        await form.getByRole('button').click();
      };
      await replace('wrong');
      await form.getByRole('alert').filter({ hasText: 'refuses the client id or secret' }).waitFor();
      await replace(ROTATED);
      await card.getByText('The new credentials work.').waitFor();
      await card.getByText('active', { exact: true }).waitFor();
      assert.ok(!(await kept(page)).includes(ROTATED));
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });

  it('shows what others change, reads dates again, leaves a restaurant, and is removed with its credentials', async () => {
    const { page, faults, close } = await visits.open('/data/connections');
    try {
      const [card, bar] = [cardOf(page, 'Till'), cardOf(page, 'Bar')];
      await bar.waitFor();
      const listed = (await (await call('GET', '/connections')).json()) as { id: string; name: string }[];
      const idOf = (name: string) => listed.find((one) => one.name === name)?.id;
      await call('DELETE', `/connections/${idOf('Bar')}`);
      await bar.waitFor({ state: 'detached' });

      await card.getByRole('button', { name: 'Read dates again' }).click();
      const dates = card.getByRole('form', { name: 'Dates' });
      await dates.getByLabel('From').fill(dashed(visits.lastDate, -2));
      await dates.getByLabel('To').fill(dashed(visits.lastDate, -3));
      await dates.getByRole('button').click();
      await dates.getByRole('alert').filter({ hasText: 'to is before from.' }).waitFor();
      await dates.getByLabel('To').fill(dashed(visits.lastDate, -1));
      await dates.getByRole('button').click();
      await card.getByText('2 dates will be read again.').waitFor();

      const row = card.getByRole('row').filter({ hasText: 'Corner Slice' });
      await row.getByRole('button', { name: 'Remove' }).click();
      await row.getByRole('button', { name: 'Read Corner Slice no longer' }).click();
      await row.waitFor({ state: 'detached' });
      await card.getByRole('button', { name: 'Disconnect' }).click();
      await card.getByRole('button', { name: 'Disconnect Till and delete its credentials' }).click();
      await page.getByText('No point of sale is connected.').waitFor();
      assert.deepEqual(await (await call('GET', '/connections')).json(), []);

      await visit(page, '/access/audit');
      const text = await page.getByRole('region', { name: 'Table of changes of access' }).innerText();
      for (const what of ['connected', 'paused', 'resumed', 'gave new credentials to', 'had dates read again of'])
        assert.match(text, new RegExp(`\\b${what}\\s+con_`));
      assert.doesNotMatch(text, /connection\./);
      await visit(page, '/');
      await page.locator('[data-figure="Net sales"]').waitFor();
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });
});

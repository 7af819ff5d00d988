/** The docs pages in a real browser: complete without any other host, and their forms call the service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { logIn, named, REFERENCE, sectionOf, skip, startVisits, type Visits } from '../docs/browser.ts';
import { CLIENT } from '../docs/demo.ts';

const CREATE = /\/v1\/metrics\/(\{timeRange\}|day)/;
const RETRIEVE = /\/v1\/metrics\/\{[a-z]*guid\}/i;
/** Runs a text in a shell that stops at the first failure, and answers its output. */
const shell = async (text: string, env: Record<string, string> = {}): Promise<string> =>
  (await promisify(execFile)('bash', ['--norc', '-euc', text], { env: { PATH: process.env.PATH, ...env } })).stdout;

let visits: Visits;
before(async () => {
  if (!skip) visits = await startVisits();
});
after(() => visits?.stop());

describe(named('the docs pages'), { skip }, () => {
  it('are sent with a policy that leaves no room for a foreign or inline script', async () => {
    const { headers } = await fetch(`${visits.demo.service.origin}/docs/reference/metrics`);
    const runInline = (): boolean => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
      return 'ran' in window;
    };

    const policy = headers.get('content-security-policy') ?? '';
    let ran: boolean | undefined;
    await visits.visit(
      '/docs',
      async (page) => {
        ran = await page.evaluate(runInline);
      },
      { expected: /Content Security Policy/ },
    );

    assert.match(
      policy,
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:/,
    );
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(ran, false);
  });

  it('keep style and script for ever under an address that changes with them', async () => {
    const { origin } = visits.demo.service;
    const text = await (await fetch(`${origin}/docs/reference/metrics`)).text();
    const addresses = [...text.matchAll(/(?:href|src)="(\/docs\/assets\/[^"]+)"/g)].map(([, address]) => address);

    const answers = await Promise.all(addresses.map((address) => fetch(origin + address)));
    const other = await fetch(`${origin}/docs/assets/000000000000/docs.css`);

    assert.equal(addresses.length, 3);
    for (const { status, headers } of answers) {
      assert.equal(status, 200);
      assert.match(headers.get('cache-control') ?? '', /immutable/);
    }
    assert.equal(other.status, 404);
  });

  it('start with five lines of shell that work as they are', async () => {
    await visits.visit('/docs', async (page) => {
      const lines = (await page.getByLabel('A first report with curl').innerText()).split('\n');

      const out = await shell([`CLIENT_ID=${CLIENT.id}; CLIENT_SECRET=${CLIENT.secret}`, ...lines.slice(1)].join('\n'));

      const [restaurants = '', ...records] = out.split('\n');
      assert.equal(lines.length, 5);
      assert.equal(JSON.parse(restaurants).length, 8);
      assert.ok(JSON.parse(records.join(''))[0].netSalesAmount > 0);
    });
  });

  it('lead from the old address of an operation to where it is now', async () => {
    await visits.visit('/docs/reference#createMenuDayReport', async (page) => {
      await page.getByRole('heading', { name: 'Create a report of menu sales over one day' }).waitFor();
      assert.match(page.url(), /\/docs\/reference\/menu#createMenuDayReport$/);
    });
  });

  it('say of a problem what it means, and the reference leads there', async () => {
    await visits.visit('/docs/reference/metrics', async (page) => {
      await sectionOf(page, 'POST', CREATE).getByRole('link', { name: 'span_too_long' }).first().click();

      await page.getByRole('heading', { name: 'The span is too long' }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/docs/problems/span_too_long');
    });
  });
});

describe(named('the forms of the reference'), { skip }, () => {
  it('get a token, create a report, retrieve it and show its records', async () => {
    await visits.visit('/docs/reference/metrics', async (page) => {
      await logIn(page);
      const create = sectionOf(page, 'POST', CREATE);
      const retrieve = sectionOf(page, 'GET', RETRIEVE);

      await create.getByText('Try it').click();
      await create.getByRole('button', { name: 'Send' }).click();
      await create.getByRole('button', { name: 'Retrieve it' }).click();
      await retrieve.getByText('200 OK').waitFor();

      const line = await create.getByLabel('The same with curl').innerText();
      const records: { restaurantGuid: string; netSalesAmount: number }[] = JSON.parse(
        await retrieve.getByLabel('Body of the answer').innerText(),
      );
      assert.match(line, /^curl -i -X POST -H "Authorization: Bearer \$TOKEN"/);
      assert.equal(new Set(records.map(({ restaurantGuid }) => restaurantGuid)).size, 8);
      assert.ok(records.some(({ netSalesAmount }) => netSalesAmount > 0));
      assert.match(await retrieve.getByRole('status').innerText(), /in \d+ ms, [\d,]+ bytes/);
    });
  });

  it('make every create and load work once a restaurant is chosen, and ask before data is changed', async () => {
    const sent: string[] = [];
    const requested: string[] = [];
    const look = async (page: Page): Promise<void> => {
      page.on('dialog', (dialog) => {
        requested.push(dialog.message());
        void dialog.accept();
      });
      await logIn(page);
      await page.locator('#restaurants option').first().waitFor({ state: 'attached' });
      const [restaurant = ''] = await page
        .locator('#restaurants option')
        .evaluateAll((options) => options.map((option) => option.getAttribute('value') ?? ''));
      for (const form of await page.locator('section.operation', { has: page.locator('.post, .put') }).all()) {
        // Reports and data: sessions need the cookie of the console, and clients and groups a scope of their own.
        if (
          !/^(create.*Report|load|put(Restaurant|Reference|Menus|Webhook))/.test((await form.getAttribute('id')) ?? '')
        )
          continue;
        await form.getByText('Try it').click();
        const place = form.getByLabel(/^restaurantGuid/);
        if ((await place.count()) > 0 && (await place.inputValue()) === '') await place.fill(restaurant);
        await form.getByRole('button', { name: 'Send' }).click();
        const status = await form.getByRole('status').innerText();
        const body = await form.getByLabel('Body of the answer').innerText();
        sent.push(`${status}: ${await form.locator('.call').innerText()} ${body.replace(/\s+/g, '')}`);
      }
    };

    for (const path of REFERENCE) await visits.visit(path, look, { expected: /Failed to load resource/ });

    assert.ok(sent.length > 3);
    const refused = sent.filter((line) => !/^20[012] /.test(line) || /"rejected":\[\{/.test(line));
    assert.deepEqual(refused, []);
    const loads = sent.filter((line) => / POST \/v1\/restaurants\/[^/]+\/(orders|time-entries|payouts)\b/.test(line));
    assert.ok(loads.length >= 2);
    assert.deepEqual(
      loads.filter((line) => !line.includes('"accepted":1')),
      [],
    );
    const changing = sent.filter((line) => / PUT |\/restaurants\//.test(line));
    assert.equal(requested.length, changing.length);
    assert.equal(
      requested.filter((text) => /^POST \/v1\/restaurants\/.+ stored of \S/.test(text)).length,
      loads.length,
    );
  });

  it('send nothing that changes data without a restaurant or without a yes', async () => {
    await visits.visit('/docs/reference/loading', async (page) => {
      const posts: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/orders')) posts.push(request.url());
      });
      page.on('dialog', (dialog) => void dialog.dismiss());
      await logIn(page);
      await page.locator('#restaurants option').first().waitFor({ state: 'attached' });
      const load = sectionOf(page, 'POST', /\/v1\/restaurants\/\{restaurantGuid\}\/orders/);
      await load.getByText('Try it').click();
      const place = load.getByLabel(/^restaurantGuid/);
      assert.equal(await place.inputValue(), '');
      await load.getByRole('button', { name: 'Send' }).click();
      assert.equal(await place.evaluate((input: HTMLInputElement) => input.validity.valueMissing), true);

      await place.fill('00000000-0000-4000-8000-000000000001');
      await load.getByRole('button', { name: 'Send' }).click();

      await load.getByText('Not sent: nothing was changed.').waitFor();
      assert.deepEqual(posts, []);
    });
  });

  it('show a line of curl that a shell runs to the same answer, without the secret in it', async () => {
    await visits.visit('/docs/reference/tokens', async (page) => {
      await logIn(page);
      const token = sectionOf(page, 'POST', /\/oauth\/token/);
      await token.getByText('Try it').click();
      await token.getByRole('button', { name: 'Send' }).click();
      await token.getByText('200 OK').waitFor();

      const line = await token.getByLabel('The same with curl').innerText();
      const out = await shell(line, { CLIENT_ID: CLIENT.id, CLIENT_SECRET: CLIENT.secret });

      assert.match(out, /^HTTP\/1\.1 200 OK[\s\S]*"access_token"/);
      assert.ok(!line.includes(CLIENT.secret));
    });
  });

  it('say why credentials were refused, and take others', async () => {
    await visits.visit(
      '/docs/reference/tokens',
      async (page) => {
        await page.getByLabel('Client id', { exact: true }).fill('nobody');
        await page.getByLabel('Client secret', { exact: true }).fill('wrong');
        await page.getByRole('button', { name: 'Get a token' }).click();

        await page.getByText(/^Refused: /).waitFor();
        await logIn(page);
      },
      { expected: /status of 401/ },
    );
  });

  it('keep credentials and token in the memory of the page only', async () => {
    await visits.visit('/docs/reference/metrics', async (page) => {
      const answered = page.waitForResponse(/\/oauth\/token$/);
      await logIn(page);
      const { access_token: token } = await (await answered).json();

      const kept = await page.evaluate(() =>
        JSON.stringify([
          { ...localStorage },
          { ...sessionStorage },
          document.cookie,
          location.href,
          document.body.outerHTML,
        ]),
      );

      assert.ok(!kept.includes(CLIENT.secret));
      assert.match(token, /^eyJ/);
      assert.ok(!kept.includes(token));
      await page.reload();
      assert.equal(await page.getByLabel('Client secret', { exact: true }).inputValue(), '');
    });
  });
});

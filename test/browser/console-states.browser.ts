/**
 * The states of the console while it waits and when something fails, caused by answers, faults and settings of the real
 * service.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import {
  axeInBoth,
  type ConsoleVisits,
  dashed,
  enginePid,
  PEACHTREE,
  settled,
  startConsole,
  tryAgain,
  visit,
} from './console.ts';

const CHECKS = `/restaurants/${PEACHTREE}/checks`;
/** Where a tab keeps which report answers which question. */
const KEPT = 'daypart-report ';

/** Makes the tab believe that every question it asked is answered by this report, and opens the screen again. */
async function answerBy(page: Page, status: string): Promise<void> {
  const guid = `00000000-0000-4000-8000-${status.padStart(12, '0')}`;
  await page.evaluate(
    ([kept, to]) => {
      for (const name of Object.keys(sessionStorage)) if (name.startsWith(kept)) sessionStorage.setItem(name, to);
    },
    [KEPT, guid] as const,
  );
  await page.reload();
}

const forget = (page: Page): Promise<void> => page.evaluate(() => sessionStorage.clear());
let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(16);
});
after(() => visits?.stop());

describe(named('a card of the console'), { skip }, () => {
  for (const [status, code] of [
    ['500', 'internal_error'],
    ['503', 'unavailable'],
    ['504', 'engine_timeout'],
    ['403', 'scope_missing'],
  ] as const) {
    it(`says what a ${status} means and how to quote it, and reads again when asked to`, async () => {
      const { page, faults, close } = await visits.open(CHECKS, { bypassCSP: true });
      try {
        await answerBy(page, status);
        const alert = page.getByRole('alert');
        await alert.waitFor();
        assert.match(await alert.innerText(), new RegExp(`${code} · [0-9a-f-]{36}`));
        assert.equal(await alert.getByRole('button', { name: 'Copy details' }).isVisible(), true);
        assert.deepEqual(await axeInBoth(page), []);
        await forget(page);
        await tryAgain(page);
        await page.getByRole('heading', { name: /^[\d,]+ checks$/ }).waitFor();
        assert.equal(await page.getByRole('alert').count(), 0);
        assert.deepEqual(faults, []);
      } finally {
        await close();
      }
    });
  }

  it('creates again a report that failed, expired or is unknown (409, 410, 404), without a word', async () => {
    for (const status of ['409', '410', '404']) {
      const { page, close } = await visits.open(CHECKS);
      try {
        await page.getByRole('heading', { name: /^[\d,]+ checks$/ }).waitFor();
        const creates: string[] = [];
        page.on('request', (request) => {
          if (request.method() === 'POST' && request.url().includes('/check/')) creates.push(request.url());
        });
        await answerBy(page, status);
        await page.getByRole('heading', { name: /^[\d,]+ checks$/ }).waitFor();
        assert.equal(creates.length, 1, status);
        assert.equal(await page.getByRole('alert').count(), 0, status);
      } finally {
        await close();
      }
    }
  });

  it('waits through 202, says that it gathers, and keeps the rules meanwhile', async () => {
    const { page, close } = await visits.open(CHECKS, { bypassCSP: true });
    try {
      await answerBy(page, '202');
      await page.getByText('Gathering').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Cancel' }).isVisible(), true);
      assert.equal(await page.getByRole('progressbar', { name: 'Progress of the report' }).isVisible(), true);
      assert.deepEqual(await axeInBoth(page), []);
      await answerBy(page, '202202200');
      await page.getByRole('heading', { name: /^[\d,]+ checks$/ }).waitFor();
    } finally {
      await close();
    }
  });

  it('counts down a 429 by its Retry-After, and keeps the rules meanwhile', async () => {
    const { page, close } = await visits.open(CHECKS, { bypassCSP: true });
    try {
      await answerBy(page, '429');
      await page.getByText(/Continues in \d+ s/).waitFor();
      assert.deepEqual(await axeInBoth(page), []);
    } finally {
      await close();
    }
  });

  it('of a report that the stopped engine does not gather waits, can be cancelled, and is created again when asked to', async () => {
    const { page, close } = await visits.open('/', { bypassCSP: true });
    const pid = enginePid(visits);
    try {
      await visit(page, '/reports');
      process.kill(pid, 'SIGSTOP');
      await page.goto(`${visits.service.origin}/restaurants/${PEACHTREE}/checks?d=${dashed(visits.lastDate, -3)}`);
      await page.getByText('Gathering').first().waitFor();
      const [deleted] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'DELETE'),
        page.getByRole('button', { name: 'Cancel' }).first().click(),
      ]);
      assert.equal(deleted.status(), 204);
      process.kill(pid, 'SIGCONT');
      const alert = page.getByRole('alert').filter({ hasText: 'Cancelled.' });
      await alert.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: /^[\d,]+ checks$/ }).waitFor();
      assert.equal(await alert.count(), 0);
      await page.reload();
      await page.getByRole('heading', { name: /^[\d,]+ checks$/ }).waitFor();
    } finally {
      process.kill(pid, 'SIGCONT');
      await close();
    }
  });

  it('gets its figures after the engine was killed', async () => {
    const { page, close } = await visits.open('/');
    try {
      const before = enginePid(visits);
      process.kill(before, 'SIGKILL');
      await page.getByRole('button', { name: 'Previous date' }).click();
      const done = page.waitForFunction(() => !document.querySelector('.shape, progress, [aria-busy="true"]'));
      await done;
      const again = page.getByRole('button', { name: 'Try again' });
      while ((await again.count()) > 0) {
        await tryAgain(page);
        await settled(page);
      }
      assert.notEqual(enginePid(visits), before);
      assert.match(await page.locator('[data-figure="Net sales"]').innerText(), /\$[\d,]+/);
    } finally {
      await close();
    }
  });
});

describe(named('the overview over a slow line'), { skip }, () => {
  it('shows its frame and grey shapes, keeps the rules, and then the figures', async () => {
    const { page, context, close } = await visits.open('/', { bypassCSP: true });
    try {
      await forget(page);
      const session = await context.newCDPSession(page);
      await session.send('Network.enable');
      // 3G as the tools of Chromium have it, and two seconds of latency.
      const slow = { offline: false, latency: 2000, downloadThroughput: 200_000, uploadThroughput: 95_000 };
      await session.send('Network.emulateNetworkConditions', slow);
      await page.goto(visits.service.origin, { waitUntil: 'commit' });
      await page.locator('.shape').first().waitFor({ timeout: 60_000 });
      assert.deepEqual(await axeInBoth(page), []);
      await page.waitForFunction(
        () =>
          !document.querySelector('.shape, progress, [aria-busy="true"]') && document.querySelector('[data-figure]'),
        null,
        { timeout: 60_000 },
      );
      assert.equal(await page.getByRole('alert').count(), 0);
    } finally {
      await close();
    }
  });
});

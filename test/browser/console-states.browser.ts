/** What the console shows while it waits and when something fails: by answers, faults and settings of the real service. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { named, skip } from '../docs/browser.ts';
import {
  axeInBoth,
  CLIENT,
  type ConsoleVisits,
  enginePid,
  PEACHTREE,
  settled,
  startConsole,
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

/** Presses the button, unless the card has tried again by itself just now. */
const tryAgain = (page: Page): Promise<void> =>
  page
    .getByRole('button', { name: 'Try again' })
    .first()
    .click({ timeout: 2000 })
    .catch(() => undefined);

const forget = (page: Page): Promise<void> => page.evaluate(() => sessionStorage.clear());
const tokenOf = async (service: ConsoleVisits['service']): Promise<string> => {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
  });
  const answer = await fetch(`${service.origin}/oauth/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
};

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

  it('of a report that the stopped engine does not gather waits, can be cancelled, and is read once the engine runs', async () => {
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
      await page.goto(`${visits.service.origin}/restaurants/${PEACHTREE}/checks?d=${dashed(visits.lastDate, -3)}`);
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

/** YYYY-MM-DD, so many days from a business date. */
function dashed(date: string, days: number): string {
  const at = new Date(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

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

describe(named('a console whose service is stopped for 30 seconds'), { skip }, () => {
  it('resumes its events by itself: a load after that shows without a word from the person', async () => {
    const { page, close } = await visits.open('/');
    try {
      const orders = page.locator('[data-figure="Orders"]');
      const before = await orders.innerText();
      const resume = await visits.pause();
      await page.waitForTimeout(30_000);
      await resume();
      const token = await tokenOf(visits.service);
      const date = visits.lastDate;
      const order = {
        guid: '0d000000-0000-4000-8000-0000000000ba',
        openedDate: `${dashed(date, 0)}T17:05:00.000+0000`,
        businessDate: Number(date),
        checks: [
          { guid: '0d000000-0000-4000-8000-0000000000bb', paymentStatus: 'CLOSED', totalAmount: 9, selections: [] },
        ],
      };
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const url = `${visits.service.origin}/v1/restaurants/${PEACHTREE}/orders`;
      assert.equal((await fetch(url, { method: 'POST', headers, body: JSON.stringify([order]) })).status, 200);
      const wanted = Number(before.replace(',', '')) + 1;
      await page.waitForFunction(
        (count) => document.querySelector('[data-figure="Orders"]')?.textContent?.replace(',', '') === String(count),
        wanted,
        { timeout: 60_000 },
      );
      assert.equal(await page.getByText('The service cannot be reached').count(), 0);
    } finally {
      await close();
    }
  });
});

describe(named('a console with a limit of its sessions'), { skip }, () => {
  it('counts down when the limit is used up, and continues by itself in the next window', async () => {
    const limited = await startConsole(3, {
      settings: { limits: 'on', limitConsole: [{ quota: 3, seconds: 60, unit: 'minute' }] },
    });
    try {
      const { page, close } = await limited.open('/', { bypassCSP: true });
      try {
        await page.goto(`${limited.service.origin}/?span=28`);
        await page
          .getByText(/Continues in \d+ s/)
          .first()
          .waitFor();
        assert.deepEqual(await axeInBoth(page), []);
        await page
          .getByText(/Continues in \d+ s/)
          .first()
          .waitFor({ state: 'detached', timeout: 200_000 });
        await settled(page);
        assert.equal(await page.getByRole('alert').count(), 0);
      } finally {
        await close();
      }
    } finally {
      await limited.stop();
    }
  });
});

/** A file system of its own that is soon full, where the system allows one to be made. */
function mountSmall(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'daypart-console-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', folder]).status === 0) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

/** Takes every byte that is left until a report request cannot be stored: the ledger's journal has room for some at first. */
async function fillUntilRefused({ service }: ConsoleVisits, filler: string): Promise<void> {
  const { baseUrl } = service;
  const token = await tokenOf(service);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (let tries = 0; tries < 5000; tries++) {
    // The system says that there is no more room: that is the aim.
    for (const block of ['1M', '4k'])
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, `bs=${block}`, 'conv=notrunc', 'oflag=append']);
    const creates = Array.from({ length: 20 }, () =>
      fetch(`${baseUrl}/metrics/day`, { method: 'POST', headers, body: '{"startBusinessDate":"20260310"}' }),
    );
    if ((await Promise.all(creates)).some(({ status }) => status === 503)) return;
  }
  assert.fail('no report request was ever refused');
}

describe(named('a console whose service has a full disk'), { skip }, () => {
  it('says so, and gets its figures once there is room', async (t) => {
    const folder = mountSmall();
    if (folder === undefined && process.env.CI !== 'true') return t.skip('no file system can be mounted here');
    assert.ok(folder, 'no file system can be mounted here');
    t.after(() => {
      spawnSync('umount', [folder]);
      rmSync(folder, { recursive: true, force: true });
    });
    const filler = join(folder, 'filler');
    const full = await startConsole(5, { folder: join(folder, 'console') });
    try {
      const { page, close } = await full.open('/', { bypassCSP: true });
      try {
        const alert = page.getByRole('alert').first();
        await fillUntilRefused(full, filler);
        await page.getByRole('button', { name: 'Previous date' }).click();
        await alert.waitFor();
        assert.match(await alert.innerText(), /storage_full/);
        assert.deepEqual(await axeInBoth(page), []);
        rmSync(filler);
        await tryAgain(page);
        await alert.waitFor({ state: 'detached' });
        await settled(page);
      } finally {
        await close();
      }
    } finally {
      await full.stop();
    }
  });
});

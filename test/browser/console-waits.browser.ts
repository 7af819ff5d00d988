/**
 * The console during long waits: for a stopped service, for a limit, for space on the disk. Each test has its own
 * service.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { named, skip } from '../docs/browser.ts';
import {
  axeInBoth,
  type ConsoleVisits,
  dashed,
  PEACHTREE,
  settled,
  startConsole,
  tokenOf,
  tryAgain,
} from './console.ts';

/** A file system of its own that is soon full, where the system allows one to be made. */
function mountSmall(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'daypart-console-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', folder]).status === 0) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

/**
 * Takes every byte that is left until a report request cannot be stored: the ledger's journal has room for some at
 * first.
 */
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

describe(named('a console that waits'), { skip, concurrency: true }, () => {
  describe(named('a console whose service is stopped for 30 seconds'), { skip }, () => {
    it('resumes its events by itself: a load after that shows without a word from the person', async () => {
      const visits = await startConsole(3);
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
        await visits.stop();
      }
    });
  });

  describe(named('a console with a limit of its sessions'), { skip }, () => {
    // One report in 20 seconds: the overview asks for two at once.
    it('counts down when the limit is used up, and continues by itself in the next window', async () => {
      const limited = await startConsole(3, {
        settings: { limits: 'on', limitConsole: [{ quota: 1, seconds: 20, unit: 'minute' }] },
      });
      try {
        const { page, close } = await limited.open('/health', { bypassCSP: true });
        try {
          // The countdown may end before a busy machine checks for it, so the page records it.
          await page.evaluate(() => {
            const look = (): void => {
              if (/Continues in \d+ s/.test(document.body.textContent ?? '')) document.body.dataset.counted = '';
            };
            new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
          });
          await page.getByRole('link', { name: 'Overview' }).click();
          await page.locator('body[data-counted]').waitFor();
          assert.deepEqual(await axeInBoth(page), []);
          await page
            .getByText(/Continues in \d+ s/)
            .first()
            .waitFor({ state: 'detached', timeout: 100_000 });
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
});

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import type { Spool } from '../facts/load.ts';
import { ORDER_PARTS } from '../facts/order.ts';
import { openSpool, removeSpool, type SpoolWriter } from './spool.ts';

/** Lines of different lengths, of which some have characters of two, three and four bytes. */
const linesOf = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, i) => JSON.stringify({ seq: i, text: 'é€🍔x'.repeat((i * 7919) % length) }));
const joined = (lines: string[]): string => lines.map((line) => `${line}\n`).join('');

async function withSpool(use: (spool: SpoolWriter, finish: () => Promise<Spool>) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-spool-'));
  const spool = openSpool(folder, 'orders');
  try {
    await use(spool, async () => await spool.finish());
    await spool.remove();
    assert.deepEqual(await readdir(folder), []);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('a short load stays in memory, with the lines as they were added', async () => {
  for (const count of [0, 1, 40, 200]) {
    await withSpool(async (spool, finish) => {
      const lines = linesOf(count, 150);
      for (const line of lines) spool.record(line);
      for (const line of lines.slice(0, 20)) spool.part('lines', line);
      await spool.drain();

      assert.deepEqual(await finish(), {
        kind: 'orders',
        records: joined(lines),
        parts: { checks: '', lines: joined(lines.slice(0, 20)), card_payments: '', refunds: '' },
      });
    });
  }
});

test('a longer load is in files, with the lines as they were added, however often they are drained', async () => {
  for (const drainEvery of [1, 100_000]) {
    await withSpool(async (spool, finish) => {
      const lines = linesOf(1500, 300);
      const long = JSON.stringify({ seq: 0, text: 'é'.repeat(300_000) });
      spool.part('checks', long);
      for (const [i, line] of lines.entries()) {
        spool.record(line);
        spool.part('lines', line);
        if (i % drainEvery === 0) await spool.drain();
      }
      const loaded = await finish();

      assert.ok('folder' in loaded);
      const files = ['orders', ...ORDER_PARTS];
      const texts = await Promise.all(files.map((name) => readFile(join(loaded.folder, `${name}.ndjson`), 'utf8')));
      assert.deepEqual(texts, [joined(lines), joined([long]), joined(lines), '', '']);
      assert.equal(loaded.bytes, Buffer.byteLength(texts.join('')));
      await removeSpool(loaded);
    });
  }
});

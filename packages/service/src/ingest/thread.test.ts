import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { plainOrder } from '../../../../test/journeys/service.ts';
import { LAWS } from '../../../../test/laws/laws.ts';
import type { Spool } from '../facts/load.ts';
import { ORDER_PARTS } from '../facts/order.ts';
import { type OwnedQuery, type ReadBody, readBody } from './read.ts';
import { type ReadThread, startReadThread } from './thread.ts';

const MOST_PIECES = 4000;
const PLACE = { timeZone: 'America/New_York', closeoutHour: 4, overtimeMultiplier: 1.5 };

async function withThread(
  work: (thread: ReadThread, query: OwnedQuery) => Promise<void>,
  options?: Parameters<typeof startReadThread>[0],
): Promise<void> {
  const spoolFolder = await mkdtemp(join(tmpdir(), 'daypart-read-'));
  const thread = startReadThread(options);
  try {
    await work(thread, { kind: 'orders', format: 'ndjson', place: PLACE, spoolFolder, group: 'group' });
  } finally {
    await thread.close();
    await rm(spoolFolder, { recursive: true, force: true });
  }
}

async function* inPieces(body: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < body.length; from += size) yield body.subarray(from, from + size);
}

const lines = (count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, () => `${JSON.stringify(plainOrder({}))}\n`).join(''));

/** The lines of a spool, of its files or in memory. */
async function linesOf(spool: Spool): Promise<string[]> {
  if (!('folder' in spool)) return [spool.records, ...ORDER_PARTS.map((part) => spool.parts[part] ?? '')];
  const { folder } = spool;
  return await Promise.all(['orders', ...ORDER_PARTS].map((name) => readFile(join(folder, `${name}.ndjson`), 'utf8')));
}

describe('reading in a thread', () => {
  it('spools what reading here does, however the body comes and however many come at once', () =>
    withThread(async (thread, query) => {
      // Some are longer than a piece, so that a body goes round the window.
      const order = fc.record({ name: fc.string({ unit: 'grapheme' }), filler: fc.constantFrom(0, 0, 0, 90_000) });
      const record = fc.oneof(
        fc.constant('{"guid":7}'),
        order.map(({ name, filler }) => JSON.stringify({ ...plainOrder({}), source: name, note: 'n'.repeat(filler) })),
      );
      const bodies = fc.array(fc.tuple(fc.array(record, { maxLength: 12 }), fc.integer({ min: 1, max: 200_000 })), {
        minLength: 1,
        maxLength: 5,
      });

      await fc.assert(
        fc.asyncProperty(bodies, async (all) => {
          const read = (how: ReadBody) =>
            Promise.all(
              all.map(async ([records, size]) => {
                const body = Buffer.from(records.join('\n'));
                // Of one byte where a body is short: a megabyte of such pieces takes seconds, and says no more.
                const least = Math.ceil(body.length / MOST_PIECES);
                const { spool, count, rejected } = await how(query, inPieces(body, Math.max(size, least)));
                return { count, rejected, lines: await linesOf(spool) };
              }),
            );

          assert.deepEqual(await read(thread.read), await read(readBody));
        }),
        { numRuns: Math.ceil(LAWS * 0.06) },
      );
    }));

  it('refuses a body as soon as it sees why, though more of it may come', () =>
    withThread(async (thread, query) => {
      let ended = false;
      async function* endless(): AsyncGenerator<Buffer> {
        yield Buffer.from('{"guid": oh\n');
        await new Promise(() => undefined);
        ended = true;
      }

      await assert.rejects(thread.read(query, endless()), { code: 'invalid_json', message: /record with index 0/ });

      assert.equal(ended, false);
      assert.deepEqual(await readdir(query.spoolFolder), []);
    }));

  it('stores nothing from a body that ends early, and reports the error', () =>
    withThread(async (thread, query) => {
      async function* cut(): AsyncGenerator<Buffer> {
        yield lines(500);
        throw new Error('the client disconnected');
      }

      await assert.rejects(thread.read(query, cut()), /the client disconnected/);

      assert.deepEqual(await readdir(query.spoolFolder), []);
      assert.equal((await thread.read(query, inPieces(lines(3), 1000))).count, 3);
    }));

  it('ends when it is idle after many bytes, and is started again for the next body', () =>
    withThread(
      async (thread, query) => {
        for (const pause of [0, 0, 5, 50]) {
          const reads = await Promise.all([1, 2].map(() => thread.read(query, inPieces(lines(20), 1000))));
          assert.deepEqual(
            reads.map(({ count }) => count),
            [20, 20],
          );
          await sleep(pause);
        }
      },
      { manyBytes: 1, idleMs: 1 },
    ));
});

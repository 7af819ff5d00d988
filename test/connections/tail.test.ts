/** Law: reading what has changed loses nothing, by the rules that are used; by weaker ones it does. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cursor } from '@daypart/client/source';
import { type ReadPage, readPasses, readTail, TAIL_RULES } from '../../packages/service/src/connections/tail.ts';
import { ChangingList, runsThatLose } from './changing-list.ts';

const MINUTE = 60_000;

describe('the tail', () => {
  it('loses nothing with a change in ten requests, crashes, and versions that are seen late', async () => {
    assert.equal(await runsThatLose({}, 300), 0);
  });

  it('would lose records by plain pages, without an overlap, or with a cursor that is kept first', async () => {
    // The overlap hides what plain pages lose until it is shorter than a poll.
    const plain = await runsThatLose({ rules: { passes: 1, overlapMs: 2 * MINUTE } }, 100);
    const passes = await runsThatLose({ rules: { overlapMs: 2 * MINUTE } }, 100);
    assert.ok(plain > passes, `${plain} of 100, and ${passes} with passes`);
    assert.ok((await runsThatLose({ rules: { overlapMs: 0 } }, 100)) > 0);
    assert.ok((await runsThatLose({ savesFirst: true, rules: { overlapMs: MINUTE } }, 100)) > 0);
  });

  it('goes back when a clock was wrong for a while', async () => {
    const list = new ChangingList('clock');
    list.trade(MINUTE, 3);
    const cursors: Cursor[] = [];
    const ahead = { until: list.now + 3 * 60 * MINUTE };
    for await (const { cursor } of readTail(
      () => list.now,
      ahead,
      (from, until) => list.pages(from, until),
    ))
      if (cursor) cursors.push(cursor);
    assert.ok(Number(cursors.at(-1)?.until) <= list.now);
  });

  it('reads a long past in windows of a day, and keeps a cursor after each', async () => {
    const now = Date.UTC(2026, 2, 10);
    const windows: number[] = [];
    const readPageOf = (from: number, until: number): ReadPage => {
      windows.push(until - from);
      return async () => ({ records: [], isLast: true });
    };
    const cursors: Cursor[] = [];
    for await (const { cursor } of readTail(() => now, { until: now - 50 * 60 * MINUTE }, readPageOf))
      if (cursor) cursors.push(cursor);
    assert.deepEqual(cursors.at(-1), { until: now - TAIL_RULES.settleMs });
    assert.equal(windows.length, cursors.length);
    assert.ok(Math.max(...windows) <= TAIL_RULES.longestMs);
  });

  it('halves a window that does not settle, warns, and leaves the smallest one to the check', async () => {
    const now = Date.UTC(2026, 2, 10);
    let count = 0;
    const restless = (): ReadPage => async (page) => ({ records: [{ guid: `order-${count++}` }], isLast: page === 2 });
    let cursor: Cursor = { until: now - 4 * MINUTE };
    const spans: unknown[] = [];
    while (cursor.spanMs !== undefined || spans.length === 0) {
      for await (const page of readTail(() => now, cursor, restless)) {
        if (!page.cursor) continue;
        assert.equal(page.passes, page.warning ? TAIL_RULES.passes : 1);
        assert.equal(page.warning, 'unstable');
        cursor = page.cursor;
      }
      spans.push(cursor.spanMs);
    }
    assert.deepEqual(spans, [117_500, undefined]);
    assert.equal(cursor.until, now - 4 * MINUTE + 117_500);
  });

  it('fails for pages without end', async () => {
    const endless = readPasses(async () => ({ records: [{ guid: 'one' }], isLast: false }), 5);
    await assert.rejects(
      async () => {
        for await (const _ of endless);
      },
      { code: 'upstream_changed' },
    );
  });
});

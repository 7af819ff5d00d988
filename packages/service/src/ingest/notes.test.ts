import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { createNotes, MOST_NOTES } from './notes.ts';
import { readBody } from './read.ts';

const guid = (number: number): string => `0a000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

test('a word is noted once, with its first place and the number of its places', () => {
  const notes = createNotes();
  notes.add(2, guid(2), [{ pointer: '/a', message: 'A' }]);
  notes.add(7, guid(7), [
    { pointer: '/b', message: 'B' },
    { pointer: '/c', message: 'A' },
  ]);

  assert.deepEqual(notes.list(), [
    { index: 2, guid: guid(2), pointer: '/a', message: 'A', count: 2 },
    { index: 7, guid: guid(7), pointer: '/b', message: 'B', count: 1 },
  ]);
});

test('at most 100 words are listed, and those that are keep counting', () => {
  const notes = createNotes();
  for (let round = 0; round < 2; round++)
    for (let i = 0; i < 150; i++) notes.add(i, guid(i), [{ pointer: '/x', message: `word ${i}` }]);

  assert.equal(notes.list().length, MOST_NOTES);
  assert.deepEqual(new Set(notes.list().map(({ count }) => count)), new Set([2]));
});

test('words of a rejected record are not noted, long ones are cut', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-notes-'));
  const order = (number: number, ...checks: object[]) =>
    JSON.stringify({
      guid: guid(number),
      openedDate: '2026-03-10T17:05:00Z',
      checks: checks.map((check, i) => ({ guid: guid(100 * number + i), ...check })),
    });
  async function* body(): AsyncGenerator<Buffer> {
    yield Buffer.from(
      [
        order(1, { paymentStatus: 'HELD' }, { taxAmount: 'much' }),
        order(2, { paymentStatus: 'held' }, { paymentStatus: 'x'.repeat(600) }),
      ].join('\n'),
    );
  }
  try {
    const place = { timeZone: 'America/New_York', closeoutHour: 4, overtimeMultiplier: 1.5 };
    const read = await readBody({ kind: 'orders', format: 'ndjson', place, spoolFolder: folder }, body());

    assert.equal(read.rejectedCount, 1);
    assert.deepEqual(read.notes, [
      {
        index: 1,
        guid: guid(2),
        pointer: '/checks/0/paymentStatus',
        message: 'paymentStatus HELD is unknown and counts as OPEN',
        count: 1,
      },
      {
        index: 1,
        guid: guid(2),
        pointer: '/checks/1/paymentStatus',
        message: `paymentStatus ${'X'.repeat(50)} is unknown and counts as OPEN`,
        count: 1,
      },
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

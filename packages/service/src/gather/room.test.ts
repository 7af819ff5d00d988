import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Claimed, roomOf } from './room.ts';

const claimed = (lane: Claimed['lane'], cost = 5): Claimed => ({ lane, report: { cost } as Claimed['report'] });
const ALL = { most: 16, emptied: new Set<never>(), oneByOne: false };

describe('the room of a worker', () => {
  it('is for many cheap short reports and one long one', () => {
    assert.deepEqual(roomOf([], ALL), { short: { reports: 16, ms: 50 }, long: { reports: 1, ms: 1 } });
    assert.deepEqual(roomOf([claimed('short'), claimed('long')], ALL), {
      short: { reports: 15, ms: 45 },
      long: { reports: 0, ms: -4 },
    });
  });

  it('is for one report of each lane while those of a killed service are gathered', () => {
    const reports = (running: Claimed[]) => {
      const { short, long } = roomOf(running, { ...ALL, oneByOne: true });
      return [short.reports, long.reports];
    };
    assert.deepEqual(
      [reports([]), reports([claimed('short')]), reports([claimed('long')])],
      [
        [1, 1],
        [0, 1],
        [1, 0],
      ],
    );
  });

  it('is empty in a lane without queued reports, and while a store is unavailable', () => {
    const { short, long } = roomOf([], { ...ALL, emptied: new Set(['short'] as const) });
    assert.deepEqual([short.reports, long.reports], [0, 1]);
    const away = roomOf([], { ...ALL, most: 0, oneByOne: true });
    assert.deepEqual([away.short.reports, away.long.reports], [0, 0]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { counterConformance } from '../../../../test/conformance/counters.ts';
import { readWindows } from '../contract/limits.ts';
import { createMemoryCounters } from './counters.ts';

counterConformance('in memory', async (work) => {
  await work(createMemoryCounters());
});

describe('counters in memory', () => {
  it('contain nothing about windows that have passed', () => {
    const counters = createMemoryCounters();
    const windows = readWindows('5/s,30/min').map((window) => ({ ...window, name: window.unit }));

    for (let now = 0; now < 100_000; now += 10) counters.take(`client ${now}`, windows, now);

    // The second under way saw 100 clients, the minute under way 4,000, of the 10,000 in all.
    assert.equal(counters.size(), 4100);
  });
});

describe('the text of limits', () => {
  const refusal = (text: string): string => {
    try {
      readWindows(text);
    } catch (error) {
      return (error as Error).message;
    }
    return assert.fail('was accepted');
  };

  it('names calls per second, minute, hour and day, in any order', () => {
    assert.deepEqual(readWindows('60/day, 5/min'), [
      { quota: 5, seconds: 60, unit: 'minute' },
      { quota: 60, seconds: 86400, unit: 'day' },
    ]);
    assert.deepEqual(readWindows('off'), []);
  });

  it('is refused when it is anything else', () => {
    for (const text of ['', '5', '5/m', '0/s', '-1/s', '5/s,', '1.5/s', '5/constructor', '5/10s', '99999999999/s'])
      assert.match(refusal(text), /must be calls per s, min, h or day/, text);
    assert.match(refusal('5/s,6/s'), /once at most/);
  });
});

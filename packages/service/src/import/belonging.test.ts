import assert from 'node:assert/strict';
import { it } from 'node:test';
import { judgeBelonging, NO_FORCE } from './belonging.ts';

/** The notices and the refusal of a day with one time entry, which began at the instant. */
function judged(at: string) {
  const values = { in: { at: Date.parse(at) } };
  const content = {
    date: 20260310,
    timeZone: 'America/New_York',
    restaurantNames: ['Bistro'],
    connectedFrom: undefined,
    drafts: [],
    entries: [{ row: { line: 2, values }, source: {} }],
    tables: {},
  };
  const { notices, refusal } = judgeBelonging(content as unknown as Parameters<typeof judgeBelonging>[0], NO_FORCE);
  return [notices.length, refusal?.kind];
}

it('a day is of the date of its folder if its times are within two days of it, as the clocks of the restaurant show', () => {
  // Clocks are set forward on 8 March.
  for (const near of ['2026-03-08T05:00:00Z', '2026-03-10T16:00:00Z', '2026-03-13T03:59:59Z'])
    assert.deepEqual(judged(near), [0, undefined], near);
  for (const far of ['2026-03-08T04:59:59Z', '2026-03-13T04:00:00Z']) assert.deepEqual(judged(far), [1, 'date'], far);
});

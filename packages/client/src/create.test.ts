/** What a create sends. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRequest } from './create.ts';
import { METRICS } from './resources/metrics.ts';
import { PAYOUT } from './resources/payout.ts';

const DAY = { range: 'day', start: '2026-03-10' } as const;

describe('the body of a create', () => {
  it('has the groups that were asked for, also of a family without groups, so that the service refuses them', () => {
    assert.deepEqual(createRequest(PAYOUT, { ...DAY, groupBy: ['JOB'] }).body.groupBy, ['JOB']);
    assert.deepEqual(createRequest(METRICS, { ...DAY, groupBy: ['ORDER_SOURCE'] }).body.groupBy, ['ORDER_SOURCE']);
  });

  it('has no groups of a family without them where none were asked for', () => {
    for (const ask of [DAY, { ...DAY, groupBy: [] }, { ...DAY, groupBy: undefined }])
      assert.ok(!('groupBy' in createRequest(PAYOUT, ask).body));
    assert.deepEqual(createRequest(METRICS, DAY).body.groupBy, []);
  });
});

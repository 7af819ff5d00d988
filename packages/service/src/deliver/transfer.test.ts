import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileName } from './representations.ts';
import { readRange, wantsDigest } from './transfer.ts';

describe('a range', () => {
  it('names one part of the content', () => {
    assert.deepEqual(readRange('bytes=0-0', 10), { start: 0, end: 0 });
    assert.deepEqual(readRange('bytes=2-4', 10), { start: 2, end: 4 });
    assert.deepEqual(readRange('Bytes= 2- ', 10), { start: 2, end: 9 });
    assert.deepEqual(readRange('bytes=8-99', 10), { start: 8, end: 9 });
    assert.deepEqual(readRange('bytes=-3', 10), { start: 7, end: 9 });
    assert.deepEqual(readRange('bytes=-99', 10), { start: 0, end: 9 });
  });

  it('is not there past the end', () => {
    for (const range of ['bytes=10-', 'bytes=10-12', 'bytes=-0', 'bytes=99999999999999999999-']) {
      assert.equal(readRange(range, 10), null, range);
    }
    assert.equal(readRange('bytes=0-', 0), null);
    assert.equal(readRange('bytes=-0', 0), null);
  });

  it('of the last bytes of empty content is all of it', () => {
    assert.equal(readRange('bytes=-5', 0), undefined);
  });

  it('is ignored if it is malformed, in another unit, or for several parts', () => {
    for (const range of [
      undefined,
      '',
      'bytes',
      'bytes=',
      'bytes=-',
      'bytes=4-2',
      'bytes=a-b',
      'lines=1-2',
      'bytes=0-1,4-5',
    ]) {
      assert.equal(readRange(range, 10), undefined, range);
    }
  });
});

it('a digest is wanted by a weight above none', () => {
  assert.equal(wantsDigest('sha-256=1'), true);
  assert.equal(wantsDigest('sha-512=3, sha-256=10'), true);
  for (const header of [undefined, '', 'sha-256=0', 'sha-512=9', 'sha-256']) assert.equal(wantsDigest(header), false);
});

it('a file name has the kind, the dates and what the rows are split by', () => {
  const plan = {
    span: 'week',
    startDate: 20261101,
    endDate: 20261107,
    aggregate: 'DAY',
    groups: ['DINING_OPTION'],
    restaurantIds: [],
    onlyInactive: false,
  } as Parameters<typeof fileName>[0]['plan'];
  const named = (kind: 'metrics' | 'check', changes: Partial<typeof plan> = {}) =>
    fileName({ group: 'cust-01', kind, plan: { ...plan, ...changes } }, { format: 'csv' });
  assert.equal(named('metrics'), 'metrics-week-2026-11-01-to-2026-11-07-by-dining-option.csv');
  assert.equal(named('check', { span: 'day', groups: [], endDate: 20261101 }), 'check-day-2026-11-01.csv');
  assert.equal(
    named('metrics', { span: 'day', endDate: 20261101, aggregate: 'HOUR', groups: ['REVENUE_CENTER', 'ORDER_SOURCE'] }),
    'metrics-day-2026-11-01-by-revenue-center-and-order-source-by-hour.csv',
  );
  assert.equal(
    fileName({ group: 'cust-01', kind: 'metrics', plan }, { format: 'parquet', currencies: [] }),
    'cust-01-metrics-week-2026-11-01-to-2026-11-07-by-dining-option.parquet',
  );
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Ledger } from '../ledger/ledger.ts';
import type { QueuedReport, ReportSize } from '../ledger/queue.ts';
import type { ReportLane, ReportRequest } from '../ledger/report.ts';
import { openEstimates } from './estimate.ts';

const DAY: ReportSize = {
  kind: 'metrics',
  span: 'day',
  aggregate: 'DAY',
  startDate: 20260301,
  endDate: 20260301,
  restaurants: 10,
};

/** What estimates ask of a ledger: how long reports took, newest first, and what is queued. */
const ledgerOf = (taken: number[], queued: Pick<QueuedReport, 'guid' | 'group' | 'lane'>[] = []): Ledger =>
  ({
    gatherTimes: async () => taken.map((ms) => ({ ...DAY, ms })),
    queuedReports: async () => queued.map((one) => ({ ...DAY, ...one })),
  }) as unknown as Ledger;

function report(guid: string, changes: Partial<ReportRequest> = {}): ReportRequest {
  const plan = { ...DAY, groups: [], restaurantIds: Array.from({ length: DAY.restaurants }, (_, i) => i) };
  return {
    guid,
    group: 'blue',
    lane: 'short',
    kind: 'metrics',
    plan,
    state: 'gathering',
    ...changes,
  } as unknown as ReportRequest;
}

describe('Retry-After', () => {
  it('is the median of the last durations of such reports, in whole seconds from 1 to 60', async () => {
    const of = async (taken: number[]): Promise<number> => {
      const estimates = await openEstimates(ledgerOf(taken));
      return await estimates.retryAfter(report('a'));
    };

    assert.equal(await of([7200, 6800, 90_000, 7100, 20]), 8);
    assert.equal(await of([3, 4, 5]), 1);
    assert.equal(await of([900_000]), 60);
    assert.equal(await of([...Array(15).fill(2500), ...Array(300).fill(50_000)]), 3);
  });

  it('counts the reports before it in its lane, in which groups take turns', async () => {
    const queued = (group: string, lane: ReportLane, ...guids: string[]) =>
      guids.map((guid) => ({ guid, group, lane }));
    const ledger = ledgerOf(
      [4000],
      [
        ...queued('blue', 'short', 'a', 'b', 'c'),
        ...queued('red', 'short', 'x', 'y'),
        ...queued('blue', 'long', 'l', 'm'),
      ],
    );
    const estimates = await openEstimates(ledger);
    estimates.began(report('r'));

    const left = (guid: string, changes: Partial<ReportRequest> = {}) =>
      estimates.retryAfter(report(guid, { state: 'queued', ...changes }));

    assert.deepEqual([await left('a'), await left('b'), await left('c'), await left('new')], [8, 16, 24, 28]);
    assert.deepEqual([await left('x', { group: 'red' }), await left('new', { group: 'green' })], [8, 8]);
    assert.deepEqual([await left('l', { lane: 'long' }), await left('m', { lane: 'long' })], [4, 8]);
  });

  it('subtracts the elapsed time, and learns from completed reports', async () => {
    const estimates = await openEstimates(ledgerOf([1500]));
    estimates.began(report('a'));
    await new Promise((resolve) => setTimeout(resolve, 700));

    assert.equal(await estimates.retryAfter(report('a')), 1);
    assert.equal(await estimates.retryAfter(report('b')), 2);
    for (const guid of ['c', 'd', 'e']) {
      estimates.began(report(guid));
      estimates.completed(report(guid));
      estimates.ended(guid);
    }
    assert.equal(await estimates.retryAfter(report('b')), 1);
  });

  it('guesses by restaurants and dates if nothing is known', async () => {
    const estimates = await openEstimates(ledgerOf([]));
    const year = { span: 'year', startDate: 20250101, endDate: 20251231 } as const;
    const checks = report('a', { kind: 'check' });

    assert.equal(await estimates.retryAfter(report('b')), 1);
    assert.equal(await estimates.retryAfter({ ...checks, plan: { ...checks.plan, ...year } }), 8);
  });
});

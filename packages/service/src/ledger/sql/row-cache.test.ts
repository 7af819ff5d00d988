import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReportRequest } from '../report.ts';
import { clockLedger } from './clock.ts';
import { groupRemovalLedger } from './group.ts';
import { leaseLedger } from './lease.ts';
import { reportLedger } from './report.ts';
import { createRowCache, type RowCache } from './row-cache.ts';
import type { Sql } from './statements.ts';

const NOW = 1_700_000_000_000;
const FAILURE = { code: 'engine_timeout', message: 'No.' } as const;
const DONE = { now: NOW, asOf: NOW, rows: 1, bytes: 1, snapshot: '1', totals: [] };

/** A server whose reads succeed, and whose connection is lost with every change. */
const CUT: Sql = {
  async run(statement) {
    if (statement.texts.postgres?.reads) return { guid: 'a' };
    throw new Error('the connection was lost');
  },
  async transaction() {
    throw new Error('the connection was lost');
  },
};

/** All changes after which other rows of reports may be current. */
const changes = (cache: RowCache): Record<string, () => Promise<unknown>> => {
  const reports = reportLedger(CUT, cache, async () => undefined);
  const leases = leaseLedger(CUT, cache);
  const removals = groupRemovalLedger(CUT, cache);
  return {
    cancelReport: () => reports.cancelReport('a'),
    expireReports: () => reports.expireReports(NOW),
    forgetReports: () => reports.forgetReports(NOW),
    extendLease: () => leases.extendLease('a', 'here', 1, NOW),
    completeReport: () => leases.completeReport('a', 'here', 1, DONE),
    failReport: () => leases.failReport('a', 'here', 1, NOW, FAILURE),
    releaseReport: () => leases.releaseReport('a', 'here', 1, true),
    reclaimReports: () => leases.reclaimReports(NOW, 3, FAILURE),
    reclaimOrphans: () => leases.reclaimOrphans(NOW, 3, FAILURE),
    seeTime: () => clockLedger(CUT, cache).seeTime(NOW, 1000),
    beginRemoval: () => removals.beginRemoval('blue', NOW),
    dropReports: () => removals.dropReports(['a']),
    dropGroup: () => removals.dropGroup('blue', NOW),
  };
};

describe('the cached rows of a ledger', () => {
  for (const name of Object.keys(changes(createRowCache({ lifeMs: 1000 })))) {
    it(`are read again after ${name} has failed, because the change may have been made`, async () => {
      const cache = createRowCache({ lifeMs: Number.POSITIVE_INFINITY });
      let reads = 0;
      const read = (): Promise<ReportRequest | undefined> =>
        cache.reports.getOrLoad('a', async () => ({ rows: ++reads }) as ReportRequest);
      await read();
      await read();
      assert.equal(reads, 1);

      await assert.rejects(async () => await changes(cache)[name]?.(), { message: 'the connection was lost' });

      assert.equal((await read())?.rows, 2);
    });
  }

  it('are not those that were read before a change that is over', async () => {
    const { groups } = createRowCache({ lifeMs: Number.POSITIVE_INFINITY });
    const group = (name: string) => ({ group: 'blue', name, limits: {}, removing: false });
    const { promise, resolve } = Promise.withResolvers<void>();
    const older = groups.getOrLoad('blue', async () => {
      await promise;
      return group('Old');
    });

    await groups.changing('blue', Promise.resolve());
    resolve();

    assert.equal((await older)?.name, 'Old');
    assert.equal((await groups.getOrLoad('blue', async () => group('New')))?.name, 'New');
  });

  it('are neither missing rows nor errors', async () => {
    const { groups } = createRowCache({ lifeMs: Number.POSITIVE_INFINITY });
    assert.equal(await groups.getOrLoad('blue', async () => undefined), undefined);
    await assert.rejects(
      groups.getOrLoad('blue', async () => {
        throw new Error('no');
      }),
    );
    const found = await groups.getOrLoad('blue', async () => ({
      group: 'blue',
      name: 'B',
      limits: {},
      removing: false,
    }));
    assert.equal(found?.name, 'B');
  });
});

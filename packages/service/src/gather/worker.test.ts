import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { LeaseLedger } from '../ledger/lease.ts';
import { openLog } from '../log.ts';
import { startWorker, type WorkerDeps } from './worker.ts';

it('a worker claims the reports that a killed service left one by one, so that one that kills it uses up its attempts', async () => {
  const rooms: number[] = [];
  const { promise: claimedTwice, resolve } = Promise.withResolvers<void>();
  const claimReports: LeaseLedger['claimReports'] = async (_name, _now, _until, { short }) => {
    if (rooms.push(short.reports) === 2) resolve();
    return { short: [], long: [] };
  };
  const worker = startWorker({
    ledger: {
      claimReports,
      now: async () => 0,
      expireReports: async () => [],
      reclaimReports: async () => [],
      forgetReports: async () => undefined,
    },
    log: openLog('silent'),
    config: { attempts: 3, leaseSeconds: 60 },
    seeTime: async () => undefined,
    interrupted: ['a report that expired meanwhile'],
  } as unknown as WorkerDeps);
  try {
    worker.wake();
    await claimedTwice;
    assert.deepEqual(rooms.slice(0, 2), [1, 16]);
  } finally {
    await worker.stop();
  }
});

/** Rate limits that services share through PostgreSQL. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import type { CountedWindow } from '../../packages/service/src/access/counters.ts';
import { createSharedCounters } from '../../packages/service/src/access/shared-counters.ts';
import { counterConformance } from '../conformance/counters.ts';
import { startLedgerDatabases } from './ledger-databases.ts';

const databases = await startLedgerDatabases();
after(() => databases.close());

const MIDNIGHT = Date.UTC(2026, 2, 20);
const minute = (quota: number): CountedWindow => ({ name: 'minute', unit: 'minute', quota, seconds: 60 });
const day = (quota: number): CountedWindow => ({ name: 'day', unit: 'day', quota, seconds: 86_400 });

counterConformance('PostgreSQL', (work) =>
  databases.withLedgers(1, async ([ledger]) => {
    await work(createSharedCounters(ledger?.shares ?? assert.fail()));
  }),
);

describe('rate limits of several services', () => {
  const withServices = (count: number, work: (services: ReturnType<typeof createSharedCounters>[]) => Promise<void>) =>
    databases.withLedgers(count, (ledgers) => work(ledgers.map(({ shares }) => createSharedCounters(shares))));

  it('never let more calls pass than the quota, and at least 85 % of it from three services in any spread', () =>
    withServices(3, async (services) => {
      const spread = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 12 });
      let key = 0;
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 200 }), spread, async (quota, calls) => {
          const name = `client ${key++}`;
          const windows = [minute(quota), day(quota * 3)];
          let [taken, asked] = [0, 0];
          for (const [which, count] of calls) {
            const counts = await Promise.all(
              Array.from({ length: count }, async () => await services[which]?.take(name, windows, MIDNIGHT)),
            );
            asked += count;
            taken += counts.filter((one) => one?.taken).length;
          }
          assert.ok(taken <= quota, `${taken} of ${quota}`);
          assert.ok(taken >= Math.min(asked, quota < 20 ? quota : Math.floor(quota * 0.85)), `${taken} of ${quota}`);
        }),
        { numRuns: 40 },
      );
    }));

  it('count exactly below 20, whichever service is called', () =>
    withServices(3, async (services) => {
      let taken = 0;
      for (let i = 0; i < 45; i++) {
        const count = await services[i % 3]?.take('a', [minute(19)], MIDNIGHT);
        if (count?.taken) taken++;
        assert.equal(count?.taken, i < 19);
      }
      assert.equal(taken, 19);
    }));

  it('count nothing in one window if another is used up', () =>
    withServices(2, async ([one, other]) => {
      await one?.take('a', [minute(1), day(19)], MIDNIGHT);
      for (let i = 0; i < 5; i++) assert.equal((await other?.take('a', [day(19), minute(1)], MIDNIGHT))?.taken, false);

      assert.deepEqual(await one?.left('b', [day(19)], MIDNIGHT), [19]);
      let taken = 0;
      for (let i = 0; i < 30; i++) if ((await one?.take('a', [day(19)], MIDNIGHT))?.taken) taken++;
      assert.equal(taken, 18);
    }));

  it('ask the ledger for a share and not for each call', () =>
    databases.withLedgers(1, async ([ledger]) => {
      let asked = 0;
      const shares = ledger?.shares ?? assert.fail();
      const counters = createSharedCounters({
        handedOut: shares.handedOut,
        takeShares: (windows) => {
          asked++;
          return shares.takeShares(windows);
        },
      });
      for (let i = 0; i < 1000; i++) assert.equal((await counters.take('a', [minute(1000)], MIDNIGHT)).taken, true);
      assert.equal((await counters.take('a', [minute(1000)], MIDNIGHT)).taken, false);
      assert.ok(asked < 150, `${asked}`);
    }));
});

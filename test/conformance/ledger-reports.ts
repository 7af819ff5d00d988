/** The part of the ledger's suite that is about report requests: their states, and who may move them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';
import { LAWS } from '../laws/laws.ts';
import { claimOne } from './claim.ts';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;
const USED_UP = { code: 'report_failed', message: 'attempts are used up' } as const;

let made = 0;
const newGuid = (): string => `0b000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;

function request(changes: Partial<Parameters<Ledger['addReport']>[0]> = {}): Parameters<Ledger['addReport']>[0] {
  return {
    guid: newGuid(),
    group: 'blue',
    clientId: 'client-1',
    kind: 'metrics',
    plan: {
      span: 'week',
      startDate: 20260101,
      endDate: 20260107,
      aggregate: 'DAY',
      groups: ['DINING_OPTION'],
      restaurantIds: [1, 2],
    },
    request: { path: '/metrics/week', body: { startBusinessDate: '20260101', endBusinessDate: 20260107 } },
    dialect: 'live',
    cost: 5,
    lane: 'short',
    createdAt: NOW,
    expiresAt: NOW + 24 * HOUR,
    ...changes,
  };
}

const totals = [{ currencyCode: 'USD', sums: { ordersCount: 3, netSalesAmount: -1234 } }];
const kept = { rows: 20, bytes: 4000, snapshot: '7', totals };
const done = { now: NOW + 9, asOf: NOW + 8, ...kept };

/** Runs it; `withLedger` opens an empty ledger that knows the group `blue`. */
export function reportConformance(
  name: string,
  withLedger: (work: (ledger: Ledger) => Promise<void>) => Promise<void>,
): void {
  async function queued(ledger: Ledger, changes: Parameters<typeof request>[0] = {}): Promise<string> {
    const report = request(changes);
    await ledger.addReport(report);
    return report.guid;
  }
  async function held(ledger: Ledger, worker = 'w1', leaseUntil = NOW + 1000): Promise<string> {
    const guid = await queued(ledger);
    assert.equal((await claimOne(ledger, worker, NOW, leaseUntil))?.guid, guid);
    return guid;
  }

  describe(`ledger: ${name}: report requests`, () => {
    it('queues what was asked for, as it was asked for', () =>
      withLedger(async (ledger) => {
        const asked = request();
        await ledger.addReport(asked);

        assert.deepEqual(await ledger.report(asked.guid), {
          ...asked,
          state: 'queued',
          attempt: 0,
          worker: null,
          leaseUntil: null,
          queuedAt: NOW,
          completedAt: null,
          asOf: null,
          rows: null,
          bytes: null,
          snapshot: null,
          totals: null,
          incomplete: null,
          dayparts: null,
          digests: null,
          failure: null,
          cause: null,
        });
        assert.equal(await ledger.report(newGuid()), undefined);
        assert.deepEqual(await ledger.reportCounts(), { queued: 1 });
      }));

    it('remembers the call that asked', () =>
      withLedger(async (ledger) => {
        const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
        const asked = { ...request(), cause: { requestId: 'mine', traceparent } };
        await ledger.addReport(asked);

        assert.deepEqual((await ledger.report(asked.guid))?.cause, asked.cause);
        assert.deepEqual((await claimOne(ledger, 'w', NOW, NOW + 1000))?.cause, asked.cause);
      }));

    it('says since when the oldest waits', () =>
      withLedger(async (ledger) => {
        assert.equal(await ledger.oldestQueuedAt(), null);
        await queued(ledger, { createdAt: NOW + 5 });
        await queued(ledger, { createdAt: NOW + 1 });
        assert.equal(await ledger.oldestQueuedAt(), NOW + 1);

        await claimOne(ledger, 'w', NOW + 5, NOW + 99);

        assert.equal(await ledger.oldestQueuedAt(), NOW + 5);
      }));

    it('gives each report to one of many workers that claim at once', () =>
      withLedger(async (ledger) => {
        const guids = [await queued(ledger), await queued(ledger), await queued(ledger)];

        const claims = await Promise.all(
          Array.from({ length: 10 }, (_, i) => claimOne(ledger, `w${i}`, NOW, NOW + 1000)),
        );

        const won = claims.filter((claim) => claim !== undefined);
        assert.deepEqual(won.map(({ guid }) => guid).sort(), guids.sort());
        for (const claim of won) assert.deepEqual(claim, await ledger.report(claim.guid));
      }));

    it('hands out the oldest first, and none that has expired', () =>
      withLedger(async (ledger) => {
        const late = await queued(ledger, { createdAt: NOW + 5 });
        await queued(ledger, { createdAt: NOW, expiresAt: NOW + 10 });
        const early = await queued(ledger, { createdAt: NOW + 1 });

        const claim = async () => (await claimOne(ledger, 'w', NOW + 10, NOW + 99))?.guid;
        assert.deepEqual([await claim(), await claim(), await claim()], [early, late, undefined]);
      }));

    it('lists what a worker holds, and in which attempt, until it is ended or taken back', () =>
      withLedger(async (ledger) => {
        const [ended, returned, kept] = [await held(ledger), await held(ledger), await held(ledger)];
        await held(ledger, 'w2');
        await queued(ledger);
        await ledger.completeReport(ended, 'w1', 1, done);
        await ledger.releaseReport(returned, 'w1', 1, true);
        assert.deepEqual(await ledger.heldReports('w1'), [{ guid: kept, attempt: 1 }]);

        assert.equal((await claimOne(ledger, 'w1', NOW, NOW + 1000))?.guid, returned);

        const attempts = new Map((await ledger.heldReports('w1')).map(({ guid, attempt }) => [guid, attempt]));
        assert.deepEqual(
          attempts,
          new Map([
            [kept, 1],
            [returned, 2],
          ]),
        );
        assert.deepEqual(await ledger.heldReports('w3'), []);
      }));

    it('completes a report for the worker that holds it', () =>
      withLedger(async (ledger) => {
        const guid = await held(ledger);

        assert.equal(await ledger.completeReport(guid, 'w1', 1, done), true);

        const { state, attempt, worker, leaseUntil, completedAt, asOf, rows, bytes, snapshot, totals } =
          (await ledger.report(guid)) ?? assert.fail();
        assert.deepEqual(
          { state, attempt, worker, leaseUntil, completedAt, asOf, rows, bytes, snapshot, totals },
          {
            state: 'completed',
            attempt: 1,
            worker: null,
            leaseUntil: null,
            completedAt: NOW + 9,
            asOf: NOW + 8,
            ...kept,
          },
        );
      }));

    it('keeps why a report failed', () =>
      withLedger(async (ledger) => {
        const guid = await held(ledger);

        assert.equal(await ledger.failReport(guid, 'w1', 1, NOW + 7, USED_UP), true);

        const report = await ledger.report(guid);
        assert.deepEqual([report?.state, report?.failure, report?.completedAt], ['failed', USED_UP, NOW + 7]);
      }));

    it('lets a worker that lost its lease change nothing', () =>
      withLedger(async (ledger) => {
        const guid = await held(ledger);
        await ledger.reclaimReports(NOW + 1000, 3, USED_UP);
        await claimOne(ledger, 'w1', NOW + 1001, NOW + 5000);
        const before = await ledger.report(guid);

        assert.equal(await ledger.extendLease(guid, 'w1', 1, NOW + 9000), false);
        assert.equal(await ledger.completeReport(guid, 'w1', 1, done), false);
        assert.equal(await ledger.failReport(guid, 'w1', 1, NOW, USED_UP), false);
        assert.equal(await ledger.releaseReport(guid, 'w1', 1, false), false);
        assert.equal(await ledger.completeReport(guid, 'w2', 2, done), false);

        assert.deepEqual(await ledger.report(guid), before);
      }));

    it('takes back what a silent worker holds, once the lease has run out, to the end of the queue', () =>
      withLedger(async (ledger) => {
        const guid = await held(ledger);
        const other = await queued(ledger, { createdAt: NOW + 1 });
        assert.equal(await ledger.extendLease(guid, 'w1', 1, NOW + 2000), true);

        assert.deepEqual(await ledger.reclaimReports(NOW + 1999, 3, USED_UP), []);
        assert.equal((await ledger.report(guid))?.state, 'gathering');
        assert.deepEqual(await ledger.reclaimReports(NOW + 2000, 3, USED_UP), []);

        const first = await claimOne(ledger, 'w2', NOW + 2001, NOW + 9000);
        const second = await claimOne(ledger, 'w2', NOW + 2001, NOW + 9000);
        assert.deepEqual([first?.guid, first?.attempt], [other, 1]);
        assert.deepEqual([second?.guid, second?.attempt], [guid, 2]);
      }));

    it('takes back at once what the last run held, in its old place, and fails what has no attempt left', () =>
      withLedger(async (ledger) => {
        const guid = await held(ledger);
        const other = await queued(ledger, { createdAt: NOW + 1 });

        assert.deepEqual(await ledger.reclaimOrphans(NOW + 2, 2, USED_UP), {
          failed: [],
          requeued: [guid],
          deliveries: 0,
        });

        const first = await claimOne(ledger, 'w2', NOW + 3, NOW + 9000);
        assert.deepEqual([first?.guid, first?.attempt], [guid, 2]);
        assert.equal(await ledger.completeReport(guid, 'w1', 1, done), false);
        assert.deepEqual(await ledger.reclaimOrphans(NOW + 4, 2, USED_UP), {
          failed: [guid],
          requeued: [],
          deliveries: 0,
        });
        assert.deepEqual((await ledger.report(guid))?.failure, USED_UP);
        assert.equal((await claimOne(ledger, 'w2', NOW + 5, NOW + 9000))?.guid, other);
      }));

    it('counts no attempt of the last run if it held more than one report in each lane', () =>
      withLedger(async (ledger) => {
        const attemptsOf = async (guids: string[]) =>
          await Promise.all(guids.map(async (guid) => (await ledger.report(guid))?.attempt));
        const guids = [await held(ledger), await held(ledger), await held(ledger)];

        const { failed, requeued } = await ledger.reclaimOrphans(NOW + 2, 1, USED_UP);

        assert.deepEqual([failed, requeued.sort()], [[], [...guids].sort()]);
        assert.deepEqual(await attemptsOf(guids), [0, 0, 0]);
        for (let claims = 0; claims < 2; claims++) await claimOne(ledger, 'w2', NOW + 3, NOW + 9000);
        assert.deepEqual((await ledger.reclaimOrphans(NOW + 4, 1, USED_UP)).failed.sort(), guids.slice(0, 2).sort());
      }));

    it('fails what has used its attempts up when its lease runs out', () =>
      withLedger(async (ledger) => {
        const guid = await held(ledger);

        assert.deepEqual(await ledger.reclaimReports(NOW + 1000, 1, USED_UP), [guid]);

        const report = await ledger.report(guid);
        assert.deepEqual([report?.state, report?.failure, report?.attempt], ['failed', USED_UP, 1]);
        assert.deepEqual(await ledger.reclaimReports(NOW + 2000, 1, USED_UP), []);
      }));

    it('gives a report back with or without counting the attempt', () =>
      withLedger(async (ledger) => {
        const guid = await held(ledger);

        assert.equal(await ledger.releaseReport(guid, 'w1', 1, true), true);
        assert.equal((await ledger.report(guid))?.attempt, 1);
        assert.equal((await claimOne(ledger, 'w2', NOW, NOW + 1000))?.attempt, 2);
        assert.equal(await ledger.releaseReport(guid, 'w2', 2, false), true);

        const report = await ledger.report(guid);
        assert.deepEqual([report?.state, report?.attempt, report?.worker], ['queued', 1, null]);
      }));

    it('expires reports at rest, leaves those being gathered, and deletes them later', () =>
      withLedger(async (ledger) => {
        const complete = await held(ledger);
        await ledger.completeReport(complete, 'w1', 1, done);
        const failed = await held(ledger);
        await ledger.failReport(failed, 'w1', 1, NOW, USED_UP);
        const gathering = await held(ledger);
        const waiting = await queued(ledger);
        const fresh = await queued(ledger, { expiresAt: NOW + 48 * HOUR });
        const end = NOW + 24 * HOUR;

        assert.deepEqual(await ledger.expireReports(end - 1), []);
        const expired = await ledger.expireReports(end);

        const byGuid = expired.sort((a, b) => (a.guid < b.guid ? -1 : 1));
        assert.deepEqual(byGuid, [
          { guid: complete, attempt: 1 },
          { guid: failed, attempt: 1 },
          { guid: waiting, attempt: 0 },
        ]);
        assert.deepEqual(await ledger.reportCounts(), { expired: 3, gathering: 1, queued: 1 });
        assert.equal(await ledger.forgetReports(end), 0);
        assert.equal(await ledger.forgetReports(end + 1), 3);
        assert.equal(await ledger.report(complete), undefined);
        assert.equal((await ledger.report(gathering))?.state, 'gathering');
        assert.equal((await ledger.report(fresh))?.state, 'queued');
      }));

    it('counts at most the given part of a gap, takes back what it put off, and expires in the end', () =>
      withLedger(async (ledger) => {
        const DAY = 24 * HOUR;
        const guid = await queued(ledger, { createdAt: NOW, expiresAt: NOW + 7 * DAY });
        const expiry = async () => (((await ledger.report(guid))?.expiresAt ?? 0) - NOW) / DAY;

        assert.deepEqual(await ledger.seeTime(NOW, DAY), { gapMs: 0, movedMs: 0 });
        assert.deepEqual(await ledger.seeTime(NOW + 30 * DAY, DAY), { gapMs: 30 * DAY, movedMs: 29 * DAY });
        assert.equal(await expiry(), 36);
        assert.deepEqual(await ledger.seeTime(NOW, DAY), { gapMs: -30 * DAY, movedMs: -29 * DAY });
        assert.equal(await expiry(), 7);
        assert.deepEqual(await ledger.seeTime(NOW - HOUR, DAY), { gapMs: -HOUR, movedMs: 0 });

        let now = NOW + 30 * DAY;
        await ledger.seeTime(now, DAY);
        for (let day = 0; day < 6; day++) {
          now += DAY;
          assert.equal((await ledger.seeTime(now, DAY)).movedMs, 0);
        }
        assert.deepEqual((await ledger.expireReports(now)).length, 0);
        now += HOUR;
        await ledger.seeTime(now, DAY);
        assert.deepEqual(
          (await ledger.expireReports(now)).map((one) => one.guid),
          [guid],
        );
      }));

    it('obeys, through any history, only the worker and attempt that hold a report', async () => {
      const step = fc.record({
        move: fc.constantFrom('claim', 'extend', 'complete', 'fail', 'release', 'giveBack', 'reclaim', 'restart'),
        worker: fc.constantFrom('w1', 'w2'),
        attempt: fc.integer({ min: 1, max: 3 }),
        after: fc.integer({ min: 0, max: 60 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) =>
          withLedger(async (ledger) => {
            const guid = await queued(ledger);
            let now = NOW;
            let attempts = 0;
            let state = 'queued';
            let holder: { worker: string; attempt: number; until: number } | undefined;
            for (const { move, worker, attempt, after } of steps) {
              now += after;
              const holds = holder?.worker === worker && holder.attempt === attempt;
              if (move === 'claim') {
                const claim = await claimOne(ledger, worker, now, now + 50);
                assert.equal(claim !== undefined, state === 'queued');
                if (!claim) continue;
                state = 'gathering';
                holder = { worker, attempt: ++attempts, until: now + 50 };
              } else if (move === 'extend') {
                assert.equal(await ledger.extendLease(guid, worker, attempt, now + 50), holds);
                if (holder && holds) holder.until = now + 50;
              } else if (move === 'reclaim') {
                const failed = await ledger.reclaimReports(now, 3, USED_UP);
                const out = holder !== undefined && holder.until <= now;
                assert.deepEqual(failed, out && attempts >= 3 ? [guid] : []);
                if (!out) continue;
                state = attempts >= 3 ? 'failed' : 'queued';
                holder = undefined;
              } else if (move === 'restart') {
                const { failed, requeued } = await ledger.reclaimOrphans(now, 3, USED_UP);
                const last = holder !== undefined && attempts >= 3;
                assert.deepEqual([failed, requeued], [last ? [guid] : [], holder !== undefined && !last ? [guid] : []]);
                if (!holder) continue;
                state = last ? 'failed' : 'queued';
                holder = undefined;
              } else {
                const moves = {
                  complete: () => ledger.completeReport(guid, worker, attempt, done),
                  fail: () => ledger.failReport(guid, worker, attempt, now, USED_UP),
                  release: () => ledger.releaseReport(guid, worker, attempt, true),
                  giveBack: () => ledger.releaseReport(guid, worker, attempt, false),
                };
                assert.equal(await moves[move](), holds);
                if (!holds) continue;
                state = move === 'complete' ? 'completed' : move === 'fail' ? 'failed' : 'queued';
                if (move === 'giveBack') attempts--;
                holder = undefined;
              }
            }
            const report = await ledger.report(guid);
            assert.deepEqual(
              [report?.state, report?.attempt, report?.worker, report?.leaseUntil],
              [state, attempts, holder?.worker ?? null, holder?.until ?? null],
            );
          }),
        ),
        { numRuns: Math.ceil(LAWS * 0.03) },
      );
    });
  });
}

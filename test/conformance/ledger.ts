/** What every ledger must do; run against each form of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Client, Ledger, Restaurant, SigningKey } from '../../packages/service/src/ledger/ledger.ts';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;
const USED_UP = { code: 'report_failed', message: 'attempts are used up' } as const;

let made = 0;
const newGuid = (): string => `0a000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;

function client(changes: Partial<Client> = {}): Client {
  return {
    id: 'client-1',
    name: 'till',
    group: 'blue',
    scopes: ['a', 'b'],
    dialect: 'reference',
    secretHash: 'scrypt$16384$c2FsdA$aGFzaA',
    createdAt: NOW,
    revokedAt: null,
    ...changes,
  };
}

function key(kid: string, createdAt: number): SigningKey {
  return { kid, algorithm: 'RS256', privateJwk: '{"d":1}', publicJwk: '{"n":1}', createdAt, retiredAt: null };
}

function bistro(changes: Partial<Omit<Restaurant, 'id'>> = {}): Omit<Restaurant, 'id'> {
  return {
    guid: newGuid(),
    group: 'blue',
    name: 'Bistro',
    timeZone: 'America/New_York',
    closeoutHour: 4,
    locationName: null,
    locationCode: 'NY-1',
    currencyCode: 'USD',
    overtimeMultiplier: 1.5,
    active: true,
    testMode: false,
    archived: false,
    ...changes,
  };
}

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
    asked: { path: '/metrics/week', body: { startBusinessDate: '20260101', endBusinessDate: 20260107 } },
    dialect: 'live',
    createdAt: NOW,
    expiresAt: NOW + 24 * HOUR,
    ...changes,
  };
}

const done = { now: NOW + 9, asOf: NOW + 8, rows: 20, bytes: 4000 };

/** Runs the suite; `open` makes an empty ledger each time. */
export function ledgerConformance(name: string, open: () => Promise<{ ledger: Ledger; close(): Promise<void> }>): void {
  async function withLedger(work: (ledger: Ledger) => Promise<void>): Promise<void> {
    const { ledger, close } = await open();
    try {
      await ledger.ensureGroup('blue', NOW);
      await work(ledger);
    } finally {
      await close();
    }
  }
  async function queued(ledger: Ledger, changes: Parameters<typeof request>[0] = {}): Promise<string> {
    const report = request(changes);
    await ledger.addReport(report);
    return report.guid;
  }
  async function held(ledger: Ledger, worker = 'w1', leaseUntil = NOW + 1000): Promise<string> {
    const guid = await queued(ledger);
    assert.equal((await ledger.claimReport(worker, NOW, leaseUntil))?.guid, guid);
    return guid;
  }

  describe(`ledger: ${name}: groups and clients`, () => {
    it('keeps a group once, however often it is made sure of', () =>
      withLedger(async (ledger) => {
        await ledger.ensureGroup('amber', NOW + 1);
        await ledger.ensureGroup('blue', NOW + 2);

        assert.deepEqual(await ledger.groups(), ['amber', 'blue']);
      }));

    it('answers a client as it was added, and undefined for one it does not know', () =>
      withLedger(async (ledger) => {
        const added = client({ name: null, dialect: 'live' });
        await ledger.addClient(added);

        assert.deepEqual(await ledger.client('client-1'), added);
        assert.deepEqual(await ledger.clients(), [added]);
        assert.equal(await ledger.client('client-2'), undefined);
      }));

    it('refuses a second client of one id, and a client of a group it does not know', () =>
      withLedger(async (ledger) => {
        await ledger.addClient(client());

        await assert.rejects(ledger.addClient(client({ name: 'another' })));
        await assert.rejects(ledger.addClient(client({ id: 'client-2', group: 'nowhere' })));
        assert.equal((await ledger.clients()).length, 1);
      }));

    it('revokes a client once', () =>
      withLedger(async (ledger) => {
        await ledger.addClient(client());

        assert.equal(await ledger.revokeClient('client-1', NOW + 5), true);
        assert.equal(await ledger.revokeClient('client-1', NOW + 6), false);
        assert.equal(await ledger.revokeClient('client-2', NOW + 6), false);
        assert.equal((await ledger.client('client-1'))?.revokedAt, NOW + 5);
      }));

    it('puts a client that was not there, and one that was, un-revoked', () =>
      withLedger(async (ledger) => {
        await ledger.putClient(client());
        await ledger.revokeClient('client-1', NOW + 5);
        const changed = client({ scopes: ['c'], dialect: 'live', secretHash: 'scrypt$1$x$y' });

        await ledger.putClient(changed);

        assert.deepEqual(await ledger.clients(), [changed]);
      }));
  });

  describe(`ledger: ${name}: keys`, () => {
    it('has no key at first', () => withLedger(async (ledger) => assert.deepEqual(await ledger.keys(), [])));

    it('retires the key before when it rotates, and answers the newest first', () =>
      withLedger(async (ledger) => {
        await ledger.rotateKey(key('k1', NOW));
        await ledger.rotateKey(key('k2', NOW + HOUR));
        await ledger.rotateKey(key('k3', NOW + HOUR));

        assert.deepEqual(await ledger.keys(), [
          key('k3', NOW + HOUR),
          { ...key('k2', NOW + HOUR), retiredAt: NOW + HOUR },
          { ...key('k1', NOW), retiredAt: NOW + HOUR },
        ]);
      }));

    it('keeps the key that signs when the same one is rotated in again', () =>
      withLedger(async (ledger) => {
        await ledger.rotateKey(key('k1', NOW));

        await assert.rejects(ledger.rotateKey(key('k1', NOW + 1)));

        assert.deepEqual(await ledger.keys(), [key('k1', NOW)]);
      }));

    it('drops the keys that were retired before an instant, never the one that signs', () =>
      withLedger(async (ledger) => {
        await ledger.rotateKey(key('k1', NOW));
        await ledger.rotateKey(key('k2', NOW + 10));
        await ledger.rotateKey(key('k3', NOW + 20));

        await ledger.dropKeys(NOW + 20);
        assert.deepEqual(
          (await ledger.keys()).map(({ kid }) => kid),
          ['k3', 'k2'],
        );
        await ledger.dropKeys(NOW + HOUR);
        assert.deepEqual(
          (await ledger.keys()).map(({ kid }) => kid),
          ['k3'],
        );
      }));
  });

  describe(`ledger: ${name}: restaurants`, () => {
    it('adds a restaurant, then replaces it under the same id', () =>
      withLedger(async (ledger) => {
        const first = bistro();
        const added = await ledger.putRestaurant(first);
        const second = {
          ...first,
          name: 'Brasserie',
          overtimeMultiplier: 2,
          active: false,
          testMode: true,
          archived: true,
        };

        const replaced = await ledger.putRestaurant(second);

        assert.equal(added?.created, true);
        assert.deepEqual(replaced, { created: false, restaurant: { id: added?.restaurant.id, ...second } });
        assert.deepEqual(await ledger.restaurant(first.guid), replaced?.restaurant);
      }));

    it("leaves another group's restaurant as it is", () =>
      withLedger(async (ledger) => {
        await ledger.ensureGroup('amber', NOW);
        const ours = bistro();
        const added = await ledger.putRestaurant(ours);

        assert.equal(await ledger.putRestaurant({ ...ours, group: 'amber', name: 'Theirs' }), undefined);

        assert.deepEqual(await ledger.restaurant(ours.guid), added?.restaurant);
        assert.deepEqual(await ledger.restaurantsOf('amber'), []);
      }));

    it('lists by group and by id, ordered by GUID', () =>
      withLedger(async (ledger) => {
        await ledger.ensureGroup('amber', NOW);
        const [a, b, c] = [bistro(), bistro(), bistro({ group: 'amber' })];
        const ids: number[] = [];
        for (const each of [b, c, a]) ids.push((await ledger.putRestaurant(each))?.restaurant.id ?? 0);

        const names = (list: Restaurant[]) => list.map(({ guid }) => guid);
        assert.deepEqual(names(await ledger.restaurantsOf('blue')), [a.guid, b.guid]);
        assert.deepEqual(names(await ledger.restaurantsById(ids)), [a.guid, b.guid, c.guid]);
        assert.deepEqual(await ledger.restaurantsById([]), []);
        assert.deepEqual(await ledger.restaurantsById([999_999]), []);
        assert.equal(await ledger.restaurant(newGuid()), undefined);
      }));
  });

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
          failure: null,
        });
        assert.equal(await ledger.report(newGuid()), undefined);
        assert.deepEqual(await ledger.reportCounts(), { queued: 1 });
      }));

    it('gives each report to one of many workers that claim at once', () =>
      withLedger(async (ledger) => {
        const guids = [await queued(ledger), await queued(ledger), await queued(ledger)];

        const claims = await Promise.all(
          Array.from({ length: 10 }, (_, i) => ledger.claimReport(`w${i}`, NOW, NOW + 1000)),
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

        const claim = async () => (await ledger.claimReport('w', NOW + 10, NOW + 99))?.guid;
        assert.deepEqual([await claim(), await claim(), await claim()], [early, late, undefined]);
      }));

    it('completes a report for the worker that holds it', () =>
      withLedger(async (ledger) => {
        const guid = await held(ledger);

        assert.equal(await ledger.completeReport(guid, 'w1', 1, done), true);

        const { state, attempt, worker, leaseUntil, completedAt, asOf, rows, bytes } =
          (await ledger.report(guid)) ?? assert.fail();
        assert.deepEqual(
          { state, attempt, worker, leaseUntil, completedAt, asOf, rows, bytes },
          {
            ...{ state: 'completed', attempt: 1, worker: null, leaseUntil: null },
            ...{ completedAt: NOW + 9, asOf: NOW + 8, rows: 20, bytes: 4000 },
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
        await ledger.claimReport('w1', NOW + 1001, NOW + 5000);
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

        const first = await ledger.claimReport('w2', NOW + 2001, NOW + 9000);
        const second = await ledger.claimReport('w2', NOW + 2001, NOW + 9000);
        assert.deepEqual([first?.guid, first?.attempt], [other, 1]);
        assert.deepEqual([second?.guid, second?.attempt], [guid, 2]);
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
        assert.equal((await ledger.claimReport('w2', NOW, NOW + 1000))?.attempt, 2);
        assert.equal(await ledger.releaseReport(guid, 'w2', 2, false), true);

        const report = await ledger.report(guid);
        assert.deepEqual([report?.state, report?.attempt, report?.worker], ['queued', 1, null]);
      }));

    it('expires whatever is at rest, leaves what is being gathered, and forgets later', () =>
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

    it('obeys, through any history, only the worker and attempt that hold a report', async () => {
      const step = fc.record({
        move: fc.constantFrom('claim', 'extend', 'complete', 'fail', 'release', 'giveBack', 'reclaim'),
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
                const claim = await ledger.claimReport(worker, now, now + 50);
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
        { numRuns: 30 },
      );
    });
  });

  describe(`ledger: ${name}: readiness`, () => {
    it('answers a ping until it is closed, and may be closed twice', () =>
      withLedger(async (ledger) => {
        await ledger.ping();
        await ledger.close();
        await ledger.close();

        await assert.rejects(ledger.ping());
      }));
  });
}

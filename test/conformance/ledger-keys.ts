/** The part of the ledger's suite that is about idempotency keys. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KeyUse } from '../../packages/service/src/ledger/idempotency-key.ts';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;

const use = (changes: Partial<KeyUse> = {}): KeyUse => ({
  group: 'blue',
  clientId: 'c1',
  path: '/metrics/day',
  key: 'k',
  fingerprint: 'f',
  answer: 'a',
  endsAt: NOW + HOUR,
  ...changes,
});

function report(guid: string): Parameters<Ledger['addReport']>[0] {
  return {
    guid,
    group: 'blue',
    clientId: 'c1',
    kind: 'metrics',
    dialect: 'live',
    cost: 5,
    lane: 'short',
    plan: { span: 'day', startDate: 1, endDate: 1, aggregate: 'DAY', groups: [], restaurantIds: [] },
    request: { path: '/metrics/day', body: {} },
    createdAt: NOW,
    expiresAt: NOW + HOUR,
  };
}

/** Runs it; `withLedger` opens an empty ledger that knows the group `blue`. */
export function keyConformance(
  name: string,
  withLedger: (work: (ledger: Ledger) => Promise<void>) => Promise<void>,
): void {
  describe(`ledger: ${name}: idempotency keys`, () => {
    it('remembers what a key of a client on a path was used for, until it ends', () =>
      withLedger(async (ledger) => {
        const counts = use({ answer: { accepted: 3, unchanged: 0 } });
        assert.equal(await ledger.addKeyUse(counts, NOW), undefined);

        assert.deepEqual(await ledger.keyUse(counts, NOW + HOUR - 1), counts);
        assert.equal(await ledger.keyUse(counts, NOW + HOUR), undefined);
        for (const other of [{ group: 'red' }, { clientId: 'c2' }, { path: '/metrics/week' }, { key: 'K' }])
          assert.equal(await ledger.keyUse(use(other), NOW), undefined);
      }));

    it('keeps the first use until it expires, and takes another after it', () =>
      withLedger(async (ledger) => {
        const first = use();
        const second = use({ fingerprint: 'g', answer: 'b', endsAt: NOW + 3 * HOUR });
        await ledger.addKeyUse(first, NOW);

        assert.deepEqual(await ledger.addKeyUse(second, NOW + HOUR - 1), first);
        assert.deepEqual(await ledger.keyUse(first, NOW), first);
        assert.equal(await ledger.addKeyUse(second, NOW + HOUR), undefined);
        assert.deepEqual(await ledger.keyUse(first, NOW), second);
      }));

    it('adds a report and the use of its key together, or neither', () =>
      withLedger(async (ledger) => {
        const first = use({ answer: 'r1' });
        assert.equal(await ledger.addReport(report('r1'), first), undefined);

        assert.deepEqual(await ledger.addReport(report('r2'), use({ answer: 'r2' })), first);
        await assert.rejects(ledger.addReport(report('r1'), use({ key: 'other' })));

        assert.equal(await ledger.report('r2'), undefined);
        assert.equal(await ledger.keyUse(use({ key: 'other' }), NOW), undefined);
        assert.deepEqual(await ledger.reportCounts(), { queued: 1 });
      }));

    it('gives one report to many that use a key at once', () =>
      withLedger(async (ledger) => {
        const guids = ['p1', 'p2', 'p3', 'p4'];

        const stood = await Promise.all(guids.map((guid) => ledger.addReport(report(guid), use({ answer: guid }))));

        assert.equal(stood.filter((one) => one === undefined).length, 1);
        assert.deepEqual(await ledger.reportCounts(), { queued: 1 });
      }));

    it('deletes uses that have ended, and no others', () =>
      withLedger(async (ledger) => {
        await ledger.addKeyUse(use(), NOW);
        await ledger.addKeyUse(use({ key: 'later', endsAt: NOW + 2 * HOUR }), NOW);

        assert.equal(await ledger.forgetKeyUses(NOW + HOUR - 1), 0);
        assert.equal(await ledger.forgetKeyUses(NOW + HOUR), 1);

        assert.equal(await ledger.keyUse(use(), NOW), undefined);
        assert.notEqual(await ledger.keyUse(use({ key: 'later' }), NOW), undefined);
      }));
  });
}

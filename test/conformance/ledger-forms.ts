/** The part of the ledger's suite that is about the forms of reports. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReportForm } from '../../packages/service/src/ledger/form.ts';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';
import { claimOne } from './claim.ts';

const NOW = 1_700_000_000_000;
const [FIRST, SECOND] = ['0b000000-0000-4000-8000-000000000001', '0b000000-0000-4000-8000-000000000002'];

const form = (changes: Partial<ReportForm> = {}): ReportForm => ({
  guid: FIRST,
  attempt: 1,
  name: 'live.json',
  key: 'k1',
  bytes: 10,
  sha256: 'c2hh',
  ...changes,
});

/** Adds a report and has a worker gather it. */
async function gathering(ledger: Ledger, guid: string): Promise<void> {
  await ledger.addReport({
    guid,
    group: 'blue',
    clientId: 'c',
    kind: 'check',
    dialect: 'live',
    createdAt: NOW,
    expiresAt: NOW + 1000,
    plan: { span: 'day', startDate: 1, endDate: 1, aggregate: 'DAY', groups: [], restaurantIds: [] },
    cost: 5,
    lane: 'short' as const,
    request: { path: '/check/day', body: {} },
  });
  assert.equal((await claimOne(ledger, 'w', NOW, NOW + 500))?.guid, guid);
}

const done = { now: NOW, asOf: NOW, rows: 1, bytes: 10, snapshot: '1', totals: [] };

/** Runs it; `withLedger` opens an empty ledger that knows the group `blue`. */
export function formConformance(
  name: string,
  withLedger: (work: (ledger: Ledger) => Promise<void>) => Promise<void>,
): void {
  describe(`ledger: ${name}: forms`, () => {
    it('answers the first form of a name, not a later one', () =>
      withLedger(async (ledger) => {
        assert.deepEqual(await ledger.addForm(form()), form());
        assert.deepEqual(await ledger.addForm(form({ key: 'k2', bytes: 11, sha256: null })), form());
        assert.deepEqual(await ledger.addForm(form()), form());
        assert.deepEqual(await ledger.forms(FIRST), [form()]);
      }));

    it('has one winner of many that come at once', () =>
      withLedger(async (ledger) => {
        const keys = Array.from({ length: 12 }, (_, index) => `k${index}`);

        const answers = await Promise.all(keys.map((key) => ledger.addForm(form({ key }))));

        const [kept] = await ledger.forms(FIRST);
        assert.ok(kept && keys.includes(kept.key));
        for (const answer of answers) assert.deepEqual(answer, kept);
      }));

    it('keeps names, attempts and reports apart, in the order of attempt and name', () =>
      withLedger(async (ledger) => {
        const all = [
          form({ name: 'live.csv' }),
          form({ name: 'snapshot.parquet', bytes: 5_000_000_000 }),
          form({ attempt: 2, key: 'k3' }),
        ];
        for (const one of [...all].reverse()) await ledger.addForm(one);
        await ledger.addForm(form({ guid: SECOND }));

        assert.deepEqual(await ledger.forms(FIRST), all);
        assert.deepEqual(await ledger.forms(FIRST, 1), all.slice(0, 2));
        assert.deepEqual(await ledger.forms(FIRST, 3), []);
        assert.deepEqual(await ledger.forms(SECOND), [form({ guid: SECOND })]);
      }));

    it('takes the digest of a form later, and not that of one that was replaced', () =>
      withLedger(async (ledger) => {
        await ledger.addForm(form({ sha256: null }));

        assert.equal(await ledger.digestForm(form({ key: 'k2' }), 'b3Ro'), false);
        assert.equal((await ledger.forms(FIRST))[0]?.sha256, null);
        assert.equal(await ledger.digestForm(form(), 'c2hh'), true);
        assert.deepEqual(await ledger.forms(FIRST), [form()]);
      }));

    it('forgets a form by its key, so that the next under its name is kept', () =>
      withLedger(async (ledger) => {
        await ledger.addForm(form());
        await ledger.addForm(form({ name: 'live.csv' }));

        assert.equal(await ledger.forgetForm(form({ key: 'k2' })), false);
        assert.equal(await ledger.forgetForm(form()), true);
        assert.equal(await ledger.forgetForm(form()), false);

        const again = form({ key: 'k2', bytes: 12 });
        assert.deepEqual(await ledger.addForm(again), again);
        assert.deepEqual(await ledger.forms(FIRST), [form({ name: 'live.csv' }), again]);
      }));

    it('deletes every form of reports', () =>
      withLedger(async (ledger) => {
        await ledger.addForm(form());
        await ledger.addForm(form({ attempt: 2 }));
        await ledger.addForm(form({ guid: SECOND }));

        assert.equal(await ledger.forgetForms([]), 0);
        assert.equal(await ledger.forgetForms([FIRST, 'unknown']), 2);
        assert.deepEqual([await ledger.forms(FIRST), await ledger.forms(SECOND)], [[], [form({ guid: SECOND })]]);
      }));

    it('publishes the forms of an attempt with its report, and none of a worker that lost it', () =>
      withLedger(async (ledger) => {
        await gathering(ledger, FIRST);
        const { guid: _guid, attempt: _attempt, ...kept } = form();
        const forms = [kept, { ...kept, name: 'snapshot.parquet', key: 'k2', sha256: null }];

        assert.equal(await ledger.completeReport(FIRST, 'another', 1, { ...done, forms }), false);
        assert.deepEqual(await ledger.forms(FIRST), []);
        assert.equal(await ledger.completeReport(FIRST, 'w', 1, { ...done, forms }), true);

        const expected = forms.map((one) => ({ guid: FIRST, attempt: 1, ...one }));
        assert.deepEqual(await ledger.forms(FIRST, 1), expected);
      }));

    it('names the reports that have forms and can no longer be read', () =>
      withLedger(async (ledger) => {
        await gathering(ledger, FIRST);
        await gathering(ledger, SECOND);
        const unknown = '0b000000-0000-4000-8000-000000000003';
        for (const guid of [FIRST, SECOND, unknown]) await ledger.addForm(form({ guid }));
        await ledger.addForm(form({ guid: unknown, name: 'live.csv' }));

        assert.deepEqual(await ledger.unreadableForms(10), [unknown]);
        await ledger.cancelReport(SECOND);
        assert.deepEqual((await ledger.unreadableForms(10)).sort(), [SECOND, unknown]);
        assert.equal((await ledger.unreadableForms(1)).length, 1);
        await ledger.forgetForms([SECOND, unknown]);
        await ledger.completeReport(FIRST, 'w', 1, done);
        await ledger.expireReports(NOW + 2000);
        assert.deepEqual(await ledger.unreadableForms(10), [FIRST]);
      }));
  });
}

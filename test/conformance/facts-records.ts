/** What every store of facts must do about single records: time entries, as they are stored. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CountingEntry } from '../../packages/service/src/facts/shift.ts';
import { mergeLines, type OpenedFacts, shiftFact } from './facts.ts';

let restaurants = 940;

export function factsRecordsConformance(name: string, open: () => Promise<OpenedFacts>): void {
  describe(`facts: ${name}: records`, () => {
    let opened: OpenedFacts;
    before(async () => {
      opened = await open();
    });
    after(() => opened.close());

    const DATES = { from: 20260310, to: 20260311, employee: undefined, after: undefined, limit: 10 };
    const guidOf = (n: number): string => `0a000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

    it('reads the time entries that count, with their current values, in order', async () => {
      const id = ++restaurants;
      await opened.facts.putReference(id, {
        jobs: [
          { guid: 'cook', title: 'Cook', code: '', wageFrequency: null, excludeFromReporting: false },
          { guid: 'chef', title: 'Chef', code: '', wageFrequency: 'SALARY', excludeFromReporting: false },
        ],
      });
      const shifts = [
        shiftFact({ business_date: 20260311, job_guid: 'bar', job_title: 'Bar' }),
        shiftFact({ job_title: 'Not shown', overtime_micro: 1_000_000, overtime_cents: 3000 }),
        shiftFact({ in_at: 1000, out_at: 2000, employee_guid: null, job_guid: null }),
        shiftFact({ deleted: true }),
        shiftFact({ hourly: false }),
        shiftFact({ out_at: null, by_hour: [] }),
        shiftFact({ job_guid: 'chef' }),
        shiftFact({ business_date: 20260312 }),
        shiftFact({ business_date: 20260309 }),
        shiftFact({ employee_guid: 'e-2' }),
        shiftFact({ employee_guid: 'e-2' }),
      ].map((shift, seq) => ({ ...shift, seq, entry_guid: guidOf(seq) }));
      await mergeLines(opened, id, { shifts });
      const [, , , , , , , , , moved, gone] = shifts;
      const later = [
        shiftFact({
          ...moved,
          seq: 0,
          modified_at: 2000,
          business_date: 20260311,
          micro_hours: 500_000,
          pay_cents: 99,
        }),
        shiftFact({ ...gone, seq: 1, modified_at: 2000, deleted: true }),
      ];
      await mergeLines(opened, id, { shifts: later });
      await mergeLines(opened, ++restaurants, { shifts: [shiftFact()] });

      const [nine, five] = [Date.UTC(2026, 2, 10, 13), Date.UTC(2026, 2, 10, 21)];
      const first = {
        entry_guid: guidOf(2),
        business_date: 20260310,
        in_at: 1000,
        out_at: 2000,
        job_guid: null,
        job_title: null,
        employee_guid: null,
        regular_micro: 8_000_000,
        overtime_micro: 0,
        regular_cents: 16_000,
        overtime_cents: 0,
      };
      const day = { ...first, in_at: nine, out_at: five, employee_guid: 'e-1' };
      const overtime = {
        regular_micro: 7_000_000,
        overtime_micro: 1_000_000,
        regular_cents: 13_000,
        overtime_cents: 3000,
      };
      const expected = [
        first,
        { ...day, ...overtime, entry_guid: guidOf(1), job_guid: 'cook', job_title: 'Cook' },
        { ...day, entry_guid: guidOf(0), business_date: 20260311, job_guid: 'bar', job_title: 'Bar' },
        {
          ...day,
          entry_guid: guidOf(9),
          business_date: 20260311,
          job_guid: 'cook',
          job_title: 'Cook',
          employee_guid: 'e-2',
          regular_micro: 500_000,
          regular_cents: 99,
        },
      ];
      assert.deepEqual(await opened.facts.timeEntries(id, DATES), expected);
      const paged: CountingEntry[] = [];
      for (let place = 0; place < 4; place++)
        paged.push(...(await opened.facts.timeEntries(id, { ...DATES, after: paged.at(-1), limit: 1 })));
      assert.deepEqual(paged, expected);
      assert.deepEqual(await opened.facts.timeEntries(id, { ...DATES, after: expected.at(-1) }), []);
      assert.deepEqual(await opened.facts.timeEntries(id, { ...DATES, employee: 'e-2' }), expected.slice(3));
      assert.deepEqual(await opened.facts.timeEntries(id, { ...DATES, employee: "e-2' or 1=1 --" }), []);
    });
  });
}

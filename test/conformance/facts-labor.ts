/** What every store of facts must do about labor: who worked, what is overtime, and the names of jobs and employees. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { mergeLines, type OpenedFacts, orderFact, recordsOf, shiftFact } from './facts.ts';

const BOUNDS = { deadlineMs: 20_000 };
const BISTRO = 'b1500000-0000-4000-8000-000000000001';
const SPAN = { startDate: 20260310, endDate: 20260311 };
let restaurants = 900;

export function factsLaborConformance(name: string, open: () => Promise<OpenedFacts>): void {
  describe(`facts: ${name}: labor`, () => {
    let opened: OpenedFacts;
    before(async () => {
      opened = await open();
    });
    after(() => opened.close());

    const labor = (id: number, group?: 'JOB' | 'EMPLOYEE') =>
      recordsOf(opened, id, { kind: 'labor', groups: group ? [group] : [] });
    const scopeOf = (id: number, currencyCode: string | null = null) => ({
      id,
      guid: BISTRO.replace('0001', String(id).padStart(4, '0')),
      name: 'Bistro',
      timeZone: 'America/New_York',
      closeoutHour: 4,
      currencyCode,
    });
    const gather = (places: ReturnType<typeof scopeOf>[]) =>
      opened.facts.gather(
        { kind: 'labor', restaurants: places, ...SPAN, aggregate: 'DAY', groups: [] },
        join(opened.folder, `${randomUUID()}.parquet`),
        BOUNDS,
      );

    it('shows what is current after entries were corrected, moved to another person or date, and deleted', async () => {
      const id = ++restaurants;
      const entries = [1, 2, 3, 4].map((n) =>
        shiftFact({ seq: n - 1, employee_guid: `e-${n}`, overtime_micro: 1_000_000, overtime_cents: 3000 }),
      );
      const later = (index: number, changes: object) => ({
        ...entries[index],
        seq: index,
        modified_at: 2000,
        ...changes,
      });
      await mergeLines(opened, id, { shifts: entries.map((entry) => ({ ...entry })) });
      const before = await gather([scopeOf(id)]);
      const corrected = [
        later(0, { employee_guid: 'e-2' }),
        later(1, { overtime_micro: 0, overtime_cents: 0, micro_hours: 6_500_000, pay_cents: 12_000 }),
        later(2, { business_date: 20260311 }),
        later(3, { deleted: true }),
      ].map((entry) => shiftFact(entry));
      await mergeLines(opened, id, { shifts: corrected });
      const after = await gather([scopeOf(id)]);

      const rows = await labor(id, 'EMPLOYEE');
      const { timeEntries } = await opened.facts.changes(
        {
          kind: 'labor',
          ...SPAN,
          offset: 0,
          limit: 10,
          before: { snapshot: before.snapshot, restaurants: [scopeOf(id)] },
          after: { snapshot: after.snapshot, restaurants: [scopeOf(id)] },
        },
        BOUNDS,
      );

      assert.deepEqual(
        rows.map((row) => [row.businessDate, row.employeeGuid, row.regularHours, row.overtimeHours, row.totalCost]),
        [
          ['20260310', 'e-2', 13.5, 1, 280],
          ['20260311', 'e-3', 7, 1, 160],
        ],
      );
      assert.deepEqual(await opened.facts.verify(BOUNDS), []);
      const sides = new Map(timeEntries.map((change) => [change.guid, change]));
      const figures = (index: number) => {
        const { before: was, after: is } = sides.get(entries[index]?.entry_guid ?? '') ?? assert.fail();
        return [was, is];
      };
      const one = { businessDate: 20260310, regularHours: 7000, overtimeHours: 1000, totalHours: 8000 };
      const whole = { ...one, regularCost: 13_000, overtimeCost: 3000, totalCost: 16_000, jobGuid: 'cook' };
      assert.deepEqual(figures(0), [
        { ...whole, employeeGuid: 'e-1' },
        { ...whole, employeeGuid: 'e-2' },
      ]);
      assert.deepEqual(figures(2)[1], { ...whole, businessDate: 20260311, employeeGuid: 'e-3' });
      assert.deepEqual(figures(3), [{ ...whole, employeeGuid: 'e-4' }, null]);
    });

    it('names people and jobs as reference data does, else as the latest entry of the date does', async () => {
      const id = ++restaurants;
      await opened.facts.putReference(id, {
        employees: [{ guid: 'e-1', firstName: 'Ada', lastName: '', chosenName: '' }],
        jobs: [{ guid: 'cook', title: 'Cook', code: 'K1', wageFrequency: null, excludeFromReporting: false }],
      });
      const carried = { employee_guid: 'e-2', job_guid: 'bar' };
      const shifts = [
        shiftFact({ employee_first: 'Not shown', employee_last: 'Byron', job_title: 'Not shown' }),
        shiftFact({ ...carried, in_at: 1000, employee_first: 'Bo', employee_last: 'Burns', job_title: 'Bar' }),
        shiftFact({ ...carried, in_at: 2000, employee_last: 'Cole', job_code: 'B1' }),
        shiftFact({ ...carried, in_at: 3000 }),
        shiftFact({ ...carried, in_at: 4000, employee_last: 'Gone', deleted: true }),
        shiftFact({ ...carried, in_at: 500, business_date: 20260311, employee_first: 'Di' }),
        shiftFact({ employee_guid: null, job_guid: null }),
      ].map((shift, seq) => ({ ...shift, seq }));
      await mergeLines(opened, id, { shifts });

      const people = await labor(id, 'EMPLOYEE');
      const jobs = await labor(id, 'JOB');

      assert.deepEqual(
        people.map((row) => [row.businessDate, row.employeeGuid, row.employeeFirstName, row.employeeLastName]),
        [
          ['20260310', 'e-2', null, 'Cole'],
          ['20260310', 'e-1', 'Ada', null],
          ['20260310', null, null, null],
          ['20260311', 'e-2', 'Di', null],
        ],
      );
      assert.deepEqual(
        jobs.map((row) => [row.businessDate, row.jobGuid, row.jobTitle, row.jobCode]),
        [
          ['20260310', 'cook', 'Cook', 'K1'],
          ['20260310', 'bar', null, 'B1'],
          ['20260310', null, null, ''],
          ['20260311', 'bar', null, ''],
        ],
      );
    });

    it('has no ratio where there is nothing to divide by, and none that a number cannot hold to the cent', async () => {
      const [id, other] = [++restaurants, ++restaurants];
      const sold = { gross_cents: 1_000_000_000_000, discount_cents: 0, refund_cents: 0 };
      await mergeLines(opened, id, {
        orders: [orderFact(sold), orderFact({ seq: 1, ...sold, business_date: 20260311 })],
      });
      await mergeLines(opened, id, { shifts: [shiftFact({ micro_hours: 1, pay_cents: 1 })] });
      const refunded = { gross_cents: 1000, discount_cents: 0, refund_cents: 3000 };
      await mergeLines(opened, other, { orders: [orderFact(refunded)] });
      await mergeLines(opened, other, { shifts: [shiftFact()] });

      const ratios = async (index: number) =>
        (await labor(index)).map((row) => [row.netSalesPerEmployeeHour, row.totalCostPerNetSales]);

      assert.deepEqual(await ratios(id), [
        [null, 0],
        [null, 0],
      ]);
      assert.deepEqual(await ratios(other), [[-2.5, -800]]);
    });

    it('has control totals of each currency', async () => {
      const [id, other] = [++restaurants, ++restaurants];
      await mergeLines(opened, id, { shifts: [shiftFact({ overtime_micro: 1_500_000, overtime_cents: 4500 })] });
      await mergeLines(opened, other, { shifts: [shiftFact(), shiftFact({ seq: 1 })] });

      const { rows, totals } = await gather([scopeOf(id, 'EUR'), scopeOf(other, 'USD')]);

      const none = { overtimeHours: 0, overtimeCost: 0 };
      assert.equal(rows, 2);
      assert.deepEqual(totals, [
        {
          currencyCode: 'EUR',
          rows: 1,
          sums: {
            regularHours: 6500,
            overtimeHours: 1500,
            totalHours: 8000,
            regularCost: 11_500,
            overtimeCost: 4500,
            totalCost: 16_000,
          },
        },
        {
          currencyCode: 'USD',
          rows: 1,
          sums: { ...none, regularHours: 16_000, totalHours: 16_000, regularCost: 32_000, totalCost: 32_000 },
        },
      ]);
    });
  });
}

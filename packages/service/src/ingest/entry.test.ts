import assert from 'node:assert/strict';
import test from 'node:test';
import type { ShiftFact } from '../facts/shift.ts';
import { entryFacts } from './entry.ts';
import type { Rejected } from './source.ts';

const BISTRO = { timeZone: 'America/New_York', closeoutHour: 4, overtimeMultiplier: 1.5 };

/** A cook's day from 9:00 to 17:00 in New York: 8 hours at 20.00. */
const entry = {
  guid: '0A000000-0000-4000-8000-000000000001',
  jobReference: { guid: 'Cook' },
  inDate: '2026-01-15T14:00:00.000+0000',
  outDate: '2026-01-15T22:00:00.000+0000',
  regularHours: 8,
  overtimeHours: 0,
  hourlyWage: 20,
};

function factOf(changes: object, place = BISTRO): ShiftFact {
  const fact = entryFacts({ ...entry, ...changes }, 3, place);
  assert.ok('entry_guid' in fact, JSON.stringify(fact));
  return fact;
}

test('an entry is its hours, its pay and its place in time', () => {
  assert.deepEqual(factOf({ modifiedDate: '2026-01-15T22:00:01Z' }), {
    seq: 3,
    entry_guid: '0a000000-0000-4000-8000-000000000001',
    business_date: 20260115,
    in_at: Date.UTC(2026, 0, 15, 14),
    out_at: Date.UTC(2026, 0, 15, 22),
    modified_at: Date.UTC(2026, 0, 15, 22, 0, 1),
    deleted: false,
    job_guid: 'cook',
    job_title: null,
    job_code: null,
    employee_guid: null,
    employee_first: null,
    employee_last: null,
    employee_chosen: null,
    hourly: true,
    micro_hours: 8_000_000,
    pay_cents: 16_000,
    overtime_micro: 0,
    overtime_cents: 0,
    by_hour: [9, 10, 11, 12, 13, 14, 15, 16].map((hour) => ({ hour, micro_hours: 1_000_000, pay_cents: 2000 })),
  });
});

test('overtime is paid by the multiplier of the restaurant', () => {
  const pay = (changes: object, overtimeMultiplier = 1.5) =>
    factOf(changes, { ...BISTRO, overtimeMultiplier }).pay_cents;

  // 8 × 20.00 + 2 × 20.00 × 1.5
  assert.equal(pay({ overtimeHours: 2 }), 22_000);
  assert.equal(pay({ overtimeHours: 2 }, 1), 20_000);
  assert.equal(pay({ overtimeHours: 2 }, 2), 24_000);
  // 0.5 × 20.01 × 1.3333 = 13.3396665
  assert.equal(pay({ regularHours: 0, overtimeHours: 0.5, hourlyWage: 20.01 }, 1.3333), 1334);
  assert.equal(factOf({ overtimeHours: 2 }).micro_hours, 10_000_000);
});

test('given pay goes before computed pay, and one of the two is enough', () => {
  const pay = (changes: object) => factOf({ overtimeHours: 2, ...changes }).pay_cents;

  assert.equal(pay({ regularPay: 150, overtimePay: 70.05 }), 22_005);
  assert.equal(pay({ regularPay: 150 }), 15_000);
  assert.equal(pay({ overtimePay: 70.05 }), 7005);
  assert.equal(pay({ regularPay: 0, overtimePay: null }), 0);
  assert.equal(pay({ regularPay: null, overtimePay: null }), 22_000);
});

test('pay is rounded once, half away from zero, and not before', () => {
  const pay = (changes: object) => factOf(changes).pay_cents;

  // 0.025 × 0.20 = 0.005, and a hair less is nothing.
  assert.equal(pay({ regularHours: 0.025, hourlyWage: 0.2 }), 1);
  assert.equal(pay({ regularHours: 0.024999, hourlyWage: 0.2 }), 0);
  assert.equal(pay({ regularHours: 0.025, hourlyWage: -0.2 }), -1);
  // 3.333 × 17.35 = 57.82755, where hours of two decimals would make 57.78.
  assert.equal(pay({ regularHours: 3.333, hourlyWage: 17.35 }), 5783);
  // Two halves of a cent, one of regular and one of overtime hours, are a cent.
  assert.equal(pay({ regularHours: 0.02, overtimeHours: 0.02, hourlyWage: 0.2 }), 1);
  // The wage is an amount: 21.005 is read as 21.01.
  assert.equal(pay({ regularHours: 1, hourlyWage: 21.005 }), 2101);
});

test('the overtime of hours and pay is kept apart, and what is left is regular', () => {
  const overtime = (changes: object) => {
    const { overtime_micro, overtime_cents, pay_cents } = factOf({ overtimeHours: 2, ...changes });
    return [overtime_micro, overtime_cents, pay_cents - overtime_cents];
  };

  assert.deepEqual(overtime({}), [2_000_000, 6000, 16_000]);
  assert.deepEqual(overtime({ regularPay: 150, overtimePay: 70.05 }), [2_000_000, 7005, 15_000]);
  assert.deepEqual(overtime({ regularPay: 150 }), [2_000_000, 0, 15_000]);
  // 0.02 × 0.20 × 1.5 = 0.006 of 0.010 in all: both are rounded, and the regular part is what is left.
  assert.deepEqual(overtime({ regularHours: 0.02, overtimeHours: 0.02, hourlyWage: 0.2 }), [20_000, 1, 0]);
});

test('names are those that the references carry, cut at 500 characters', () => {
  const employeeReference = { guid: 'E-1', firstName: 'Ada', lastName: '', chosenName: `${'é'.repeat(499)}😀` };
  const jobReference = { guid: 'Cook', title: 'Cook\0', code: 'K1' };
  const fact = factOf({ employeeReference, jobReference });

  assert.deepEqual([fact.employee_guid, fact.employee_first, fact.employee_last], ['e-1', 'Ada', null]);
  assert.deepEqual([fact.job_title, fact.job_code], ['Cook', 'K1']);
  assert.equal(fact.employee_chosen, 'é'.repeat(499));
  assert.equal(factOf({ employeeReference: { guid: 'x'.repeat(201) } }).employee_guid, null);
});

test('hours are kept to the millionth', () => {
  const hours = (regularHours: unknown) => factOf({ regularHours }).micro_hours;

  const read = [7.25, 0.333333, 0.3333335, 0.0000004, 0, null].map(hours);

  assert.deepEqual(read, [7_250_000, 333_333, 333_334, 0, 0, 0]);
});

test('without a wage it is no hourly job, and a wage of nothing is one', () => {
  const salaried = factOf({ hourlyWage: null });

  assert.deepEqual([salaried.hourly, salaried.pay_cents, salaried.micro_hours], [false, 0, 8_000_000]);
  assert.deepEqual([factOf({ hourlyWage: 0 }).hourly, factOf({ hourlyWage: 0 }).pay_cents], [true, 0]);
});

test('an open shift has no end, and a deleted one is kept as deleted', () => {
  assert.equal(factOf({ outDate: null }).out_at, null);
  assert.equal(factOf({ deleted: true }).deleted, true);
});

test('the business date is the given one, else that of inDate by the closeout rule', () => {
  const date = (changes: object) => factOf(changes).business_date;

  assert.equal(date({ inDate: '2026-01-16T08:59:59Z' }), 20260115);
  assert.equal(date({ inDate: '2026-01-16T09:00:00Z' }), 20260116);
  assert.equal(date({ businessDate: 20260110 }), 20260110);
  assert.equal(date({ businessDate: '2026-01-10' }), 20260110);
});

test('without an inDate the entry is at its end, given that it says its business date', () => {
  const fact = factOf({ inDate: null, businessDate: '20260115' });

  assert.deepEqual([fact.in_at, fact.out_at, fact.business_date], [fact.out_at, Date.UTC(2026, 0, 15, 22), 20260115]);
  assert.equal((entryFacts({ ...entry, inDate: null }, 0, BISTRO) as Rejected).pointer, '/inDate');
});

test('what cannot be read is rejected at its place, with the guid that it says it has', () => {
  const rejected: [object, string][] = [
    [{ guid: 'one' }, '/guid'],
    [{ inDate: 'yesterday' }, '/inDate'],
    [{ outDate: '2026-01-15T22:00:00' }, '/outDate'],
    [{ businessDate: '15.01.2026' }, '/businessDate'],
    [{ jobReference: 'cook' }, '/jobReference'],
    [{ jobReference: { guid: 5 } }, '/jobReference/guid'],
    [{ regularHours: -1 }, '/regularHours'],
    [{ overtimeHours: '2' }, '/overtimeHours'],
    [{ hourlyWage: '20' }, '/hourlyWage'],
    [{ regularPay: 1e12 }, '/regularPay'],
    [{ deleted: 0 }, '/deleted'],
    [{ regularHours: 1e9, hourlyWage: 1e9 }, '/hourlyWage'],
  ];

  for (const [changes, pointer] of rejected) {
    const answer = entryFacts({ ...entry, ...changes }, 0, BISTRO) as Rejected;
    assert.deepEqual([answer.pointer, answer.guid], [pointer, 'guid' in changes ? changes.guid : entry.guid]);
  }
});

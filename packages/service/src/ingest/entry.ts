/** One source time entry as a fact: docs/metrics.md#sales-metrics. A pure function. */

import { businessDateOf } from '../contract/clock.ts';
import type { ShiftFact } from '../facts/shift.ts';
import { spreadOverHours } from './hours-worked.ts';
import { readMicroHours } from './money.ts';
import {
  businessDate,
  cutText,
  flag,
  instant,
  maybeCents,
  maybeGuid,
  maybeObject,
  ownGuid,
  type ReadAt,
  type Rejected,
  Rejection,
  readRecord,
  referenceGuid,
  type Source,
  sum,
  versionDate,
} from './source.ts';

/** The settings of a restaurant that determine the date of an entry and the cost of its overtime. */
export interface EntryPlace extends ReadAt {
  timeZone: string;
  closeoutHour: number;
  /** Decimal, at most 6 places. */
  overtimeMultiplier: number;
}

const MILLION = 1_000_000n;
const MILLION_SQUARED = MILLION * MILLION;
const LARGEST_PAY = 10n ** 13n;

/** The fact of one time entry, whose place in the body is `seq`; or why it cannot be read. */
export function entryFacts(entry: unknown, seq: number, restaurant: EntryPlace): ShiftFact | Rejected {
  return readRecord(entry, (source) => readEntry(source, seq, restaurant));
}

function readEntry(source: Source, seq: number, restaurant: EntryPlace): ShiftFact {
  const guid = ownGuid(source.guid, '');
  const date = businessDate(source.businessDate);
  const inAt = instant(source.inDate, '', 'inDate');
  const outAt = instant(source.outDate, '', 'outDate');
  const job = maybeObject(source.jobReference, '', 'jobReference');
  const employee = maybeObject(source.employeeReference, '', 'employeeReference');
  const regular = readHours(source.regularHours, 'regularHours');
  const overtime = readHours(source.overtimeHours, 'overtimeHours');
  const wage = maybeCents(source.hourlyWage, '', 'hourlyWage');
  if (inAt === undefined && date === undefined) throw new Rejection('/inDate', 'inDate is missing');
  // Without an inDate, all of it falls into the hour in which it ended.
  const from = inAt ?? outAt ?? 0;
  const microHours = regular + overtime;
  const pay = givenPay(source) ?? payOf(regular, overtime, wage ?? 0, restaurant.overtimeMultiplier);
  const payCents = pay.total;
  return {
    seq,
    entry_guid: guid,
    business_date: date ?? businessDateOf(inAt ?? 0, restaurant.timeZone, restaurant.closeoutHour),
    in_at: from,
    out_at: outAt ?? null,
    ...versionDate(source, restaurant),
    deleted: flag(source.deleted, '', 'deleted'),
    job_guid: referenceGuid(job, '', 'jobReference'),
    job_title: cutText(job?.title, '/jobReference', 'title'),
    job_code: cutText(job?.code, '/jobReference', 'code'),
    employee_guid: maybeGuid(employee, '/employeeReference'),
    employee_first: cutText(employee?.firstName, '/employeeReference', 'firstName'),
    employee_last: cutText(employee?.lastName, '/employeeReference', 'lastName'),
    employee_chosen: cutText(employee?.chosenName, '/employeeReference', 'chosenName'),
    hourly: wage !== undefined,
    micro_hours: microHours,
    pay_cents: payCents,
    overtime_micro: overtime,
    overtime_cents: pay.overtime,
    by_hour:
      outAt === undefined ? [] : spreadOverHours({ inAt: from, outAt, microHours, payCents }, restaurant.timeZone),
  };
}

function readHours(value: unknown, name: string): number {
  if (value === undefined || value === null) return 0;
  const hours = readMicroHours(value);
  if (hours === undefined || hours < 0) throw new Rejection(`/${name}`, `${name} must be a number from 0 to 1e9`);
  return hours;
}

/** The pay of an entry, and the part of it that is overtime, in cents. */
interface Pay {
  total: number;
  overtime: number;
}

/** regularPay + overtimePay if at least one of them is given. */
function givenPay(source: Source): Pay | undefined {
  const regular = maybeCents(source.regularPay, '', 'regularPay');
  const overtime = maybeCents(source.overtimePay, '', 'overtimePay');
  if (regular === undefined && overtime === undefined) return undefined;
  return { total: sum(regular ?? 0, overtime ?? 0, '/regularPay'), overtime: overtime ?? 0 };
}

/**
 * Pay from hours and a wage: both amounts are exact until rounded to cents once. Regular pay is the rest, so the parts
 * add up.
 */
function payOf(regular: number, overtime: number, wage: number, multiplier: number): Pay {
  const overtimeExact = BigInt(overtime) * BigInt(readMicroHours(multiplier) ?? 0) * BigInt(wage);
  const total = toCents(BigInt(regular) * MILLION * BigInt(wage) + overtimeExact);
  if (total > LARGEST_PAY || total < -LARGEST_PAY) throw new Rejection('/hourlyWage', 'the pay is more than 1e11');
  return { total: Number(total), overtime: Number(toCents(overtimeExact)) };
}

/** From micro-hours × millionths × cents an hour, half away from zero. */
function toCents(exact: bigint): bigint {
  const half = exact < 0n ? -MILLION_SQUARED / 2n : MILLION_SQUARED / 2n;
  return (exact + half) / MILLION_SQUARED;
}

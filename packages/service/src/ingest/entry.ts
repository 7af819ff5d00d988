/** One source time entry as a fact: docs/metrics.md#sales-metrics. Pure. */
import type { ShiftFact } from '../facts/facts.ts';
import { businessDateOf } from './clock.ts';
import { readMicroHours } from './money.ts';
import {
  businessDate,
  flag,
  instant,
  maybeCents,
  maybeObject,
  ownGuid,
  type Rejected,
  Rejection,
  readRecord,
  referenceGuid,
  type Source,
  sum,
  word,
} from './source.ts';
import { spreadOverHours } from './spread.ts';

/** What of a restaurant decides on which date an entry falls and what its overtime costs. */
export interface EntryPlace {
  timeZone: string;
  closeoutHour: number;
  /** Decimal, at most 6 places. */
  overtimeMultiplier: number;
}

const MILLION = 1_000_000n;
const MILLION_SQUARED = MILLION * MILLION;
const LARGEST_PAY = 10n ** 13n;

/** The fact of one time entry, `seq` being its place in the body; or why it cannot be read. */
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
  if (employee) word(employee.guid, '/employeeReference', 'guid');
  const regular = readHours(source.regularHours, 'regularHours');
  const overtime = readHours(source.overtimeHours, 'overtimeHours');
  const wage = maybeCents(source.hourlyWage, '', 'hourlyWage');
  if (inAt === undefined && date === undefined) throw new Rejection('/inDate', 'inDate is missing');
  // Without an inDate all of it falls into the hour in which it ended.
  const from = inAt ?? outAt ?? 0;
  const microHours = regular + overtime;
  const payCents = givenPay(source) ?? payOf(regular, overtime, wage ?? 0, restaurant.overtimeMultiplier);
  return {
    seq,
    entry_guid: guid,
    business_date: date ?? businessDateOf(inAt ?? 0, restaurant.timeZone, restaurant.closeoutHour),
    in_at: from,
    out_at: outAt ?? null,
    modified_at: instant(source.modifiedDate, '', 'modifiedDate') ?? 0,
    deleted: flag(source.deleted, '', 'deleted'),
    job_guid: referenceGuid(job, '', 'jobReference'),
    hourly: wage !== undefined,
    micro_hours: microHours,
    pay_cents: payCents,
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

/** regularPay + overtimePay where at least one of them is given. */
function givenPay(source: Source): number | undefined {
  const regular = maybeCents(source.regularPay, '', 'regularPay');
  const overtime = maybeCents(source.overtimePay, '', 'overtimePay');
  if (regular === undefined && overtime === undefined) return undefined;
  return sum(regular ?? 0, overtime ?? 0, '/regularPay');
}

/** Micro-hours × cents an hour, overtime × the multiplier too; exact, then rounded to cents once, half away from zero. */
function payOf(regular: number, overtime: number, wage: number, multiplier: number): number {
  const times = BigInt(readMicroHours(multiplier) ?? 0);
  const exact = (BigInt(regular) * MILLION + BigInt(overtime) * times) * BigInt(wage);
  const half = exact < 0n ? -MILLION_SQUARED / 2n : MILLION_SQUARED / 2n;
  const pay = (exact + half) / MILLION_SQUARED;
  if (pay > LARGEST_PAY || pay < -LARGEST_PAY) throw new Rejection('/hourlyWage', 'the pay is more than 1e11');
  return Number(pay);
}

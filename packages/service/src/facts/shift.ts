/** Time entries, as stored in the facts. */
import type { VersionDate } from './version-date.ts';

/** The part of a time entry that was worked in one local hour, 0 to 23. */
export interface WorkedHour {
  hour: number;
  micro_hours: number;
  pay_cents: number;
}

/** One line of `shifts.ndjson`: a time entry. */
export interface ShiftFact extends VersionDate {
  seq: number;
  entry_guid: string;
  business_date: number;
  in_at: number;
  /** null while the shift is open. */
  out_at: number | null;
  deleted: boolean;
  job_guid: string | null;
  /** Names in the entry itself, used if the reference data has none; the same goes for those of the employee. */
  job_title: string | null;
  job_code: string | null;
  employee_guid: string | null;
  employee_first: string | null;
  employee_last: string | null;
  employee_chosen: string | null;
  /** False without an hourlyWage: not an hourly job. */
  hourly: boolean;
  /** regularHours + overtimeHours in micro-hours. */
  micro_hours: number;
  /**
   * Pay of the whole entry with the restaurant's overtime multiplier, rounded to cents once
   * (docs/metrics.md#sales-metrics).
   */
  pay_cents: number;
  /** The part of `micro_hours` and of `pay_cents` that is overtime; the rest is regular. */
  overtime_micro: number;
  overtime_cents: number;
  /** Hours and pay by local hour, which add up to those of the entry. Empty until it has ended. */
  by_hour: WorkedHour[];
}

/** The place of a time entry in the order in which they are read. */
export interface EntryKey {
  business_date: number;
  in_at: number;
  entry_guid: string;
}

/** Which of the counting time entries of a restaurant to read (docs/metrics.md#labor). */
export interface EntryQuery {
  /** Business dates, inclusive. */
  from: number;
  to: number;
  /** Of all employees if undefined. */
  employee: string | undefined;
  /** Those after this place. */
  after: EntryKey | undefined;
  limit: number;
}

/** A time entry that counts, as it is read. */
export interface CountingEntry extends EntryKey {
  out_at: number;
  job_guid: string | null;
  /** That of the reference data, else of the entry. */
  job_title: string | null;
  employee_guid: string | null;
  regular_micro: number;
  overtime_micro: number;
  regular_cents: number;
  overtime_cents: number;
}

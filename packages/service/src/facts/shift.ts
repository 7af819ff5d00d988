/** Time entries as facts. */

/** What of a time entry was worked in one local clock hour, 0 to 23. */
export interface WorkedHour {
  hour: number;
  micro_hours: number;
  pay_cents: number;
}

/** One line of `shifts.ndjson`: a time entry. */
export interface ShiftFact {
  seq: number;
  entry_guid: string;
  business_date: number;
  in_at: number;
  /** null while the shift is open. */
  out_at: number | null;
  modified_at: number;
  deleted: boolean;
  job_guid: string | null;
  /** As the entry carries them, for what reference data has no name of; so are those of the employee. */
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
  /** Pay of the whole entry, rounded to cents once (docs/metrics.md#sales-metrics), with the restaurant's overtime multiplier. */
  pay_cents: number;
  /** The part of `micro_hours` and of `pay_cents` that is overtime; the rest is regular. */
  overtime_micro: number;
  overtime_cents: number;
  /** Hours and pay by local clock hour; they add up to the entry's. Empty unless it has ended. */
  by_hour: WorkedHour[];
}

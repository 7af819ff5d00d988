/** Time entries of an export in the format of labour APIs (docs/metrics.md#source-data). */

import type { GuidOf } from '../ingest/guids.ts';
import { personOf } from './cell-values.ts';
import type { CsvRow, CsvTable } from './csv-table.ts';
import type { ENTRY_COLUMNS } from './file-columns.ts';
import type { Tally } from './file-tally.ts';
import { isoInstant } from './times.ts';

type EntryTable = CsvTable<typeof ENTRY_COLUMNS>;
type EntryRow = CsvRow<typeof ENTRY_COLUMNS>;

export interface EntryRecord {
  row: EntryRow;
  source: Record<string, unknown>;
}

/** The entries that can be loaded; `date` (YYYYMMDD) is that of the folder. The others are noted in the tally. */
export function sourceEntries(table: EntryTable, tally: Tally, date: number, guidOf: GuidOf): EntryRecord[] {
  const kept = new Map<string, EntryRecord | undefined>();
  for (const row of table.rows) {
    const { guid: own, id } = row.values;
    const guid = own ?? (id === undefined ? undefined : guidOf('entry', id));
    const problem = row.problem ?? (guid === undefined ? 'GUID and Id are empty' : spanProblem(row));
    if (problem !== undefined) tally.refuse(row.line, problem);
    if (guid === undefined || problem !== undefined) continue;
    const before = kept.get(guid);
    if (!kept.has(guid)) {
      kept.set(guid, { row, source: sourceEntry(row, guid, date, guidOf) });
    } else if (before?.row.text === row.text) {
      tally.skip(row.line, 'the same row appears twice');
    } else {
      // It is unknown which of them is right.
      tally.refuse(row.line, 'another line has the same id and other values');
      if (before) tally.refuse(before.row.line, `line ${row.line} has the same id and other values`);
      kept.set(guid, undefined);
    }
  }
  return [...kept.values()].filter((entry) => entry !== undefined);
}

function spanProblem({ values }: EntryRow): string | undefined {
  const { in: start, out: end } = values;
  return start && end && end.again < start.at ? 'Out Date is before In Date' : undefined;
}

function sourceEntry({ values }: EntryRow, guid: string, date: number, guidOf: GuidOf): Record<string, unknown> {
  const { in: start, out: end, regularHours, overtimeHours, regularPay, overtimePay, wage } = values;
  const employee = values.employeeGuid ?? (values.employee && guidOf('employee', values.employee));
  const job = values.jobGuid ?? (values.job && guidOf('job', values.job));
  const person = values.employeeName;
  // Regular pay alone would leave the overtime unpaid, so the pay is then computed from the wage.
  const hasPay = regularPay !== undefined && (overtimePay !== undefined || !overtimeHours);
  return {
    guid,
    businessDate: date,
    ...(employee ? { employeeReference: { guid: employee, ...(person && personOf(person)) } } : {}),
    ...(job ? { jobReference: { guid: job, title: values.jobTitle, code: values.jobCode } } : {}),
    ...(start ? { inDate: isoInstant(start.at) } : {}),
    // In the hour that occurs twice: the first occurrence, unless the shift would then end before it began.
    ...(start && end ? { outDate: isoInstant(end.at < start.at ? end.again : end.at) } : {}),
    regularHours,
    overtimeHours,
    ...(wage === undefined ? {} : { hourlyWage: wage }),
    ...(hasPay ? { regularPay, overtimePay } : {}),
  };
}

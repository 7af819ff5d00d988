/** Finds the report request of a GUID, or throws the Problem that says why it cannot. */
import type { Caller } from '../access/caller.ts';
import { Problem } from '../contract/problems.ts';
import { readGuid, type TimeRange } from '../contract/words.ts';
import type { ReportFamily } from '../families/family.ts';
import type { Families } from '../families/index.ts';
import type { ReportLedger, ReportRequest } from '../ledger/report.ts';

export interface Wanted {
  /** Absent if any family is accepted. */
  family?: ReportFamily;
  /** Only on the deprecated path, which names a time range. */
  timeRange?: TimeRange;
}

/** The answer for a GUID of another group, and for one that never existed. */
export const unknownReport = (): Problem =>
  new Problem(
    'report_not_found',
    'No report request with this GUID: it is unknown, was removed, or belongs to another group.',
  );

/** The answer for a report of the caller's own group after DELETE; GET /reports/{guid} shows it as CANCELLED. */
export const discardedReport = (): Problem =>
  new Problem(
    'report_not_found',
    'This report request was cancelled or discarded by a DELETE. Create the report again.',
  );

/**
 * The report request, if the caller may see it (docs/contract.md#operations). A GUID of another group is answered
 * exactly like an unknown one. Throws a 404 Problem.
 */
export async function findReport(
  { ledger, families }: { ledger: ReportLedger; families: Families },
  caller: Caller,
  guidText: string,
  wanted: Wanted,
  now: number,
): Promise<ReportRequest> {
  const guid = readGuid(guidText);
  if (!guid)
    throw new Problem(
      'report_not_found',
      'This is not a reportRequestGuid: a GUID has the form 8-4-4-4-12 hexadecimal digits.',
    );
  const report = await ledger.report(guid);
  if (report?.group !== caller.group) throw unknownReport();
  if (report.state === 'cancelled') throw discardedReport();
  if (wanted.family && report.kind !== wanted.family.kind) {
    const { kind, path } = families.of(report.kind);
    throw new Problem(
      'report_of_another_kind',
      `This GUID belongs to a ${kind} report: retrieve it with GET ${path}/${guid}.`,
    );
  }
  if (wanted.timeRange && report.plan.span !== wanted.timeRange) {
    throw new Problem('report_not_found', `This GUID was not created for the time range ${wanted.timeRange}.`);
  }
  if (report.state === 'expired' || report.expiresAt <= now) {
    throw new Problem(
      'report_expired',
      `This reportRequestGuid expired at ${new Date(report.expiresAt).toISOString()}. Create the report again.`,
    );
  }
  return report;
}

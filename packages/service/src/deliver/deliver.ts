/** What a retrieval finds: the steps from a GUID to a ready report, or to the Problem that says why not. */
import type { Caller } from '../access/caller.ts';
import { readGuid, type TimeRange } from '../contract/words.ts';
import type { ReportFamily } from '../families/family.ts';
import type { Families } from '../families/index.ts';
import type { Signals } from '../gather/signals.ts';
import type { Ledger, ReportRequest } from '../ledger/ledger.ts';
import { Problem } from '../problems.ts';

export interface Wanted {
  /** Left out where any will do. */
  family?: ReportFamily;
  /** Only on the deprecated path. */
  timeRange?: TimeRange;
}

/** What another group's GUID, and one that never was, are answered with. */
export const unknownReport = (): Problem =>
  new Problem(
    'report_not_found',
    'No report request with this GUID: it is unknown, has been forgotten, or is not yours.',
  );

/** What a report of the caller's own group is answered with after DELETE: GET /reports/{guid} shows it as CANCELLED. */
export const discardedReport = (): Problem =>
  new Problem('report_not_found', 'This report request was cancelled or discarded by a DELETE; ask for a new one.');

/**
 * The report request, as far as the caller may know of it (CONTRACT 1.1, section 4). Another group's GUID is answered
 * exactly as an unknown one. Throws a 404 Problem.
 */
export async function findReport(
  { ledger, families }: { ledger: Ledger; families: Families },
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
      `This reportRequestGuid expired at ${new Date(report.expiresAt).toISOString()}; ask for a new one.`,
    );
  }
  return report;
}

/** How often a waiter asks whether it still waits for anybody. */
const GONE_MS = 1000;

const isUnfinished = ({ state }: ReportRequest): boolean => state === 'queued' || state === 'gathering';

/**
 * Waits until the report is completed or failed, for `waitMs` at the most, and answers it as it then stands.
 * Ends early when `gone` says that nobody waits any more.
 */
export async function awaitReport(
  deps: { ledger: Ledger; signals: Signals },
  report: ReportRequest,
  waitMs: number,
  gone: () => boolean,
): Promise<ReportRequest> {
  const until = performance.now() + waitMs;
  let current = report;
  // Looked at once more after listening began: a report completed in between is not missed. From then on whoever
  // moves it tells.
  let look = true;
  while (isUnfinished(current)) {
    const left = until - performance.now();
    if (left <= 0 || gone() || deps.signals.stopped()) break;
    const wait = deps.signals.wait(report.guid, Math.min(left, GONE_MS));
    if (look) current = (await deps.ledger.report(report.guid)) ?? current;
    if (!isUnfinished(current)) wait.end();
    look = await wait.told;
  }
  return current;
}

/** Between commas, and up to a semicolon; what stands in quotes is one piece. */
const PREFERENCES = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;
const PREFERENCE = /^(?:[^";]|"(?:[^"\\]|\\.)*"?)*/;

/**
 * How long to hold an answer, by `Prefer` (RFC 7240: `respond-async`, `wait=N` in seconds, at most 30). Of a preference
 * that is given twice the first counts, also where it cannot be read; parameters behind `;` belong to it alone.
 */
export function readPrefer(
  header: string | string[] | undefined,
  defaultSeconds: number,
): { seconds: number; applied?: string } {
  const given = new Map<string, string>();
  for (const piece of [header ?? ''].flat().join(',').match(PREFERENCES) ?? []) {
    const [name = '', value = ''] = (PREFERENCE.exec(piece)?.[0] ?? '').split(/=(.*)/s).map((part) => part.trim());
    if (!given.has(name.toLowerCase())) given.set(name.toLowerCase(), value.replace(/^"(.*)"$/s, '$1'));
  }
  const wait = /^\d+$/.exec(given.get('wait') ?? '')?.[0];
  // `respond-async` together with `wait=N` means: asynchronously, if it takes longer than N (RFC 7240 4.3).
  if (wait !== undefined) {
    const seconds = Math.min(Number(wait), 30);
    return { seconds, applied: `wait=${seconds}` };
  }
  if (given.get('respond-async') === '') return { seconds: 0, applied: 'respond-async' };
  return { seconds: defaultSeconds };
}

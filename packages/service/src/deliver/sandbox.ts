/** Reserved GUIDs that answer one status each (CONTRACT 3), so that a client's error handling can be tried. */
import { addDays, dateIn } from '../contract/dates.ts';
import type { TimeRange } from '../contract/words.ts';
import type { ReportFamily } from '../families/family.ts';
import { Problem } from '../problems.ts';

const RESERVED = /^00000000-0000-4000-8000-000000000(202|404|409|500|504)$/;

export type SandboxStatus = 202 | 404 | 409 | 500 | 504;

/** The status that a reserved GUID stands for. */
export function sandboxStatus(guid: string): SandboxStatus | undefined {
  const status = RESERVED.exec(guid)?.[1];
  return status === undefined ? undefined : (Number(status) as SandboxStatus);
}

/**
 * The problem of a reserved GUID; the replacement of the 409 is a create call that works, for the time range asked for:
 * the GUID that it answers is found where this one was.
 */
export function sandboxProblem(
  status: Exclude<SandboxStatus, 202>,
  { family, timeRange = 'day' }: { family: ReportFamily; timeRange?: TimeRange },
  base: string,
  now: number,
): Problem {
  switch (status) {
    case 404:
      return new Problem('report_not_found', 'Sandbox: this GUID always answers as an unknown one.');
    case 409: {
      // What a time range may cover is a maximum (CONTRACT 1.3), so one date will do for each.
      const date = String(addDays(dateIn('UTC', now), -1));
      const body = { [family.dates.start]: date, [family.dates.end]: date };
      return new Problem('report_failed', 'Sandbox: this GUID always asks for a new reportRequestGuid.', {
        replacement: { method: 'POST', path: `${base}${family.path}/${timeRange}`, body },
      });
    }
    case 500:
      return new Problem('internal_error', 'Sandbox: this GUID always answers as an unexpected internal error.');
    case 504:
      return new Problem('engine_timeout', 'Sandbox: this GUID always answers as if internal services took too long.');
  }
}

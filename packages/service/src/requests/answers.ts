/** The answers of a retrieval while there is nothing to send: docs/contract.md#operations. */
import type { FastifyReply } from 'fastify';
import { Problem } from '../contract/problems.ts';
import type { ReportRequest } from '../ledger/report.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The 202: exactly three fields (docs/contract.md#operations). */
export function inProgress(reply: FastifyReply, guid: string, retryAfterSeconds: number): FastifyReply {
  return reply.status(202).header('retry-after', retryAfterSeconds).type(JSON_TYPE).send({
    message: 'The data is still being gathered. Retry after the number of seconds in Retry-After.',
    reportStatus: 'IN_PROGRESS',
    reportRequestGuid: guid,
  });
}

/** The 409 for a report that failed, with the POST that creates it again. */
export function failed(report: ReportRequest, base: string): Problem {
  const failure = report.failure ?? { code: 'report_failed' as const, message: 'The request could not be processed.' };
  return new Problem(failure.code, failure.message, { replacement: replacementOf(report, base) });
}

/** The 409 for a report whose files are missing or damaged, with the POST that creates it again. */
export function lost(report: ReportRequest, base: string): Problem {
  const message = 'The stored report is missing or damaged and cannot be rendered again. Create the report again.';
  return new Problem('report_failed', message, { replacement: replacementOf(report, base) });
}

const replacementOf = ({ request }: ReportRequest, base: string) => ({
  method: 'POST',
  path: `${new URL(base).pathname}${request.path}`,
  body: request.body,
});

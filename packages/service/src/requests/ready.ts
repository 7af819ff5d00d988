/** Waits for the report that an operation reads, as a retrieval does. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import type { Estimates } from '../gather/estimate.ts';
import type { Signals } from '../gather/signals.ts';
import type { ReportLedger, ReportRequest } from '../ledger/report.ts';
import { failed, inProgress } from './answers.ts';
import { discardedReport } from './find.ts';
import { awaitReport, goneOf, readPrefer } from './wait.ts';

export interface ReadyDeps {
  access: Access;
  ledger: ReportLedger;
  signals: Signals;
  estimates: Estimates;
  config: { waitSeconds: number };
  /** The base URL that was called. */
  baseOf: (request: FastifyRequest) => string;
}

/** Reads `Prefer`, which the answer then names. Returns the most seconds to wait. */
export function applyPreference(request: FastifyRequest, reply: FastifyReply, defaultSeconds: number): number {
  const prefer = readPrefer(request.headers.prefer, defaultSeconds);
  if (prefer.applied) reply.header('preference-applied', prefer.applied);
  return prefer.seconds;
}

/**
 * Waits for the report as `Prefer` says, which the answer then names, and returns it in its state at that time. Throws
 * Problem
 * `token_invalid` once the call's token is revoked.
 */
export async function waitAsPreferred(
  deps: Pick<ReadyDeps, 'access' | 'ledger' | 'signals' | 'config'>,
  found: ReportRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ReportRequest> {
  const seconds = applyPreference(request, reply, deps.config.waitSeconds);
  return await awaitReport(deps, found, seconds * 1000, goneOf(deps.access, request));
}

/**
 * Waits for the report as `Prefer` says and returns it completed, or undefined after sending a 202. Throws the Problem
 * of a report that failed or was discarded.
 */
export async function readyReport(
  deps: ReadyDeps,
  found: ReportRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ReportRequest | undefined> {
  const report = await waitAsPreferred(deps, found, request, reply);
  if (report.state === 'failed') throw failed(report, deps.baseOf(request));
  if (report.state === 'cancelled') throw discardedReport();
  if (report.state === 'completed') return report;
  inProgress(reply, report.guid, await deps.estimates.retryAfter(report));
  return undefined;
}

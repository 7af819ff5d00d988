/** How long an answer is held, and the waiting itself. */
import type { FastifyRequest } from 'fastify';
import { type Access, bearerOf, tokenRefused } from '../access/access.ts';
import { invalidToken } from '../access/verified.ts';
import type { Signals } from '../gather/signals.ts';
import type { ReportLedger, ReportRequest } from '../ledger/report.ts';

/**
 * How often a waiter checks that its client is still connected and its token valid. A node learns of a revocation
 * within another second.
 */
const GONE_MS = 1000;

/** Whether it may still be completed. */
export const isUnfinished = ({ state }: ReportRequest): boolean => state === 'queued' || state === 'gathering';

/**
 * Waits until the report is completed or failed, at most `waitMs`, and returns it in its state at that time.
 * Ends early once `gone` resolves to true. Throws what `gone` throws.
 */
export async function awaitReport(
  deps: { ledger: ReportLedger; signals: Signals },
  report: ReportRequest,
  waitMs: number,
  gone: () => Promise<boolean>,
): Promise<ReportRequest> {
  const until = performance.now() + waitMs;
  let current = report;
  // Checked once more after listening began, so that a report completed in between is not missed. From then on every
  // change is notified.
  let look = true;
  while (isUnfinished(current)) {
    const left = until - performance.now();
    if (left <= 0 || deps.signals.stopped()) break;
    const wait = deps.signals.wait(report.guid, Math.min(left, GONE_MS));
    try {
      // Checked while listening, so that a notification that arrives meanwhile is not missed.
      if (await gone()) break;
      if (look) current = (await deps.ledger.report(report.guid)) ?? current;
      if (!isUnfinished(current)) break;
      look = await wait.notified;
    } finally {
      wait.end();
    }
  }
  return current;
}

/**
 * Returns a function that resolves to whether the client of a held call has disconnected. It throws Problem
 * `token_invalid` once the call's token is revoked: its bearer may no longer see the result.
 */
export function goneOf(access: Access, request: FastifyRequest): () => Promise<boolean> {
  const token = bearerOf(request.headers.authorization) ?? '';
  return async () => {
    if (request.raw.socket.destroyed) return true;
    if (await access.isRevoked(token))
      throw tokenRefused(access, request, invalidToken('revoked while its call was held'));
    return false;
  };
}

/** Preferences are separated by commas and end at a semicolon; text in quotes is one piece. */
const PREFERENCES = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;
const PREFERENCE = /^(?:[^";]|"(?:[^"\\]|\\.)*"?)*/;

/**
 * The preferences in `Prefer` (RFC 7240), by lower-case name. If one is given twice, the first counts, even if it
 * cannot be parsed. Parameters after `;` are ignored.
 */
export function readPreferences(header: string | string[] | undefined): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>();
  for (const piece of [header ?? ''].flat().join(',').match(PREFERENCES) ?? []) {
    const [name = '', value = ''] = (PREFERENCE.exec(piece)?.[0] ?? '').split(/=(.*)/s).map((part) => part.trim());
    if (!preferences.has(name.toLowerCase())) preferences.set(name.toLowerCase(), value.replace(/^"(.*)"$/s, '$1'));
  }
  return preferences;
}

/** How long to hold an answer, according to `Prefer`: `respond-async`, or `wait=N` in seconds, at most 30. */
export function readPrefer(
  header: string | string[] | undefined,
  defaultSeconds: number,
): { seconds: number; applied?: string } {
  const preferences = readPreferences(header);
  const wait = /^\d+$/.exec(preferences.get('wait') ?? '')?.[0];
  // `respond-async` together with `wait=N` means: asynchronously if it takes longer than N (RFC 7240 4.3).
  if (wait !== undefined) {
    const seconds = Math.min(Number(wait), 30);
    return { seconds, applied: `wait=${seconds}` };
  }
  if (preferences.get('respond-async') === '') return { seconds: 0, applied: 'respond-async' };
  return { seconds: defaultSeconds };
}

/** Queues a report request, for the create calls and the sandbox, in the lane of its expected cost. */
import { randomUUID } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import { datesIn } from '../contract/dates.ts';
import { DAY_MS } from '../contract/time.ts';
import type { Cause } from '../contract/trace.ts';
import type { Span } from '../contract/words.ts';
import type { ReportFamily } from '../families/family.ts';
import type { Signals } from '../gather/signals.ts';
import type { Worker } from '../gather/worker.ts';
import type { ClockLedger } from '../ledger/clock.ts';
import type { IdempotencyLedger, KeyUse } from '../ledger/idempotency-key.ts';
import type { ReportLane, ReportLedger, ReportPlan } from '../ledger/report.ts';
import type { RestaurantLedger } from '../ledger/restaurant.ts';
import { planReport, type ReportQuery } from './query.ts';

/** A report that is expected to take longer than this counts as long, so that short reports do not wait behind it. */
const SHORT_MS = 300;

/** The expected cost of a report: milliseconds, an integer. */
export function costOf(family: ReportFamily, plan: ReportPlan): number {
  return Math.ceil((plan.restaurantIds.length * datesIn(plan.startDate, plan.endDate) * family.cost(plan)) / 1000);
}

/** The lane of a report with this cost. */
export const laneOf = (cost: number): ReportLane => (cost <= SHORT_MS ? 'short' : 'long');

export interface AddDeps {
  ledger: ClockLedger & IdempotencyLedger & ReportLedger & RestaurantLedger;
  worker: Pick<Worker, 'wake' | 'name'>;
  signals: Pick<Signals, 'notify'>;
  clock: () => number;
  config: { reportDays: number };
}

/** A create call that has been read. */
export interface CreateCall {
  family: ReportFamily;
  span: Span;
  reportQuery: ReportQuery;
  /** As received, so that `replacement` repeats it. */
  query: Record<string, unknown>;
  body: unknown;
  caller: Caller;
  /** The call that requested the report, for the gather's log lines and traces; absent if no call did. */
  cause?: Cause;
  /** When its JSON is rendered; by default together with the report. */
  forms?: 'later' | undefined;
}

/**
 * Plans the report, stores it and wakes the worker. Returns its GUID; if another call with the same idempotency key was
 * faster,
 * `used` is that use of the key and nothing was added. Throws the Problems of `planReport`.
 */
export async function addReport(
  deps: AddDeps,
  { family, span, reportQuery, query, body, caller, cause, forms }: CreateCall,
  keyUse?: (guid: string, now: number) => KeyUse,
): Promise<{ guid: string; used: KeyUse | undefined }> {
  const now = await deps.ledger.now();
  // Reading all thousand restaurants of a group took 5 ms of the event loop even if the report names only one.
  const named = reportQuery.restaurantIds.size > 0 ? [...reportQuery.restaurantIds.keys()] : undefined;
  const plan = planReport(family, reportQuery, await deps.ledger.restaurantsOf(caller.group, named), now);
  const guid = randomUUID();
  const cost = costOf(family, plan);
  const used = await deps.ledger.addReport(
    {
      guid,
      group: caller.group,
      clientId: caller.clientId,
      kind: family.kind,
      plan: forms ? { ...plan, forms } : plan,
      request: { path: pathOf(family, span, query), body },
      dialect: caller.dialect,
      cost,
      lane: laneOf(cost),
      createdAt: now,
      expiresAt: now + deps.config.reportDays * DAY_MS,
      ...(cause ? { cause } : {}),
      queuedBy: deps.worker.name,
    },
    keyUse?.(guid, now),
  );
  if (!used) {
    deps.signals.notify(guid);
    deps.worker.wake();
  }
  return { guid, used };
}

/** The path of the POST that creates the report again, without the base. */
export function pathOf({ path }: ReportFamily, span: Span, query: Record<string, unknown>): string {
  const parameters = new URLSearchParams(query as Record<string, string>).toString();
  return `${path}${span === 'custom' ? '' : `/${span}`}${parameters ? `?${parameters}` : ''}`;
}

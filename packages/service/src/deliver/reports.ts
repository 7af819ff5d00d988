/** GET /reports/{guid} and /reports/{guid}/changes: what a report is, and why it differs from one made before. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Access, requireScope } from '../access/access.ts';
import { type Caller, callerOf } from '../access/caller.ts';
import { readGuid, SCOPE_READ } from '../contract/words.ts';
import type { Facts } from '../facts/facts.ts';
import { asProblem } from '../facts/problem.ts';
import { sameRequest } from '../gather/ask.ts';
import type { Estimates } from '../gather/estimate.ts';
import type { Signals } from '../gather/signals.ts';
import type { Ledger, ReportRequest } from '../ledger/ledger.ts';
import { fieldProblem, type Problem } from '../problems.ts';
import { failed, inProgress } from './answers.ts';
import { shownChanges, shownTotals, totalsChange } from './changes.ts';
import { awaitReport, findReport, readPrefer, unknownReport } from './deliver.ts';
import { describe, shownTime } from './description.ts';
import { getReport, getReportChanges } from './report-operations.ts';

export interface ReportDeps {
  ledger: Ledger;
  facts: Facts;
  access: Access;
  signals: Signals;
  estimates: Estimates;
  clock: () => number;
  config: { waitSeconds: number; answerSeconds: number };
  /** The base that was called. */
  baseOf: (request: FastifyRequest) => string;
}

/** Entries of each list on a page of changes. */
const PAGE = 100;
const LARGEST_PAGE = 1000;
const LARGEST_CURSOR = 1_000_000_000;

/** A whole number from the query. Throws a Problem that names the parameter. */
export function readWhole(query: Record<string, unknown>, name: string, most: number): number | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (typeof value !== 'string' || !/^\d+$/.test(value) || number > most) {
    throw fieldProblem('invalid_parameter', name, `${name} must be a whole number of at most ${most}`);
  }
  return number;
}

const incomparable = (message: string): Problem => fieldProblem('reports_not_comparable', 'since', message);

/** Mounts the routes under the base. */
export async function reportRoutes(app: FastifyInstance, deps: ReportDeps): Promise<void> {
  const { ledger, facts, config, clock } = deps;
  const onRequest = requireScope(deps.access, SCOPE_READ);

  const toTell = { onRequest, config: { operation: getReport } };
  app.get<{ Params: { guid: string } }>('/reports/:guid', toTell, async (request) => {
    const report = await ledger.report(readGuid(request.params.guid) ?? '');
    if (report?.group !== callerOf(request).group) throw unknownReport();
    return describe(report, clock());
  });

  /** The report that `since` names: completed, of the same request, made before. Throws a Problem that says what it is not. */
  async function findOlder(caller: Caller, report: ReportRequest, since: unknown): Promise<ReportRequest> {
    if (typeof since !== 'string' || !readGuid(since)) {
      throw fieldProblem('invalid_parameter', 'since', 'since must be the reportRequestGuid of an earlier report');
    }
    const older = await findReport(ledger, caller, since, {}, clock());
    if (!sameRequest(report, older))
      throw incomparable('the report that since names was not asked for in the same way');
    if (older.state !== 'completed') throw incomparable('the report that since names is not completed');
    if (older.load === null || report.load === null)
      throw incomparable('one of the reports was made before changes were kept');
    if (older.load > report.load || older.createdAt > report.createdAt) {
      throw incomparable('the report that since names was made later: ask the other way round');
    }
    return older;
  }

  const toCompare = { onRequest, config: { operation: getReportChanges } };
  app.get<{ Params: { guid: string } }>('/reports/:guid/changes', toCompare, async (request, reply) => {
    const query = request.query as Record<string, unknown>;
    const limit = readWhole(query, 'limit', LARGEST_PAGE) ?? PAGE;
    if (limit === 0) throw fieldProblem('invalid_parameter', 'limit', 'limit must be at least 1');
    const offset = readWhole(query, 'cursor', LARGEST_CURSOR) ?? 0;
    const caller = callerOf(request);
    const found = await findReport(ledger, caller, request.params.guid, {}, clock());
    const prefer = readPrefer(request.headers.prefer, config.waitSeconds);
    if (prefer.applied) reply.header('preference-applied', prefer.applied);
    const report = await awaitReport(deps, found, prefer.seconds * 1000, () => request.raw.socket.destroyed);
    if (report.state === 'failed') throw failed(report, deps.baseOf(request));
    if (report.state === 'cancelled') throw unknownReport();
    if (report.state !== 'completed') {
      return inProgress(reply, report.guid, await deps.estimates.retryAfter(report));
    }
    const older = await findOlder(caller, report, query.since);

    const changes = await facts
      .changes(
        {
          kind: report.kind,
          startDate: report.plan.startDate,
          endDate: report.plan.endDate,
          before: { load: older.load ?? 0, restaurants: await ledger.restaurantsById(older.plan.restaurantIds) },
          after: { load: report.load ?? 0, restaurants: await ledger.restaurantsById(report.plan.restaurantIds) },
          // One more than asked for tells whether there is another page.
          ...{ offset, limit: limit + 1 },
        },
        // Somebody waits for this one: it does not queue up behind gathers that are long.
        { deadlineMs: config.answerSeconds * 1000, lane: report.lane === 'short' ? 'short' : 'render' },
      )
      .catch((error: unknown) => {
        throw asProblem(error);
      });
    const lists = shownChanges(changes);
    const more = Object.values(lists).some((list) => list.length > limit);
    const before = older.totals ?? {};
    const after = report.totals ?? {};
    return {
      reportRequestGuid: report.guid,
      since: older.guid,
      asOf: shownTime(report.asOf),
      sinceAsOf: shownTime(older.asOf),
      controlTotals: { before: shownTotals(before), after: shownTotals(after), change: totalsChange(before, after) },
      checks: lists.checks.slice(0, limit),
      ...(report.kind === 'metrics'
        ? { orders: lists.orders.slice(0, limit), timeEntries: lists.timeEntries.slice(0, limit) }
        : {}),
      nextCursor: more ? String(offset + limit) : null,
    };
  });
}

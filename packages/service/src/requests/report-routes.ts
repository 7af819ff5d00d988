/** GET /reports/{guid} and /reports/{guid}/changes: the status of a report, and how it differs from an earlier one. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import { type Caller, callerOf } from '../access/caller.ts';
import { fieldProblem, Problem } from '../contract/problems.ts';
import { shownTime } from '../contract/time.ts';
import { readGuid } from '../contract/words.ts';
import type { Facts } from '../facts/facts.ts';
import type { Families } from '../families/index.ts';
import type { Estimates } from '../gather/estimate.ts';
import type { Signals } from '../gather/signals.ts';
import { queryOf } from '../http/query-parameters.ts';
import { asProblem } from '../http/store-problem.ts';
import type { FormLedger } from '../ledger/form.ts';
import type { ReportLedger, ReportRequest } from '../ledger/report.ts';
import type { RestaurantLedger } from '../ledger/restaurant.ts';
import { shownChanges, shownTotals, totalsChange } from './changes.ts';
import { findReport, unknownReport } from './find.ts';
import { sameRequest } from './query.ts';
import { readyReport } from './ready.ts';
import { changesCursor, entriesOnPage, getReport, getReportChanges, sinceReport } from './report-operations.ts';
import { describe, shownFiles } from './status.ts';
import { isUnfinished } from './wait.ts';

interface ReportDeps {
  ledger: ReportLedger & RestaurantLedger & FormLedger;
  facts: Facts;
  access: Access;
  signals: Signals;
  estimates: Estimates;
  families: Families;
  clock: () => number;
  config: { waitSeconds: number; answerSeconds: number };
  /** The base URL that was called. */
  baseOf: (request: FastifyRequest) => string;
}

/** Entries of each list on a page of changes, by default. */
const PAGE = 100;

const MADE_LATER = 'the report in since is the later one: swap the two';
const NOT_COMPLETED = 'the report in since is not completed';
const incomparable = (message: string): Problem => fieldProblem('reports_not_comparable', 'since', message);

/**
 * The snapshots of two reports. Throws a Problem if the older is not completed, or the snapshots cannot be compared.
 */
function requireComparable(facts: Facts, older: ReportRequest, newer: ReportRequest): { from: string; to: string } {
  if (older.state !== 'completed') throw incomparable(NOT_COMPLETED);
  const [from, to] = [older.snapshot, newer.snapshot];
  if (from === null || to === null) throw incomparable('one of the reports was created before changes were recorded');
  if (!facts.covers(to, from)) throw incomparable(MADE_LATER);
  return { from, to };
}

/**
 * The report that `since` names: an earlier one with the same request. Throws a Problem that names `since` and says
 * what is wrong with it, even while the newer report is still being gathered: waiting cannot help.
 */
async function findOlder(
  deps: ReportDeps,
  caller: Caller,
  report: ReportRequest,
  since: string,
): Promise<ReportRequest> {
  const { families, clock } = deps;
  const older = await findReport(deps, caller, since, {}, clock()).catch((error: unknown) => {
    // The call has two GUIDs, so the message names the parameter.
    if (error instanceof Problem) throw fieldProblem(error.code, 'since', `since: ${error.message}`);
    throw error;
  });
  if (older.guid === report.guid) throw incomparable('since names the same report: it must be an earlier one');
  if (!sameRequest(families, report, older)) throw incomparable('the report in since has another request');
  if (older.createdAt > report.createdAt) throw incomparable(MADE_LATER);
  if (older.state === 'failed') throw incomparable(NOT_COMPLETED);
  return older;
}

/** Mounts the routes under the base. */
export async function reportRoutes(app: FastifyInstance, deps: ReportDeps): Promise<void> {
  const { ledger, facts, families, config, clock } = deps;

  const toDescribe = { config: { operation: getReport } };
  app.get<{ Params: { guid: string } }>('/reports/:guid', toDescribe, async (request) => {
    const guid = readGuid(request.params.guid) ?? '';
    const known = await ledger.report(guid);
    // A client that another node has answered with the records must not hear that they are still gathered.
    const report = known && isUnfinished(known) ? await ledger.currentReport(guid) : known;
    const { group, dialect } = callerOf(request);
    if (report?.group !== group) throw unknownReport();
    const described = describe(families, report, clock(), dialect);
    const forms = described.status === 'COMPLETED' ? await ledger.forms(report.guid, report.attempt) : [];
    return { ...described, files: shownFiles(forms, dialect) };
  });

  const toCompare = { config: { operation: getReportChanges } };
  app.get<{ Params: { guid: string } }>('/reports/:guid/changes', toCompare, async (request, reply) => {
    const query = queryOf(request);
    const limit = entriesOnPage.read(query) ?? PAGE;
    const offset = changesCursor.read(query) ?? 0;
    const caller = callerOf(request);
    const found = await findReport(deps, caller, request.params.guid, {}, clock());
    const since = sinceReport.read(query);
    await findOlder(deps, caller, found, since);
    const report = await readyReport(deps, found, request, reply);
    if (!report) return reply;
    // Read again: it may have been completed or discarded in the meantime.
    const older = await findOlder(deps, caller, report, since);
    const { from, to } = requireComparable(facts, older, report);

    const family = families.of(report.kind);
    const changes = await facts
      .changes(
        {
          kind: report.kind,
          startDate: report.plan.startDate,
          endDate: report.plan.endDate,
          before: { snapshot: from, restaurants: await ledger.restaurantsById(older.plan.restaurantIds) },
          after: { snapshot: to, restaurants: await ledger.restaurantsById(report.plan.restaurantIds) },
          // One more than requested shows whether there is another page.
          offset,
          limit: limit + 1,
        },
        // A caller waits for this, so it does not queue behind long gathers.
        { deadlineMs: config.answerSeconds * 1000, lane: report.lane === 'short' ? 'short' : 'render' },
      )
      .catch((error: unknown) => {
        throw asProblem(error);
      });
    const { dialect } = caller;
    const lists = shownChanges(family, changes, dialect);
    const more = Object.values(lists).some((list) => list.length > limit);
    const before = older.totals ?? [];
    const after = report.totals ?? [];
    return {
      reportRequestGuid: report.guid,
      since: older.guid,
      asOf: shownTime(report.asOf),
      sinceAsOf: shownTime(older.asOf),
      controlTotals: {
        before: shownTotals(family, before, dialect),
        after: shownTotals(family, after, dialect),
        change: totalsChange(family, before, after, dialect),
      },
      ...Object.fromEntries(family.changes.map((list) => [list, lists[list].slice(0, limit)])),
      nextCursor: more ? String(offset + limit) : null,
    };
  });
}

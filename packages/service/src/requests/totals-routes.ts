/** GET /reports/{guid}/totals: sums over the rows of a report, from its snapshot. */
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { fieldProblem } from '../contract/problems.ts';
import { shownTime } from '../contract/time.ts';
import type { Facts } from '../facts/facts.ts';
import type { TotalsRow } from '../facts/report.ts';
import type { Families } from '../families/index.ts';
import { etagOfAll, sendTagged } from '../http/conditional.ts';
import { codedText } from '../http/content-coding.ts';
import { asProblem } from '../http/store-problem.ts';
import type { ReportRequest } from '../ledger/report.ts';
import type { Forms } from '../results/forms.ts';
import { ReportLost } from '../results/rows.ts';
import { lost } from './answers.ts';
import { findReport } from './find.ts';
import { type ReadyDeps, readyReport } from './ready.ts';
import { MOST_TOTALS, readTotalsRequest, shownTotalsRows, type TotalsRequest, totalsQuery } from './totals.ts';
import { getReportTotals } from './totals-operations.ts';

interface TotalsDeps extends ReadyDeps {
  facts: Facts;
  forms: Forms;
  families: Families;
  clock: () => number;
  config: { waitSeconds: number; answerSeconds: number };
}

/** Snapshots up to this size take some 20 ms; larger ones are processed one at a time. */
const LARGE_BYTES = 1024 * 1024;

/** Mounts the route under the base. */
export async function totalsRoutes(app: FastifyInstance, deps: TotalsDeps): Promise<void> {
  const { facts, forms, families, clock, config } = deps;

  async function rowsOf(report: ReportRequest, ask: TotalsRequest): Promise<TotalsRow[]> {
    const { path, bytes } = await forms.snapshot(report);
    const lane = bytes > LARGE_BYTES ? 'render' : 'quick';
    const query = totalsQuery(families.of(report.kind), report, ask);
    const rows = await facts.totals(path, query, { deadlineMs: config.answerSeconds * 1000, lane });
    if (rows.length <= MOST_TOTALS) return rows;
    const message = `the totals by ${ask.by.join(' and ')} have more than ${MOST_TOTALS} rows; use fewer or other values`;
    throw fieldProblem('too_many_rows', 'by', message);
  }

  const options = { config: { operation: getReportTotals(families) } };
  app.get<{ Params: { guid: string } }>('/reports/:guid/totals', options, async (request, reply) => {
    const caller = callerOf(request);
    const { guid } = request.params;
    const found = await findReport(deps, caller, guid, {}, clock());
    const family = families.of(found.kind);
    const { dialect } = caller;
    const ask = readTotalsRequest(request.query as Record<string, unknown>, family, found, dialect);
    const { by } = ask;
    const report = await readyReport(deps, found, request, reply);
    if (!report) return reply;
    // A report over several currencies, made before totals were kept by currency: the currency of its rows is unknown.
    if (report.totals === null) throw lost(report, deps.baseOf(request));
    const etag = etagOfAll(report.guid, report.attempt, ask, dialect);
    return sendTagged(request, reply, etag, async () => {
      try {
        const rows = shownTotalsRows(family, report, { ...ask, dialect, rows: await rowsOf(report, ask) });
        return codedText(JSON.stringify({ reportRequestGuid: report.guid, asOf: shownTime(report.asOf), by, rows }));
      } catch (error) {
        // If it was deleted or expired meanwhile, its files may be gone: the answer is then the 404.
        await findReport(deps, caller, guid, {}, clock());
        throw error instanceof ReportLost ? lost(report, deps.baseOf(request)) : asProblem(error);
      }
    });
  });
}

/** GET /reports and DELETE /reports/{guid}: the reports of a management group. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { readGuid } from '../contract/words.ts';
import type { Families } from '../families/index.ts';
import type { Signals } from '../gather/signals.ts';
import type { Worker } from '../gather/worker.ts';
import { clientParameter, queryOf } from '../http/query-parameters.ts';
import type { FormLedger } from '../ledger/form.ts';
import type { ReportLedger, ReportPage } from '../ledger/report.ts';
import { removeForms } from '../results/forms.ts';
import type { Results } from '../results/results.ts';
import { isDiskFull } from '../storage/disk-fault.ts';
import { unknownReport } from './find.ts';
import { cursorOf, pageCursor } from './report-cursor.ts';
import { deleteReport, kindOnly, listReports, reportsOnPage, statusOnly } from './report-operations.ts';
import { describe, STATUS } from './status.ts';

interface ManageDeps {
  ledger: ReportLedger & FormLedger;
  results: Results;
  worker: Worker;
  signals: Signals;
  families: Families;
  clock: () => number;
}

const PAGE = 20;
/** Reads the query of the list. Throws a Problem that names the parameter. */
function readPage(query: Record<string, unknown>, kinds: readonly string[], now: number): ReportPage {
  const limit = reportsOnPage.read(query) ?? PAGE;
  const status = statusOnly.read(query);
  const states = (Object.keys(STATUS) as (keyof typeof STATUS)[]).filter((state) => STATUS[state] === status);
  return {
    limit,
    now,
    after: pageCursor.read(query),
    kind: kindOnly(kinds).read(query),
    clientId: clientParameter.read(query),
    states: status === undefined ? undefined : states,
  };
}

/** Mounts the routes under the base. */
export async function manageRoutes(app: FastifyInstance, deps: ManageDeps): Promise<void> {
  const { ledger, results, worker, signals, families, clock } = deps;

  app.get('/reports', { config: { operation: listReports(families) } }, async (request) => {
    const page = readPage(queryOf(request), families.kinds, clock());
    // One more than requested shows whether there is another page.
    const { group, dialect } = callerOf(request);
    const found = await ledger.reportsOf(group, { ...page, limit: page.limit + 1 });
    const reports = found.slice(0, page.limit);
    const last = found.length > page.limit ? reports.at(-1) : undefined;
    const shown = reports.map((report) => describe(families, report, page.now, dialect));
    return { reports: shown, nextCursor: last ? cursorOf(last) : null };
  });

  app.delete<{ Params: { guid: string } }>(
    '/reports/:guid',
    { config: { operation: deleteReport } },
    async (request, reply): Promise<FastifyReply> => {
      const report = await ledger.report(readGuid(request.params.guid) ?? '');
      if (report?.group !== callerOf(request).group) throw unknownReport();
      const cancel = () => ledger.cancelReport(report.guid);
      const cancelled = await cancel().catch(async (error: unknown) => {
        if (!isDiskFull(error)) throw error;
        // If even the reserve was not enough, deleting the report's files makes room.
        await removeForms({ ledger, results }, [report.guid]);
        return await cancel();
      });
      if (cancelled) {
        signals.notify(report.guid);
        await worker.cancel(report.guid);
      }
      // Also when the call is repeated: the first call may have been interrupted before this step.
      await removeForms({ ledger, results }, [report.guid]);
      return reply.status(204).send();
    },
  );
}

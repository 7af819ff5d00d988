/** The queue, for estimates of the wait: rows, statements, methods. */
import type { QueuedReport, QueueLedger, ReportSize } from '../queue.ts';
import type { ReportState } from '../report.ts';
import type { Statements } from './statements.ts';

interface SizeRow {
  kind: string;
  span: ReportSize['span'];
  aggregate: ReportSize['aggregate'];
  start_date: number;
  end_date: number;
  restaurants: number;
}

export interface QueueQueries {
  gatherTimes(of: { limit: number }): (SizeRow & { ms: number })[];
  queuedReports(of: { limit: number }): (SizeRow & Pick<QueuedReport, 'guid' | 'group' | 'lane'>)[];
  reportCounts(): { state: ReportState; reports: number }[];
  oldestQueuedAt(): { queued_at: number | null } | undefined;
}

const sizeOf = (row: SizeRow): ReportSize => ({
  kind: row.kind,
  span: row.span,
  aggregate: row.aggregate,
  startDate: row.start_date,
  endDate: row.end_date,
  restaurants: row.restaurants,
});

export function queueMethods(sql: Statements<QueueQueries>) {
  const reads = {
    async gatherTimes(limit) {
      return (await sql.gatherTimes({ limit })).map((row) => ({ ...sizeOf(row), ms: row.ms }));
    },
    async queuedReports(limit) {
      const rows = await sql.queuedReports({ limit });
      return rows.map((row) => ({ ...sizeOf(row), guid: row.guid, group: row.group, lane: row.lane }));
    },
    async reportCounts() {
      return Object.fromEntries((await sql.reportCounts()).map(({ state, reports }) => [state, reports]));
    },
    async oldestQueuedAt() {
      return (await sql.oldestQueuedAt())?.queued_at ?? null;
    },
  } satisfies QueueLedger;
  return { reads, changes: {} };
}

/** The queue of the SQLite ledger, as those who wait see it. */
import type { QueuedReport, QueueLedger, ReportSize } from '../queue.ts';
import type { ReportState } from '../report.ts';
import { type Connection, openQueries } from './queries.ts';

interface SizeRow {
  kind: string;
  span: ReportSize['span'];
  aggregate: ReportSize['aggregate'];
  start_date: number;
  end_date: number;
  restaurants: number;
}

interface QueueQueries {
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

export function queueLedger(connection: Connection) {
  const sql = openQueries<QueueQueries>(new URL('./queue.sql', import.meta.url), connection);
  const reads = {
    async gatherTimes(limit) {
      return sql.gatherTimes({ limit }).map((row) => ({ ...sizeOf(row), ms: row.ms }));
    },
    async queuedReports(limit) {
      const rows = sql.queuedReports({ limit });
      return rows.map((row) => ({ ...sizeOf(row), guid: row.guid, group: row.group, lane: row.lane }));
    },
    async reportCounts() {
      return Object.fromEntries(sql.reportCounts().map(({ state, reports }) => [state, reports]));
    },
    async oldestQueuedAt() {
      return sql.oldestQueuedAt()?.queued_at ?? null;
    },
  } satisfies QueueLedger;
  return { reads, changes: {} };
}

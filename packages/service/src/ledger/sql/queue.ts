/** The queue in SQL, for estimates of the wait. */
import type { QueuedReport, QueueLedger, ReportSize } from '../queue.ts';
import type { ReportState } from '../report.ts';
import { columns } from './columns.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

const SIZE = {
  kind: 'kind',
  span: 'span',
  aggregate: 'aggregate',
  startDate: 'start_date',
  endDate: 'end_date',
  restaurants: 'restaurants',
} as const;
const times = columns<ReportSize & { ms: number }>({ ...SIZE, ms: 'ms' });
const queued = columns<QueuedReport>({ ...SIZE, guid: 'guid', group: 'group', lane: 'lane' });

const queries = loadQueries<{
  gatherTimes(of: { limit: number }): Row[];
  queuedReports(of: { limit: number }): Row[];
  reportCounts(): { state: ReportState; reports: number }[];
  oldestQueuedAt(): { queued_at: number | null } | undefined;
}>(new URL('./queue.sql', import.meta.url));

export function queueLedger(sql: Sql): QueueLedger {
  const query = queries(sql);
  return {
    async gatherTimes(limit) {
      return (await query.gatherTimes({ limit })).map(times.read);
    },
    async queuedReports(limit) {
      return (await query.queuedReports({ limit })).map(queued.read);
    },
    async reportCounts() {
      return Object.fromEntries((await query.reportCounts()).map(({ state, reports }) => [state, reports]));
    },
    async oldestQueuedAt() {
      return (await query.oldestQueuedAt())?.queued_at ?? null;
    },
  };
}

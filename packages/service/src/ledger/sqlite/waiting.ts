/** What those who wait for reports ask of the SQLite ledger. */
import type { StatementSync } from 'node:sqlite';
import type { Ledger } from '../ledger.ts';
import type { QueuedReport, ReportSize } from '../queue.ts';
import type { ReportRequest } from '../report.ts';

interface SizeRow {
  kind: ReportSize['kind'];
  span: ReportSize['span'];
  aggregate: ReportSize['aggregate'];
  start_date: number;
  end_date: number;
  restaurants: number;
}

const sizeOf = (row: SizeRow): ReportSize => ({
  kind: row.kind,
  span: row.span,
  aggregate: row.aggregate,
  startDate: row.start_date,
  endDate: row.end_date,
  restaurants: row.restaurants,
});

export function waitingOf(
  statement: (name: string) => StatementSync,
): Pick<Ledger, 'reportStates' | 'gatherTimes' | 'queuedReports'> {
  return {
    async reportStates(guids) {
      const rows = statement('reportStates').all({ guids: JSON.stringify(guids) });
      return rows.map((row) => ({
        guid: String(row.guid),
        state: row.state as ReportRequest['state'],
        attempt: Number(row.attempt),
      }));
    },
    async gatherTimes(limit) {
      const rows = statement('gatherTimes').all({ limit }) as unknown as (SizeRow & { ms: number })[];
      return rows.map((row) => ({ ...sizeOf(row), ms: row.ms }));
    },
    async queuedReports(limit) {
      const rows = statement('queuedReports').all({ limit }) as unknown as (SizeRow &
        Omit<QueuedReport, keyof ReportSize>)[];
      return rows.map((row) => ({ ...sizeOf(row), guid: row.guid, group: row.group, lane: row.lane }));
    },
  };
}

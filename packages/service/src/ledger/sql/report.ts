/** The report requests: rows, statements, methods. */
import type { Aggregate, Dialect, Span } from '../../contract/words.ts';
import type { ReportLane, ReportLedger, ReportRequest, ReportState } from '../report.ts';
import type { Statements } from './statements.ts';

export interface ReportRow {
  guid: string;
  management_group: string;
  client_id: string;
  kind: string;
  plan: string;
  asked: string;
  dialect: Dialect;
  cost: number;
  lane: ReportLane;
  state: ReportState;
  attempt: number;
  worker: string | null;
  lease_until: number | null;
  created_at: number;
  queued_at: number;
  completed_at: number | null;
  expires_at: number;
  as_of: number | null;
  row_count: number | null;
  byte_count: number | null;
  snapshot: string | null;
  totals: string | null;
  incomplete: string | null;
  dayparts: string | null;
  digests: string | null;
  failure: string | null;
  request_id: string | null;
  traceparent: string | null;
}

export interface ReportQueries {
  addReport(report: {
    guid: string;
    group: string;
    clientId: string;
    kind: string;
    plan: string;
    span: Span;
    aggregate: Aggregate;
    startDate: number;
    endDate: number;
    restaurants: number;
    asked: string;
    dialect: Dialect;
    cost: number;
    lane: ReportLane;
    createdAt: number;
    expiresAt: number;
    requestId: string | null;
    traceparent: string | null;
  }): number;
  addTurn(of: { group: string; lane: ReportLane }): number;
  report(of: { guid: string }): ReportRow | undefined;
  reportsOf(page: {
    group: string;
    limit: number;
    now: number;
    kind: string | null;
    clientId: string | null;
    /** JSON array. */
    states: string | null;
    createdAt: number;
    guid: string;
  }): ReportRow[];
  /** `guids`: JSON array. */
  reportStates(of: { guids: string }): { guid: string; state: ReportState; attempt: number }[];
  cancelReport(of: { guid: string }): number;
  expireReports(of: { now: number }): { guid: string; attempt: number }[];
  forgetReports(of: { expiredBefore: number }): number;
}

export const reportOf = (row: ReportRow): ReportRequest => ({
  guid: row.guid,
  group: row.management_group,
  clientId: row.client_id,
  kind: row.kind,
  plan: JSON.parse(row.plan),
  asked: JSON.parse(row.asked),
  dialect: row.dialect,
  cost: row.cost,
  lane: row.lane,
  state: row.state,
  attempt: row.attempt,
  worker: row.worker,
  leaseUntil: row.lease_until,
  createdAt: row.created_at,
  queuedAt: row.queued_at,
  completedAt: row.completed_at,
  expiresAt: row.expires_at,
  asOf: row.as_of,
  rows: row.row_count,
  bytes: row.byte_count === 0 ? null : row.byte_count,
  snapshot: row.snapshot,
  totals: row.totals === null ? null : JSON.parse(row.totals),
  incomplete: row.incomplete === null ? null : JSON.parse(row.incomplete),
  dayparts: row.dayparts === null ? null : JSON.parse(row.dayparts),
  digests: row.digests === null ? null : JSON.parse(row.digests),
  failure: row.failure === null ? null : JSON.parse(row.failure),
  cause:
    row.request_id === null || row.traceparent === null
      ? null
      : { requestId: row.request_id, traceparent: row.traceparent },
});

/** What `addReport` writes. */
export function reportValues({
  plan,
  asked,
  cause,
  ...report
}: Parameters<ReportLedger['addReport']>[0]): Parameters<ReportQueries['addReport']>[0] {
  const { guid, group, clientId, kind, dialect, cost, lane, createdAt, expiresAt } = report;
  return {
    ...{ guid, group, clientId, kind, dialect, cost, lane, createdAt, expiresAt },
    plan: JSON.stringify(plan),
    ...{ span: plan.span, aggregate: plan.aggregate, startDate: plan.startDate, endDate: plan.endDate },
    restaurants: plan.restaurantIds.length,
    asked: JSON.stringify(asked),
    requestId: cause?.requestId ?? null,
    traceparent: cause?.traceparent ?? null,
  };
}

/** The methods that are one statement in every form of the ledger, by whether they change anything. */
export function reportMethods(sql: Statements<Omit<ReportQueries, 'addReport' | 'addTurn'>>) {
  const reads = {
    async reportsOf(group, { limit, now, after, kind, clientId, states }) {
      const rows = await sql.reportsOf({
        ...{ group, limit, now, kind: kind ?? null, clientId: clientId ?? null },
        ...{ states: states ? JSON.stringify(states) : null },
        createdAt: after?.createdAt ?? Number.MAX_SAFE_INTEGER,
        guid: after?.guid ?? '',
      });
      return rows.map(reportOf);
    },
    async reportStates(guids) {
      const rows = await sql.reportStates({ guids: JSON.stringify(guids) });
      return rows.map(({ guid, state, attempt }) => ({ guid, state, attempt }));
    },
  } satisfies Partial<ReportLedger>;
  const changes = {
    async cancelReport(guid) {
      return (await sql.cancelReport({ guid })) === 1;
    },
    async expireReports(now) {
      return (await sql.expireReports({ now })).map(({ guid, attempt }) => ({ guid, attempt }));
    },
    async forgetReports(expiredBefore) {
      return await sql.forgetReports({ expiredBefore });
    },
  } satisfies Partial<ReportLedger>;
  return { reads, changes };
}

/** The report requests in SQL. */
import type { ReportLedger, ReportRequest } from '../report.ts';
import { type Column, columns, json } from './columns.ts';
import { takeKey } from './idempotency-key.ts';
import type { RowCache } from './row-cache.ts';
import { loadQueries, type Row, type Sql, type Values } from './statements.ts';

interface ReportRow extends Omit<ReportRequest, 'cause'> {
  /** The cause; null, like the next one, if an older version made the report. */
  requestId: string | null;
  traceparent: string | null;
}

/** The column is not null for a completed report; 0 stands for null, since no JSON has 0 bytes. */
const byteCount: Column = {
  name: 'byte_count',
  read: (bytes) => (bytes === 0 ? null : bytes),
  write: (bytes) => bytes ?? 0,
};

export const reportColumns = columns<ReportRow>({
  guid: 'guid',
  group: 'management_group',
  clientId: 'client_id',
  kind: 'kind',
  plan: json('plan'),
  request: json('asked'),
  dialect: 'dialect',
  cost: 'cost',
  lane: 'lane',
  state: 'state',
  attempt: 'attempt',
  worker: 'worker',
  leaseUntil: 'lease_until',
  createdAt: 'created_at',
  queuedAt: 'queued_at',
  completedAt: 'completed_at',
  expiresAt: 'expires_at',
  asOf: 'as_of',
  rows: 'row_count',
  bytes: byteCount,
  snapshot: 'snapshot',
  totals: json('totals'),
  incomplete: json('incomplete'),
  dayparts: json('dayparts'),
  digests: json('digests'),
  failure: json('failure'),
  requestId: 'request_id',
  traceparent: 'traceparent',
});

const attempts = columns<Pick<ReportRequest, 'guid' | 'attempt'>>({ guid: 'guid', attempt: 'attempt' });
const states = columns<Pick<ReportRequest, 'guid' | 'state' | 'attempt'>>({
  guid: 'guid',
  state: 'state',
  attempt: 'attempt',
});

const queries = loadQueries<{
  report(of: { guid: string }): Row | undefined;
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
  }): Row[];
  /** `guids`: JSON array. */
  reportStates(of: { guids: string }): Row[];
  cancelReport(of: { guid: string }): number;
  expireReports(of: { now: number }): Row[];
  forgetReports(of: { expiredBefore: number }): number;
}>(new URL('./report.sql', import.meta.url));

/** The report in a row of all columns. Throws Error if the row lacks one. */
export function reportOf(row: Row): ReportRequest {
  const { requestId, traceparent, ...report } = reportColumns.read(row);
  return { ...report, cause: requestId === null || traceparent === null ? null : { requestId, traceparent } };
}

/** The values of all columns of a new report, and `restaurants` and `queuedBy`. */
function valuesOf({ plan, cause, queuedBy, ...report }: Parameters<ReportLedger['addReport']>[0]): Values {
  const { span, aggregate, startDate, endDate, restaurantIds } = plan;
  const { requestId = null, traceparent = null } = cause ?? {};
  const values = reportColumns.values({ ...report, plan, requestId, traceparent });
  return {
    ...values,
    span,
    aggregate,
    startDate,
    endDate,
    restaurants: restaurantIds.length,
    queuedBy: queuedBy ?? null,
  };
}

/** `enqueue` adds a report with these values where it waits for its turn, within a transaction or in one of its own. */
export function reportLedger(
  sql: Sql,
  cache: RowCache,
  enqueue: (sql: Sql, values: Values) => Promise<void>,
): ReportLedger {
  const query = queries(sql);
  const report = (guid: string): Promise<ReportRequest | undefined> =>
    cache.reports.getOrLoad(guid, async () => {
      const row = await query.report({ guid });
      return row && reportOf(row);
    });
  const expire = async (now: number) => (await query.expireReports({ now })).map(attempts.read);
  return {
    async addReport(added, use) {
      const values = valuesOf(added);
      if (!use) {
        await enqueue(sql, values);
        return undefined;
      }
      return await sql.transaction(async (inner) => {
        const used = await takeKey(inner, use, added.createdAt);
        if (!used) await enqueue(inner, values);
        return used;
      });
    },
    report,
    async currentReport(guid) {
      cache.reports.drop(guid);
      return await report(guid);
    },
    async reportsOf(group, { limit, now, after, kind = null, clientId = null, states: of }) {
      const { createdAt = Number.MAX_SAFE_INTEGER, guid = '' } = after ?? {};
      const page = { group, limit, now, kind, clientId, states: of ? JSON.stringify(of) : null, createdAt, guid };
      return (await query.reportsOf(page)).map(reportOf);
    },
    async cancelReport(guid) {
      return (await cache.reports.changing(guid, query.cancelReport({ guid }))) === 1;
    },
    expireReports: (now) => cache.reports.changingSome(expire(now), (expired) => expired.map(({ guid }) => guid)),
    forgetReports: (expiredBefore) =>
      cache.reports.changingSome(query.forgetReports({ expiredBefore }), (forgotten) => (forgotten > 0 ? 'all' : [])),
    async reportStates(guids) {
      return (await query.reportStates({ guids: JSON.stringify(guids) })).map(states.read);
    },
  };
}

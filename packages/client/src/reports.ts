/** Reports of any family by their GUID. */
import { type Call, poll } from './calls.ts';
import type { EventCalls, ReportEvent } from './events.ts';
import { type JsonCalls, readJson } from './json.ts';
import { openScope } from './scope.ts';
import type { CallOptions, ReportStatus, ReportTotals, TotalsQuery, TotalsRow, WaitOptions } from './types.ts';

/** Reports of any family. Only a Daypart service has these calls; the live system answers NotFoundError. */
export interface ReportsResource {
  /** GET /reports/{guid}. */
  status(guid: string, options?: CallOptions): Promise<ReportStatus>;
  /** GET /reports, newest first. */
  list(
    query?: { limit?: number | undefined; cursor?: string | undefined; client?: string | undefined },
    options?: CallOptions,
  ): Promise<{ reports: ReportStatus[]; nextCursor: string | null }>;
  /** DELETE /reports/{guid}: cancels or discards it. */
  delete(guid: string, options?: CallOptions): Promise<void>;
  /**
   * GET /reports/{guid}/totals: waits until the report is ready, then returns its rows added up. `Row` narrows their
   * type, by the family and the query.
   */
  totals<Row = TotalsRow>(guid: string, query?: TotalsQuery, options?: WaitOptions): Promise<ReportTotals<Row>>;
  /** GET /reports/{guid}/events: its progress and states, as they happen. */
  events(guid: string, options?: CallOptions): AsyncGenerator<ReportEvent>;
}

export function reportsOf(call: Call, { ask, json }: JsonCalls, events: EventCalls): ReportsResource {
  const pathOf = (guid: string): string => `/reports/${encodeURIComponent(guid)}`;
  return {
    status: (guid, options) => json(pathOf(guid), {}, options),
    list: (query = {}, options) => json('/reports', query, options),
    delete: async (guid, options) => void (await ask('DELETE', pathOf(guid), {}, options)),
    async totals<Row>(guid: string, { by = [], fields = [], ...dates } = {}, options = {}) {
      const scope = openScope(options);
      try {
        const query = {
          ...(by.length > 0 ? { by: by.join(',') } : {}),
          ...(fields.length > 0 ? { fields: fields.join(',') } : {}),
          ...dates,
        };
        const response = await poll(call, `${pathOf(guid)}/totals`, { guid, query, headers: {} }, scope);
        return await readJson<ReportTotals<Row>>(response);
      } finally {
        scope.close();
      }
    },
    events: (guid, options = {}) => events.ofReport(`${pathOf(guid)}/events`, guid, options),
  };
}

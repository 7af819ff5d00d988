/** The status of a report, as GET /reports/{guid}, its events and its webhook show it. */

import { shownDayparts } from '../contract/dayparts.ts';
import type { OrderDetail } from '../contract/report-outcome.ts';
import { shownTime } from '../contract/time.ts';
import type { Dialect } from '../contract/words.ts';
import type { Layout } from '../facts/form.ts';
import type { Families } from '../families/index.ts';
import type { ReportForm } from '../ledger/form.ts';
import type { ReportRequest, ReportState } from '../ledger/report.ts';
import { shownTotals } from './changes.ts';

export const STATUS = {
  queued: 'IN_PROGRESS',
  gathering: 'IN_PROGRESS',
  completed: 'COMPLETED',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
  expired: 'EXPIRED',
} as const satisfies Record<ReportState, string>;

/** The state that callers see: a report past its `expiresAt` is expired, even if that is not stored yet. */
export const stateOf = (report: ReportRequest, now: number): ReportState =>
  report.expiresAt <= now && report.state !== 'gathering' ? 'expired' : report.state;

/** Null until it is completed. `needs` are the details that all reports of the family require. */
const shownIncomplete = (needs: OrderDetail | undefined, { state, incomplete }: ReportRequest) =>
  state !== 'completed' && incomplete === null
    ? null
    : (incomplete?.days ?? []).map(({ restaurantGuid, businessDate, missing }) => ({
        restaurantGuid,
        businessDate: String(businessDate),
        missing: missing ?? needs ?? '',
      }));

/** The dayparts of a completed report by daypart: those of the group, and of the restaurants that differ. */
function shownSets({ dayparts }: ReportRequest) {
  if (!dayparts) return {};
  const restaurantDayparts = dayparts.restaurants.map((one) => ({
    restaurantGuid: one.guid,
    dayparts: shownDayparts(one.dayparts),
  }));
  return { dayparts: shownDayparts(dayparts.group), restaurantDayparts };
}

/** The existing files of a completed report, uncompressed and in the dialect of the reader, smallest first. */
export function shownFiles(forms: readonly ReportForm[], dialect: Dialect) {
  return forms
    .flatMap(({ name, bytes }) => {
      const { names, people, bom, format } = FILE_NAME.exec(name)?.groups ?? {};
      const isOurs = name.startsWith(`${dialect}.`) || name.startsWith(`${dialect}-`);
      if (!isOurs || !format) return [];
      const layout: Layout = people === undefined ? 'record' : 'people';
      return [{ format, layout, fetchRestaurantNames: names !== undefined, bom: bom !== undefined, bytes }];
    })
    .sort((a, b) => a.bytes - b.bytes);
}

/** The names that `formName` makes: `reference-names.csv`, `live.json`. */
const FILE_NAME = /^[a-z]+(?<names>-names)?(?<people>-people)?(?<bom>-bom)?\.(?<format>json|ndjson|csv|parquet|xlsx)$/;

/** The body of GET /reports/{guid}: times are ISO 8601 in UTC or null; totals have the field names of the dialect. */
export function describe(families: Families, report: ReportRequest, now: number, dialect: Dialect) {
  const { code, message } = report.failure ?? {};
  const family = families.of(report.kind);
  return {
    reportRequestGuid: report.guid,
    kind: report.kind,
    clientId: report.clientId,
    request: { method: 'POST', path: report.request.path, body: report.request.body, ...shownSets(report) },
    status: STATUS[stateOf(report, now)],
    rows: report.rows,
    bytes: report.bytes,
    createdAt: shownTime(report.createdAt),
    completedAt: shownTime(report.completedAt),
    expiresAt: shownTime(report.expiresAt),
    asOf: shownTime(report.asOf),
    controlTotals: report.totals && shownTotals(family, report.totals, dialect),
    ...(family.needs || report.incomplete ? { incomplete: shownIncomplete(family.needs, report) } : {}),
    failure: report.failure && { code, message },
  };
}

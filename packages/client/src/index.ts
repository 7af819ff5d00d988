export { retryAfterOf } from './answers.ts';
export type { OpenQuery } from './calls.ts';
export { addDays, type BusinessDate, businessDate, businessDateAt, daysBetween, splitSpan } from './dates.ts';
export { Daypart, type DaypartOptions } from './daypart.ts';
export * from './errors.ts';
export type { GroupEvent, ReportEvent } from './events.ts';
export type { History, HistoryOptions, HistoryPart } from './history.ts';
export type { RequestOptions } from './json.ts';
export { type AddableMetrics, type Currencies, cents, formatCents, type Totals, totals } from './money.ts';
export { checkRecord, laborRecord, menuRecord, metricsRecord } from './records.ts';
export type { ReportsResource } from './reports.ts';
export type { ReportResource, Rows } from './resource.ts';
export {
  type Access,
  type AuditEntry,
  type AuditPage,
  accessOf,
  type ClientInfo,
  type ClientQuery,
  type GroupQuery,
  type LimitsLeft,
  type NewClient,
  type NewClientAsk,
  type NewSecret,
  type SignedIn,
  type Webhook,
  type WebhookDelivery,
} from './resources/access.ts';
export type { CheckAsk, CheckFigures, CheckHistoryAsk, CheckRecord, CheckResource } from './resources/checks.ts';
export type { DaypartHours, DaypartQuery, DaypartsResource } from './resources/dayparts.ts';
export type { Ask, Family, FamilyTypes, HistoryAsk, RowOf } from './resources/family.ts';
export type {
  GuestPaymentAsk,
  GuestPaymentHistoryAsk,
  GuestPaymentRecord,
  GuestPaymentResource,
} from './resources/guest-payments.ts';
export {
  type ImportDay,
  type ImportFile,
  type ImportLine,
  type ImportMenus,
  type ImportReport,
  type ImportsResource,
  importsOf,
  type ListedImport,
} from './resources/imports.ts';
export type {
  LaborAsk,
  LaborFigures,
  LaborGroup,
  LaborHistoryAsk,
  LaborRecord,
  LaborResource,
} from './resources/labor.ts';
export type {
  MenuAsk,
  MenuFigures,
  MenuHistoryAsk,
  MenuRecord,
  MenuResource,
  MenuSplit,
} from './resources/menu.ts';
export type {
  GroupBy,
  MetricsAsk,
  MetricsFigures,
  MetricsHistoryAsk,
  MetricsRecord,
  MetricsResource,
} from './resources/metrics.ts';
export type { PayoutAsk, PayoutFigures, PayoutHistoryAsk, PayoutRecord, PayoutResource } from './resources/payout.ts';
export type {
  PayoutPaymentHistoryAsk,
  PayoutPaymentRecord,
  PayoutPaymentResource,
} from './resources/payout-payments.ts';
export type {
  PayoutSalesDateHistoryAsk,
  PayoutSalesDateRecord,
  PayoutSalesDateResource,
} from './resources/payout-sales-date.ts';
export type {
  LoadedDay,
  LoadedRestaurant,
  LoadedRestaurants,
  RestaurantsResource,
} from './restaurants.ts';
export { type DownloadAsk, openSession, type PageSession, type SessionInfo, type SessionToken } from './session.ts';
export { readJsonArray, readNdjson } from './stream.ts';
export type { GivenToken } from './token.ts';
export type * from './types.ts';

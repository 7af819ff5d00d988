export { retryAfterOf } from './answers.ts';
export type { OpenQuery } from './calls.ts';
export {
  type Comparison,
  comparedSpan,
  type DateSpan,
  partnerOf,
  relativeChange,
  spanDays,
  wholeMonths,
} from './compare.ts';
export { type Core, type CoreOptions, openSteps, type ReportSteps, type StepClient } from './core.ts';
export { addDays, type BusinessDate, businessDate, businessDateAt, daysBetween, splitSpan } from './dates.ts';
export { Daypart, type DaypartOptions } from './daypart.ts';
export { DECIMALS, type FamilyDeclaration, type Field, type Fields, type FieldType } from './declaration.ts';
export * from './errors.ts';
export type { GroupEvent, ReportEvent } from './events.ts';
export { FAMILIES } from './families.ts';
export type { History, HistoryOptions, HistoryPart } from './history.ts';
export type { RequestOptions } from './json.ts';
export { cents, formatCents } from './money.ts';
export { readRecord } from './records.ts';
export type { ReportsResource } from './reports.ts';
export type { ReportResource, Rows } from './resource.ts';
export {
  type Access,
  type AuditEntry,
  type AuditPage,
  accessOf,
  type ClientInfo,
  type ClientQuery,
  type GroupInfo,
  type GroupQuery,
  type LimitsLeft,
  type NewClient,
  type NewClientAsk,
  type NewSecret,
  type OwnLimits,
  type SignedIn,
  type Webhook,
  type WebhookDelivery,
} from './resources/access.ts';
export { checkRecord } from './resources/checks.ts';
export {
  type ConnectedRestaurantInfo,
  type ConnectionAccess,
  type ConnectionAsk,
  type ConnectionDateInfo,
  type ConnectionInfo,
  type ConnectionKeys,
  type ConnectionPace,
  type ConnectionReach,
  type ConnectionStreamInfo,
  type ConnectionsResource,
  connectionsOf,
  type FolderChoice,
  type FoundRestaurant,
} from './resources/connections.ts';
export type { DaypartHours, DaypartQuery, DaypartsResource } from './resources/dayparts.ts';
export type { Ask, Family, FamilyForm, FamilyTypes, HistoryAsk, RowOf } from './resources/family.ts';
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
export type * from './resources/index.ts';
export { laborRecord } from './resources/labor.ts';
export { menuRecord } from './resources/menu.ts';
export { metricsRecord } from './resources/metrics.ts';
export type {
  ListedConnection,
  LoadedDay,
  LoadedRestaurant,
  LoadedRestaurants,
  RestaurantsResource,
  StoredCheck,
  TimeEntryPage,
  TimeEntryQuery,
  TimeEntryRecord,
} from './restaurants.ts';
export { type DownloadAsk, openSession, type PageSession, type SessionInfo, type SessionToken } from './session.ts';
export { readJsonArray, readNdjson } from './stream.ts';
export {
  type AddableLabor,
  type AddableMetrics,
  type Currencies,
  groupBy,
  hasHours,
  type IsWorked,
  type LaborTotals,
  laborTotals,
  quotient,
  restaurantDateOf,
  type Totals,
  totals,
  type WorkedRow,
  workedDates,
} from './sums.ts';
export type { GivenToken } from './token.ts';
export type * from './types.ts';

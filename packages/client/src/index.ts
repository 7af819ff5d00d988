export { retryAfterOf } from './answers.ts';
export { addDays, type BusinessDate, businessDate, businessDateAt, daysBetween, splitSpan } from './dates.ts';
export {
  type CheckResource,
  Daypart,
  type DaypartOptions,
  type MetricsResource,
  type ReportsResource,
} from './daypart.ts';
export * from './errors.ts';
export type { ReportEvent } from './events.ts';
export type { CheckHistoryAsk, History, HistoryOptions, HistoryPart, MetricsHistoryAsk } from './history.ts';
export { cents, formatCents, type Totals, totals } from './money.ts';
export { checkRecord, metricsRecord } from './records.ts';
export type { OpenQuery, Rows } from './resource.ts';
export { readJsonArray, readNdjson } from './stream.ts';
export type * from './types.ts';

/** Sales metrics. */
import { metricsRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { MetricsAsk, MetricsRecord } from '../types.ts';
import type { Family, FamilyTypes, HistoryAsk } from './family.ts';
import { HOUR_MS, MINUTE_MS } from './windows.ts';

export interface MetricsTypes extends FamilyTypes {
  ask: MetricsAsk;
  row: MetricsRecord<this['asked']>;
}
export type MetricsHistoryAsk = HistoryAsk<MetricsAsk>;
/** Reports of sales metrics. */
export type MetricsResource = ReportResource<MetricsTypes>;

export const METRICS: Family<MetricsTypes> = {
  path: '/metrics',
  dates: { start: 'startBusinessDate', end: 'endBusinessDate' },
  groups: true,
  read: metricsRecord,
  historyRange: 'custom',
  limitOf: (range) => (range === 'day' || range === 'week' ? 'metrics' : 'longMetrics'),
  knownLimits: {
    metrics: [
      [10, MINUTE_MS],
      [60, HOUR_MS],
    ],
    longMetrics: [[10, HOUR_MS]],
  },
};

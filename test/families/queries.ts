/**
 * A query of each text that the families compose: every aggregation and grouping, for few restaurants and days and for
 * many.
 */

import { FAMILY_SQL } from '../../packages/service/src/facts/duckdb/families/index.ts';
import { SUMMED_METRICS_SQL } from '../../packages/service/src/facts/duckdb/families/metrics.ts';
import { type EngineFamily, FEW_RESTAURANTS } from '../../packages/service/src/facts/duckdb/gather.ts';
import type { GatherQuery, RestaurantScope } from '../../packages/service/src/facts/report.ts';
import { FAMILIES, type ReportKind } from '../../packages/service/src/families/index.ts';

export interface ComposedQuery {
  name: string;
  family: EngineFamily;
  query: GatherQuery;
}

const DAYPARTS = [
  { name: 'Early', from: 4, to: 16 },
  { name: 'Late', from: 16, to: 4 },
];

const restaurants = (count: number, currencies: readonly (string | null)[]): RestaurantScope[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    guid: `5f0c1c1e-7a3b-4c55-9d4f-${String(index).padStart(12, '0')}`,
    name: `Restaurant ${index}`,
    timeZone: 'America/New_York',
    closeoutHour: 4,
    currencyCode: currencies[index % currencies.length] ?? null,
    dayparts: DAYPARTS,
  }));

/** The texts of both differ in the restaurants, in how the rows are sorted, and in the column of the currency. */
const SIZES = {
  'a day of few restaurants': {
    restaurants: restaurants(2, ['USD', null]),
    startDate: 20260310,
    endDate: 20260310,
  },
  'a month of many': {
    restaurants: restaurants(FEW_RESTAURANTS + 1, ['USD']),
    startDate: 20260301,
    endDate: 20260331,
  },
};

/** All lists of at most this many of the groups, in their order. */
const groupings = (groups: readonly string[], most: number): string[][] =>
  most === 0
    ? [[]]
    : [
        [],
        ...groups.flatMap((group, index) =>
          groupings(groups.slice(index + 1), most - 1).map((others) => [group, ...others]),
        ),
      ];

/** `summed` are the queries over hours that ClickHouse sums; otherwise those over the embedded facts. */
export function composedQueries(summed = false): ComposedQuery[] {
  return (Object.keys(FAMILIES) as ReportKind[]).flatMap((kind) => {
    const declared = FAMILIES[kind];
    const sql = summed && kind === 'metrics' ? SUMMED_METRICS_SQL : FAMILY_SQL[kind];
    return declared.aggregates.flatMap((aggregate) =>
      groupings(declared.groups, declared.mostGroups).flatMap((groups) =>
        Object.entries(SIZES).flatMap(([size, span]) =>
          (kind === 'guest-payments' ? [true, false] : [false]).map((fingerprints) => ({
            name: [kind, aggregate, ...groups, size, ...(fingerprints ? ['with fingerprints'] : [])].join(' '),
            family: [declared, sql],
            query: { ...span, kind, aggregate, groups, fingerprints },
          })),
        ),
      ),
    );
  });
}

/**
 * Compares rollups on ClickHouse with the facts from which they are made, a month of some restaurants at a time in the
 * node's engine.
 */
import { join } from 'node:path';
import type { Bounds } from '../bounds.ts';
import { DERIVED, DERIVED_TABLES, type DerivedTable } from '../duckdb/derived.ts';
import type { Step } from '../duckdb/protocol.ts';
import { step } from '../duckdb/steps.ts';
import { faultOf } from '../duckdb/stored-facts.ts';
import type { RollupFault } from '../facts.ts';
import { nodeText } from './fetched.ts';
import { type Added, filesOf } from './merge.ts';
import type { NodeReports } from './node-reports.ts';
import type { Seen } from './protocol.ts';
import { ofDates, ofRestaurants, visible } from './reads.ts';
import { type Server, serverPart } from './server.ts';
import { columnsOf, dateOf, FACT_TABLES, rollupColumns } from './tables.ts';

/** A month of so many restaurants is 4 million orders at 270 a day: that many are fetched into the node at once. */
const RESTAURANTS = 500;

/** The business dates of a month, both inclusive, of some restaurants. */
export interface Slice {
  from: number;
  to: number;
  restaurants: readonly number[];
}

export interface Rollups {
  /** The slices that have any rows, by month. */
  slices(deadlineMs: number): Promise<Slice[]>;
  /** The differences between the rollups of a slice and the facts, as of one snapshot. */
  faults(slice: Slice, seen: Seen, bounds: Bounds): Promise<RollupFault[]>;
  /**
   * Writes what the rollups of a slice lack into a folder, as deltas of a load; returns the files that are not empty.
   */
  differences(
    slice: Slice,
    seen: Seen,
    { load, folder }: { load: number; folder: string },
    bounds: Bounds,
  ): Promise<Added['files']>;
}

export function openRollups(server: Server, reports: NodeReports): Rollups {
  const over = (steps: Step[], slice: Slice, seen: Seen, bounds: Bounds) =>
    reports.over({ steps, ...slice }, { ...bounds, lanes: ['long'] }, seen);

  return {
    async slices(deadlineMs) {
      const tables = [...FACT_TABLES.filter((table) => dateOf(table) === 'business_date'), ...DERIVED_TABLES];
      const texts = tables.map((table) => serverPart('slicesOf', { table, restaurants: String(RESTAURANTS) }));
      const rows = await server.rows('slices', { tables: texts.join(' union all ') }, { deadlineMs });
      return rows.map(({ month, slice }) => ({
        from: month * 100,
        to: month * 100 + 99,
        restaurants: Array.from({ length: RESTAURANTS }, (_, index) => slice * RESTAURANTS + index),
      }));
    },
    async faults(slice, seen, bounds) {
      const steps = DERIVED.flatMap(({ table, computed, kept }) => [
        step('compare', undefined, { computed, kept: kept(`all_${table}`) }),
        step('faults'),
      ]);
      const answers = await over(steps, slice, seen, bounds);
      const words = {
        restaurants: ofRestaurants(slice.restaurants),
        dates: ofDates(slice, 'business_date'),
        visible: visible(seen.snapshot),
      };
      const missing = await server.rows('missingPlaces', words, bounds);
      return [
        ...DERIVED.flatMap(({ label }, index) => faultOf(label, answers[2 * index + 1] ?? [])),
        ...faultOf(
          'order dates',
          missing.map((row) => ({ ...row, days: missing.length })),
        ),
      ];
    },
    async differences(slice, seen, { load, folder }, bounds) {
      const steps = DERIVED.map(({ table, computed, kept }): Step => {
        const words = differenceWords(table, computed, kept(`all_${table}`));
        return { sql: nodeText('differences', words), values: { load, file: join(folder, `${table}.parquet`) } };
      });
      const answers = await over(steps, slice, seen, bounds);
      return filesOf(folder, DERIVED_TABLES, answers);
    },
  };
}

/** The words for what a rollup lacks: the computed value minus the stored one. */
function differenceWords(table: DerivedTable, computed: string, kept: string): Record<string, string> {
  const { by, sums } = rollupColumns(table);
  const compared = Object.keys(sums).filter((name) => !(table === 'loaded_days' && /^load/.test(name)));
  const left = columnsOf(table).filter(({ name }) => name in sums && !compared.includes(name));
  return {
    by: by.join(', '),
    sums: [
      ...compared.map((name) => `sum(${name})::bigint as ${name}`),
      // When a day was loaded cannot be computed from the facts, so it is not changed.
      ...left.map(({ name }) => `0 as ${name}`),
    ].join(', '),
    negated: compared.map((name) => `-${name} as ${name}`).join(', '),
    some: compared.map((name) => `sum(${name}) <> 0`).join(' or '),
    computed,
    kept,
  };
}

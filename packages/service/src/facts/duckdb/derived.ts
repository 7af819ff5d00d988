/**
 * The tables that are computed from the facts: rollups, what is loaded on days, order dates. Their statements, as steps
 * for the engine.
 */
import type { RollupFault } from '../facts.ts';
import { COUNTING_ORDER, conditionText, ROLLUP_TABLES, ROLLUPS, type RollupTable } from '../rollups.ts';
import type { Step } from './protocol.ts';
import { computedWords, keptWords } from './rollup-words.ts';
import { fragment, orderOf, PART_NAMES, statement, step, UNION } from './steps.ts';

export type DerivedTable = RollupTable | 'loaded_days';

/** A table that is computed from the facts, and kept up to date by loads. */
interface Derived {
  table: DerivedTable;
  label: RollupFault['label'];
  /** The query that computes it. */
  computed: string;
  /** The query of the stored rows of `from`, added up. */
  kept(from: string): string;
  /** The same when small loads are folded into them. */
  folded(from: string): string;
  /** The statement that fills it. */
  fill: string;
  order: string;
  repeats: boolean;
}

function derivedRollup(table: RollupTable): Derived {
  const rollup = ROLLUPS[table];
  const { words, rows } = computedWords(rollup);
  const kept = (from: string): string => fragment('keptRollup', { ...keptWords(rollup), from });
  return {
    table,
    label: rollup.label,
    order: orderOf(rollup.order),
    repeats: rollup.repeats === true,
    computed: fragment('rollup', { ...words, rows: rows.map((of) => fragment('rollupRows', of)).join(UNION) }),
    kept,
    folded: kept,
    fill: 'fill',
  };
}

/** The rollups, and what is loaded on days. */
export const DERIVED: readonly Derived[] = [
  ...ROLLUP_TABLES.map(derivedRollup),
  {
    table: 'loaded_days',
    label: 'loaded days',
    order: orderOf(),
    repeats: false,
    computed: fragment('loaded_days', { counted: conditionText(COUNTING_ORDER) }),
    kept: (from) => fragment('keptLoadedDays', { from }),
    folded: (from) => fragment('wholeLoadedDays', { from }),
    fill: 'fillLoadedDays',
  },
];
export const DERIVED_TABLES: readonly DerivedTable[] = DERIVED.map(({ table }) => table);
const DATE_TABLES = ['new_order_dates', ...PART_NAMES.map((digits) => `order_dates_${digits}`)];

const REPEATS = fragment('repeats', { from: 'menu_sheets' });
const FAULTS = step('faults').sql;

/** Compares the rollups with the facts: `faults` has, for each kind, the index of the step that returns its faults. */
export function verifySteps(): { steps: Step[]; faults: { label: RollupFault['label']; index: number }[] } {
  const dates = DATE_TABLES.map((table) => `select * from ${table}`).join(' union all ');
  const steps = [
    ...DERIVED.flatMap(({ table, computed, kept, repeats }) => [
      step('compare', undefined, { computed, kept: kept(`all_${table}`) }),
      ...(repeats ? [step('compareRepeats', undefined, { repeats: REPEATS })] : []),
      step('faults'),
    ]),
    step('dated'),
    step('compareDates', undefined, { kept: dates }),
    step('faults'),
    step('forgetDated'),
  ];
  const labels = [...DERIVED.map(({ label }) => label), 'order dates' as const];
  const places = steps.flatMap(({ sql }, index) => (sql === FAULTS ? [index] : []));
  return { steps, faults: labels.map((label, i) => ({ label, index: places[i] ?? 0 })) };
}

/** Moves new order dates to the tables of their restaurants, as SQL text. */
export const foldDates = (): string[] => [
  ...PART_NAMES.map((digits) => statement('foldDates', { part: digits })),
  statement('clear', { table: 'new_order_dates' }),
];

/** Folds the deltas of small loads into the rollups, as SQL text. */
export const foldDerived = (of: DerivedTable): string[] =>
  DERIVED.filter(({ table }) => table === of).flatMap(({ table, folded, order, repeats }) => [
    statement('foldRollups', {
      table,
      order,
      kept: folded(`all_${table} semi join days using (restaurant_id, business_date)`),
    }),
    ...(repeats ? [statement('foldRepeats', { repeats: fragment('repeats', { from: 'folded' }) })] : []),
    statement('clear', { table: `new_${table}` }),
  ]);

/** Computes all derived tables again, in one transaction. */
export const rebuildSteps = (): Step[] => [
  step('keepLoads'),
  ...DERIVED.flatMap(({ table, computed, fill, order }) => [
    step('clear', undefined, { table }),
    step('clear', undefined, { table: `new_${table}` }),
    step(fill, undefined, { table, computed, order }),
  ]),
  step('clear', undefined, { table: 'menu_repeats' }),
  step('insertRepeats', undefined, { repeats: REPEATS }),
  step('forgetLoads'),
  step('dated'),
  ...DATE_TABLES.map((table) => step('clear', undefined, { table })),
  ...PART_NAMES.map((digits) => step('fillDates', undefined, { part: digits })),
  step('forgetDated'),
];

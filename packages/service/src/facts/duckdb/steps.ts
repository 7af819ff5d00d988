/** The statements of loads, rollups and changes, as steps for the engine; those of a report are in gather.ts. */
import { join } from 'node:path';
import type { Merged, SpoolFiles } from '../load.ts';
import { orderDateOf } from '../order.ts';
import type { ChangesQuery } from '../report.ts';
import { COUNTING_ENTRY, conditionText, ROLLUPS, type RollupTable, sourcesOf } from '../rollups.ts';
import type { EngineFamily } from './gather.ts';
import { STORED_KINDS } from './kinds.ts';
import type { EngineRow, Step } from './protocol.ts';
import { redoWords } from './rollup-words.ts';
import { rowOf, rowsOf } from './row-types.ts';
import { partFields } from './schema.ts';
import { NUMBERS_BESIDE } from './snapshot.ts';
import { openSql, withTables } from './statements.ts';

const FILES = [
  'merge',
  'batch-merge',
  'reference',
  'menus',
  'gather',
  'rollups',
  'loaded',
  'records',
  'totals',
  'changes',
  'identity',
  'removal',
];

export const { fragment, statement, step } = openSql(...FILES.map((file) => new URL(`./${file}.sql`, import.meta.url)));

/** How many tables of order dates there are: that of a restaurant is its id modulo this. */
const PARTS = 64;
/** The two digits in their names. */
export const PART_NAMES = Array.from({ length: PARTS }, (_, part) => String(part).padStart(2, '0'));
/** The two digits in the name of a restaurant's table of order dates. */
export const partOf = (restaurant: number): string => String(PART_NAMES[restaurant % PARTS]);

/**
 * The words for what is loaded on days. Settlements count in nothing, but the days on which they settle are loaded
 * again.
 */
const LOADED_DAYS = {
  orders: {
    orders: 'm.records',
    entries: '0',
    checks: fragment('countChecks'),
    datedMoves: fragment('datedMoves'),
    datedDays: fragment('datedDays'),
  },
  shifts: { orders: '0', entries: 'm.records', checks: fragment('keptChecks'), datedMoves: '', datedDays: '' },
  settlements: { orders: '0', entries: '0', checks: fragment('keptChecks'), datedMoves: '', datedDays: '' },
};

export interface MergeForm {
  /**
   * For facts without stored rollups: rollups after a merge contain only what the load adds. `checks` is a query of
   * what it adds to the checks of its days. The tables then contain only the versions that the load may replace.
   */
  additions?: { checks: string };
  /** Whether loads of other restaurants are merged and committed meanwhile. */
  isBeside?: boolean;
}

/**
 * Merges a spooled load in one transaction; the last two steps return the days that it touched, and its counts. `now`
 * is in milliseconds since 1970 UTC.
 */
export function mergeSteps(
  restaurant: number,
  { kind, folder }: SpoolFiles,
  now: number,
  { additions, isBeside = false }: MergeForm = {},
): Step[] {
  const { key, date, read, find, rollups, included, ...stored } = STORED_KINDS[kind];
  const words = { table: kind, key, date, own: date, part: partOf(restaurant) };
  const days = { ...LOADED_DAYS[kind], included: conditionText(included), date };
  const steps = [
    step(read, { file: join(folder, `${kind}.ndjson`) }),
    step(find, { restaurant }, words),
    step('resolveVersions', undefined, words),
    step('changing'),
    step('replaced', undefined, words),
  ];
  // Each statement takes a millisecond or two whatever it does, so those about replaced versions run only if there are
  // any. A load that changes nothing writes nothing.
  const ifReplaced = { needs: steps.length - 1 };
  const ifChanging = { needs: steps.length - 2 };
  // A part from which rollups are made is read once, into a temporary table.
  const parts = stored.parts.map((table) => ({
    table,
    file: join(folder, `${table}.ndjson`),
    date: orderDateOf(table),
    rows: fragment('partRows', { columns: partFields(table), date: orderDateOf(table) }),
    isSummed: rollups.some((rollup) => sourcesOf(ROLLUPS[rollup]).includes(table)),
  }));
  const changes = [
    isBeside ? step('nextLoadBeside', { numbers: NUMBERS_BESIDE }) : step('nextLoad'),
    ...parts.flatMap(({ table, file, rows, date, isSummed }) =>
      isSummed ? [step('movedParts', { restaurant, file }, { table, rows, date })] : [],
    ),
    { ...step('keepReplaced', { now }, words), ...ifReplaced },
    ...parts.map(({ table, date }) => ({ ...step('keepParts', { now, restaurant }, { table, date }), ...ifReplaced })),
    ...[words, ...parts.map(({ table, date: own }) => ({ ...words, table, own }))].map((of) => ({
      ...step('deleteReplaced', { restaurant }, of),
      ...ifReplaced,
    })),
    step('insertIncoming', { restaurant }, words),
    ...parts.map(({ table, file, rows, isSummed }) =>
      isSummed ? step('insertMoved', undefined, { table }) : step('insertParts', { restaurant, file }, { table, rows }),
    ),
    ...(kind === 'orders' ? [step('insertDates', { restaurant }, words)] : []),
    ...rollups.flatMap((table) => rollupSteps(restaurant, table, additions !== undefined)),
    ...daySteps(restaurant, now, { ...days, ...additions }),
  ];
  return [
    ...steps,
    ...changes.map((one) => ({ ...ifChanging, ...one })),
    kind === 'settlements' ? step('noDays') : { ...step('touched', undefined, days), ...ifChanging },
    step('counts'),
  ];
}

/** The temporary tables of a merge. Those of 100,000 orders would take memory until the next large load. */
const STAGED = ['batch', 'stored', 'resolved', 'replaced', 'redone', 'moved_lines', 'moved_refunds'];
/** Drops the temporary tables of a merge. */
export const dropSteps = (): Step[] => STAGED.map((table) => step('dropStaged', undefined, { table }));

/** The result of a merge, from the rows of its last two steps. */
export const mergedOf = (answers: readonly EngineRow[][]): Merged => ({
  ...rowOf('counts', answers.at(-1)),
  days: rowsOf('touched', answers.at(-2)).map(({ business_date, has_records }) => ({
    businessDate: business_date,
    hasRecords: has_records,
  })),
});

/** The order in which rollups are written, which is nearly that of reports. */
export const orderOf = (keys: readonly string[] = []): string => ['business_date', 'restaurant_id', ...keys].join(', ');

export const UNION = '\nunion all by name\n';

/** The statement that computes a rollup again on the days that a load touches. */
function redoStep(restaurant: number, table: RollupTable): Step {
  const { words, deltas, changed } = redoWords(table);
  return step(
    'redoRollup',
    { restaurant },
    {
      ...words,
      changed: changed ? fragment('changedRecords', changed) : '',
      deltas: deltas.map((delta) => fragment('deltaRows', delta)).join(UNION),
    },
  );
}

/** Updates a rollup with the versions of a load. */
function rollupSteps(restaurant: number, table: RollupTable, onlyAdds: boolean): Step[] {
  // A change may affect the sums of a rollup and not its count.
  const { count, repeats, ...rollup } = ROLLUPS[table];
  const order = orderOf(rollup.order);
  const redo = redoStep(restaurant, table);
  if (onlyAdds) return [redo, step('insertRollups', { restaurant }, { table, count: '1', order })];
  return [
    redo,
    step('deleteRollups', { restaurant }, { table }),
    step('deleteRollups', { restaurant }, { table: `new_${table}` }),
    step('insertRollups', { restaurant }, { table, count, order }),
    ...(repeats ? repeatSteps(restaurant) : []),
  ];
}

/** Finds the repeated items of the days that a load touched again. */
const repeatSteps = (restaurant: number): Step[] => [
  step('deleteRollups', { restaurant }, { table: 'menu_repeats' }),
  step('insertRepeats', { restaurant }, { repeats: fragment('repeats', { from: fragment('redoneRollups') }) }),
];

/** Updates what is loaded on the days. */
function daySteps(
  restaurant: number,
  now: number,
  words: (typeof LOADED_DAYS)[SpoolFiles['kind']] & { included: string; date: string },
): Step[] {
  return [
    step('redoDays', { restaurant, now }, words),
    step('deleteRollups', { restaurant }, { table: 'loaded_days' }),
    step('deleteRollups', { restaurant }, { table: 'new_loaded_days' }),
    step('insertRollups', { restaurant }, { table: 'loaded_days', count: 'load_id', order: orderOf() }),
  ];
}

/** The changes of time entries that count, with the figures of a family. */
export const timeEntries = (figures: string): string =>
  fragment('timeEntries', { figures, counted: conditionText(COUNTING_ENTRY, 'n.') });

const versionsOf = (table: string, prefix = ''): string =>
  fragment('versions', { table, before: `${prefix}before`, after: `${prefix}after` });

/** The changes between two loads: a step for each list of changes of the family, in order. */
export function changesSteps(
  [family, { changes, values: own = {} }]: EngineFamily,
  query: ChangesQuery,
  from: number,
  to: number,
): Step[] {
  const ids = new Map([...query.before.restaurants, ...query.after.restaurants].map(({ id, guid }) => [id, guid]));
  const has = (side: 'before' | 'after', id: number): boolean => query[side].restaurants.some((one) => one.id === id);
  const restaurants = [...ids].map(([id, guid]) => ({
    id,
    guid,
    inBefore: has('before', id),
    inAfter: has('after', id),
  }));
  const values = {
    restaurants: JSON.stringify(restaurants),
    start: query.startDate,
    end: query.endDate,
    from,
    to,
    limit: query.limit,
    offset: query.offset,
  };
  return family.changes.map((name) => {
    const list = changes[name];
    if (!list) throw new Error(`no SQL for the changes of ${name} in ${family.kind}`);
    const dated = list.dated ? [versionsOf(list.dated, 'dated_')] : [];
    const tables = [fragment('compared'), versionsOf(list.table), ...dated, list.figures];
    const sql = withTables({ tables, query: fragment('changed') });
    // The engine refuses values that the text does not name.
    const named = Object.entries(own).filter(([value]) => new RegExp(`\\$${value}\\b`).test(sql));
    return { sql, values: { ...values, ...Object.fromEntries(named) } };
  });
}

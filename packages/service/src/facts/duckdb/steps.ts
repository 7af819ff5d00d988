/** The statements of loads, rollups and changes, as steps for the engine; those of a report are in gather.ts. */
import { join } from 'node:path';
import type { SheetFault } from '../facts.ts';
import type { Merged, SpoolFiles } from '../load.ts';
import { orderDateOf } from '../order.ts';
import type { ChangesQuery } from '../report.ts';
import { withTables } from './compose.ts';
import type { EngineFamily } from './gather.ts';
import { type KeptSheets, STORED_KINDS } from './kinds.ts';
import type { Row, Step } from './protocol.ts';
import { rowOf, rowsOf } from './row-types.ts';
import { partFields } from './schema.ts';
import { NUMBERS_BESIDE } from './snapshot.ts';
import { openSql } from './statements.ts';

const FILES = [
  'merge',
  'together',
  'reference',
  'menus',
  'gather',
  'sheets',
  'loaded',
  'totals',
  'changes',
  'identity',
  'removal',
];

export const { part, whole, step } = openSql(...FILES.map((file) => new URL(`./${file}.sql`, import.meta.url)));

/** How many tables of order dates there are: that of a restaurant is its id modulo this. */
const PARTS = 64;
const partName = (part: number): string => String(part).padStart(2, '0');
/** The two digits in the name of a restaurant's table of order dates. */
export const partOf = (restaurant: number): string => partName(restaurant % PARTS);

/** The words for what is loaded on days. Settlements count in nothing, but the days on which they settle are loaded again. */
const DAYS = {
  orders: {
    ...{ included: "status <> 'excluded'", orders: 'm.records', entries: '0', checks: part('countChecks') },
    ...{ datedMoves: part('datedMoves'), datedDays: part('datedDays') },
  },
  shifts: {
    ...{ included: 'not deleted', orders: '0', entries: 'm.records', checks: part('keptChecks') },
    ...{ datedMoves: '', datedDays: '' },
  },
  settlements: {
    ...{ included: 'not deleted', orders: '0', entries: '0', checks: part('keptChecks') },
    ...{ datedMoves: '', datedDays: '' },
  },
};

export interface MergeForm {
  /**
   * For facts without stored rollups: rollups after a merge contain only what the load adds. `checks` is a query of what it adds to the
   * checks of its days. The tables then contain only the versions that the load may replace.
   */
  additions?: { checks: string };
  /** Whether loads of other restaurants are merged and committed meanwhile. */
  isBeside?: boolean;
}

/**
 * Merges a spooled load in one transaction; the last two steps return the days that it touched, and its counts. `now` is
 * in milliseconds since 1970 UTC.
 */
export function mergeSteps(
  restaurant: number,
  { kind, folder }: SpoolFiles,
  now: number,
  { additions, isBeside = false }: MergeForm = {},
): Step[] {
  const { key, date, read, find, sheets, ...stored } = STORED_KINDS[kind];
  const words = { table: kind, key, date, own: date, part: partOf(restaurant) };
  const days = { ...DAYS[kind], date };
  const steps = [
    step(read, { file: join(folder, `${kind}.ndjson`) }),
    step(find, { restaurant }, words),
    step('resolveVersions', undefined, words),
    step('changing'),
    step('replaced', undefined, words),
  ];
  // Each statement takes a millisecond or two whatever it does, so those about replaced versions run only if there are any. A load that
  // changes nothing writes nothing.
  const ifReplaced = { needs: steps.length - 1 };
  const ifChanging = { needs: steps.length - 2 };
  // A part from which rollups are made is read once, into a temporary table.
  const parts = stored.parts.map((table) => ({
    table,
    file: join(folder, `${table}.ndjson`),
    date: orderDateOf(table),
    rows: part('partRows', { columns: partFields(table), date: orderDateOf(table) }),
    isSummed: sheets.some(({ from }) => from.includes(table)),
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
    ...sheets.flatMap((one) => sheetSteps(restaurant, one, additions !== undefined)),
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
export const mergedOf = (answers: readonly Row[][]): Merged => ({
  ...rowOf('counts', answers.at(-1)),
  days: rowsOf('touched', answers.at(-2)).map(({ business_date, has_records }) => ({
    businessDate: business_date,
    hasRecords: has_records,
  })),
});

/** The order in which rollups are written, which is nearly that of reports: a month by item took 1.4 times as long without it. */
const orderOf = (table: SheetTable): string =>
  `business_date, restaurant_id${table === 'menu_sheets' ? ', modifier, item_name' : ''}`;

/** Updates the rollups with the versions of a load. */
function sheetSteps(restaurant: number, { table, count, redo }: KeptSheets, onlyAdds: boolean): Step[] {
  // A change may affect the sums of a rollup and not its count.
  const order = orderOf(table);
  if (onlyAdds) return [step(redo, { restaurant }), step('insertSheets', { restaurant }, { table, count: '1', order })];
  return [
    step(redo, { restaurant }),
    step('deleteSheets', { restaurant }, { table }),
    step('deleteSheets', { restaurant }, { table: `new_${table}` }),
    step('insertSheets', { restaurant }, { table, count, order }),
    ...(table === 'menu_sheets' ? repeatSteps(restaurant) : []),
  ];
}

/** Finds the repeated items of the days that a load touched again. */
const repeatSteps = (restaurant: number): Step[] => [
  step('deleteSheets', { restaurant }, { table: 'menu_repeats' }),
  step('insertRepeats', { restaurant }, { repeats: part('repeats', { from: part('redoneSheets') }) }),
];

/** Updates what is loaded on the days. */
function daySteps(
  restaurant: number,
  now: number,
  words: (typeof DAYS)[SpoolFiles['kind']] & { date: string },
): Step[] {
  return [
    step('redoDays', { restaurant, now }, words),
    step('deleteSheets', { restaurant }, { table: 'loaded_days' }),
    step('deleteSheets', { restaurant }, { table: 'new_loaded_days' }),
    step('insertSheets', { restaurant }, { table: 'loaded_days', count: 'load_id', order: orderOf('loaded_days') }),
  ];
}

export type SheetTable = KeptSheets['table'] | 'loaded_days';

/**
 * The rollups, each computed by the statement with its table's name. `kept` is the statement that reads the stored ones,
 * `folded` the one that folds small loads into them, if it differs, `fill` likewise the one that fills them.
 */
export const SHEETS: { table: SheetTable; kept: string; folded?: string; fill?: string; sheet: SheetFault['sheet'] }[] =
  [
    { table: 'sheets', kept: 'keptSheets', sheet: 'daily rollups' },
    { table: 'menu_sheets', kept: 'keptMenuSheets', sheet: 'menu rollups' },
    { table: 'labour_sheets', kept: 'keptLabourSheets', sheet: 'labour rollups' },
    {
      table: 'loaded_days',
      kept: 'keptLoadedDays',
      folded: 'wholeLoadedDays',
      fill: 'fillLoadedDays',
      sheet: 'loaded days',
    },
  ];
export const SHEET_TABLES: readonly SheetTable[] = SHEETS.map(({ table }) => table);
const PART_NAMES = Array.from({ length: PARTS }, (_, part) => partName(part));
const DATE_TABLES = ['new_order_dates', ...PART_NAMES.map((digits) => `order_dates_${digits}`)];

const REPEATS = part('repeats', { from: 'menu_sheets' });
const FAULTS = step('faults').sql;

/** Compares the rollups with the facts: `faults` has, for each kind, the index of the step that returns its faults. */
export function verifySteps(): { steps: Step[]; faults: { sheet: SheetFault['sheet']; place: number }[] } {
  const kept = DATE_TABLES.map((table) => `select * from ${table}`).join(' union all ');
  const steps = [
    ...SHEETS.flatMap(({ table, kept: name }) => [
      step('compare', undefined, { computed: part(table), kept: part(name, { from: `all_${table}` }) }),
      ...(table === 'menu_sheets' ? [step('compareRepeats', undefined, { repeats: REPEATS })] : []),
      step('faults'),
    ]),
    step('dated'),
    step('compareDates', undefined, { kept }),
    step('faults'),
    step('forgetDated'),
  ];
  const sheets = [...SHEETS.map(({ sheet }) => sheet), 'order dates' as const];
  const places = steps.flatMap(({ sql }, place) => (sql === FAULTS ? [place] : []));
  return { steps, faults: sheets.map((sheet, i) => ({ sheet, place: places[i] ?? 0 })) };
}

/** Moves new order dates to the tables of their restaurants, as SQL text. */
export const foldDates = (): string[] => [
  ...PART_NAMES.map((digits) => whole('foldDates', { part: digits })),
  whole('clear', { table: 'new_order_dates' }),
];

/** Folds the moves of small loads into the rollups, as SQL text. */
export const foldSheets = (of: SheetTable): string[] =>
  SHEETS.filter(({ table }) => table === of).flatMap(({ table, kept, folded = kept }) => [
    whole('foldSheets', {
      table,
      order: orderOf(table),
      kept: part(folded, { from: `all_${table} semi join days using (restaurant_id, business_date)` }),
    }),
    ...(table === 'menu_sheets' ? [whole('foldRepeats', { repeats: part('repeats', { from: 'folded' }) })] : []),
    whole('clear', { table: `new_${table}` }),
  ]);

/** Computes all derived tables again, in one transaction. */
export const rebuildSteps = (): Step[] => [
  step('keepLoads'),
  ...SHEETS.flatMap(({ table, fill = 'fill' }) => [
    step('clear', undefined, { table }),
    step('clear', undefined, { table: `new_${table}` }),
    step(fill, undefined, { table, computed: part(table), order: orderOf(table) }),
  ]),
  step('clear', undefined, { table: 'menu_repeats' }),
  step('insertRepeats', undefined, { repeats: REPEATS }),
  step('forgetLoads'),
  step('dated'),
  ...DATE_TABLES.map((table) => step('clear', undefined, { table })),
  ...PART_NAMES.map((digits) => step('fillDates', undefined, { part: digits })),
  step('forgetDated'),
];

const versionsOf = (table: string, prefix = ''): string =>
  part('versions', { table, before: `${prefix}before`, after: `${prefix}after` });

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
    ...{ id, guid },
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
    const tables = [part('compared'), versionsOf(list.table), ...dated, list.figures];
    const sql = withTables({ tables, query: part('changed') });
    // The engine refuses values that the text does not name.
    const named = Object.entries(own).filter(([value]) => new RegExp(`\\$${value}\\b`).test(sql));
    return { sql, values: { ...values, ...Object.fromEntries(named) } };
  });
}

/**
 * Small loads merged together: one transaction and some ten statements for all of them, however many there are. What
 * merge.sql does with statements over a batch is done here in memory, since each of those costs a millisecond or two
 * whatever it holds: 36 ms for one order.
 */
import type { LoadKind, MergeCounts, Merged } from '../load.ts';
import type { TouchedDay } from '../loaded.ts';
import type { OrderPart } from '../order.ts';
import { ROLLUPS } from '../rollups.ts';
import { datedRows, dateOf, dayDeltas, dayName, isIncluded } from './day-deltas.ts';
import { DERIVED_TABLES, type DerivedTable, foldDates, foldDerived } from './derived.ts';
import { STORED_KINDS } from './kinds.ts';
import { checkedInteger } from './literals.ts';
import { createOrderHeads, datesChangedBy } from './order-heads.ts';
import type { Step, Transaction } from './protocol.ts';
import { createRememberedOrders } from './remembered-orders.ts';
import { type Accepted, resolveVersions, type Version } from './resolve-versions.ts';
import { rollupDeltas } from './rollup-deltas.ts';
import { rowOf } from './row-types.ts';
import type { TableRow, TableRows } from './rows.ts';
import { statement } from './steps.ts';
import {
  columnOf,
  dateRow,
  headedKey,
  keysOf,
  listOf,
  NEW_DATES,
  type OrderMemory,
  storedOrders,
  storedRecords,
} from './stored-versions.ts';
import { changeOf, newestOf, partRowsOf, type RowChanges, rowChanges, type VersionChange } from './version-changes.ts';
import { byPart, type LoadBatch, type Loaded, type RecordVersion, standingOf, versionsOf } from './versions.ts';

/** With so many of them they are moved, which takes some 0.1 s. */
const MOST_NEW_DATES = 20_000;
/** With so many rows beside the rollups they are folded into them: reports read them besides, some 0.1 ms. */
const MOST_NEW_ROLLUPS: Readonly<Record<DerivedTable, number>> = {
  sheets: 10_000,
  labour_sheets: 10_000,
  loaded_days: 10_000,
  // An order has some six lines.
  menu_sheets: 60_000,
};
/** How often is looked: to count takes 0.5 ms. */
const MERGES_TO_FOLD = 64;

/** None where there are no rows to delete. */
const deleteRows = (table: string, rows: readonly TableRow[]): string[] =>
  rows.length === 0 ? [] : [statement('deleteRows', { table, rows: listOf(columnOf(rows, 'rowid')) })];

/** The rows of order_dates that are missing for orders. */
function missingDates(orders: readonly TableRow[], known: readonly TableRow[]): RowChanges['append'] {
  const nameOf = (row: TableRow): string => [row.restaurant_id, row.guid_head, row.business_date].join('/');
  const had = new Set(known.map(nameOf));
  const missing = new Map<string, TableRow>();
  for (const row of orders.map(dateRow)) if (!had.has(nameOf(row))) missing.set(nameOf(row), row);
  return [[NEW_DATES, [...missing.values()]]];
}

/** The days that each load changed: those of the versions that came with it, and of those that they replaced. */
function touchedDays({ of, loads }: LoadBatch, changes: readonly VersionChange[]): TouchedDay[][] {
  const days = loads.map(() => new Map<number, boolean>());
  for (const { before: stored, accepted } of changes) {
    let before = stored;
    for (const version of accepted) {
      const touched = days[version.load];
      const note = (date: number, isThere: boolean): void => {
        if (date > 0) touched?.set(date, isThere || touched.get(date) === true);
      };
      const noteDated = (dated: RecordVersion, isThere: boolean): void => {
        for (const row of datedRows(dated)) note(checkedInteger(row.business_date), isThere);
      };
      if (before) {
        note(dateOf(of, before.row), false);
        noteDated(before, false);
      }
      note(dateOf(of, version.row), isIncluded(of, version));
      noteDated(version, true);
      before = version;
    }
  }
  return days.map((touched) =>
    [...touched]
      .sort(([one], [other]) => one - other)
      .map(([businessDate, isThere]) => ({ businessDate, hasRecords: isThere })),
  );
}

interface MergeState {
  rows: TableRows;
  memory: OrderMemory;
}

interface Resolved {
  counts: MergeCounts[];
  accepted: ReadonlyMap<string, Accepted<Loaded>[]>;
  changes: VersionChange[];
  /** The rows of order_dates that are known. */
  dates: TableRow[];
}

/** Decides which versions count, and how they change what is stored. */
async function resolve(
  { rows, memory }: MergeState,
  batch: LoadBatch,
  versions: readonly Version<Loaded>[][],
): Promise<Resolved> {
  const { of, replacesParts } = batch;
  const loaded = new Map(
    [...Map.groupBy(versions.flat(), ({ key }) => key)].map(([key, all]) => [key, all.map(({ fact }) => fact)]),
  );
  const search = { rows, memory: replacesParts ? undefined : memory };
  const { stored, dates } =
    of === 'orders'
      ? await storedOrders(search, loaded)
      : { stored: await storedRecords(rows, of, loaded.keys()), dates: [] };
  const { counts, accepted } = resolveVersions(versions, (key) => {
    const row = stored.get(key)?.row;
    return row && standingOf(row);
  });
  const changes = [...accepted].map(([key, versions]) => changeOf(versions, stored.get(key), { replacesParts }));
  return { counts, accepted, changes, dates };
}

/** Merges within the transaction. Returns what each load did, and the statements that are left to run. */
async function writeChanges(
  rows: TableRows,
  batch: LoadBatch,
  { counts, changes, dates }: Resolved,
  firstLoad: number,
): Promise<{ merged: Omit<Merged, 'load'>[]; statements: string[] }> {
  const { of, now } = batch;
  const { append, remove } = rowChanges(of, changes, { firstLoad, now });
  const added = changes.flatMap(newestOf);
  const removed = changes.flatMap(({ before }) => before ?? []);
  const rowsOf = (list: RecordVersion[], table: LoadKind | OrderPart): TableRow[] =>
    table === 'orders' || table === 'shifts' || table === 'settlements'
      ? list.map(({ row }) => row)
      : partRowsOf(list, table);
  const newRollups = STORED_KINDS[of].rollups.map((table): [string, TableRow[]] => [
    `new_${table}`,
    rollupDeltas(
      ROLLUPS[table],
      (one) => rowsOf(added, one),
      (one) => rowsOf(removed, one),
    ),
  ]);
  const newDates = of === 'orders' ? missingDates(rowsOf(added, of), dates) : [];
  for (const [table, some] of [...append, ...newDates, ...newRollups]) await rows.append(table, some);
  const days = touchedDays(batch, changes);
  const loads = new Map(
    days.flatMap((touched, index) =>
      touched.map((day) => [dayName(batch.loads[index]?.restaurant, day.businessDate), firstLoad + index] as const),
    ),
  );
  await rows.append('new_loaded_days', dayDeltas(of, { added, removed }, { loads, now }));
  return {
    // Settlements are on no day of what is loaded.
    merged: counts.map((count, load) => ({ ...count, days: of === 'settlements' ? [] : (days[load] ?? []) })),
    statements: remove.flatMap(([table, some]) => deleteRows(table, some)),
  };
}

/** Remembers orders as they are stored now. */
function remember({ remembered, heads }: OrderMemory, accepted: Resolved['accepted'], firstLoad: number): void {
  heads.stored([...keysOf(accepted.keys()).values()].map(headedKey));
  for (const [key, versions] of accepted) {
    for (const { load, fact } of versions.slice(-1))
      remembered.stored(key, { row: { ...fact.row, load_id: firstLoad + load }, digests: byPart(fact.digestOf) });
  }
}

/**
 * The SQL that moves the rows that small loads wrote into tables of their own to the tables that they belong to, once
 * there are many.
 */
async function foldNew(rows: TableRows): Promise<string[]> {
  const count = rowOf('countNew', await rows.read(statement('countNew')));
  return [
    ...(count.dates >= MOST_NEW_DATES ? foldDates() : []),
    ...DERIVED_TABLES.flatMap((table) => (count[table] >= MOST_NEW_ROLLUPS[table] ? foldDerived(table) : [])),
    // Their numbers are below the one that this merge took.
    ...(count.large_loads > 0 ? [statement('clear', { table: 'large_loads' })] : []),
  ];
}

interface SmallMerges {
  /**
   * Merges all of the loads in one transaction, or none. Throws what the engine throws, and TypeError where a value
   * does not fit. Called again before it has ended, it reads the next loads meanwhile, and merges them after.
   */
  merge(batch: LoadBatch): Promise<Merged[]>;
  /** Other statements have run, with success or without: what they may have changed is not known any more. */
  ran(steps: readonly Step[], transaction: Transaction): void;
}

/** Opens the merge of small loads over the rows of one connection. */
export function openBatchMerge(rows: TableRows): SmallMerges {
  const memory = { remembered: createRememberedOrders(), heads: createOrderHeads() };
  let untilFold = 0;
  /** The tables of order dates that a large load has changed, which counts since its commit. */
  let changed: string[] = [];

  async function merge(batch: LoadBatch, versions: Version<Loaded>[][]): Promise<Merged[]> {
    const { length } = batch.loads;
    try {
      await rows.run('begin');
      const resolved = await resolve({ rows, memory }, batch, versions);
      if (resolved.changes.length === 0) {
        await rows.run('rollback');
        return resolved.counts.map((count) => ({ ...count, days: [], load: 0 }));
      }
      const last = rowOf('takeNumbers', await rows.readPrepared(statement('takeNumbers'), length));
      const firstLoad = last.load_id - length + 1;
      const { merged, statements } = await writeChanges(rows, batch, resolved, firstLoad);
      // Folding replaces rows of all restaurants, also those that a large load reads or replaces.
      const folded = untilFold <= 0 && !batch.isBeside ? await foldNew(rows) : undefined;
      untilFold = folded ? MERGES_TO_FOLD - 1 : untilFold - 1;
      await rows.run([...statements, ...(folded ?? []), 'commit'].join('\n'));
      if (batch.of === 'orders' && !batch.replacesParts) remember(memory, resolved.accepted, firstLoad);
      return merged.map((one, index) => ({ ...one, load: firstLoad + index }));
    } catch (error) {
      // A transaction that failed to commit is gone already: then there is nothing to roll back.
      await rows.run('rollback').catch(() => undefined);
      memory.heads.forget();
      throw error;
    }
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    async merge(batch) {
      const versions = versionsOf(batch);
      const merged = last.then(() => merge(batch, versions));
      last = merged.catch(() => undefined);
      return await merged;
    },
    ran(steps, transaction) {
      const own = datesChangedBy(steps);
      if (transaction === 'begin') changed = own;
      memory.heads.forget(transaction === 'commit' ? [...changed, ...own] : own);
    },
  };
}

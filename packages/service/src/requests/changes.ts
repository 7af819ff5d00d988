/** The changes between two reports, in the units of the wire and the dialect of the reader. */
import { DECIMALS } from '@daypart/client';
import type { CurrencyTotals } from '../contract/report-outcome.ts';
import type { Dialect } from '../contract/words.ts';
import type { Change, Changes } from '../facts/report.ts';
import { type ColumnType, fieldName, type ReportFamily } from '../families/family.ts';

/** A figure of one record in both reports; `change` is after − before, where an absent side counts as 0. */
export interface FigureChange {
  before: unknown;
  after: unknown;
  change?: number | string;
}

interface ShownChange {
  restaurantGuid: string;
  orderGuid?: string;
  checkGuid?: string;
  timeEntryGuid?: string;
  orderNumber?: number | string | null;
  checkNumber?: number | string | null;
  /** For a line: whether it is a modifier, and its name in the order. */
  modifier?: boolean;
  itemGuid?: string | null;
  itemName?: string | null;
  menuGroupGuid?: string | null;
  menuGroupName?: string | null;
  menuGuid?: string | null;
  menuName?: string | null;
  /** The business date in the newer report, or in the older one if the newer has no such record. */
  businessDate: string;
  change: 'ADDED' | 'REMOVED' | 'CHANGED';
  figures: Record<string, FigureChange>;
}

/** Figures that are not fields of the record. */
const OTHERS: Record<string, ColumnType> = { businessDate: 'date' };

/** The family that names and converts the figures, and the dialect of the reader. */
interface Reader {
  family: ReportFamily;
  dialect: Dialect;
}

function columnTypeOf({ family, dialect }: Reader, field: string): ColumnType {
  const column = family.columns[field];
  return (dialect === 'live' ? column?.live?.type : undefined) ?? column?.type ?? OTHERS[field] ?? 'text';
}

const isDecimal = (type: ColumnType): type is keyof typeof DECIMALS => Object.hasOwn(DECIMALS, type);

/**
 * An integer in units of 10^-places as a number; null if another decimal of as many places has the same number, so that
 * its text could be that one's: from 2^46 currency units on for cents.
 */
function exactDecimal(units: number, places: number): number | null {
  const one = 10 ** places;
  return Math.abs(units) < one * 2 ** (53 - Math.ceil(Math.log2(one))) ? units / one : null;
}

/**
 * Converts a stored figure to the form that records of the reader's dialect have; null if that cannot have its exact
 * value.
 */
export function shownFigure(reader: Reader, field: string, value: unknown): unknown {
  if (value === null) return null;
  const type = columnTypeOf(reader, field);
  if (type === 'decimalText') return exactDecimal(Number(value), 2)?.toFixed(2) ?? null;
  if (isDecimal(type)) return exactDecimal(Number(value), DECIMALS[type]);
  return type === 'date' || type === 'hour' || type === 'countText' ? String(value) : value;
}

/** Control totals, converted like records: one entry per currency. */
export const shownTotals = (
  family: ReportFamily,
  totals: readonly CurrencyTotals[],
  dialect: Dialect,
): Record<string, unknown>[] =>
  totals.map(({ currencyCode, rows, sums }) => ({
    currencyCode,
    rows: rows ?? null,
    ...Object.fromEntries(
      Object.entries(sums).map(([field, value]) => [
        fieldName(family, field, dialect),
        shownFigure({ family, dialect }, field, value),
      ]),
    ),
  }));

/** The difference of two sums: a missing one is 0, and there is none of one that is not known exactly. */
const difference = (is: number | null = 0, was: number | null = 0): number | null =>
  is === null || was === null ? null : is - was;

/**
 * The difference of two lists of control totals, currency by currency; a currency in only one list counts as 0 in the
 * other.
 */
export function totalsChange(
  family: ReportFamily,
  before: readonly CurrencyTotals[],
  after: readonly CurrencyTotals[],
  dialect: Dialect,
): Record<string, unknown>[] {
  const areCounted = [...before, ...after].every(({ rows }) => rows !== undefined);
  const totalsIn = (totals: readonly CurrencyTotals[], code: string | null): Omit<CurrencyTotals, 'currencyCode'> =>
    totals.find(({ currencyCode }) => currencyCode === code) ?? { sums: {} };
  const codes = new Set([...after, ...before].map(({ currencyCode }) => currencyCode));
  const changes = [...codes].map((currencyCode) => {
    const [was, is] = [totalsIn(before, currencyCode), totalsIn(after, currencyCode)];
    const fields = Object.keys({ ...was.sums, ...is.sums });
    return {
      currencyCode,
      ...(areCounted ? { rows: (is.rows ?? 0) - (was.rows ?? 0) } : {}),
      sums: Object.fromEntries(fields.map((field) => [field, difference(is.sums[field], was.sums[field])])),
    };
  });
  return shownTotals(family, changes, dialect);
}

const isNumber = (reader: Reader, field: string, value: unknown): boolean =>
  !['date', 'hour'].includes(columnTypeOf(reader, field)) && typeof value === 'number';

/** The figures of a change that differ between the two sides. */
function figuresOf({ before, after }: Change, reader: Reader): Record<string, FigureChange> {
  const figures: Record<string, FigureChange> = {};
  for (const field of Object.keys(after ?? before ?? {})) {
    const was = before?.[field] ?? null;
    const is = after?.[field] ?? null;
    // The date is a field of the change itself; it is listed as a figure only if it changed.
    if (was === is || (field === 'businessDate' && (was === null || is === null))) continue;
    const moved: FigureChange = { before: shownFigure(reader, field, was), after: shownFigure(reader, field, is) };
    if (isNumber(reader, field, is ?? was)) {
      if (Number(is ?? 0) === Number(was ?? 0)) continue;
      moved.change = shownFigure(reader, field, Number(is ?? 0) - Number(was ?? 0)) as number | string;
    }
    figures[fieldName(reader.family, field, reader.dialect)] = moved;
  }
  return figures;
}

/** `guids`: the GUIDs of the changed record, by their names on the wire. */
function shownChange(change: Change, guids: Partial<ShownChange>, reader: Reader): ShownChange {
  const { restaurantGuid, before, after } = change;
  return {
    restaurantGuid,
    ...guids,
    businessDate: String((after ?? before)?.businessDate),
    change: before === null ? 'ADDED' : after === null ? 'REMOVED' : 'CHANGED',
    figures: figuresOf(change, reader),
  };
}

/** Fields that identify a line: equal on both sides, and not figures. */
const LINE_NAMES = [
  ...(['modifier', 'itemGuid', 'itemName', 'menuGroupGuid', 'menuGroupName', 'menuGuid', 'menuName'] as const),
] as const;

function shownLine(change: Change, reader: Reader): ShownChange {
  const side = change.after ?? change.before ?? {};
  const names = Object.fromEntries(LINE_NAMES.map((name) => [name, side[name] ?? null]));
  const figures = (of: Change['before']): Change['before'] =>
    of && Object.fromEntries(Object.entries(of).filter(([name]) => !LINE_NAMES.some((one) => one === name)));
  const { before, after, orderGuid, guid } = change;
  const guids = { orderGuid: String(orderGuid), checkGuid: String(guid), ...names };
  return shownChange({ ...change, before: figures(before), after: figures(after) }, guids, reader);
}

/** The lists of the answer, with the names of their GUIDs. */
export function shownChanges(
  family: ReportFamily,
  { checks, orders, lines, timeEntries }: Changes,
  dialect: Dialect,
): Record<keyof Changes, ShownChange[]> {
  const reader: Reader = { family, dialect };
  const display = (number: number | null | undefined) =>
    dialect === 'live' && typeof number === 'number' ? String(number) : (number ?? null);
  return {
    checks: checks.map((change) => {
      const { orderGuid, guid, orderNumber, checkNumber } = change;
      const guids = { orderGuid: String(orderGuid), checkGuid: String(guid) };
      const numbers = { orderNumber: display(orderNumber), checkNumber: display(checkNumber) };
      return shownChange(change, { ...guids, ...numbers }, reader);
    }),
    orders: orders.map((change) => shownChange(change, { orderGuid: String(change.orderGuid) }, reader)),
    lines: lines.map((change) => shownLine(change, reader)),
    timeEntries: timeEntries.map((change) => shownChange(change, { timeEntryGuid: String(change.guid) }, reader)),
  };
}

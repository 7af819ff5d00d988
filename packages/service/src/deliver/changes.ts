/** What moved between two reports, in the units of the wire and the dialect of whoever reads. */
import { LIVE_NAMES } from '../contract/records.ts';
import type { Dialect } from '../contract/words.ts';
import type { Change, Changes } from '../facts/facts.ts';

/** A figure of one record, on both sides; `change` is after − before, where a side that is missing counts as 0. */
export interface Moved {
  before: unknown;
  after: unknown;
  change?: number | string;
}

export interface ShownChange {
  restaurantGuid: string;
  orderGuid?: string;
  checkGuid?: string;
  timeEntryGuid?: string;
  orderNumber?: number | string | null;
  checkNumber?: number | string | null;
  /** The business date that it has in the newer report, or had in the older. */
  businessDate: string;
  change: 'ADDED' | 'REMOVED' | 'CHANGED';
  figures: Record<string, Moved>;
}

const DECIMAL_TEXT = new Set(['hourlyJobTotalHours', 'hourlyJobTotalPay']);
const TEXT = new Set(['businessDate', 'businessHour']);

/** A field as the rows of the dialect have it: CONTRACT 2.7. */
const nameOf = (field: string, dialect: Dialect): string => (dialect === 'live' ? (LIVE_NAMES[field] ?? field) : field);

/** A stored figure as its records have it: cents as currency units, hundredths of hours as decimal text, live as a number. */
function shown(field: string, value: unknown, dialect: Dialect): unknown {
  if (value === null) return null;
  if (DECIMAL_TEXT.has(field)) return dialect === 'live' ? Number(value) / 100 : (Number(value) / 100).toFixed(2);
  if (field.endsWith('Amount')) return Number(value) / 100;
  return TEXT.has(field) ? String(value) : value;
}

/** Control totals as the records have their figures. */
export const shownTotals = (totals: Record<string, number>, dialect: Dialect): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(totals).map(([field, value]) => [nameOf(field, dialect), shown(field, value, dialect)]),
  );

/** What two sets of control totals differ by. */
export const totalsChange = (
  before: Record<string, number>,
  after: Record<string, number>,
  dialect: Dialect,
): Record<string, unknown> =>
  shownTotals(
    Object.fromEntries(Object.keys(after).map((field) => [field, (after[field] ?? 0) - (before[field] ?? 0)])),
    dialect,
  );

const isNumber = (field: string, value: unknown): boolean => !TEXT.has(field) && typeof value === 'number';

/** The figures of a change that are not the same on both sides. */
function figuresOf({ before, after }: Change, dialect: Dialect): Record<string, Moved> {
  const figures: Record<string, Moved> = {};
  for (const field of Object.keys(after ?? before ?? {})) {
    const was = before?.[field] ?? null;
    const is = after?.[field] ?? null;
    // On which date it is stands above; it is a figure only where it moved.
    if (was === is || (field === 'businessDate' && (was === null || is === null))) continue;
    const moved: Moved = { before: shown(field, was, dialect), after: shown(field, is, dialect) };
    if (isNumber(field, is ?? was)) {
      if (Number(is ?? 0) === Number(was ?? 0)) continue;
      moved.change = shown(field, Number(is ?? 0) - Number(was ?? 0), dialect) as number | string;
    }
    figures[nameOf(field, dialect)] = moved;
  }
  return figures;
}

/** `guids` are those of what the change is about, by their names on the wire. */
function shownChange(change: Change, guids: Partial<ShownChange>, dialect: Dialect): ShownChange {
  const { restaurantGuid, before, after } = change;
  return {
    restaurantGuid,
    ...guids,
    businessDate: String((after ?? before)?.businessDate),
    change: before === null ? 'ADDED' : after === null ? 'REMOVED' : 'CHANGED',
    figures: figuresOf(change, dialect),
  };
}

/** The lists of the answer, with the names of their GUIDs. */
export function shownChanges(
  { checks, orders, timeEntries }: Changes,
  dialect: Dialect,
): Record<keyof Changes, ShownChange[]> {
  const display = (number: number | null | undefined) =>
    dialect === 'live' && typeof number === 'number' ? String(number) : (number ?? null);
  return {
    checks: checks.map((change) => {
      const { orderGuid, guid, orderNumber, checkNumber } = change;
      const guids = { orderGuid: String(orderGuid), checkGuid: String(guid) };
      const numbers = { orderNumber: display(orderNumber), checkNumber: display(checkNumber) };
      return shownChange(change, { ...guids, ...numbers }, dialect);
    }),
    orders: orders.map((change) => shownChange(change, { orderGuid: String(change.orderGuid) }, dialect)),
    timeEntries: timeEntries.map((change) => shownChange(change, { timeEntryGuid: String(change.guid) }, dialect)),
  };
}

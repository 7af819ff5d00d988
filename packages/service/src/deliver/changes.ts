/** What moved between two reports, in the units of the wire. */
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
  orderNumber?: number | null;
  checkNumber?: number | null;
  /** The business date that it has in the newer report, or had in the older. */
  businessDate: string;
  change: 'ADDED' | 'REMOVED' | 'CHANGED';
  figures: Record<string, Moved>;
}

const DECIMAL_TEXT = new Set(['hourlyJobTotalHours', 'hourlyJobTotalPay']);
const TEXT = new Set(['businessDate', 'businessHour']);

/** A stored figure as its records have it: cents as currency units, hundredths of hours as decimal text. */
export function shown(field: string, value: unknown): unknown {
  if (value === null) return null;
  if (DECIMAL_TEXT.has(field)) return (Number(value) / 100).toFixed(2);
  if (field.endsWith('Amount')) return Number(value) / 100;
  return TEXT.has(field) ? String(value) : value;
}

/** Control totals as the records have their figures. */
export const shownTotals = (totals: Record<string, number>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(totals).map(([field, value]) => [field, shown(field, value)]));

/** What two sets of control totals differ by. */
export const totalsChange = (before: Record<string, number>, after: Record<string, number>): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(after).map((field) => [field, shown(field, (after[field] ?? 0) - (before[field] ?? 0))]),
  );

const isNumber = (field: string, value: unknown): boolean => !TEXT.has(field) && typeof value === 'number';

/** The figures of a change that are not the same on both sides. */
function figuresOf({ before, after }: Change): Record<string, Moved> {
  const figures: Record<string, Moved> = {};
  for (const field of Object.keys(after ?? before ?? {})) {
    const was = before?.[field] ?? null;
    const is = after?.[field] ?? null;
    // On which date it is stands above; it is a figure only where it moved.
    if (was === is || (field === 'businessDate' && (was === null || is === null))) continue;
    const moved: Moved = { before: shown(field, was), after: shown(field, is) };
    if (isNumber(field, is ?? was)) {
      if (Number(is ?? 0) === Number(was ?? 0)) continue;
      moved.change = shown(field, Number(is ?? 0) - Number(was ?? 0)) as number | string;
    }
    figures[field] = moved;
  }
  return figures;
}

/** `guids` are those of what the change is about, by their names on the wire. */
function shownChange(change: Change, guids: Partial<ShownChange>): ShownChange {
  const { restaurantGuid, before, after } = change;
  return {
    restaurantGuid,
    ...guids,
    businessDate: String((after ?? before)?.businessDate),
    change: before === null ? 'ADDED' : after === null ? 'REMOVED' : 'CHANGED',
    figures: figuresOf(change),
  };
}

/** The lists of the answer, with the names of their GUIDs. */
export function shownChanges({ checks, orders, timeEntries }: Changes): Record<keyof Changes, ShownChange[]> {
  return {
    checks: checks.map((change) => {
      const { orderGuid, guid, orderNumber, checkNumber } = change;
      return shownChange(change, {
        ...{ orderGuid: String(orderGuid), checkGuid: String(guid) },
        ...{ orderNumber, checkNumber },
      });
    }),
    orders: orders.map((change) => shownChange(change, { orderGuid: String(change.orderGuid) })),
    timeEntries: timeEntries.map((change) => shownChange(change, { timeEntryGuid: String(change.guid) })),
  };
}

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

const HOURS = 'hourlyJobTotalHours';
const isMoney = (field: string): boolean => field.endsWith('Amount') || field === 'hourlyJobTotalPay';
const TEXT = new Set(['businessDate', 'businessHour']);

/** A stored figure as its records have it: cents as currency units, hundredths of hours as decimal text. */
export function shown(field: string, value: unknown): unknown {
  if (value === null) return null;
  if (field === HOURS || field === 'hourlyJobTotalPay') return (Number(value) / 100).toFixed(2);
  if (isMoney(field)) return Number(value) / 100;
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

const isNumber = (field: string, value: unknown): boolean =>
  !TEXT.has(field) && (typeof value === 'number' || typeof value === 'bigint');

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

function shownChange(change: Change): Pick<ShownChange, 'restaurantGuid' | 'businessDate' | 'change' | 'figures'> {
  const { restaurantGuid, before, after } = change;
  return {
    restaurantGuid,
    businessDate: String((after ?? before)?.businessDate),
    change: before === null ? 'ADDED' : after === null ? 'REMOVED' : 'CHANGED',
    figures: figuresOf(change),
  };
}

/** The lists of the answer, with the names of their GUIDs. */
export function shownChanges({ checks, orders, timeEntries }: Changes): {
  checks: ShownChange[];
  orders: ShownChange[];
  timeEntries: ShownChange[];
} {
  return {
    checks: checks.map((change) => {
      const { restaurantGuid, ...rest } = shownChange(change);
      const { orderGuid, guid, orderNumber, checkNumber } = change;
      return {
        restaurantGuid,
        orderGuid: String(orderGuid),
        checkGuid: String(guid),
        orderNumber,
        checkNumber,
        ...rest,
      };
    }),
    orders: orders.map((change) => {
      const { restaurantGuid, ...rest } = shownChange(change);
      return { restaurantGuid, orderGuid: String(change.orderGuid), ...rest };
    }),
    timeEntries: timeEntries.map((change) => {
      const { restaurantGuid, ...rest } = shownChange(change);
      return { restaurantGuid, timeEntryGuid: String(change.guid), ...rest };
    }),
  };
}

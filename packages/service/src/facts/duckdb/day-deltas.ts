/** What versions of orders and time entries add to the coverage of their days, and subtract when they are replaced. */
import type { LoadKind } from '../load.ts';
import { meets } from '../rollups.ts';
import { STORED_KINDS } from './kinds.ts';
import { checkedInteger } from './literals.ts';
import type { TableRow } from './rows.ts';
import type { RecordVersion } from './versions.ts';

/** The date of a version, as part of `dayName`; 0 for a settlement that was deleted. */
export const dateOf = (of: LoadKind, row: TableRow): number => checkedInteger(row[STORED_KINDS[of].date]);

/** Whether a version counts as loaded: neither deleted nor waste. */
export const isIncluded = (of: LoadKind, { row }: RecordVersion): boolean => meets(STORED_KINDS[of].included)(row);

/** The rows of a version that have dates of their own. */
export const datedRows = ({ partRows }: RecordVersion): readonly TableRow[] => partRows('refunds');

export const dayName = (restaurant: unknown, businessDate: unknown): string => `${restaurant}/${businessDate}`;

type DayCounts = Record<'orders' | 'checks' | 'time_entries' | 'dated_parts', number>;

/**
 * A row for each day of a restaurant on which a version was added or replaced, even if its counts do not change.
 * `loads` has, by `dayName`, the last load that touched the day.
 */
export function dayDeltas(
  of: LoadKind,
  changes: { added: readonly RecordVersion[]; removed: readonly RecordVersion[] },
  { loads, now }: { loads: ReadonlyMap<string, number>; now: number },
): TableRow[] {
  const days = new Map<string, DayCounts & TableRow>();
  const dayOf = (restaurant_id: unknown, business_date: unknown) => {
    const name = dayName(restaurant_id, business_date);
    const load = { load_id: loads.get(name), loaded_at: now };
    const none = { orders: 0, checks: 0, time_entries: 0, dated_parts: 0 };
    const day = days.get(name) ?? { restaurant_id, business_date, ...none, ...load };
    days.set(name, day);
    return day;
  };
  const add = (version: RecordVersion, sign: 1 | -1): void => {
    const { restaurant_id } = version.row;
    const date = dateOf(of, version.row);
    if (date === 0) return;
    const day = dayOf(restaurant_id, date);
    if (of !== 'settlements' && isIncluded(of, version)) day[of === 'orders' ? 'orders' : 'time_entries'] += sign;
    day.checks += sign * version.partRows('checks').length;
    for (const { business_date } of datedRows(version)) dayOf(restaurant_id, business_date).dated_parts += sign;
  };
  for (const one of changes.added) add(one, 1);
  for (const one of changes.removed) add(one, -1);
  return [...days.values()];
}

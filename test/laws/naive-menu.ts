/** Menu records of the naive model: docs/metrics.md#menu, selection by selection. */
import {
  carriedParts,
  dateOf,
  discountsOn,
  isGone,
  isSold,
  type Json,
  list,
  listed,
  type NaiveRestaurant,
  newestVersions,
  ownRefund,
  refundTimes,
} from './naive.ts';
import { instantOf } from './naive-clock.ts';
import { add, cents, digits, money, quotient } from './naive-decimal.ts';

export type NaiveGroup = 'MENU' | 'MENU_GROUP' | 'MENU_ITEM' | 'MODIFIER' | undefined;

export interface NaiveLine {
  date: string;
  order: string;
  openedAt: number;
  check: string;
  modifier: boolean;
  source: Json;
  /** `refunded` on another date than it was sold. */
  fate: 'sold' | 'voided' | 'wasted' | 'refunded';
  /** Of the check's own discounts. */
  share: bigint;
  /** What was refunded of it on that date. */
  refund: bigint;
  /** In millionths. */
  quantity: bigint;
}

export const discountsOf = (holder: Json): bigint => add(discountsOn([holder]));

const positive = (value: bigint): bigint => (value > 0n ? value : 0n);

/** The whole amount in parts, what rounding leaves to the largest rests. */
function spread(total: bigint, weights: bigint[]): bigint[] {
  const whole = add(weights);
  const size = total < 0n ? -total : total;
  const parts = weights.map((weight) => (size * weight) / whole);
  const rests = weights.map((weight, index) => ({ place: index, rest: (size * weight) % whole }));
  rests.sort((a, b) => (a.rest === b.rest ? a.place - b.place : a.rest > b.rest ? -1 : 1));
  const left = Number(size - add(parts));
  for (const { place: index } of rests.slice(0, left)) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts.map((part) => (total < 0n ? -part : part));
}

function sharesOf(total: bigint, sold: Json[]): bigint[] {
  if (sold.length === 0) return [];
  const after = sold.map((line) => cents(line.preDiscountPrice) - discountsOf(line));
  const missing = sold.map((line, i) => positive((after[i] ?? 0n) - cents(line.price)));
  const costs = after.map(positive);
  const weights = [missing, costs].find((some) => add(some) > 0n);
  return weights ? spread(total, weights) : sold.map((_, i) => (i === 0 ? total : 0n));
}

/** Decimals of a quantity, of which none has more. */
const EXACT = 30;
const MILLIONTH = 10n ** BigInt(EXACT - 6);
function quantityOf({ quantity, selectionType }: Json): bigint {
  if (typeof quantity === 'number' && Math.abs(quantity) <= 1e6) return digits(quantity, EXACT);
  return listed(selectionType) === 'SPECIAL_REQUEST' ? 0n : digits(1, EXACT);
}

/**
 * The quantities of an item in one order are rounded one after the other, each with what the ones before have left, so
 * that their sum is rounded once.
 */
function carriedRests(): (line: Pick<NaiveLine, 'modifier' | 'source' | 'fate'>) => bigint {
  const left = new Map<string, bigint>();
  return ({ modifier, source, fate }) => {
    const isFree = modifier && listed(source.selectionType) === 'SPECIAL_REQUEST';
    const guid = isFree ? null : lower(source.item);
    const item = JSON.stringify([fate, modifier, guid ?? (seen(source.displayName) || null)]);
    const exact = quantityOf(source);
    const own = quotient(exact, MILLIONTH);
    const rest = (left.get(item) ?? 0n) + exact - own * MILLIONTH;
    const size = rest < 0n ? -rest : rest;
    const more = size * 2n > MILLIONTH ? rest / size : 0n;
    left.set(item, rest - more * MILLIONTH);
    return own + more;
  };
}

/** Every selection and modifier that is sold, voided or wasted. */
export function naiveLines(orders: Json[], restaurant: NaiveRestaurant): NaiveLine[] {
  const lines: NaiveLine[] = [];
  for (const order of newestVersions(orders)) {
    if (isGone(order) || (order.excessFood && order.voided)) continue;
    const inMillionths = carriedRests();
    const of = { date: dateOf(order, restaurant), order: order.guid, openedAt: instantOf(order.openedDate) };
    for (const check of list(order.checks)) {
      if (check.deleted || (order.excessFood && check.voided)) continue;
      const isVoided = Boolean(order.voided || check.voided);
      const sold: Json[] = [];
      const fateOf = (selection: Json): NaiveLine['fate'] | undefined => {
        if (order.excessFood) return selection.voided || !isSold(selection) ? undefined : 'wasted';
        if (isVoided || selection.voided) return 'voided';
        return isSold(selection) ? 'sold' : undefined;
      };
      for (const selection of list(check.selections)) if (fateOf(selection) === 'sold') sold.push(selection);
      const timeOf = refundTimes(check, order, restaurant);
      /** Adds a line, and one for each refund on another date. */
      const place = (line: Omit<NaiveLine, 'refund' | 'quantity'>): void => {
        const { source, modifier, date } = line;
        const own = ownRefund(source) === 0n ? [] : [{ refund: source.refundDetails, amount: ownRefund(source) }];
        const parts = line.fate === 'sold' ? (modifier ? own : carriedParts(source)) : [];
        const times = parts.map(({ refund, amount }) => ({ amount, date: timeOf(refund).date }));
        const refund = add(times.filter((one) => one.date === date).map(({ amount }) => amount));
        lines.push({ ...line, refund, quantity: inMillionths(line) });
        for (const one of times)
          if (one.date !== date)
            lines.push({ ...line, date: one.date, fate: 'refunded', share: 0n, refund: one.amount, quantity: 0n });
      };
      const shares = sharesOf(discountsOf(check), sold);
      const modify = (holder: Json, above: NaiveLine['fate'] | undefined, depth: number): void => {
        for (const modifier of depth > 10 ? [] : list(holder.modifiers)) {
          const fate = modifier.voided ? (order.excessFood ? undefined : 'voided') : above;
          const line = { ...of, check: check.guid, modifier: true, source: modifier, share: 0n };
          if (fate && listed(modifier.selectionType) !== 'PORTION') place({ ...line, fate });
          modify(modifier, fate, depth + 1);
        }
      };
      for (const selection of list(check.selections)) {
        const fate = fateOf(selection);
        const share = fate === 'sold' ? (shares[sold.indexOf(selection)] ?? 0n) : 0n;
        if (fate) place({ ...of, check: check.guid, modifier: false, source: selection, fate, share });
        modify(selection, fate, 1);
      }
    }
  }
  return lines;
}

interface Entry {
  guid: string;
  name: string;
  root: string;
  rootName: string;
  menu: string;
  menuName: string;
}

/** The first of each kind by GUID. */
function lookUps(menus: Json[]) {
  const groups = new Map<string, Entry>();
  const items = new Map<string, string>();
  const names = new Map<string, string>();
  const walk = (group: Json, root: Json, menu: Json): void => {
    const entry = { guid: group.guid, name: group.name, root: root.guid, rootName: root.name };
    if (!groups.has(group.guid)) groups.set(group.guid, { ...entry, menu: menu.guid, menuName: menu.name });
    for (const item of group.menuItems) if (!items.has(item.guid)) items.set(item.guid, item.name);
    for (const inner of group.menuGroups) walk(inner, root, menu);
  };
  for (const menu of menus) {
    if (!names.has(menu.guid)) names.set(menu.guid, menu.name);
    for (const group of menu.menuGroups) walk(group, group, menu);
  }
  return { groups, items, names };
}

const lower = (reference: Json): string | null => reference?.guid?.toLowerCase() ?? null;
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** A name as a reader sees it. */
export const seen = (name: string | null | undefined): string | undefined => name?.normalize('NFC').trim();

/** The name of the line opened last, of those that carry one. */
function latest(lines: NaiveLine[], nameOf: (line: NaiveLine) => string | null | undefined): string | null {
  const named = lines.flatMap((line) => {
    const name = nameOf(line);
    return name ? [{ at: line.openedAt, name }] : [];
  });
  named.sort((a, b) => b.at - a.at || compare(b.name, a.name));
  return named[0]?.name ?? null;
}

/** GUID and name of each line of one date. */
function naming(lines: NaiveLine[], menus: Json[], by: NaiveGroup): Map<NaiveLine, [string | null, string]> {
  const { groups, items, names } = lookUps(menus);
  const known = new Map<NaiveLine, [string | null, string]>();
  const entryOf = (line: NaiveLine): Entry | undefined => groups.get(lower(line.source.itemGroup) ?? '');
  for (const line of lines) {
    const { source } = line;
    if (by === 'MENU_ITEM' || by === 'MODIFIER') {
      const keyOf = ({ source: of, modifier }: NaiveLine) =>
        modifier && listed(of.selectionType) === 'SPECIAL_REQUEST' ? null : lower(of.item);
      const guid = keyOf(line);
      const same = lines.filter((one) => keyOf(one) === guid);
      const name = guid === null ? seen(source.displayName) : latest(same, (one) => seen(one.source.displayName));
      known.set(line, [guid, name || (guid === null ? 'Open Item' : (items.get(guid) ?? 'Unknown Item'))]);
    } else if (by === 'MENU_GROUP') {
      const entry = entryOf(line);
      const guid = lower(source.itemGroup);
      const same = lines.filter((one) => lower(one.source.itemGroup) === guid);
      const carried = guid === null ? source.itemGroup?.name : latest(same, (one) => one.source.itemGroup?.name);
      if (entry) known.set(line, [entry.root, groups.get(entry.root)?.name ?? entry.rootName]);
      else known.set(line, carried ? [guid, carried] : [null, 'No Menu Group']);
    } else if (by === 'MENU') {
      const entry = entryOf(line);
      const guid = lower(source.menu);
      const same = lines.filter((one) => !entryOf(one) && lower(one.source.menu) === guid);
      const carried = guid === null ? source.menu?.name : latest(same, (one) => one.source.menu?.name);
      const name = names.get(guid ?? '') ?? carried;
      if (entry) known.set(line, [entry.menu, names.get(entry.menu) ?? entry.menuName]);
      else known.set(line, name ? [guid, name] : [null, 'No Menu']);
    } else known.set(line, [null, '']);
  }
  return known;
}

export interface NaiveSums {
  gross: bigint;
  discount: bigint;
  refund: bigint;
  voided: bigint;
  quantity: bigint;
  wasted: bigint;
  wasteCents: bigint;
}

export function sumsOf(lines: NaiveLine[]): NaiveSums {
  const of = (fate: NaiveLine['fate']) => lines.filter((line) => line.fate === fate);
  const sold = of('sold');
  return {
    gross: add(sold.map(({ source }) => cents(source.preDiscountPrice))),
    discount: add(sold.map(({ source, share }) => discountsOf(source) + share)),
    refund: add([...sold, ...of('refunded')].map(({ refund }) => refund)),
    voided: add(of('voided').map(({ source }) => cents(source.price))),
    quantity: add(sold.map(({ quantity }) => quantity)),
    wasted: add(of('wasted').map(({ quantity }) => quantity)),
    wasteCents: add(of('wasted').map(({ source }) => cents(source.preDiscountPrice))),
  };
}

const millionths = (value: bigint): number => {
  const size = value < 0n ? -value : value;
  return Number(`${value < 0n ? '-' : ''}${size / 1_000_000n}.${String(size % 1_000_000n).padStart(6, '0')}`);
};

function average(gross: bigint, quantity: bigint): bigint {
  if (quantity === 0n) return 0n;
  return quantity < 0n ? quotient(-gross * 1_000_000n, -quantity) : quotient(gross * 1_000_000n, quantity);
}

const PAIRS = { MENU: 'menu', MENU_GROUP: 'menuGroup', MENU_ITEM: 'menuItem', MODIFIER: 'modifier' } as const;

/** Menu records in the order of the wire. */
export function naiveMenu(orders: Json[], restaurant: NaiveRestaurant, menus: Json[], by: NaiveGroup): Json[] {
  const counted = naiveLines(orders, restaurant).filter(({ modifier }) => modifier === (by === 'MODIFIER'));
  const rows: { date: string; guid: string | null; name: string; lines: NaiveLine[] }[] = [];
  for (const [date, lines] of Map.groupBy(counted, (line) => line.date)) {
    const names = naming(lines, menus, by);
    for (const line of lines) {
      const [guid, name] = names.get(line) ?? [null, ''];
      const row = rows.find((one) => one.date === date && one.guid === guid && one.name === name);
      if (row) row.lines.push(line);
      else rows.push({ date, guid, name, lines: [line] });
    }
  }
  rows.sort(
    (a, b) =>
      Number(a.date) - Number(b.date) ||
      compare(a.name, b.name) ||
      compare(a.guid ?? '\u{10ffff}', b.guid ?? '\u{10ffff}'),
  );
  return rows.map(({ date, guid, name, lines }) => {
    const sums = sumsOf(lines);
    const pairs = Object.values(PAIRS).flatMap((pair) => {
      const isAsked = by !== undefined && PAIRS[by] === pair;
      return [
        [`${pair}Guid`, isAsked ? guid : null],
        [`${pair}Name`, isAsked ? name : null],
      ];
    });
    return {
      businessDate: date,
      restaurantGuid: restaurant.guid,
      restaurantName: restaurant.name,
      restaurantLocationName: null,
      restaurantLocationCode: '',
      netSalesAmount: money(sums.gross - sums.discount - sums.refund),
      grossSalesAmount: money(sums.gross),
      discountAmount: money(sums.discount),
      refundAmount: money(sums.refund),
      voidAmount: money(sums.voided),
      quantitySold: millionths(sums.quantity),
      averagePrice: money(average(sums.gross, sums.quantity)),
      wasteCount: millionths(sums.wasted),
      wasteAmount: money(sums.wasteCents),
      ...Object.fromEntries(pairs),
    };
  });
}

/** The selections of an order and their modifiers as lines of menu reports: docs/metrics.md#menu. */
import type { LineFact } from '../facts/line.ts';
import { readDiscounts, readRefundDetails } from './check.ts';
import { type RememberedNames, rememberNames } from './line-names.ts';
import { largestRemainder, readMillionths } from './money.ts';
import {
  cents,
  checkNumber,
  cutText,
  flag,
  listOf,
  maybeGuid,
  maybeObject,
  objectAt,
  type Source,
  sum,
  word,
} from './source.ts';

/** How a selection counts: as sold, voided or wasted, or in no menu report (gift cards, deferred items). */
export type Fate = 'sold' | 'voided' | 'wasted' | 'none';

/** A selection, as read for the sums of its check. */
export interface ReadSelection {
  source: Source;
  /** Its JSON pointer. */
  at: string;
  voided: boolean;
  /** Neither deferred nor a gift card or house account. */
  sells: boolean;
  price: number;
  preDiscount: number;
  /** Its own discounts that count, in cents. */
  discount: number;
  refund: number;
}

const ONE = 1_000_000;
/** More deeply nested modifiers are ignored. */
const DEEPEST = 10;

/** Reads the lines of one check after the other. */
export interface LineReader {
  /** Begins a check; `fate` applies to those of its selections that sell and are not voided. */
  check(guid: string, fate: Exclude<Fate, 'none'>): void;
  selection(selection: ReadSelection): void;
  /**
   * Ends the check: its own discounts, in cents, are distributed over its sold lines. Throws Rejection with the check's
   * pointer.
   */
  spread(discount: number, at: string): void;
  /** The lines read so far, added up. */
  lines: NamedLine[];
}

/** A line, and its names as they are remembered. */
export interface NamedLine extends LineFact {
  names: RememberedNames;
}

/** The lines of an order, added up by check and names. */
interface LineSums {
  /** Begins a check. */
  check(guid: string): void;
  /** Adds a selection or modifier to its line, counted as `becomes`. */
  add(names: RememberedNames, becomes: Exclude<Fate, 'none'>, amounts: Amounts, at: string): NamedLine;
  all: NamedLine[];
}

function createLineSums(seq: number): LineSums {
  const all: NamedLine[] = [];
  let checkGuid = '';
  let added = new Map<string, NamedLine>();
  return {
    all,
    check(guid) {
      checkGuid = guid;
      if (added.size > 0) added = new Map();
    },
    add(names, becomes, { price, preDiscount, discount, refund, quantity }, at) {
      const isSold = becomes === 'sold';
      const isWasted = becomes === 'wasted';
      // Written out because object spreads took a third of the time of reading lines.
      const sums: Record<(typeof SUMS)[number], number> = {
        quantity: isSold ? quantity : 0,
        gross_cents: isSold ? preDiscount : 0,
        discount_cents: isSold ? discount : 0,
        refund_cents: isSold ? refund : 0,
        void_cents: becomes === 'voided' ? price : 0,
        waste_quantity: isWasted ? quantity : 0,
        waste_cents: isWasted ? preDiscount : 0,
      };
      const known = added.get(names.key);
      if (known) {
        for (const name of SUMS) known[name] = sum(known[name], sums[name], at);
        return known;
      }
      const line: NamedLine = {
        seq,
        check_guid: checkGuid,
        modifier: names.modifier,
        item_guid: names.item_guid,
        item_name: names.item_name,
        group_guid: names.group_guid,
        group_name: names.group_name,
        menu_guid: names.menu_guid,
        menu_name: names.menu_name,
        quantity: sums.quantity,
        gross_cents: sums.gross_cents,
        discount_cents: sums.discount_cents,
        refund_cents: sums.refund_cents,
        void_cents: sums.void_cents,
        waste_quantity: sums.waste_quantity,
        waste_cents: sums.waste_cents,
        names,
      };
      added.set(names.key, line);
      all.push(line);
      return line;
    },
  };
}

/** A line as JSON, with the properties of LineFact in their order: a third of the time of JSON.stringify. */
export function lineText(line: NamedLine): string {
  const { seq, check_guid, names, quantity, gross_cents, discount_cents, refund_cents, void_cents } = line;
  return `{"seq":${seq},"check_guid":"${check_guid}",${names.json},"quantity":${quantity},"gross_cents":${gross_cents},"discount_cents":${discount_cents},"refund_cents":${refund_cents},"void_cents":${void_cents},"waste_quantity":${line.waste_quantity},"waste_cents":${line.waste_cents}}`;
}

/** Reads the lines of an order whose place in the body is `seq`. */
export function createLineReader(seq: number): LineReader {
  let fate: Exclude<Fate, 'none'> = 'sold';
  let sold: { line: LineFact; price: number; afterOwn: number }[] = [];
  const sums = createLineSums(seq);

  return {
    check(guid, of) {
      sums.check(guid);
      fate = of;
      sold = [];
    },
    selection({ source, at, voided, sells, price, preDiscount, discount, refund }) {
      const type = word(source.selectionType, at, 'selectionType');
      const quantity = quantityOf(source.quantity, at, type);
      const names = namesOf(source, at, type, false);
      const becomes = fateOf(voided, sells, fate);
      if (becomes !== 'none') {
        const line = sums.add(names, becomes, { price, preDiscount, discount, refund, quantity }, at);
        if (becomes === 'sold') sold.push({ line, price, afterOwn: preDiscount - discount });
      }
      readModifiers(source, at, { above: becomes, depth: 1, isWaste: fate === 'wasted' }, sums);
    },
    spread(discount, at) {
      if (discount === 0 || sold.length === 0) return;
      const parts = sharesOf(discount, sold);
      for (const [i, { line }] of sold.entries()) {
        line.discount_cents = sum(line.discount_cents, parts[i] ?? 0, at);
      }
    },
    lines: sums.all,
  };
}

/** The context of modifiers: how the selection or modifier above them counts, their depth, and whether the order is waste. */
interface ModifierPlace {
  above: Fate;
  depth: number;
  isWaste: boolean;
}

function readModifiers(source: Source, at: string, place: ModifierPlace, sums: LineSums): void {
  const modifiers = listOf(source.modifiers, at, 'modifiers');
  for (let i = 0; i < modifiers.length; i++) {
    const own = `${at}/modifiers/${i}`;
    const modifier = objectAt(modifiers[i], own);
    if (place.depth <= DEEPEST) readModifier(modifier, own, place, sums);
  }
}

function readModifier(source: Source, at: string, { above, depth, isWaste }: ModifierPlace, sums: LineSums): void {
  word(source.guid, at, 'guid');
  const voided = flag(source.voided, at, 'voided');
  const type = word(source.selectionType, at, 'selectionType');
  const price = cents(source.price, at, 'price');
  const preDiscount = cents(source.preDiscountPrice, at, 'preDiscountPrice');
  const discount = readDiscounts(source.appliedDiscounts, at) ?? 0;
  const refund = readRefundDetails(source.refundDetails, at);
  const names = namesOf(source, at, type, true);
  const quantity = quantityOf(source.quantity, at, type);
  // In a waste order nothing counts as voided, just as in the sales metrics.
  const becomes = voided ? (isWaste ? 'none' : 'voided') : above;
  // Halves of a pizza are not items; the toppings on them are.
  if (becomes !== 'none' && type !== 'PORTION') {
    sums.add(names, becomes, { price, preDiscount, discount, refund, quantity }, at);
  }
  readModifiers(source, at, { above: becomes, depth: depth + 1, isWaste }, sums);
}

function fateOf(voided: boolean, sells: boolean, fate: Exclude<Fate, 'none'>): Fate {
  if (fate === 'wasted') return voided || !sells ? 'none' : 'wasted';
  if (voided || fate === 'voided') return 'voided';
  return sells ? 'sold' : 'none';
}

/** Free text is identified by its text alone; a modifier has no group. */
function namesOf(source: Source, at: string, type: string | null, modifier: boolean): RememberedNames {
  const item = maybeObject(source.item, at, 'item');
  const group = modifier ? undefined : maybeObject(source.itemGroup, at, 'itemGroup');
  const menu = modifier ? undefined : maybeObject(source.menu, at, 'menu');
  const guid = item ? maybeGuid(item, `${at}/item`) : null;
  return rememberNames({
    modifier,
    item_guid: modifier && type === 'SPECIAL_REQUEST' ? null : guid,
    item_name: cutText(source.displayName, at, 'displayName'),
    group_guid: group ? maybeGuid(group, `${at}/itemGroup`) : null,
    group_name: group ? cutText(group.name, `${at}/itemGroup`, 'name') : null,
    menu_guid: menu ? maybeGuid(menu, `${at}/menu`) : null,
    menu_name: menu ? cutText(menu.name, `${at}/menu`, 'name') : null,
  });
}

/** In millionths: one if it is missing, none for free text. */
function quantityOf(value: unknown, at: string, type: string | null): number {
  checkNumber(value, at, 'quantity');
  return readMillionths(value) ?? (type === 'SPECIAL_REQUEST' ? 0 : ONE);
}

const SUMS = [
  'quantity',
  'gross_cents',
  'discount_cents',
  'refund_cents',
  'void_cents',
  'waste_quantity',
  'waste_cents',
] as const satisfies (keyof LineFact)[];
/** Amounts in cents, quantities in millionths. */
interface Amounts {
  price: number;
  preDiscount: number;
  discount: number;
  refund: number;
  quantity: number;
}

/**
 * The shares of the sold lines in the discounts of their check. The POS subtracts its own shares from the prices, so the missing
 * amounts are the weights; if there are none, the prices are; if these are 0, the first line gets everything.
 */
function sharesOf(discount: number, sold: readonly { price: number; afterOwn: number }[]): number[] {
  const missing = sold.map(({ price, afterOwn }) => Math.max(0, afterOwn - price));
  const costs = sold.map(({ afterOwn }) => Math.max(0, afterOwn));
  const weights = [missing, costs].find((some) => some.some((weight) => weight > 0));
  return weights ? largestRemainder(discount, weights) : sold.map((_, i) => (i === 0 ? discount : 0));
}

/** The selections of an order and their modifiers as lines of menu reports: docs/metrics.md#menu. */
import type { LineFact } from '../facts/line.ts';
import { readDiscounts } from './discount.ts';
import { namesOf, type RememberedNames } from './line-names.ts';
import { largestRemainder, readMillionths } from './money.ts';
import { NONE, ownRefund, type RefundedPart } from './refund.ts';
import { cents, checkNumber, DEEPEST, flag, listedWord, listOf, objectAt, type Source, sum, word } from './source.ts';

/** How a selection counts: as sold, voided or wasted, or in no menu report (gift cards, deferred items). */
export type Fate = 'sold' | 'voided' | 'wasted' | 'none';

/** A selection, as read for the sums of its check. */
interface ReadSelection {
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
  /** Its refunded parts, those of its modifiers included (refund.ts). */
  refunded: readonly RefundedPart[];
}

const ONE = 1_000_000;

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
  /** The refunded parts of the lines of the check. */
  refunded: RefundedLine[];
}

interface RefundedLine {
  line: NamedLine;
  part: RefundedPart;
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
  /** Of the check. */
  refunded: RefundedLine[];
}

/** With more left than a half, another millionth is due; sums of numbers are a little off. */
const MOST_LEFT = 0.5 + 1e-6;
/**
 * With more lines than this, those of a check are found by their keys in a map. A map for each order took 0.3 µs of a
 * few.
 */
const FEW = 16;

function createLineSums(seq: number): LineSums {
  const all: NamedLine[] = [];
  const refundedLines: RefundedLine[] = [];
  let checkGuid = '';
  /** Where the lines of the check begin. */
  let first = 0;
  /** What rounding has left of the quantities of items, in millionths, for the whole order. */
  const rests = new Map<string, number>();
  /** The lines of the check by the keys of their names, once there are many. */
  let byKey: Map<string, NamedLine> | undefined;

  function find(names: RememberedNames): NamedLine | undefined {
    if (byKey) return byKey.get(names.key);
    for (let i = first; i < all.length; i++) {
      const line = all[i];
      // Mostly the same names are the same object, but names that were forgotten meanwhile are not.
      if (line && (line.names === names || line.names.key === names.key)) return line;
    }
    return undefined;
  }
  function begin(names: RememberedNames): NamedLine {
    const line = emptyLine(seq, checkGuid, names);
    all.push(line);
    if (byKey) byKey.set(names.key, line);
    else if (all.length - first > FEW) byKey = new Map(all.slice(first).map((one) => [one.names.key, one]));
    return line;
  }
  /**
   * The quantity in millionths, so that those of an item in one order, in whatever groups, add up to their sum, rounded
   * once: three thirds are 1.
   */
  function rounded({ quantity, rest }: Amounts, names: RememberedNames, becomes: Fate): number {
    if (rest === 0) return quantity;
    const key = `${becomes} ${names.modifier} ${names.item_guid ?? names.item_name}`;
    const left = (rests.get(key) ?? 0) + rest;
    const more = Math.abs(left) > MOST_LEFT ? Math.sign(left) : 0;
    rests.set(key, left - more);
    return quantity + more;
  }
  return {
    all,
    refunded: refundedLines,
    check(guid) {
      checkGuid = guid;
      refundedLines.length = 0;
      first = all.length;
      byKey = undefined;
    },
    add(names, becomes, amounts, at) {
      const { price, preDiscount, discount, refunded } = amounts;
      const line = find(names) ?? begin(names);
      // Written out, because a loop over the names of the sums took a tenth of the time of reading lines.
      if (becomes === 'sold') {
        line.quantity = sum(line.quantity, rounded(amounts, names, becomes), at);
        line.gross_cents = sum(line.gross_cents, preDiscount, at);
        line.discount_cents = sum(line.discount_cents, discount, at);
        for (const part of refunded) {
          line.refund_cents = sum(line.refund_cents, part.amount, at);
          refundedLines.push({ line, part });
        }
      } else if (becomes === 'voided') {
        line.void_cents = sum(line.void_cents, price, at);
      } else {
        line.waste_quantity = sum(line.waste_quantity, rounded(amounts, names, becomes), at);
        line.waste_cents = sum(line.waste_cents, preDiscount, at);
      }
      return line;
    },
  };
}

const emptyLine = (seq: number, check_guid: string, names: RememberedNames): NamedLine => ({
  seq,
  check_guid,
  modifier: names.modifier,
  item_guid: names.item_guid,
  item_name: names.item_name,
  group_guid: names.group_guid,
  group_name: names.group_name,
  menu_guid: names.menu_guid,
  menu_name: names.menu_name,
  quantity: 0,
  gross_cents: 0,
  discount_cents: 0,
  refund_cents: 0,
  void_cents: 0,
  waste_quantity: 0,
  waste_cents: 0,
  names,
});

/** The end of nearly every line, as one text instead of ten. */
const NO_MORE_SUMS = '"discount_cents":0,"refund_cents":0,"void_cents":0,"waste_quantity":0,"waste_cents":0}';

/** A line as JSON, with the properties of LineFact in their order: a third of the time of JSON.stringify. */
export function lineText(line: NamedLine): string {
  const { seq, check_guid, names, quantity, gross_cents, discount_cents, refund_cents, void_cents } = line;
  const { waste_quantity, waste_cents } = line;
  const begin = `{"seq":${seq},"check_guid":"${check_guid}",${names.json},"quantity":${quantity},"gross_cents":${gross_cents},`;
  const isSimple =
    discount_cents === 0 && refund_cents === 0 && void_cents === 0 && waste_quantity === 0 && waste_cents === 0;
  if (isSimple) return begin + NO_MORE_SUMS;
  return `${begin}"discount_cents":${discount_cents},"refund_cents":${refund_cents},"void_cents":${void_cents},"waste_quantity":${waste_quantity},"waste_cents":${waste_cents}}`;
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
    selection({ source, at, voided, sells, price, preDiscount, discount, refunded }) {
      const type = listedWord(source.selectionType, at, 'selectionType');
      const quantity = quantityOf(source.quantity, at, type);
      const rest = restOf(source.quantity, quantity);
      const names = namesOf(source, at, type, false);
      const becomes = fateOf(voided, sells, fate);
      if (becomes !== 'none') {
        const line = sums.add(names, becomes, { price, preDiscount, discount, refunded, quantity, rest }, at);
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
    refunded: sums.refunded,
  };
}

/**
 * The context of modifiers: how the selection or modifier above them counts, their depth, and whether the order is
 * waste.
 */
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
  const type = listedWord(source.selectionType, at, 'selectionType');
  const price = cents(source.price, at, 'price');
  const preDiscount = cents(source.preDiscountPrice, at, 'preDiscountPrice');
  const discount = readDiscounts(source.appliedDiscounts, at) ?? 0;
  const own = ownRefund(source, at);
  const names = namesOf(source, at, type, true);
  const quantity = quantityOf(source.quantity, at, type);
  const rest = restOf(source.quantity, quantity);
  // In a waste order nothing counts as voided, just as in the sales metrics.
  const becomes = voided ? (isWaste ? 'none' : 'voided') : above;
  // Halves of a pizza are not items; the toppings on them are.
  if (becomes !== 'none' && type !== 'PORTION') {
    sums.add(names, becomes, { price, preDiscount, discount, refunded: own ? [own] : NONE, quantity, rest }, at);
  }
  readModifiers(source, at, { above: becomes, depth: depth + 1, isWaste }, sums);
}

function fateOf(voided: boolean, sells: boolean, fate: Exclude<Fate, 'none'>): Fate {
  if (fate === 'wasted') return voided || !sells ? 'none' : 'wasted';
  if (voided || fate === 'voided') return 'voided';
  return sells ? 'sold' : 'none';
}

/** In millionths: one if it is missing, none for free text. */
function quantityOf(value: unknown, at: string, type: string | null): number {
  checkNumber(value, at, 'quantity');
  return readMillionths(value) ?? (type === 'SPECIAL_REQUEST' ? 0 : ONE);
}

/**
 * What rounding to millionths has left of a quantity, in millionths; 0 where that is less than a number of its size can
 * say.
 */
function restOf(value: unknown, millionths: number): number {
  if (typeof value !== 'number' || millionths === 0) return 0;
  const rest = value * 1e6 - millionths;
  return Math.abs(rest) > Math.abs(millionths) * 2 ** -48 && Math.abs(rest) <= 0.5 ? rest : 0;
}

/** Amounts in cents, quantities in millionths. */
interface Amounts {
  price: number;
  preDiscount: number;
  discount: number;
  refunded: readonly RefundedPart[];
  quantity: number;
  /** What rounding has left of it. */
  rest: number;
}

/**
 * The shares of the sold lines in the discounts of their check. The POS subtracts its own shares from the prices, so
 * the missing amounts are the weights; if there are none, the prices are; if these are 0, the first line gets
 * everything.
 */
function sharesOf(discount: number, sold: readonly { price: number; afterOwn: number }[]): number[] {
  const missing = sold.map(({ price, afterOwn }) => Math.max(0, afterOwn - price));
  const costs = sold.map(({ afterOwn }) => Math.max(0, afterOwn));
  const weights = [missing, costs].find((some) => some.some((weight) => weight > 0));
  return weights ? largestRemainder(discount, weights) : sold.map((_, i) => (i === 0 ? discount : 0));
}

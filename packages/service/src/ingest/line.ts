/** What the selections of an order and their modifiers are to menu reports: docs/metrics.md#menu. */
import type { LineFact } from '../facts/line.ts';
import { readDiscounts, readRefundDetails } from './check.ts';
import { readMillionths } from './money.ts';
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
import { largestRemainder } from './spread.ts';

/** What becomes of a selection: its line is sold, voided, wasted, or in no menu report (gift cards, deferred items). */
export type Fate = 'sold' | 'voided' | 'wasted' | 'none';

/** A selection as the sums of its check have read it. */
export interface ReadSelection {
  source: Source;
  /** Its pointer. */
  at: string;
  voided: boolean;
  /** Neither deferred nor a gift card or house account. */
  sells: boolean;
  price: number;
  preDiscount: number;
  /** Its own counting discounts. */
  discount: number;
  refund: number;
}

const ONE = 1_000_000;
/** Modifiers that are nested deeper are ignored. */
const DEEPEST = 10;

/** Reads the lines of one check after the other. */
export interface LineReader {
  /** Begins a check; `fate` is that of its selections that sell and are not voided. */
  check(guid: string, fate: Exclude<Fate, 'none'>): void;
  selection(selection: ReadSelection): void;
  /** Ends the check: its own discounts, in cents, are spread over its sold lines. Throws Rejection, at the check's pointer. */
  spread(discount: number, at: string): void;
  /** Everything that was read, added up. */
  lines(): LineFact[];
}

/** Reads the lines of an order whose place in the body is `seq`. */
export function createLineReader(seq: number): LineReader {
  const added = new Map<string, LineFact>();
  let checkGuid = '';
  let fate: Exclude<Fate, 'none'> = 'sold';
  let sold: { line: LineFact; price: number; afterOwn: number }[] = [];

  function lineOf(names: LineNames, at: string, sums: LineSums): LineFact {
    const key = checkGuid + keyOf(names);
    const known = added.get(key);
    if (!known) {
      const line = { seq, check_guid: checkGuid, ...names, ...sums };
      added.set(key, line);
      return line;
    }
    for (const name of SUMS) known[name] = sum(known[name], sums[name], at);
    return known;
  }

  function readModifiers(source: Source, at: string, above: Fate, depth: number): void {
    const modifiers = listOf(source.modifiers, at, 'modifiers');
    for (let i = 0; i < modifiers.length; i++) {
      const place = `${at}/modifiers/${i}`;
      const modifier = objectAt(modifiers[i], place);
      if (depth <= DEEPEST) readModifier(modifier, place, above, depth);
    }
  }

  function readModifier(source: Source, at: string, above: Fate, depth: number): void {
    const voided = flag(source.voided, at, 'voided');
    const type = word(source.selectionType, at, 'selectionType');
    const price = cents(source.price, at, 'price');
    const preDiscount = cents(source.preDiscountPrice, at, 'preDiscountPrice');
    const discount = readDiscounts(source.appliedDiscounts, at) ?? 0;
    const refund = readRefundDetails(source.refundDetails, at);
    const names = { ...NO_GROUP, modifier: true, ...itemOf(source, at, type) };
    const quantity = quantityOf(source.quantity, at, type);
    // In a waste order nothing is voided: it is not among the voids of the sales metrics either.
    const becomes = voided ? (fate === 'wasted' ? 'none' : 'voided') : above;
    // Halves of a pizza are no items; what is on them is.
    if (becomes !== 'none' && type !== 'PORTION') {
      lineOf(names, at, sumsOf(becomes, { price, preDiscount, discount, refund, quantity }));
    }
    readModifiers(source, at, becomes, depth + 1);
  }

  return {
    check(guid, of) {
      checkGuid = guid;
      fate = of;
      sold = [];
    },
    selection({ source, at, voided, sells, ...amounts }) {
      const type = word(source.selectionType, at, 'selectionType');
      const quantity = quantityOf(source.quantity, at, type);
      const names = { modifier: false, ...itemOf(source, at, null), ...groupOf(source, at) };
      const becomes = fateOf(voided, sells, fate);
      if (becomes !== 'none') {
        const line = lineOf(names, at, sumsOf(becomes, { ...amounts, quantity }));
        const afterOwn = amounts.preDiscount - amounts.discount;
        if (becomes === 'sold') sold.push({ line, price: amounts.price, afterOwn });
      }
      readModifiers(source, at, becomes, 1);
    },
    spread(discount, at) {
      if (discount === 0 || sold.length === 0) return;
      const parts = sharesOf(discount, sold);
      for (const [i, { line }] of sold.entries()) {
        line.discount_cents = sum(line.discount_cents, parts[i] ?? 0, at);
      }
    },
    lines: () => [...added.values()],
  };
}

function fateOf(voided: boolean, sells: boolean, fate: Exclude<Fate, 'none'>): Fate {
  if (fate === 'wasted') return voided || !sells ? 'none' : 'wasted';
  if (voided || fate === 'voided') return 'voided';
  return sells ? 'sold' : 'none';
}

type LineNames = Pick<
  LineFact,
  'modifier' | 'item_guid' | 'item_name' | 'group_guid' | 'group_name' | 'menu_guid' | 'menu_name'
>;
/** No name or GUID is empty, and none has U+0000. As JSON it was a tenth of the reading of a load. */
const keyOf = ({ modifier, item_guid, item_name, group_guid, group_name, menu_guid, menu_name }: LineNames): string =>
  `${modifier ? 1 : 0}${item_guid ?? ''}\0${item_name ?? ''}\0${group_guid ?? ''}\0${group_name ?? ''}\0${menu_guid ?? ''}\0${menu_name ?? ''}`;

const NO_GROUP = { group_guid: null, group_name: null, menu_guid: null, menu_name: null } as const;

/** Free text is named by its text alone. */
function itemOf(source: Source, at: string, type: string | null): Pick<LineFact, 'item_guid' | 'item_name'> {
  const item = maybeObject(source.item, at, 'item');
  const guid = maybeGuid(item, `${at}/item`);
  return {
    item_guid: type === 'SPECIAL_REQUEST' ? null : guid,
    item_name: cutText(source.displayName, at, 'displayName'),
  };
}

function groupOf(source: Source, at: string): Omit<LineNames, 'modifier' | 'item_guid' | 'item_name'> {
  const group = maybeObject(source.itemGroup, at, 'itemGroup');
  const menu = maybeObject(source.menu, at, 'menu');
  return {
    group_guid: maybeGuid(group, `${at}/itemGroup`),
    group_name: cutText(group?.name, `${at}/itemGroup`, 'name'),
    menu_guid: maybeGuid(menu, `${at}/menu`),
    menu_name: cutText(menu?.name, `${at}/menu`, 'name'),
  };
}

/** Millionths: one where it is missing, none of free text. */
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
type LineSums = Pick<LineFact, (typeof SUMS)[number]>;

function sumsOf(
  fate: Exclude<Fate, 'none'>,
  {
    price,
    preDiscount,
    discount,
    refund,
    quantity,
  }: Omit<ReadSelection, 'source' | 'at' | 'voided' | 'sells'> & {
    quantity: number;
  },
): LineSums {
  const sold = fate === 'sold';
  const wasted = fate === 'wasted';
  return {
    quantity: sold ? quantity : 0,
    gross_cents: sold ? preDiscount : 0,
    discount_cents: sold ? discount : 0,
    refund_cents: sold ? refund : 0,
    void_cents: fate === 'voided' ? price : 0,
    waste_quantity: wasted ? quantity : 0,
    waste_cents: wasted ? preDiscount : 0,
  };
}

/**
 * The shares of the sold lines in the discounts of their check. The POS takes its own shares off the prices, so what is
 * missing there weighs; without any, what the lines cost; without any, the first line has it all.
 */
function sharesOf(discount: number, sold: readonly { price: number; afterOwn: number }[]): number[] {
  const missing = sold.map(({ price, afterOwn }) => Math.max(0, afterOwn - price));
  const costs = sold.map(({ afterOwn }) => Math.max(0, afterOwn));
  const weights = [missing, costs].find((some) => some.some((weight) => weight > 0));
  return weights ? largestRemainder(discount, weights) : sold.map((_, i) => (i === 0 ? discount : 0));
}

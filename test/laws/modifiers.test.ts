/** The laws of menu reports by modifier (docs/metrics.md#laws): what changes a row of it, and what does not. */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import fc from 'fast-check';
import { cases } from './arbitraries.ts';
import { type Engine, forEach, newRestaurant, openEngine, put, reportsOf } from './engine.ts';
import { checkLaws } from './laws.ts';
import { type Json, list, listed, type NaiveRestaurant } from './naive.ts';
import { add, textDigits } from './naive-decimal.ts';
import { type NaiveLine, type NaiveSums, naiveLines, seen, sumsOf } from './naive-menu.ts';

const MODIFIERS = { kind: 'menu', groups: ['MODIFIER'] };

/** A modifier, with all that is above it: its order first, itself last. */
type Chain = Json[];

/** Every modifier of orders, in the order of the document. */
function chainsOf(orders: Json[]): Chain[] {
  const under = (holder: Json, above: Chain): Chain[] =>
    list(holder.modifiers).flatMap((modifier) => [[...above, modifier], ...under(modifier, [...above, modifier])]);
  return orders.flatMap((order) =>
    list(order.checks).flatMap((check) => list(check.selections).flatMap((line) => under(line, [order, check, line]))),
  );
}

/**
 * The same orders with other lines, checks and payments around the same modifiers; what is voided or of a kind remains.
 */
const amidOthers = (order: Json): Json => ({
  ...order,
  numberOfGuests: 3,
  diningOption: null,
  checks: list(order.checks).map((check) => ({
    ...check,
    taxAmount: 1,
    appliedServiceCharges: [],
    appliedDiscounts: [{ discountAmount: 3.33 }],
    // The dates of what was refunded are those of the payments.
    payments: list(check.payments).map(({ refund }) => ({
      refund: refund && { ...refund, refundAmount: null, tipRefundAmount: null },
    })),
    selections: list(check.selections).map((line, index) => ({
      ...line,
      displayName: 'Other',
      item: { guid: `other-${index}` },
      itemGroup: null,
      menu: null,
      quantity: 7,
      preDiscountPrice: 12.34,
      price: 10,
      appliedDiscounts: [],
      refundDetails: { refundAmount: 1 },
    })),
  })),
});

const trades = fc.record({
  one: cases(8, 0),
  /** Which modifier is changed, and whether its price is, or which of those above it, or itself, is voided. */
  which: fc.nat(40),
  how: fc.constantFrom('price', 'void', 'void'),
  above: fc.nat(6),
});
type Trade = typeof trades extends fc.Arbitrary<infer T> ? T : never;

/**
 * The orders with one change, and the modifiers that it is about, before and after. Undefined where there is no
 * modifier.
 */
function changed({
  one: { orders },
  which,
  how,
  above,
}: Trade): { orders: Json[]; about: [Json[], Json[]] } | undefined {
  const [before, after] = [orders, structuredClone(orders)];
  const chains = [chainsOf(before), chainsOf(after)] as const;
  if (chains[0].length === 0) return undefined;
  const chain = chains[1][which % chains[1].length] ?? [];
  const depth = how === 'price' ? chain.length - 1 : above % chain.length;
  const touched = chain[depth];
  if (how === 'price') Object.assign(touched, { preDiscountPrice: 77.77, price: 66.66 });
  else touched.voided = true;
  const places = chains[1].flatMap((other, index) => (other.includes(touched) ? [index] : []));
  const about = (of: Chain[]): Json[] => places.map((index) => of[index]?.at(-1));
  return { orders: after, about: [about(chains[0]), about(chains[1])] };
}

const keyOf = (row: Json): string => `${row.businessDate} ${row.modifierGuid ?? `name ${row.modifierName}`}`;
const keyOfLine = ({ date, source }: NaiveLine): string => {
  const guid = listed(source.selectionType) === 'SPECIAL_REQUEST' ? undefined : source.item?.guid?.toLowerCase();
  return `${date} ${guid ?? `name ${seen(source.displayName) || 'Open Item'}`}`;
};

const FIGURES = {
  gross: ['grossSalesAmount', 2],
  discount: ['discountAmount', 2],
  refund: ['refundAmount', 2],
  voided: ['voidAmount', 2],
  quantity: ['quantitySold', 6],
  wasted: ['wasteCount', 6],
  wasteCents: ['wasteAmount', 2],
} as const satisfies Record<keyof NaiveSums, [field: string, places: number]>;
type Figures = Record<keyof NaiveSums, bigint>;

const NONE: Figures = sumsOf([]);
const figuresOf = (row: Json): Figures =>
  Object.fromEntries(
    Object.entries(FIGURES).map(([name, [field, places]]) => [name, textDigits(String(row[field]), places)]),
  ) as Figures;
const less = (one: Figures, other: Figures): Figures =>
  Object.fromEntries(
    Object.keys(FIGURES).map((name) => [name, one[name as keyof Figures] - other[name as keyof Figures]]),
  ) as Figures;
const isNothing = (figures: Figures): boolean => Object.values(figures).every((value) => value === 0n);

/** What differs by key, without the keys of which nothing does. */
function differences(before: Map<string, Figures>, after: Map<string, Figures>): Map<string, Figures> {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return new Map(
    keys
      .map((key) => [key, less(after.get(key) ?? NONE, before.get(key) ?? NONE)] as const)
      .filter(([, figures]) => !isNothing(figures)),
  );
}

const byKey = (rows: Json[]): Map<string, Figures> => new Map(rows.map((row) => [keyOf(row), figuresOf(row)]));
const byKeyOfLines = (lines: NaiveLine[]): Map<string, Figures> =>
  new Map([...Map.groupBy(lines, keyOfLine)].map(([key, own]) => [key, sumsOf(own)]));

interface Prepared {
  naive: NaiveRestaurant;
  rows: Json[];
  amid: Json[];
  touched: Json[];
}

describe('the laws of modifiers', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  async function prepare(round: Trade[]): Promise<Prepared[]> {
    const restaurants = await forEach(round, async (trade) => {
      const { restaurant, orders } = trade.one;
      const all = [orders, orders.map(amidOthers), changed(trade)?.orders ?? orders];
      const [plain, amid, touched] = all.map(() => newRestaurant(restaurant));
      assert.ok(plain && amid && touched);
      for (const [index, of] of [plain, amid, touched].entries()) await put(engine, of, 'orders', all[index] ?? []);
      return [plain, amid, touched];
    });
    const reports = reportsOf(engine, restaurants.flat());
    return await Promise.all(
      round.map(async ({ one }, index) => {
        const [rows = [], amid = [], touched = []] = await Promise.all(
          [0, 1, 2].map(async (at) => await reports[3 * index + at]?.(MODIFIERS)),
        );
        return { naive: one.restaurant, rows, amid, touched };
      }),
    );
  }

  checkLaws(trades, prepare, {
    'every modifier that is sold, voided or wasted is in exactly one row': ({ one: { orders } }, { naive, rows }) => {
      const lines = naiveLines(orders, naive).filter(({ modifier }) => modifier);
      assert.equal(new Set(rows.map(keyOf)).size, rows.length);
      const of = (name: keyof Figures, all: Figures[]): bigint => add(all.map((figures) => figures[name]));
      for (const name of Object.keys(FIGURES) as (keyof Figures)[])
        assert.equal(of(name, rows.map(figuresOf)), sumsOf(lines)[name], name);
    },
    'other lines, discounts, payments and names around the same modifiers change no row': (_one, { rows, amid }) => {
      const plain = (all: Json[]): Json[] => all.map(({ restaurantGuid: _, ...row }) => row);
      assert.deepEqual(plain(amid), plain(rows));
    },
    'a modifier, or a void above it, changes the rows of the modifiers that it is about, by what these are': (
      trade,
      { naive, rows, touched },
    ) => {
      const change = changed(trade);
      const { orders } = trade.one;
      const of = (all: Json[], about: Json[] = []): NaiveLine[] =>
        naiveLines(all, naive).filter(({ source }) => about.includes(source));
      assert.deepEqual(
        differences(byKey(rows), byKey(touched)),
        differences(
          byKeyOfLines(of(orders, change?.about[0])),
          byKeyOfLines(of(change?.orders ?? [], change?.about[1])),
        ),
      );
    },
  });
});

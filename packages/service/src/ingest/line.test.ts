import assert from 'node:assert/strict';
import test from 'node:test';
import type { LineFact } from '../facts/line.ts';
import { lineText, type NamedLine } from './line.ts';
import { orderFacts } from './order.ts';

const BISTRO = { timeZone: 'America/New_York', closeoutHour: 4 };
const guid = (number: number): string => `0a000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const order = { guid: guid(1), openedDate: '2026-03-10T17:30:00.000+0000' };
const burger = {
  displayName: 'Burger',
  item: { guid: 'B-1' },
  itemGroup: { guid: 'G-1' },
  quantity: 2,
  preDiscountPrice: 32,
  price: 24.66,
  appliedDiscounts: [{ discountAmount: 3.2 }],
  refundDetails: { refundAmount: 4 },
  modifiers: [{ displayName: 'Cheese', item: { guid: 'c-1' }, quantity: 2, preDiscountPrice: 2, price: 2 }],
};
const beer = { displayName: 'Beer', item: { guid: 'b-2' }, preDiscountPrice: 6, price: 5.14 };

function linesOf(changes: object, ...checks: object[]): NamedLine[] {
  const all = checks.map((check, i) => ({ guid: guid(10 + i), ...check }));
  const facts = orderFacts({ ...order, ...changes, checks: all }, 7, BISTRO);
  assert.ok('order' in facts, JSON.stringify(facts));
  assert.equal(facts.order.details, 3);
  return facts.lines;
}
const linesOfCheck = (...selections: object[]): NamedLine[] => linesOf({}, { selections });

const NOTHING = { quantity: 0, gross: 0, discount: 0, refund: 0, void: 0, waste: [0, 0] };
/** What a line adds up to; quantities in whole numbers, amounts in cents. */
const sumsOf = (line: LineFact | undefined) =>
  line && {
    quantity: line.quantity / 1e6,
    gross: line.gross_cents,
    discount: line.discount_cents,
    refund: line.refund_cents,
    void: line.void_cents,
    waste: [line.waste_quantity / 1e6, line.waste_cents],
  };
const byName = (lines: LineFact[]) => Object.fromEntries(lines.map((line) => [line.item_name, sumsOf(line)]));

test('the discount of a check is spread over its sold lines by what the POS took off their prices', () => {
  const salad = { displayName: 'Potato salad', quantity: 0.35, preDiscountPrice: 4.2, price: 4.2 };
  const voided = { displayName: 'Salad', preDiscountPrice: 9.5, price: 9.5, voided: true };
  const card = { displayName: 'Gift card', preDiscountPrice: 25, price: 25, selectionType: 'TOAST_CARD_SELL' };

  const lines = linesOf(
    {},
    { selections: [burger, beer, salad, voided, card], appliedDiscounts: [{ discountAmount: 5 }] },
  );

  assert.deepEqual(byName(lines), {
    Burger: { ...NOTHING, quantity: 2, gross: 3200, discount: 734, refund: 400 },
    Cheese: { ...NOTHING, quantity: 2, gross: 200 },
    Beer: { ...NOTHING, quantity: 1, gross: 600, discount: 86 },
    'Potato salad': { ...NOTHING, quantity: 0.35, gross: 420 },
    Salad: { ...NOTHING, void: 950 },
  });
  const [first, second] = lines;
  assert.deepEqual(
    [first?.seq, first?.check_guid, first?.item_guid, first?.group_guid, first?.modifier],
    [7, guid(10), 'b-1', 'g-1', false],
  );
  assert.deepEqual([second?.modifier, second?.item_guid, second?.group_guid], [true, 'c-1', null]);
});

test('without a trace of it in prices the discount is spread by cost, and without any cost it is the first line that has it', () => {
  const spread = (...selections: object[]) =>
    linesOf({}, { selections, appliedDiscounts: [{ discountAmount: 1 }] }).map((line) => line.discount_cents);

  assert.deepEqual(spread({ displayName: 'a', preDiscountPrice: 1, price: 1 }, beer, { ...beer, price: 6 }), [0, 100]);
  assert.deepEqual(
    spread({ displayName: 'a', preDiscountPrice: 1, price: 1 }, { displayName: 'b', preDiscountPrice: 2, price: 2 }),
    [33, 67],
  );
  assert.deepEqual(spread({ displayName: 'a' }, { displayName: 'b' }), [100, 0]);
  assert.deepEqual(spread({ displayName: 'a', voided: true }), [0]);
});

test('a modifier shares the fate of everything above it, at every depth', () => {
  const nested = (levels: number): object =>
    levels === 0
      ? {}
      : { modifiers: [{ displayName: `level ${levels}`, price: 1, preDiscountPrice: 1, ...nested(levels - 1) }] };
  const plain = byName(linesOfCheck({ displayName: 'Bowl', ...nested(12) }));
  const above = byName(
    linesOfCheck({
      displayName: 'Bowl',
      modifiers: [{ displayName: 'Rice', voided: true, price: 2, modifiers: [{ displayName: 'Brown', price: 1 }] }],
    }),
  );
  const below = byName(
    linesOfCheck({ displayName: 'Bowl', voided: true, price: 8, modifiers: [{ displayName: 'Rice' }] }),
  );
  const card = linesOfCheck({ selectionType: 'TOAST_CARD_SELL', modifiers: [{ displayName: 'Sleeve' }] });

  assert.equal(Object.keys(plain).length, 11);
  assert.deepEqual(above, {
    Bowl: { ...NOTHING, quantity: 1 },
    Rice: { ...NOTHING, void: 200 },
    Brown: { ...NOTHING, void: 100 },
  });
  assert.deepEqual(below, { Bowl: { ...NOTHING, void: 800 }, Rice: NOTHING });
  assert.deepEqual(card, []);
});

test('free text has no GUID and no quantity of its own; halves are no modifiers, but what is on them is', () => {
  const lines = linesOfCheck({
    displayName: 'Pizza',
    modifiers: [
      { displayName: 'extra crispy ', selectionType: 'SPECIAL_REQUEST', item: { guid: 'x' } },
      { displayName: 'Left', selectionType: 'PORTION', modifiers: [{ displayName: 'Olives', item: { guid: 'o' } }] },
    ],
  });

  assert.deepEqual(
    lines.map(({ item_name, item_guid, quantity }) => [item_name, item_guid, quantity / 1e6]),
    [
      ['Pizza', null, 1],
      ['extra crispy', null, 0],
      ['Olives', 'o', 1],
    ],
  );
});

test('a waste order has waste and nothing else', () => {
  const selections = [
    { ...beer, price: 0, appliedDiscounts: [{ discountAmount: 6 }] },
    { ...burger, voided: true },
  ];
  const check = { selections, appliedDiscounts: [{ discountAmount: 1 }] };
  const wasted = linesOf({ excessFood: true }, check, { ...check, voided: true }, { ...check, deleted: true });

  assert.deepEqual(byName(wasted), { Beer: { ...NOTHING, waste: [1, 600] } });
  for (const flag of ['voided', 'deleted', 'createdInTestMode'])
    assert.deepEqual(linesOf({ excessFood: true, [flag]: true }, check), []);
  assert.deepEqual(linesOf({ excessFood: true, approvalStatus: 'NOT_APPROVED' }, check), []);
});

test('a voided order or check voids its lines, and a deleted one has none', () => {
  const selections = [
    { displayName: 'Beer', price: 5 },
    { displayName: 'Card', price: 9, deferred: true },
  ];
  const voided = { Beer: { ...NOTHING, void: 500 }, Card: { ...NOTHING, void: 900 } };

  assert.deepEqual(byName(linesOf({ voided: true }, { selections })), voided);
  assert.deepEqual(byName(linesOf({}, { selections, voided: true })), voided);
  assert.deepEqual(linesOf({}, { selections, deleted: true }), []);
  assert.deepEqual(linesOf({ deleted: true }, { selections }), []);
});

test('lines of one item, name, group and menu are added up by check', () => {
  const named = { ...beer, itemGroup: { guid: 'G', name: 'Drinks' }, menu: { guid: null, name: 'Lunch' } };
  const lines = linesOf({}, { selections: [beer, named, { ...beer, quantity: 2 }] }, { selections: [beer] });

  assert.deepEqual(
    lines.map((line) => [
      line.check_guid,
      line.quantity / 1e6,
      line.gross_cents,
      line.group_guid,
      line.group_name,
      line.menu_name,
    ]),
    [
      [guid(10), 3, 1200, null, null, null],
      [guid(10), 1, 600, 'g', 'Drinks', 'Lunch'],
      [guid(11), 1, 600, null, null, null],
    ],
  );
});

test('a check of many different items adds up the same lines as one of few', () => {
  const drink = (number: number): object => ({ ...beer, item: { guid: `b-${number}` }, displayName: `Beer ${number}` });
  const drinks = Array.from({ length: 50 }, (_, i) => drink(i % 40));
  const lines = linesOf({}, { selections: drinks }, { selections: [drink(0), drink(39), drink(0)] });
  assert.deepEqual(
    lines.map(({ check_guid, item_guid, quantity }) => [check_guid, item_guid, quantity / 1e6]),
    [
      ...Array.from({ length: 40 }, (_, i) => [guid(10), `b-${i}`, i < 10 ? 2 : 1]),
      [guid(11), 'b-0', 2],
      [guid(11), 'b-39', 1],
    ],
  );
});

test('a line as JSON has all its properties, with and without sums besides quantity and price', () => {
  const voided = { ...beer, item: { guid: 'b-3' }, voided: true };
  for (const line of [
    ...linesOfCheck(beer, burger, voided),
    ...linesOf({ excessFood: true }, { selections: [beer] }),
  ]) {
    const { names, ...fact } = line;
    assert.equal(lineText(line), JSON.stringify(fact));
  }
});

test('what was ignored before is cut or left out where it does not fit, and rejected only for its type', () => {
  const [odd] = linesOfCheck({
    displayName: `${'n'.repeat(499)}😀`,
    item: { guid: 'g'.repeat(201) },
    itemGroup: { guid: 'a\0', name: 'x\0y' },
    quantity: 1e7,
  });
  const rejected = (selection: object) =>
    orderFacts({ ...order, checks: [{ guid: guid(2), selections: [selection] }] }, 0, BISTRO);

  assert.deepEqual(
    [odd?.item_name, odd?.item_guid, odd?.group_guid, odd?.group_name, odd?.quantity],
    ['n'.repeat(499), null, null, 'xy', 1_000_000],
  );
  const at = (selection: object) => {
    const facts = rejected(selection);
    return 'pointer' in facts ? facts.pointer : 'accepted';
  };
  assert.deepEqual(
    [
      at({ displayName: 5 }),
      at({ item: 'burger' }),
      at({ item: { guid: 5 } }),
      at({ quantity: '2' }),
      at({ modifiers: [{ modifiers: [{ price: '1' }] }] }),
    ],
    ['displayName', 'item', 'item/guid', 'quantity', 'modifiers/0/modifiers/0/price'].map(
      (place) => `/checks/0/selections/0/${place}`,
    ),
  );
});

test('the quantities of an item in one order add up to their sum, rounded once, over its checks too', () => {
  const item = (quantity: number, changes: object = {}) => ({
    displayName: 'Pizza',
    item: { guid: 'p' },
    quantity,
    ...changes,
  });
  const sold = (...checks: object[][]): number =>
    linesOf({}, ...checks.map((selections) => ({ selections }))).reduce((total, line) => total + line.quantity, 0);
  for (const [parts, quantity, millionths] of [
    [3, 1 / 3, 1_000_000],
    [7, 1 / 7, 1_000_000],
    [6, 2 / 3, 4_000_000],
    [2, 0.0000005, 1],
    [3, -1 / 3, -1_000_000],
    [2, 0.25, 500_000],
    [3, 333_333.3333333, 1_000_000_000_000],
  ] as const) {
    const all = Array.from({ length: parts }, () => item(quantity));
    assert.equal(sold(all), millionths, `${parts} of ${quantity} on one check`);
    assert.equal(sold(...all.map((one) => [one])), millionths, `${parts} of ${quantity} on as many checks`);
  }
  assert.equal(sold([item(1 / 3), item(1 / 3), item(1 / 3, { voided: true })]), 666_667);
  const among = (guid: string) => item(1 / 3, { itemGroup: { guid }, menu: { guid } });
  assert.equal(sold([among('lunch'), among('dinner'), among('late')]), 1_000_000, 'in several groups');
  assert.equal(sold(['a', 'b', 'c'].map((guid) => item(1 / 3, { item: { guid } }))), 999_999, 'of three items');
});

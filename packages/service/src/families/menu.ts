/**
 * Menu reports: what was sold, by restaurant and date, optionally by menu, menu group, item or modifier. Names, types
 * and order of the record are exact: docs/contract.md#records.
 */
import type { Static } from 'typebox';
import { BusinessDate, exact, Money, Nullable, Text, Type } from '../contract/schemas.ts';
import { defineFamily, type FieldColumn, type Shape } from './family.ts';
import { RESTAURANT, RESTAURANT_COLUMNS } from './fields.ts';

const Quantity = Type.Number({ description: 'At most 6 decimals', examples: [2] });
const ItemGuid = Text('7e0b6a52-0c5d-4c9e-8a35-64d2c9f1a001', {
  description: 'As in the loaded data; null if there is none',
});

/** A menu record in the reference dialect: pairs of groupings that were not requested are null. */
export const MenuRecord = Type.Object(
  {
    businessDate: BusinessDate,
    ...RESTAURANT,
    netSalesAmount: Money,
    grossSalesAmount: Money,
    discountAmount: Money,
    refundAmount: Money,
    voidAmount: Money,
    quantitySold: Quantity,
    averagePrice: Money,
    wasteCount: Quantity,
    wasteAmount: Money,
    menuGuid: Nullable(ItemGuid),
    menuName: Nullable(Text('Dinner')),
    menuGroupGuid: Nullable(ItemGuid),
    menuGroupName: Nullable(Text('Burgers')),
    menuItemGuid: Nullable(ItemGuid),
    menuItemName: Nullable(Text('House Burger')),
    modifierGuid: Nullable(ItemGuid),
    modifierName: Nullable(Text('Extra Cheese')),
  },
  { ...exact, title: 'MenuRecord' },
);
export type MenuRecord = Static<typeof MenuRecord>;

const LiveGuid = Type.Optional(ItemGuid);

/** A menu record in the live dialect: only the requested pair is present, without the GUID if there is none. */
const LiveMenuRecord = Type.Object(
  {
    // Before the date.
    ...RESTAURANT,
    ...MenuRecord.properties,
    menuGuid: LiveGuid,
    menuName: Type.Optional(Text('Dinner')),
    menuGroupGuid: LiveGuid,
    menuGroupName: Type.Optional(Text('Burgers')),
    menuItemGuid: LiveGuid,
    menuItemName: Type.Optional(Text('House Burger')),
    modifierGuid: LiveGuid,
    modifierName: Type.Optional(Text('Extra Cheese')),
  },
  { ...exact, title: 'LiveMenuRecord' },
);

/** A `live` record has only the requested pair of fields (docs/contract.md#dialects). */
const shownFor =
  (word: string) =>
  ({ dialect, groups }: Shape): boolean =>
    dialect === 'reference' || groups.includes(word);
const name = (word: string): FieldColumn => ({
  type: 'text',
  loaded: true,
  shownIn: shownFor(word),
  storedIn: ({ groups }) => groups.includes(word),
});
const guid = (word: string): FieldColumn => ({ ...name(word), live: { nullLeftOut: true } });

/** Microseconds of the engine by split, measured over 3,224 dates of restaurants with some 17 items each. */
const MICROSECONDS: Readonly<Record<string, number>> = { MENU: 60, MENU_GROUP: 90, MENU_ITEM: 200, MODIFIER: 100 };

export const MENU = defineFamily({
  kind: 'menu',
  path: '/menu',
  dataset: 'menu',
  title: 'Menu',
  noun: 'menu sales',
  label: 'Menu',
  summary: 'Get sales by menu, menu group, item or modifier',
  spans: ['day', 'week', 'month', 'year', 'custom'],
  dates: { start: 'startBusinessDate', end: 'endBusinessDate' },
  groups: ['MENU', 'MENU_GROUP', 'MENU_ITEM', 'MODIFIER'],
  mostGroups: 1,
  aggregates: ['DAY'],
  records: { reference: MenuRecord, live: LiveMenuRecord },
  columns: {
    businessDate: { type: 'date' },
    ...RESTAURANT_COLUMNS,
    netSalesAmount: { type: 'money' },
    grossSalesAmount: { type: 'money' },
    discountAmount: { type: 'money' },
    refundAmount: { type: 'money' },
    voidAmount: { type: 'money' },
    quantitySold: { type: 'quantity' },
    averagePrice: { type: 'money' },
    wasteCount: { type: 'quantity' },
    wasteAmount: { type: 'money' },
    menuGuid: guid('MENU'),
    menuName: name('MENU'),
    menuGroupGuid: guid('MENU_GROUP'),
    menuGroupName: name('MENU_GROUP'),
    menuItemGuid: guid('MENU_ITEM'),
    menuItemName: name('MENU_ITEM'),
    modifierGuid: guid('MODIFIER'),
    modifierName: name('MODIFIER'),
  },
  totals: [
    'netSalesAmount',
    'grossSalesAmount',
    'discountAmount',
    'refundAmount',
    'voidAmount',
    'quantitySold',
    'wasteCount',
    'wasteAmount',
  ],
  reportTotals: {
    // Cents divided by millionths of a piece.
    ratios: {
      averagePrice: { of: { field: 'grossSalesAmount' }, by: { field: 'quantitySold' }, times: 1_000_000, none: 0 },
    },
    splits: {
      menu: { fields: ['menuGuid', 'menuName'], needs: 'MENU' },
      menuGroup: { fields: ['menuGroupGuid', 'menuGroupName'], needs: 'MENU_GROUP' },
      menuItem: { fields: ['menuItemGuid', 'menuItemName'], needs: 'MENU_ITEM' },
      modifier: { fields: ['modifierGuid', 'modifierName'], needs: 'MODIFIER' },
    },
  },
  cost: ({ groups }) => MICROSECONDS[groups[0] ?? ''] ?? 12,
  // Rounded up from docs/performance.md.
  firstGuess: () => 0.2,
  limits: {
    menu: { live: '10/min,60/h', generous: '1000/min,6000/h', calls: 'each of POST /menu/day and /week', each: true },
    longMenu: { live: '10/h', generous: '1000/h', calls: 'each of POST /menu, /menu/month and /year', each: true },
  },
  limitOf: (span) => (span === 'day' || span === 'week' ? 'menu' : 'longMenu'),
  needs: 'items',
  changes: ['lines'],
  onLive: { groupedSpans: ['day', 'week'] },
});

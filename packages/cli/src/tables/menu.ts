/** Menu sales at a terminal. */
import { type MenuFigures, type MenuRecord, quotient } from '@daypart/client';
import { centsOf, shownAmount, shownCents, shownQuantity } from '../cells.ts';
import type { Page } from '../report-table.ts';
import { amountField, type DateField, showByDate, sumOver } from './date-view.ts';
import { declaredBy, type Table } from './table.ts';

/** A row of any split. */
type MenuRow = MenuFigures & { [Field in Exclude<keyof MenuRecord, keyof MenuFigures>]: MenuRecord[Field] };

/** The names of the columns for people. */
const SORT_FIELDS: Record<string, keyof MenuRow> = {
  restaurant: 'restaurantName',
  date: 'businessDate',
  menu: 'menuName',
  'menu-group': 'menuGroupName',
  item: 'menuItemName',
  modifier: 'modifierName',
  quantity: 'quantitySold',
  'average-price': 'averagePrice',
  'net-sales': 'netSalesAmount',
  'gross-sales': 'grossSalesAmount',
  discount: 'discountAmount',
  refund: 'refundAmount',
  void: 'voidAmount',
  waste: 'wasteAmount',
  'waste-count': 'wasteCount',
  // As the columns are called, and as those of sales metrics.
  gross: 'grossSalesAmount',
  discounts: 'discountAmount',
  refunds: 'refundAmount',
  voids: 'voidAmount',
  'avg-price': 'averagePrice',
  wasted: 'wasteCount',
};

type Field = DateField<MenuRow>;

const millionthsOf = (quantity: number | null): number => Math.round((quantity ?? 0) * 1e6);

const quantity = (heading: string, importance: number, field: 'quantitySold' | 'wasteCount'): Field => ({
  heading,
  importance,
  number: true,
  cell: (row) => shownQuantity(millionthsOf(row[field])),
  total: (rows) => shownQuantity(sumOver(rows, (row) => millionthsOf(row[field]))),
});

const FIGURES: readonly Field[] = [
  quantity('Quantity', 90, 'quantitySold'),
  amountField('Net sales', 100, 'netSalesAmount'),
  amountField('Gross', 60, 'grossSalesAmount'),
  amountField('Discounts', 50, 'discountAmount'),
  amountField('Refunds', 40, 'refundAmount'),
  amountField('Voids', 45, 'voidAmount'),
  {
    heading: 'Avg price',
    importance: 55,
    number: true,
    cell: (row, currency) => shownAmount(row.averagePrice, currency),
    total: (rows, currency) => {
      const sold = sumOver(rows, (row) => millionthsOf(row.quantitySold));
      const gross = sumOver(rows, (row) => centsOf(row.grossSalesAmount) ?? 0);
      return shownCents(quotient(gross, sold, 1_000_000) ?? 0, currency);
    },
  },
  quantity('Wasted', 30, 'wasteCount'),
  amountField('Waste', 35, 'wasteAmount'),
];

const NAMES = [
  ['Menu', 'menuName'],
  ['Menu group', 'menuGroupName'],
  ['Item', 'menuItemName'],
  ['Modifier', 'modifierName'],
] as const;

const fieldsOf = (rows: readonly MenuRow[]): readonly Field[] => [
  ...NAMES.filter(([, field]) => rows.some((row) => row[field] !== null)).map(([heading, field]) => ({
    heading,
    importance: 98,
    cell: (row: MenuRow) => row[field] ?? '–',
  })),
  ...FIGURES,
];

const notesOf = (rows: readonly MenuRow[]): string[] =>
  rows.some(({ modifierName }) => modifierName !== null)
    ? ['Sales of modifiers are part of the sales of their items.']
    : [];

const show = (page: Page, rows: AsyncIterable<MenuRow>): Promise<void> =>
  showByDate(page, rows, { dateOf: ({ businessDate }) => businessDate, fieldsOf, notesOf });

export const MENU: Table = {
  word: 'menu',
  ...declaredBy('menu'),
  title: 'Menu sales',
  nothing: 'nothing sold, voided or wasted',
  splits: ['menu', 'menu-group', 'item', 'modifier'],
  partRange: 'week',
  sortFields: SORT_FIELDS,
  reports: (client) => client.menu,
  show,
};

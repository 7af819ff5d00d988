/** Menu sales at a terminal. */
import type { MenuFigures, MenuRecord } from '@daypart/client';
import { centsOf, shownAmount, shownDecimal, shownHundredths } from '../cells.ts';
import { CURRENCY, type CurrencyOf, ONE_CURRENCY, shownCurrency } from '../currencies.ts';
import { groupBy } from '../group-by.ts';
import { namesOf, type Page, type Sheet, showNothing, showSheet } from '../report-table.ts';
import { shownDay } from '../span.ts';
import type { Column } from '../table.ts';
import type { Table } from './table.ts';

/** A row of any split. */
export type MenuRow = MenuFigures & { [Field in Exclude<keyof MenuRecord, keyof MenuFigures>]: MenuRecord[Field] };

/** Keyed by the fields of the row, so that a missing one does not compile. */
const FIELDS: Record<keyof MenuRow, true> = {
  ...{ businessDate: true, restaurantGuid: true, restaurantName: true },
  ...{ restaurantLocationName: true, restaurantLocationCode: true },
  ...{ netSalesAmount: true, grossSalesAmount: true, discountAmount: true, refundAmount: true, voidAmount: true },
  ...{ quantitySold: true, averagePrice: true, wasteCount: true, wasteAmount: true },
  ...{ menuGuid: true, menuName: true, menuGroupGuid: true, menuGroupName: true },
  ...{ menuItemGuid: true, menuItemName: true, modifierGuid: true, modifierName: true },
};

/** What people call the columns. */
const SORT_FIELDS: Record<string, keyof MenuRow> = {
  ...{ restaurant: 'restaurantName', date: 'businessDate', menu: 'menuName', 'menu-group': 'menuGroupName' },
  ...{ item: 'menuItemName', modifier: 'modifierName', quantity: 'quantitySold', 'average-price': 'averagePrice' },
  ...{ 'net-sales': 'netSalesAmount', 'gross-sales': 'grossSalesAmount', discount: 'discountAmount' },
  ...{ refund: 'refundAmount', void: 'voidAmount', waste: 'wasteAmount', 'waste-count': 'wasteCount' },
};

interface Field extends Column {
  cell(row: MenuRow): string;
  /** Of all rows of a currency; left out where nothing adds up. */
  total?(rows: readonly MenuRow[]): string;
}

const sumOf = (rows: readonly MenuRow[], of: (row: MenuRow) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);

/** Millionths, without the zeros that they end in. */
const shownQuantity = (millionths: number): string => shownDecimal(millionths, 6).replace(/\.?0+$/, '');
const millionthsOf = (quantity: number | null): number => Math.round((quantity ?? 0) * 1e6);

type Amounts = Extract<keyof MenuFigures, `${string}Amount`>;
const amount = (heading: string, importance: number, field: Amounts): Field => ({
  ...{ heading, importance, number: true },
  cell: (row) => shownAmount(row[field]),
  total: (rows) => shownHundredths(sumOf(rows, (row) => centsOf(row[field]) ?? 0)),
});
const quantity = (heading: string, importance: number, field: 'quantitySold' | 'wasteCount'): Field => ({
  ...{ heading, importance, number: true },
  cell: (row) => shownQuantity(millionthsOf(row[field])),
  total: (rows) => shownQuantity(sumOf(rows, (row) => millionthsOf(row[field]))),
});

const FIGURES: readonly Field[] = [
  quantity('Quantity', 90, 'quantitySold'),
  amount('Net sales', 100, 'netSalesAmount'),
  amount('Gross', 60, 'grossSalesAmount'),
  amount('Discounts', 50, 'discountAmount'),
  amount('Refunds', 40, 'refundAmount'),
  amount('Voids', 45, 'voidAmount'),
  {
    ...{ heading: 'Avg price', importance: 55, number: true },
    cell: (row) => shownAmount(row.averagePrice),
    total: (rows) => {
      const sold = sumOf(rows, (row) => millionthsOf(row.quantitySold));
      const gross = sumOf(rows, (row) => centsOf(row.grossSalesAmount) ?? 0);
      return shownHundredths(sold === 0 ? 0 : Math.round((gross * 1e6) / sold));
    },
  },
  quantity('Wasted', 30, 'wasteCount'),
  amount('Waste', 35, 'wasteAmount'),
];

const NAMES = [
  ['Menu', 'menuName'],
  ['Menu group', 'menuGroupName'],
  ['Item', 'menuItemName'],
  ['Modifier', 'modifierName'],
] as const;

/** The columns without those that are the same in all rows: these stand in the title. */
function sheetOf(rows: readonly MenuRow[], currencyOf: CurrencyOf): Sheet {
  const restaurants = new Set(rows.map(({ restaurantGuid }) => restaurantGuid));
  const codes = groupBy(rows, ({ restaurantGuid }) => currencyOf(restaurantGuid));
  const fields: Field[] = [
    ...(restaurants.size > 1
      ? [{ heading: 'Restaurant', importance: 95, cell: (row: MenuRow) => row.restaurantName ?? row.restaurantGuid }]
      : []),
    ...(codes.size > 1
      ? [
          {
            ...CURRENCY,
            cell: (row: MenuRow) => shownCurrency(currencyOf(row.restaurantGuid)),
            total: ([row]: readonly MenuRow[]) => shownCurrency(row ? currencyOf(row.restaurantGuid) : null),
          },
        ]
      : []),
    ...(new Set(rows.map(({ businessDate }) => businessDate)).size > 1
      ? [{ heading: 'Date', importance: 94, cell: (row: MenuRow) => shownDay(row.businessDate) }]
      : []),
    ...NAMES.filter(([, field]) => rows.some((row) => row[field] !== null)).map(([heading, field]) => ({
      ...{ heading, importance: 98 },
      cell: (row: MenuRow) => row[field] ?? '–',
    })),
    ...FIGURES,
  ];
  const shown = (code: string | null): string => code ?? '\uffff';
  const sorted = [...codes].sort(([a], [b]) => (shown(a) < shown(b) ? -1 : 1));
  const isModifiers = rows.some(({ modifierName }) => modifierName !== null);
  return {
    columns: fields.map(({ cell: _, total: __, ...column }) => column),
    rows: rows.map((row) => fields.map(({ cell }) => cell(row))),
    totals: sorted.map(([, of]) => fields.map(({ total }) => total?.(of) ?? '')),
    notes: isModifiers ? ['Sales of modifiers are part of the sales of their items.'] : [],
  };
}

async function show(page: Page, rows: AsyncIterable<MenuRow>): Promise<void> {
  const all: MenuRow[] = [];
  for await (const row of rows) all.push(row);
  if (all.length === 0) return await showNothing(page);
  const names = namesOf(all);
  const currencies = names.length > 1 ? await page.currencies() : ONE_CURRENCY;
  const dates = all.map((row) => row.businessDate).sort();
  await showSheet(page, sheetOf(all, currencies.of), { dates, names });
}

export const MENU: Table = {
  word: 'menu',
  kind: 'menu',
  title: 'Menu sales',
  nothing: 'nothing sold, voided or wasted',
  splits: ['menu', 'menu-group', 'item', 'modifier'],
  mostGroups: 1,
  ranges: ['day', 'week', 'month', 'year'],
  partRange: 'week',
  fields: Object.keys(FIELDS),
  sortFields: SORT_FIELDS,
  reports: (client) => client.menu,
  show,
};

/** Restaurants as rows: figures of the period, the change, and a line of the last four weeks. */

import type { Totals } from '@daypart/client';
import type { ComponentChildren } from 'preact';
import { ShareBar, Spark } from '../charts/date-line.tsx';
import type { Restaurant } from '../data/restaurants.ts';
import { changeOf } from '../model/change.ts';
import { discountShare, labourShare, voidShare } from '../model/figures.ts';
import { spell } from '../model/locale.ts';
import { formatCount, formatMoney, formatShare } from '../model/money.ts';
import { columnIn, groupByCurrency, type Order, sortBy, sortsOf } from '../model/order.ts';
import { type Deviation, type Measure, sayUsual } from '../model/stands-out.ts';
import { ChangeMark } from '../widgets/change.tsx';
import { changeView } from './tools.tsx';

/** A restaurant in a period; `sum` is undefined if it has no data. */
export interface Ranked {
  restaurant: Restaurant;
  sum: Totals | undefined;
  /** The part of `sum` that is compared with `before`: for a day in progress, the hours that are over. */
  alike: Totals | undefined;
  before: Totals | undefined;
  /** How many dates with data are compared, if not as many on both sides. */
  dates: string | undefined;
  /** Net sales in cents for each of the last 28 dates. */
  weeks: (number | undefined)[];
  /** Figures that are worse than usual. */
  unusual: ReadonlyMap<Measure, Deviation>;
}

/** By net sales, the highest first, is not in the address. */
export const sortRestaurants = (sort: string): void => changeView({ sort: sort === '-net' ? undefined : sort });

export interface RestaurantColumn {
  name: string;
  title: string;
  /** The column is hidden on phones. */
  wide: boolean;
  className?: string;
  /** Whether the values are amounts, which are ordered within each currency. */
  money?: boolean;
  /** The value by which rows are ordered; undefined sorts last. */
  order?: Order<Ranked>;
  cell: (row: Ranked, most: number) => ComponentChildren;
  sum?: (sum: Totals, before: Totals | undefined, currency: string | null) => ComponentChildren;
}

/** A share, marked if it is worse than usual: with the usual one to hover and to hear. */
function share(value: number | undefined, unusual?: Deviation) {
  if (value === undefined) return '–';
  if (!unusual) return formatShare(value);
  const usual = sayUsual(unusual);
  return (
    <span class="unusual" title={usual}>
      {formatShare(value)}
      <span class="hidden">, {usual}</span>
    </span>
  );
}

const shareColumn = (
  name: string,
  title: string,
  measure: Measure,
  of: (sum: Totals) => number | undefined,
): RestaurantColumn => ({
  name,
  title,
  wide: true,
  order: ({ sum }) => sum && of(sum),
  cell: ({ sum, unusual }) => (sum ? share(of(sum), unusual.get(measure)) : '–'),
  sum: (sum) => share(of(sum)),
});

const plainColumn = (
  name: string,
  title: string,
  of: (sum: Totals) => number,
  show: (value: number, currency: string | null) => string,
): RestaurantColumn => ({
  name,
  title,
  wide: true,
  money: show === formatMoney,
  order: ({ sum }) => sum && of(sum),
  cell: ({ sum, restaurant }) => (sum ? show(of(sum), restaurant.currencyCode) : '–'),
  sum: (sum, _, currency) => show(of(sum), currency),
});

const NET: RestaurantColumn = {
  name: 'net',
  title: 'Net sales',
  wide: false,
  className: 'strong',
  money: true,
  order: ({ sum }) => sum?.netSalesCents,
  cell: ({ sum, restaurant }) =>
    sum ? <Money cents={sum.netSalesCents} currency={restaurant.currencyCode} /> : <a href="/data">No data</a>,
  sum: (sum, _, currency) => <Money cents={sum.netSalesCents} currency={currency} />,
};

const SHARE: RestaurantColumn = {
  name: 'share',
  title: '',
  wide: true,
  className: 'track',
  cell: ({ sum }, most) => (sum ? <ShareBar share={sum.netSalesCents / Math.max(1, most)} /> : null),
};

const WEEKS: RestaurantColumn = {
  name: 'weeks',
  title: '28 days',
  wide: true,
  className: 'spark',
  cell: ({ weeks, restaurant }) => <Spark values={weeks} label={`Net sales of ${restaurant.name} over 28 days`} />,
};

const changeColumn = (title: string): RestaurantColumn => ({
  name: 'change',
  title,
  wide: false,
  order: ({ alike, before }) =>
    alike && before && before.netSalesCents > 0 ? alike.netSalesCents / before.netSalesCents : undefined,
  cell: ({ sum, alike, before, dates }) =>
    sum && (
      <>
        <ChangeMark
          change={alike && changeOf(alike.netSalesCents, before?.netSalesCents)}
          note={before ? '–' : 'new'}
        />
        {dates && (
          <small class="faint">
            <br />
            {dates}
          </small>
        )}
      </>
    ),
  sum: (sum, before) => <ChangeMark change={changeOf(sum.netSalesCents, before?.netSalesCents)} note="–" />,
});

const REST: readonly RestaurantColumn[] = [
  plainColumn('orders', 'Orders', ({ ordersCount }) => ordersCount, formatCount),
  plainColumn('guests', 'Guests', ({ guestCount }) => guestCount, formatCount),
  plainColumn('average', 'Avg order', ({ avgOrderValueCents }) => avgOrderValueCents, formatMoney),
  shareColumn('labour', spell('Labor'), 'labour', labourShare),
  shareColumn('discounts', 'Discounts', 'discounts', discountShare),
  shareColumn('voids', 'Voids', 'voids', voidShare),
  plainColumn('refunds', 'Refunds', ({ refundCents }) => refundCents, formatMoney),
  plainColumn('open', 'Open', ({ openOrderCount }) => openOrderCount, formatCount),
];

/**
 * The columns after the name. `versus` is the heading of the change; `hasWeeks` is whether the last four weeks are
 * known.
 */
export const restaurantColumns = (versus: string | undefined, hasWeeks: boolean): RestaurantColumn[] => [
  NET,
  SHARE,
  ...(versus === undefined ? [] : [changeColumn(versus)]),
  ...(hasWeeks ? [WEEKS] : []),
  ...REST,
];

/** What restaurants can be ordered by. */
export const RESTAURANT_SORTS = ['name', ...sortsOf(restaurantColumns('vs', true))];

/** With decimals if there is space for them. */
function Money({ cents, currency }: { cents: number; currency: string | null }) {
  return (
    <>
      <span class="on-desk">{formatMoney(cents, currency)}</span>
      <span class="on-phone">{formatMoney(cents, currency, 'whole')}</span>
    </>
  );
}

/** Restaurants in the order of a column, or of their names; of an amount, within each of the currencies. */
export function sortRows(
  rows: Ranked[],
  columns: RestaurantColumn[],
  sort: string,
  currencies: readonly (string | null)[] = [],
): Ranked[] {
  const name = columnIn(sort);
  const byName = ({ restaurant }: Ranked): string => restaurant.name;
  const column = columns.find((one) => one.name === name);
  const sorted = sortBy(rows, name === 'name' ? byName : column?.order, sort);
  if (!column?.money) return sorted;
  return groupByCurrency(sorted, currencies, ({ sum, restaurant }) => sum && restaurant.currencyCode);
}

/** The heading of a column. A click orders the rows by the column. */
export function SortHead(props: {
  name: string;
  title: string;
  sort: string;
  onSort: (sort: string) => void;
  sortable: boolean;
  className?: string;
}) {
  const { name, title, sort, onSort, sortable, className } = props;
  const state = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none';
  if (!title) return <td class={className} />;
  if (!sortable)
    return (
      <th scope="col" class={className}>
        {title}
      </th>
    );
  return (
    <th scope="col" class={className} aria-sort={state}>
      <button type="button" onClick={() => onSort(state === 'descending' ? name : `-${name}`)}>
        {title}
        {state !== 'none' && <span aria-hidden="true">{state === 'descending' ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  );
}

export const classOf = ({ wide, className = '' }: Pick<RestaurantColumn, 'wide' | 'className'>): string =>
  `${wide ? 'wide' : ''} ${className}`.trim();

/** The headings of the name and of the columns. */
export function SortHeads(props: {
  title: string;
  columns: readonly (Pick<RestaurantColumn, 'name' | 'title' | 'wide' | 'className'> & { order?: unknown })[];
  sort: string;
  onSort: (sort: string) => void;
}) {
  const { title, columns, sort, onSort } = props;
  return (
    <>
      <SortHead name="name" title={title} sort={sort} onSort={onSort} sortable />
      {columns.map((column) => (
        <SortHead
          key={column.name}
          name={column.name}
          title={column.title}
          sort={sort}
          onSort={onSort}
          sortable={column.order !== undefined}
          className={classOf(column)}
        />
      ))}
    </>
  );
}

/** The restaurants of the group by their sales, with the changes against the comparison. */

import type { Totals } from '@daypart/client';
import { useState } from 'preact/hooks';
import { PickRestaurant } from '../../features/filter.tsx';
import { hrefOf } from '../../features/nav.tsx';
import {
  classOf,
  type Ranked,
  type RestaurantColumn,
  restaurantColumns,
  SortHeads,
  sortRestaurants,
  sortRows,
} from '../../features/restaurant-table.tsx';
import { currencyName, formatCount } from '../../model/money.ts';
import { Card } from '../../widgets/card.tsx';
import { TableBox } from '../../widgets/table.tsx';

const DEFAULT_COLUMNS = ['net', 'share', 'change', 'weeks', 'orders', 'average', 'labour', 'discounts', 'voids'];
const SETTING = 'daypart-columns';

/** The chosen columns, which this browser stores. */
function useColumns(all: RestaurantColumn[]) {
  const [names, setNames] = useState<string[]>(() => {
    const kept = localStorage.getItem(SETTING);
    return kept ? kept.split(' ') : DEFAULT_COLUMNS;
  });
  const choose = (name: string, on: boolean): void => {
    const next = on ? [...names, name] : names.filter((one) => one !== name);
    localStorage.setItem(SETTING, next.join(' '));
    setNames(next);
  };
  return { columns: all.filter(({ name }) => names.includes(name)), choose };
}

function ColumnChoice({
  all,
  chosen,
  choose,
}: {
  all: RestaurantColumn[];
  chosen: RestaurantColumn[];
  choose: (name: string, on: boolean) => void;
}) {
  // Phones have no space for most columns.
  return (
    <span class="on-desk">
      <button type="button" class="button" popovertarget="column-choice">
        Columns
      </button>
      <div id="column-choice" popover="auto" class="popover stack">
        {all
          .filter(({ title, name }) => title && name !== 'net')
          .map((column) => (
            <label class="check" key={column.name}>
              <input
                type="checkbox"
                checked={chosen.includes(column)}
                onChange={(event) => choose(column.name, event.currentTarget.checked)}
              />
              {column.title}
            </label>
          ))}
      </div>
    </span>
  );
}

interface RankingProps {
  rows: Ranked[];
  /** Rows of restaurants with other currencies, which are in no sum. */
  others: Ranked[];
  sum: Totals;
  /** The sums of the restaurants that are in both periods: the comparison of `sum`. */
  alike: { now: Totals; before: Totals } | undefined;
  currency: string | null;
  versus: string | undefined;
  hasWeeks: boolean;
  /** Why they cannot be shown. */
  unfiltered: string | undefined;
  sort: string;
  guid: string | undefined;
  still: string | undefined;
}

/** With more rows than this, the card links to the screen of restaurants. */
export const MOST_RANKED = 100;

export function RankingCard({ rows, others, versus, hasWeeks, unfiltered, sort, guid, still, ...sums }: RankingProps) {
  const all = restaurantColumns(versus, hasWeeks);
  const { columns, choose } = useColumns(all);
  const most = Math.max(0, ...rows.map((row) => row.sum?.netSalesCents ?? 0));
  const named = all.find(({ name }) => name === sort.replace('-', ''))?.title.toLowerCase();
  // A bar is a share of the sum, so restaurants with other currencies have none.
  const plain = columns.map((column) => (column.name === 'share' ? { ...column, cell: () => null } : column));
  return (
    <Card
      title="Restaurants"
      aside={named ? `ranked by ${named}` : 'by name'}
      end={<ColumnChoice all={all} chosen={columns} choose={choose} />}
      guid={guid}
      still={still}
      bleed
    >
      {unfiltered ? (
        <p class="state">{unfiltered}</p>
      ) : (
        <TableBox label="Table of restaurants" className="data">
          <thead>
            <tr>
              <SortHeads title="Restaurant" columns={columns} sort={sort} onSort={sortRestaurants} />
            </tr>
          </thead>
          <tbody>
            {sortRows(rows, all, sort)
              .slice(0, MOST_RANKED)
              .map((row) => (
                <RankingRow key={row.restaurant.guid} row={row} columns={columns} most={most} />
              ))}
            {rows.length > 1 && rows.some((row) => row.sum) && (
              <SumRow count={rows.length} columns={columns} {...sums} />
            )}
            {others.slice(0, MOST_RANKED).map((row) => (
              <RankingRow key={row.restaurant.guid} row={row} columns={plain} most={0} />
            ))}
          </tbody>
        </TableBox>
      )}
      {rows.length > MOST_RANKED && (
        <p class="state">
          <a href={`/restaurants${location.search}`}>All {formatCount(rows.length)} restaurants</a>
        </p>
      )}
    </Card>
  );
}

function SumRow(
  props: Pick<RankingProps, 'sum' | 'alike' | 'currency'> & { count: number; columns: RestaurantColumn[] },
) {
  const { count, columns, sum, alike, currency } = props;
  return (
    <tr class="sum">
      <th scope="row">
        {formatCount(count)} restaurants, {currencyName(currency)}
      </th>
      {columns.map((column) => (
        <td key={column.name} class={classOf(column)}>
          {column.name === 'change'
            ? alike && column.sum?.(alike.now, alike.before, currency)
            : column.sum?.(sum, undefined, currency)}
        </td>
      ))}
    </tr>
  );
}

function RankingRow({ row, columns, most }: { row: Ranked; columns: RestaurantColumn[]; most: number }) {
  const { guid, name, locationName } = row.restaurant;
  return (
    <tr>
      <th scope="row">
        <PickRestaurant guid={guid} name={name} />
        <a href={hrefOf(`/restaurants/${guid}`)}>{name}</a> {locationName && <small>{locationName}</small>}
      </th>
      {columns.map((column) => (
        <td key={column.name} class={classOf(column)}>
          {column.cell(row, most)}
        </td>
      ))}
    </tr>
  );
}

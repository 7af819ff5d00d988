/** A plain table whose headings order its rows. The order is in the address. */
import { usePlace } from '../data/router.ts';
import { columnIn, type Order, sortBy } from '../model/order.ts';
import { type PlainColumn, TableBox } from '../widgets/table.tsx';
import { SortHead } from './restaurant-table.tsx';
import { choose } from './tools.tsx';

export interface SortedColumn<T> extends PlainColumn<T> {
  /** How the address names it. */
  name: string;
  title: string;
  order: Order<T>;
}

interface SortedProps<T> {
  /** The name of the table for screen readers. */
  label: string;
  /** The first column names the row. */
  columns: readonly SortedColumn<T>[];
  rows: T[];
  keyOf: (row: T, at: number) => string;
  /** The parameter of the address, and the order without it: `-cost`. */
  by: string;
  usual: string;
  /** How many rows are shown; all unless said otherwise. */
  most?: number | undefined;
}

export function SortedTable<T>({ label, columns, rows, keyOf, by, usual, most }: SortedProps<T>) {
  const inAddress = new URLSearchParams(usePlace().search).get(by) ?? usual;
  const known = columns.find(({ name }) => name === columnIn(inAddress));
  const sort = known ? inAddress : usual;
  const column = known ?? columns.find(({ name }) => name === columnIn(usual));
  const onSort = (next: string): void => choose(by, next === usual ? '' : next);
  return (
    <TableBox label={label}>
      <thead>
        <tr>
          {columns.map(({ name, title, className = '' }) => (
            <SortHead key={name} name={name} title={title} sort={sort} onSort={onSort} className={className} sortable />
          ))}
        </tr>
      </thead>
      <tbody>
        {sortBy(rows, column?.order, sort)
          .slice(0, most)
          .map((row, place) => (
            <tr key={keyOf(row, place)}>
              {columns.map(({ name, className, cell }, at) =>
                at === 0 ? (
                  <th key={name} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={name} class={className}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
      </tbody>
    </TableBox>
  );
}

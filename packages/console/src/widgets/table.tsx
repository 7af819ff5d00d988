/** Tables: a box that scrolls sideways if it is too narrow, and rows of columns. */
import type { ComponentChildren } from 'preact';

interface BoxProps {
  /** The name of the table for screen readers: "Table of clients". */
  label: string;
  className?: string;
  children: ComponentChildren;
}

export const TableBox = ({ label, className = 'data dense', children }: BoxProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways if it is too narrow
  <section class="table-box" aria-label={label} tabIndex={0}>
    <table class={className}>{children}</table>
  </section>
);

export interface PlainColumn<T> {
  title: ComponentChildren;
  /** `wide` hides the column on phones, `left` aligns it as text. */
  className?: string;
  cell: (row: T) => ComponentChildren;
}

interface DataTableProps<T> extends Omit<BoxProps, 'children'> {
  /** The first column names the row. */
  columns: readonly PlainColumn<T>[];
  rows: readonly T[];
  keyOf: (row: T, at: number) => string;
}

export function DataTable<T>({ columns, rows, keyOf, ...box }: DataTableProps<T>) {
  const [name, ...rest] = columns;
  return (
    <TableBox {...box}>
      <thead>
        <tr>
          {columns.map(({ title, className }, at) => (
            <th key={at} scope="col" class={className}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <tr key={keyOf(row, place)}>
            <th scope="row">{name?.cell(row)}</th>
            {rest.map(({ className, cell }, at) => (
              <td key={at} class={className}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

/** A button that shows the rest of a long list. */
export const MoreButton = ({ all, count, onClick }: { all: boolean; count: string; onClick: () => void }) => (
  <button type="button" class="button small quiet" onClick={onClick} aria-expanded={all}>
    {all ? 'Fewer' : `All ${count}`}
  </button>
);

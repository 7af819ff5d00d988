/** The order of the rows of a table: by one of its columns. */

/** What a row is ordered by; a row without it is last. */
export type Order<T> = (row: T) => string | number | null | undefined;

/** The column of an order: `net` for `-net`, which begins with the largest. */
export const columnIn = (sort: string): string => sort.replace(/^-/, '');

/** The names of the columns by which a person can order rows. */
export const sortsOf = (columns: readonly { name: string; title: string; order?: unknown }[]): string[] =>
  columns.flatMap(({ name, title, order }) => (title && order ? name : []));

/**
 * Rows of each currency together, in the order of `currencies` and otherwise as they are: amounts of two currencies
 * cannot be compared. Those whose currency is undefined or not among them are last.
 */
export function groupByCurrency<T>(
  rows: T[],
  currencies: readonly (string | null)[],
  codeOf: (row: T) => string | null | undefined,
): T[] {
  // Unsigned, -1 of a currency that is not found is the largest number.
  const rank = (row: T): number => (currencies as (string | null | undefined)[]).indexOf(codeOf(row)) >>> 0;
  return [...rows].sort((a, b) => rank(a) - rank(b));
}

/** Rows in the order `sort` of a column; as they are without one. */
export function sortBy<T>(rows: T[], order: Order<T> | undefined, sort: string): T[] {
  if (!order) return rows;
  const { compare } = new Intl.Collator();
  const direction = sort.startsWith('-') ? -1 : 1;
  return rows
    .map((row) => ({ row, key: order(row) ?? undefined }))
    .sort(({ key: one }, { key: other }) => {
      if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
      return direction * (typeof one === 'string' ? compare(one, String(other)) : one - Number(other));
    })
    .map(({ row }) => row);
}

/** Rows as text, for services that have JSON alone and for spans in parts. */
import { csvFields, csvHead, csvLine } from './csv.ts';
import type { How } from './how.ts';
import { shownDate } from './span.ts';
import type { Row, Table } from './tables/table.ts';

export type TextForm = 'json' | 'ndjson' | 'csv';

export interface Writing {
  /** What stands before the first row. */
  head: string;
  row(row: Row, first: boolean): string;
  /** What stands after the last. */
  tail(empty: boolean): string;
}

/** Record by record, so that a report of any size takes no more memory than one of them. */
export function writingOf(
  form: TextForm,
  table: Pick<Table, 'fields'>,
  { names, isoDates, raw }: Pick<How, 'names' | 'isoDates' | 'raw'>,
): Writing {
  const shown = isoDates ? withIsoDates : (row: object) => row;
  if (form === 'csv') {
    const fields = csvFields(table, names);
    if (names && !raw) fields.unshift(...fields.splice(-1));
    return { head: csvHead(fields), row: (row) => csvLine(fields, { ...shown(row) }), tail: () => '' };
  }
  if (form === 'ndjson') return { head: '', row: (row) => `${JSON.stringify(shown(row))}\n`, tail: () => '' };
  return {
    head: '[',
    row: (row, first) => `${first ? '\n' : ',\n'}${JSON.stringify(shown(row))}`,
    tail: (empty) => (empty ? ']\n' : '\n]\n'),
  };
}

/** The row with its business dates as 2026-03-10. */
function withIsoDates(row: object): object {
  const shown: Record<string, unknown> = { ...row };
  for (const field of ['businessDate', 'orderOpenDate'])
    if (typeof shown[field] === 'string') shown[field] = shownDate(shown[field]);
  return shown;
}

/** Rows as text, for services that have JSON alone and for spans in parts. */
import type { Kind } from './ask.ts';
import { csvFields, csvHead, csvLine } from './csv.ts';
import type { Row } from './source.ts';

export type TextForm = 'json' | 'ndjson' | 'csv';

export interface Writing {
  /** What stands before the first row. */
  head: string;
  row(row: Row, first: boolean): string;
  /** What stands after the last. */
  tail(empty: boolean): string;
}

/** Record by record, so that a report of any size takes no more memory than one of them. */
export function writingOf(form: TextForm, kind: Kind, names: boolean): Writing {
  if (form === 'csv') {
    const fields = csvFields(kind, names);
    return { head: csvHead(fields), row: (row) => csvLine(fields, { ...row }), tail: () => '' };
  }
  if (form === 'ndjson') return { head: '', row: (row) => `${JSON.stringify(row)}\n`, tail: () => '' };
  return {
    head: '[',
    row: (row, first) => `${first ? '\n' : ',\n'}${JSON.stringify(row)}`,
    tail: (empty) => (empty ? ']\n' : '\n]\n'),
  };
}

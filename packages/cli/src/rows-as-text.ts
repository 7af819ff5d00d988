/** Rows as text, for services that only have JSON and for spans in parts. */
import { type CsvTable, CURRENCY_CODE, csvFields, csvHead, csvLine, peopleFields } from './csv.ts';
import type { CurrencyOf } from './currencies.ts';
import type { ReportOptions } from './report-options.ts';
import { shownDate } from './span.ts';
import type { Row } from './tables/row.ts';
import { isDates } from './units.ts';

export type TextForm = 'json' | 'ndjson' | 'csv';

export interface Writing {
  /** The text before the first row. */
  head: string;
  row(row: Row, first: boolean): string;
  /** The text after the last row. */
  tail(empty: boolean): string;
}

/**
 * Record by record, with the currencies of CSV for people, so that a report of any size takes the memory of one record.
 */
export function writingOf(
  form: TextForm,
  table: CsvTable,
  { names, isoDates, isPeople }: Pick<ReportOptions, 'names' | 'isoDates' | 'isPeople'>,
  currencyOf: CurrencyOf,
): Writing {
  const shown = isoDates ? withIsoDates : (row: object) => row;
  if (form === 'csv') {
    const fields = isPeople ? peopleFields(table, names) : csvFields(table, names);
    const line = (row: Row): string =>
      csvLine(fields, { ...shown(row), [CURRENCY_CODE]: currencyOf(row.restaurantGuid) });
    return { head: csvHead(fields), row: line, tail: () => '' };
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
  for (const [field, value] of Object.entries(row)) {
    if (!isDates(field)) continue;
    if (typeof value === 'string') shown[field] = shownDate(value);
    else if (Array.isArray(value)) shown[field] = value.map((one) => shownDate(String(one)));
  }
  return shown;
}

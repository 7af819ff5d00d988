/** Prints lists of a service: as a table, JSON, JSON lines or CSV. */

import { shownJson } from '@daypart/client/text';
import type { ParsedArguments } from './arguments.ts';
import { shownText } from './cells.ts';
import { csvHead, csvLine } from './csv.ts';
import type { TableColumn } from './table.ts';
import { plainPieces, type Terminal } from './terminal.ts';

interface Listing<Row extends object> {
  rows: readonly Row[];
  /** The columns of CSV. */
  fields: readonly string[];
  columns: readonly TableColumn[];
  /** The cells of a row in the table. */
  cells(row: Row): string[];
  /** What a terminal shows for an empty list. */
  nothing: string;
}

/** Writes the list in the format of `--format`; by default a table on a terminal and JSON elsewhere. */
export function showListing<Row extends object>(
  args: ParsedArguments,
  terminal: Terminal,
  listing: Listing<Row>,
): void {
  const { rows, fields, columns, nothing } = listing;
  const form = args.value('format') ?? (terminal.out.isTTY ? 'table' : 'json');
  const plain = plainPieces(terminal.out);
  if (form === 'json') {
    terminal.say(shownJson(JSON.stringify(rows, null, 2)));
    return;
  }
  if (form === 'ndjson' || form === 'csv') {
    const text =
      form === 'csv'
        ? csvHead(fields) + rows.map((row) => csvLine(fields, Object(row))).join('')
        : rows
            .map(
              (row) => `${JSON.stringify(row)}
`,
            )
            .join('');
    terminal.out.write(plain(text));
    return;
  }
  if (rows.length === 0) terminal.say(nothing);
  else
    terminal.table(
      columns,
      rows.map((row) => listing.cells(row).map(shownText)),
    );
}

/** `2026-03-20T18:00:05.123Z` for people: `2026-03-20 18:00 UTC`. */
export const shownMinute = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

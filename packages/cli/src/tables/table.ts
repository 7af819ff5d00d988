/** A report family as the command sees it: how it is requested, shown, written as CSV, sorted and added up. */
import {
  type Ask,
  type CallOptions,
  type Daypart,
  FAMILIES,
  type FamilyDeclaration,
  type Field,
  type HistoryAsk,
  type HistoryOptions,
  type OpenQuery,
  type Rows,
  type RowsOptions,
  type TimeRange,
  type WaitOptions,
} from '@daypart/client';
import { type CsvTable, NAME_FIELD } from '../csv.ts';
import type { Adding, Lines } from '../lines.ts';
import type { Page } from '../report-table.ts';
import type { Row } from './row.ts';

/** A part of a long span. */
export interface Part {
  rows: Row[];
  /** Resumes after this part. */
  cursor: string;
  /** YYYYMMDD, both included. */
  start: string;
  end: string;
}

/** The calls of a family's resource of the client (`daypart.metrics`, `daypart.family(…)`). */
export interface Reports {
  create(ask: Ask, options?: CallOptions): Promise<string>;
  retrieve(
    guid: string,
    query?: { fetchRestaurantNames?: boolean | undefined },
    options?: CallOptions,
  ): Promise<unknown>;
  rows(guid: string, options?: RowsOptions): Rows<Row>;
  open(guid: string, query?: OpenQuery, options?: WaitOptions): Promise<Response>;
  history(ask: HistoryAsk<Ask>, options?: HistoryOptions): AsyncIterable<Part>;
}

export interface Table extends CsvTable {
  /** The word of `daypart report WORD`. */
  word: string;
  /** The kind of its reports in `GET /reports/{guid}`. */
  kind: string;
  /** The first words above the table: `Sales metrics`. */
  title: string;
  /** The noun for an empty report: `no checks`. */
  nothing: string;
  /** The values of `--by` that it takes. */
  splits: readonly string[];
  /** How many of its groups `--by` takes at once; two unless said otherwise. */
  mostGroups?: number;
  /** The ranges that it can be created for, the shortest first. */
  ranges: readonly TimeRange[];
  /** The range of the parts of a span that no range holds, so that a part fits into memory. */
  partRange: Ask['range'];
  /** The range that remains where a service does not have the others. */
  onlyRange?: TimeRange;
  /**
   * What `--sort` takes besides the fields of a record, and the fields that it means: the columns by their names for
   * people.
   */
  sortFields: Readonly<Record<string, string>>;
  reports(client: Daypart): Reports;
  /** Writes the table. */
  show(page: Page, rows: AsyncIterable<Row>): Promise<void>;
  /** Adds rows up to lines for `--total-by` and `--compare`, which the family does not take without it. */
  addUp?(rows: readonly Row[], adding: Adding<Row>): Lines;
}

/** A table by its word. The rest of it is loaded when it is used: completion and help need the words only. */
export interface TableEntry {
  word: string;
  load(): Promise<Table>;
}

/**
 * What a table takes from the declaration of its family. Fields that only some reports have, but the name, are added
 * for those.
 */
export function declaredBy(
  kind: keyof typeof FAMILIES,
): Pick<Table, 'kind' | 'mostGroups' | 'ranges' | 'fields' | 'alwaysNamed'> {
  const { ranges, mostGroups, fields }: FamilyDeclaration = FAMILIES[kind];
  const isUsual = ([name, { optional }]: [string, Field]): boolean => !optional || name === NAME_FIELD;
  return {
    kind,
    mostGroups,
    ranges: ranges.filter((range) => range !== 'custom'),
    fields: Object.entries(fields).flatMap((entry) => (isUsual(entry) ? entry[0] : [])),
    ...(fields[NAME_FIELD]?.optional ? {} : { alwaysNamed: true }),
  };
}

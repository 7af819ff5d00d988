/** The form of a report: the format, dialect and fields of its records. */
import type { Aggregate, Dialect } from '../contract/words.ts';
import type { Workbook } from '../files/workbook.ts';

/** The formats of a file; the first is the default. */
export const FORMATS = ['json', 'ndjson', 'csv', 'parquet', 'xlsx'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * The order of the fields: `record` is the order of the record, as on the wire; `people` is for those who read or add
 * up columns (docs/downloads.md#layout). JSON always is as the record.
 */
export const LAYOUTS = ['record', 'people'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** The layouts of a format; the first is the default. */
function layoutsOf(format: Format): readonly Layout[] {
  if (format === 'json' || format === 'ndjson') return ['record'];
  return format === 'xlsx' ? ['people'] : LAYOUTS;
}

/** Whether a format has the layout. */
export const hasLayout = (format: Format, layout: Layout): boolean => layoutsOf(format).includes(layout);

/**
 * The layout that is asked for, or the default one. Throws what `refuse` makes of a sentence if the format lacks it.
 */
export function chosenLayout(format: Format, request: Layout | undefined, refuse: (detail: string) => Error): Layout {
  const found = layoutsOf(format).find((one) => request === undefined || one === request);
  if (!found) throw refuse(`${format} does not have the layout ${request}.`);
  return found;
}

/** The rows of a report that a form has, by the fields by which the report is split: those with these values. */
export interface Only {
  /** 0 to 23. */
  businessHour?: readonly number[] | undefined;
  diningOption?: string | undefined;
  orderSource?: string | undefined;
}

/** One rendering of a snapshot. */
export interface Form {
  format: Format;
  /** The report family. */
  kind: string;
  dialect: Dialect;
  /** CSV only: begins with a byte order mark. */
  bom?: true;
  /** Whether it includes restaurantName. */
  names: boolean;
  /**
   * Only in the layout `people`: the currencies of the report by the number that its snapshot has of them, of which
   * there is none if an older version made the report.
   */
  currencies?: readonly (string | null)[];
  /** Only of `xlsx`: what it has besides the rows. */
  workbook?: Workbook;
  /** Absent for all rows. */
  only?: Only;
  /** The groups of the report: the `live` dialect omits the fields of groupings that were not requested. */
  groups: string[];
  aggregate: Aggregate;
}

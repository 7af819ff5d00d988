/** The form of a report: the format, dialect and fields of its records. */
import type { Aggregate, Dialect } from '../contract/words.ts';

/** The formats of a file; the first is the default. */
export const FORMATS = ['json', 'ndjson', 'csv', 'parquet'] as const;
export type Format = (typeof FORMATS)[number];

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
  /** The groups of the report: the `live` dialect omits the fields of groupings that were not requested. */
  groups: string[];
  aggregate: Aggregate;
}
